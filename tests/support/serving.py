"""Starts the real server in a child process, with the toy game beside the real ones.

`start(data)` waits until it answers; `kill` is SIGKILL, `stop` SIGTERM. With `dies=n` it kills
itself once the n-th commit is on disk, before anybody is answered; with `dies_in=[function, n]`
when that is called for the n-th time; `leak` plants a leak (`leaks`).
It is forked from a process that has imported it (`forking`), or an interpreter of its own, which
runs this module.
"""

from __future__ import annotations

import json
import os
import pkgutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from struct import pack
from threading import Thread
from typing import Any

from domain import games
from service.client.client import Client, Opened, connect
from tests.support.forking import Forked
from tests.support.ports import free_port

ROOT = Path(__file__).parents[2]
#: Settings that are paths.
PATHS = ("data", "tls_cert", "tls_key", "http_cert", "http_key", "log_dir")


class Running:
    """A server process that answers calls."""

    def __init__(
        self,
        process: subprocess.Popen[str] | Forked,
        data: Path,
        address: str,
        token: str,
        web: str = "",
        entrance: str = "",
    ) -> None:
        self.process, self.data, self.address, self.token = process, data, address, token
        self.web, self.entrance = web, entrance

    def client(self, token: str | None = None) -> Client:
        """A client of its own channel; the organiser's if no token is given."""
        return connect(self.address, self.token if token is None else token)

    def kill(self) -> None:
        """End it without warning."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """Ask it to stop; its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(20)


def start(
    data: Path, prefix: Sequence[str] = (), *, forked: bool = True, **settings: Any
) -> Running:
    """Start a server on a file and a free port (or `port`); with pages if `http_port` is given.

    Where the port is 0 it is one that stays its own when it is down (`ports`).
    `prefix` is put before the command, which is an interpreter of its own, as without `forked`.
    """
    for name in {"port"} | ({"http_port"} & settings.keys()):
        settings[name] = settings.get(name) or free_port()
    arguments = [json.dumps({"data": str(data), **settings}), "tied"]
    log = data.parent / "server.log"
    process: subprocess.Popen[str] | Forked
    if forked and not prefix:
        process = Forked(main, arguments, log)
    else:
        process = subprocess.Popen(
            [*prefix, sys.executable, "-m", "tests.support.serving", *arguments],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log.open("a"),
            text=True,
        )
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        raise RuntimeError(log.read_text())
    return Running(process, data, **json.loads(line))


@contextmanager
def running(data: Path, **settings: Any) -> Iterator[Running]:
    """A server for as long as it is used; it stops without complaint."""
    found = start(data, **settings)
    try:
        yield found
    finally:
        code = found.stop()
    assert code == 0


def open_toy(client: Client, turns: int = 8, **more: Any) -> Opened:
    """A toy match between Ann and Ben."""
    decks = ["ones", "tens"]
    return client.open_match("toy", ["Ann", "Ben"], decks, options={"turns": turns}, **more)


def seats_of(client: Client, opened: Opened) -> tuple[Client, ...]:
    """Clients with the tokens of a match's seats."""
    return tuple(map(client.with_token, opened.seats))


def followers(host: Client, match: str) -> int:
    """How many follow a match."""
    found = next(one for one in host.list_matches(progress=True) if one.id == match)
    return found.progress.followers


def play(
    clients: tuple[Client, ...], opened: Opened, rng: Any, most: int = 10_000, ticket: str = ""
) -> int:
    """Two seats play at random until the match is over, or `most` decisions; how many they made."""
    made = 0
    decision = clients[0].position(opened.id).decision
    while decision is not None and made < most:
        seat = decision.seats[0]
        offer = decision.offers.get(seat)
        if offer is None:
            decision = clients[seat].position(opened.id).decision
            continue
        act = rng.choice(offer.options).act()
        name = f"{ticket}{decision.n}" if ticket else ""
        choice = clients[seat].choose(opened.id, decision.n, act, name)
        decision, made = choice.next, made + 1
    return made


def _end_with_parent() -> None:
    """A test that broke off leaves no server behind."""
    sys.stdin.read()
    os.kill(os.getpid(), signal.SIGKILL)


def _die_after(commits: int) -> None:
    """End without warning once so many more commits are on the disk."""
    from service.store.records import Records

    commit, left = Records.commit, iter(range(commits - 1, -1, -1))

    def committed(records: Records) -> None:
        commit(records)
        if not next(left):
            os.kill(os.getpid(), signal.SIGKILL)

    Records.commit = committed  # type: ignore[method-assign]


def _die_in(name: str, calls: int) -> None:
    """End without warning when a function is called for so many a time, before it does anything."""
    path, _, function = name.rpartition(".")
    owner = pkgutil.resolve_name(path)
    kept, left = getattr(owner, function), iter(range(calls - 1, -1, -1))

    def called(*args: Any, **more: Any) -> Any:
        if not next(left):
            os.kill(os.getpid(), signal.SIGKILL)
        return kept(*args, **more)

    setattr(owner, function, called)


def _not_hashed(cursor: Any, work: Any, stored: Any) -> Any:
    """In the place of what chains entries: nothing is computed and nothing written."""
    from domain.record.proof.chain import Head

    return tuple(Head(entry.seq, b"") for entry in work.entries) or None


def _move_clock(seconds: float) -> None:
    """Have the process think that it is so much later."""
    now, now_ns = time.time, time.time_ns
    time.time = lambda: now() + seconds
    time.time_ns = lambda: now_ns() + int(seconds * 1e9)


def _note_published(path: str) -> None:
    """Write down when entries were durable: eight bytes each time (`time.monotonic`)."""
    from service.live.streams.streams import Streams

    publish, file = Streams.publish, os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def published(self: Streams, *args: Any) -> None:
        os.write(file, pack("d", time.monotonic()))
        publish(self, *args)

    Streams.publish = published  # type: ignore[method-assign]


def main() -> None:
    from service.server import serve
    from service.settings import Serving, Settings
    from service.store.sqlite import recorder
    from service.telemetry.logs import to_stderr
    from service.web.site import Look
    from tests.faults.planted import PLANTS
    from tests.support.leaks import LEAKS, PAGES
    from tests.toy import RULEBOOKS

    given = json.loads(sys.argv[1])
    if clock := given.pop("clock", 0.0):
        _move_clock(clock)
    if plant := given.pop("plant", ""):
        PLANTS[plant]()
    dies = given.pop("dies", 0)
    if given.pop("unchained", False):  # for benchmarks
        recorder._chained = _not_hashed
    if published := given.pop("published", ""):  # for benchmarks
        _note_published(published)
    leak = given.pop("leak", "")
    dies_in = given.pop("dies_in", ())
    # of the first editions alone: what is cited in tests stays as it is when a book appears anew
    books = {**RULEBOOKS, **{name: games.rulebook(name) for name in games.names()}}
    paths = {key: Path(given[key]) for key in PATHS if key in given}
    shown = given.pop("look", {})
    folders = {key: Path(shown[key]) for key in ("images", "themes") if key in shown}
    look = Look(**{**shown, **folders})
    to_stderr(given.pop("log_level", "info"))
    if leak:
        (LEAKS | PAGES)[leak]()
    if sys.argv[2:]:
        Thread(target=_end_with_parent, daemon=True).start()

    rival: Any = None

    def ready(serving: Serving) -> None:
        if rival is not None:
            rival.address = serving.address
        if dies:
            _die_after(dies)
        if dies_in:
            _die_in(*dies_in)
        seen = {"address": serving.address, "token": serving.token}
        seen |= {"web": serving.web, "entrance": serving.entrance}
        print(json.dumps(seen), flush=True)

    if given.pop("rival", False):
        from replay_cli.playing.policy.player import QUICK
        from replay_cli.playing.policy.sitting import Rival

        rival = given["rival"] = Rival("tests", QUICK, pace=0.0)
    settings = Settings(**{**given, **paths, "rulebooks": books, "look": look})
    if not settings.store:
        serve(settings, ready)
        return
    from tests.support import blocking  # with psycopg, which most servers do without

    with blocking.watched() as found:
        serve(settings, ready)
    sys.exit(found[0] if found else 0)


if __name__ == "__main__":
    main()
