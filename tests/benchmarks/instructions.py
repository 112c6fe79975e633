"""Instructions of fixed pieces of work, beside the committed table: `instructions.json`.

    python -m tests.benchmarks.instructions [--save]

Times on a busy machine say nothing of a few per cent; instructions (valgrind's cachegrind) do. The
work is seeded, hashes of texts and places in memory are fixed, no garbage is collected: the numbers
are the same each time. All is loaded and done once, then each piece runs in a fork of its own, less
what a fork does that does nothing.

Another interpreter, processor or library has other numbers. So the table says of which `build` it
is, and nothing is compared with that of another.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from tests.benchmarks.table import Found

TABLE = Path(__file__).with_name("instructions.json")
#: How much more than in the table is too much.
BOUND = 1.02
#: How many decisions of a match are played, and entries of it are read and written.
DECISIONS, ENTRIES = 40, 400
NOTHING = "nothing"
#: Runs a command whose memory lies where it always does.
FIXED_PLACES = ("setarch", "-R")
_COUNTED = re.compile(r"I\s+refs:\s+([\d,]+)")


def works() -> dict[str, Callable[[], object]]:
    """The pieces of work, by name."""
    from domain.engine.checks.verify import verify
    from domain.games import names, rulebook
    from domain.record.folding.fold import fold_all
    from domain.record.proof.chain import chained, genesis
    from domain.record.views import redact
    from service.store.layout import packing
    from service.store.layout.compression import Compression
    from tests.benchmarks import one_thread
    from tests.playouts import play, setup_of

    log, rules, plain = play(setup_of(5, game="gundam")), rulebook("gundam"), Compression()
    some = log[:ENTRIES]
    begun = genesis("m", log[0].event)  # type: ignore[arg-type]
    rows = [packing.pack("m", some[at : at + 8], plain, 0) for at in range(0, ENTRIES, 8)]
    found: dict[str, Callable[[], object]] = {NOTHING: lambda: None}
    for game in names():
        found[f"play {game}"] = lambda game=game: _played(game)  # type: ignore[misc]
    found |= one_thread.works()
    return found | {
        "verify a match": lambda: verify(log, rules),
        "fold entries": lambda: fold_all(some),
        "redact entries for a seat": lambda: [redact(entry, 0) for entry in some],
        "chain entries": lambda: chained(begun, some, bytes(32)),
        "pack rows": lambda: [packing.plain(some[at : at + 8]) for at in range(0, ENTRIES, 8)],
        "read rows": lambda: [
            packing.unpack("m", last, topic.encode(), state, plain) for last, topic, state in rows
        ],
    }


def _played(game: str) -> int:
    """Play the first decisions of a match with bots that choose anything."""
    from random import Random

    from domain.engine.match import Match
    from tests.playouts import Dice, complete, opening, setup_of

    setup = setup_of(1, game=game)
    rng, match = Random(1), Match.open(setup.rules, opening(setup), Dice(1))
    while (decision := match.pos.decision) is not None and decision.n < DECISIONS:
        seat = decision.seats[0]
        offer = decision.offers[seat]
        assert offer is not None
        act = complete(rng, offer, rng.choice(offer.options))
        match.choose(seat, decision.n, act, match.pos.time + 10)
        match.collect()
    return match.pos.decisions


def run() -> None:
    """Do each piece in a fork, and write which process did which."""
    gc.disable()
    found = works()
    for work in found.values():
        work()
    children = list[int]()
    for work in found.values():
        if child := os.fork():
            os.waitpid(child, 0)
            children.append(child)
        else:
            work()
            os._exit(0)
    for child, name in zip(children, found, strict=True):  # only now: it takes time by their digits
        print(f"{child} {name}")


def counted() -> dict[str, int]:
    """The instructions of each piece of work; needs valgrind."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            *FIXED_PLACES, "valgrind", "--tool=cachegrind", "--cache-sim=no",
            f"--log-file={folder}/%p", f"--cachegrind-out-file={folder}/out.%p",
            sys.executable, "-m", "tests.benchmarks.instructions", "--run",
        ]  # fmt: skip
        fixed = {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "PATH": os.environ["PATH"]}
        fixed["PYTHONPATH"] = str(TABLE.parents[2])
        done = subprocess.run(
            command, env=fixed, cwd=folder, capture_output=True, text=True, check=True
        )
        found = {}
        for line in done.stdout.splitlines():
            child, _, name = line.partition(" ")
            refs = _COUNTED.search(Path(folder, child).read_text())
            assert refs is not None
            found[name] = int(refs[1].replace(",", ""))
    nothing = found.pop(NOTHING)
    return {name: n - nothing for name, n in found.items()}


def counted_of(*words: str) -> int:
    """The instructions of a command of `kifu`, its start included; needs valgrind."""
    command = [
        *FIXED_PLACES, "valgrind", "--tool=cachegrind", "--cache-sim=no",
        "--cachegrind-out-file=/dev/null", sys.executable, "-m", "replay_cli", *words,
    ]  # fmt: skip
    fixed = {**os.environ, "PYTHONHASHSEED": "0"}
    done = subprocess.run(command, env=fixed, capture_output=True, text=True, check=True)
    refs = _COUNTED.search(done.stderr)
    assert refs is not None
    return int(refs[1].replace(",", ""))


def build() -> str:
    """What the numbers depend on beside this program: interpreter, libraries, processor, tool."""
    cpu = Path("/proc/cpuinfo")
    flags = re.search(r"^flags.*$", cpu.read_text(), re.M) if cpu.exists() else None
    tool = subprocess.run(["valgrind", "--version"], capture_output=True, text=True, check=True)
    parts = [sys.version, *platform.libc_ver(), platform.machine(), tool.stdout]
    parts += [version(library) for library in ("msgspec", "zstandard")]
    parts.append(sha256(Path(sys.executable).resolve().read_bytes()).hexdigest())
    parts.append(flags[0] if flags else "")
    return sha256("\n".join(parts).encode()).hexdigest()[:16]


def uncounted() -> str:
    """Why instructions can't be counted here; empty if they can."""
    for tool in (FIXED_PLACES[0], "valgrind"):
        if shutil.which(tool) is None:
            return f"{tool} is not installed"
    if subprocess.run([*FIXED_PLACES, "true"], capture_output=True, check=False).returncode:
        return "places in memory can't be fixed here"
    return ""


def missing() -> str:
    """Why nothing can be compared with the table here; empty if it can."""
    if why := uncounted():
        return why
    if json.loads(TABLE.read_text())["build"] != build():
        return "the table of instructions is of another Python, processor or valgrind"
    return ""


def save() -> None:
    """Make what is counted the table."""
    table = {"build": build(), "instructions": counted()}
    TABLE.write_text(json.dumps(table, indent=1) + "\n")


def main() -> list[Found]:
    if why := uncounted():
        raise FileNotFoundError(why)
    table, now = json.loads(TABLE.read_text()), counted()
    if table["build"] != build():
        print("the table of instructions is of another build: the ratios say nothing")
    for name, n in now.items():
        print(f"{name:28} {n:>13,}  {n / table['instructions'].get(name, n):.3f}")
    return []


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", action="store_true", help="do the work, under valgrind")
    parser.add_argument("--save", action="store_true", help="make this the table")
    given = parser.parse_args()
    (run if given.run else save if given.save else main)()
