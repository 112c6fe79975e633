"""Verifying an archive, and what the command line takes to start.

    python -m tests.benchmarks archive

Matches a second of the processor, beside a fixed piece of Python work (`table.yard`); how much
quicker two processes are than one; seconds and memory of commands that need no engine.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from domain.engine.checks.verify import EXACT, verify
from replay_cli.checking.verifying import check_all, matches
from service.store.records import Records
from tests.benchmarks.service_history import GAME, RULES, keep, play
from tests.benchmarks.table import Found, bracketed, show, yard

MATCHES = 40
#: Commands that need no server.
COMMANDS = (
    ("--help",),
    ("--lang", "ja", "--help"),
    ("rules", "7-6-2"),
    ("cards", "ST01-004"),
    ("list", "--help"),
)


def verifying(path: Path, rounds: int) -> Found:
    """Matches a second of the processor: the record alone, not what is derived from it."""
    with closing(Records(path, reading=True)) as records:
        logs = [records.entries(match) for match in records.ids()]

    def run() -> float:
        start = time.process_time()
        assert all(verify(log, RULES).kind == EXACT for log in logs)
        return len(logs) / (time.process_time() - start)

    found = bracketed(yard, run, rounds)
    return Found(
        "verify", "verifying records: matches a second of CPU, beside Python's own pace",
        found.ratios, found.figures("matches/s"), "55 matches/s",
    )  # fmt: skip


def sharing(path: Path, rounds: int) -> Found:
    """How much sooner a file is verified by two processes than by one."""
    wanted = matches(path)

    def rate(jobs: int) -> float:
        start = time.perf_counter()
        assert sum(1 for _ in check_all(path, wanted, jobs)) == len(wanted)
        return len(wanted) / (time.perf_counter() - start)

    found = bracketed(lambda: rate(1), lambda: rate(2), rounds)
    return Found(
        "verify, two processes", "verifying a file and what it derives, two processes beside one",
        found.ratios, found.figures("matches/s"), "2",
    )  # fmt: skip


def started(command: tuple[str, ...]) -> tuple[float, float]:
    """Seconds and megabytes of a command, in a process of its own."""
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    code = (
        "import resource, subprocess, sys, time; start = time.perf_counter();"
        " subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True);"
        " print(time.perf_counter() - start,"
        " resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)"
    )
    found = subprocess.run(
        [sys.executable, "-c", code, *command], capture_output=True, text=True, check=True, env=env
    )
    seconds, megabytes = map(float, found.stdout.split())
    return seconds, megabytes


def starting(rounds: int) -> list[Found]:
    """Seconds of a command beside those of an interpreter that does nothing."""
    found = []
    for command in COMMANDS:
        words = (sys.executable, "-m", "replay_cli", *command)
        started(words)
        sizes = list[float]()

        def run(words: tuple[str, ...] = words, sizes: list[float] = sizes) -> float:
            seconds, megabytes = started(words)
            sizes.append(megabytes)
            return seconds

        times = bracketed(lambda: started((sys.executable, "-c", ""))[0], run, rounds)
        name = f"kifu {' '.join(command)}"
        found.append(
            Found(
                name, f"`{name}`: seconds beside those of a bare Python", times.ratios,
                f"{min(times.rates):.2f}–{max(times.rates):.2f} s (bare {min(times.bounds):.2f} s),"
                f" {max(sizes):.0f} MB", "0.25 s, 35 MB", less=True,
            )
        )  # fmt: skip
    return found


def main(rounds: int = 3) -> list[Found]:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "archive.kifu"
        with closing(Records(path)) as records:
            records.use_dictionary(GAME)
            for seed in range(MATCHES):
                keep(records, f"m{seed:04}", play(seed)[0])
        found = [verifying(path, rounds), sharing(path, rounds), *starting(rounds)]
    for one in found:
        show(one.text, {"ratio": str(one), "figures": one.figures})
    return found


if __name__ == "__main__":
    main()
