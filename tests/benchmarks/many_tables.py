"""How many tables one server holds: each acts once in so many seconds, whatever the others do.

    python -m tests.benchmarks.many_tables [--tables N…] [--seconds S]

Every table is a match of its own, each seat on a stream of commands; a match that ends is followed
by another. A table acts at times that are fixed in advance, and a command takes from then until its
answer: so what waits behind a slow one counts as well. The client, which is another process on the
same machine, takes a sixth of what the server does. Times say something only beside what the
machine did meanwhile: a bare commit, measured before and after each load.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import grpc
import uvloop
from kifu.v1 import match_service_pb2 as pb
from kifu.v1.match_service_pb2_grpc import MatchServiceStub

from tests.benchmarks.service_commands import Played, commit_rate, opened, play
from tests.benchmarks.table import Found, cpu, show
from tests.support import serving

#: A table acts once in so many seconds. Of its commands 99 of 100 are to be answered within `AIM`.
EVERY, AIM = 2.0, 0.1
#: How many different matches there are, and tables on one connection.
MATCHES, ON_ONE = 40, 200
OWN = [("grpc.use_local_subchannel_pool", 1)]


class Load(NamedTuple):
    """What became of a load: seconds from when each command was due; what the server took.

    Opening matches is in `cores`, but not in `seconds`.
    """

    tables: int
    seconds: float
    times: list[float]
    cores: float

    def at(self, part: float) -> float:
        """Within how many seconds that part of the commands was answered."""
        return sorted(self.times)[int(len(self.times) * part)]

    def __str__(self) -> str:
        p50, p99, worst = (self.at(part) * 1e3 for part in (0.5, 0.99, 1 - 1e-9))
        rate = len(self.times) / self.seconds
        return (
            f"{rate:.0f} commands/s; p50 {p50:.0f}, p99 {p99:.0f}, worst {worst:.0f} ms;"
            f" {self.cores:.2f} cores of the server"
        )


class Tables:
    """Tables that begin to act once all of them have a match."""

    def __init__(self, stubs: Sequence[Any], token: str, played: Sequence[Played], load: Load):
        self._stubs, self._token, self._played, self._load = stubs, token, played, load
        self._opening, self._ready = asyncio.Semaphore(4), asyncio.Barrier(load.tables)

    async def play(self, at: int) -> None:
        """Play matches one after the other, a command at a time, until the time is over."""
        stub, due, end = self._stubs[at % len(self._stubs)], 0.0, 0.0
        for script in islice(cycle(self._played), at, None):
            async with self._opening:
                match, seats = await opened(stub, self._token, script)
                # Not all at one moment: of more than a thousand calls that wait gRPC drops some.
                streams = [stub.Play(metadata=seat) for seat in seats]
            if not due:
                await self._ready.wait()
                due = time.perf_counter() + EVERY * Random(at).random()
                end = time.perf_counter() + self._load.seconds
            for n, (seat, command) in enumerate(script.commands):
                if due > end:
                    break
                await asyncio.sleep(due - time.perf_counter())
                request = pb.ChooseRequest(
                    match_id=match, decision=command.decision, act=command.act
                )
                await streams[seat].write(pb.PlayRequest(id=n, choose=request))
                answer = await streams[seat].read()
                assert answer.choose.first_seq, answer
                self._load.times.append(time.perf_counter() - due)
                due += EVERY
            for one in streams:
                await one.done_writing()
            if due > end:
                return
            due = max(due, time.perf_counter())  # to open a match is no command


def measure(tables: int, seconds: float, played: Sequence[Played]) -> Load:
    """Put so many tables on a server for so long."""
    load = Load(tables, seconds, [], 0)
    with tempfile.TemporaryDirectory() as name:
        running = serving.start(Path(name) / "matches.kifu", forked=False)
        before = cpu(running.process.pid)

        async def run() -> None:
            connections = -(-tables // ON_ONE)
            channels = [
                grpc.aio.insecure_channel(running.address, options=OWN) for _ in range(connections)
            ]
            stubs = [MatchServiceStub(channel) for channel in channels]
            playing = Tables(stubs, running.token, played, load)
            await asyncio.gather(*(playing.play(at) for at in range(tables)))
            for channel in channels:
                await channel.close()

        uvloop.run(run())
        spent = cpu(running.process.pid) - before
        running.stop()
    return load._replace(cores=spent / seconds)


def main(tables: Sequence[int] = (100,), seconds: float = 20.0) -> list[Found]:
    played = [play(seed) for seed in range(MATCHES)]
    found = list[Found]()
    with tempfile.TemporaryDirectory() as folder:

        def commit() -> float:
            with tempfile.TemporaryDirectory(dir=folder) as name:
                return commit_rate(Path(name), 500)

        for n in tables:
            before, load, after = commit(), measure(n, seconds, played), commit()
            text = f"{n:,} tables that act once in {EVERY:.0f} s: p99 beside the {AIM * 1e3:.0f} ms"
            figures = f"{load}; a bare commit {1e3 / before:.1f} and {1e3 / after:.1f} ms"
            one = Found(f"{n} tables", text, (load.at(0.99) / AIM,), figures, "1", less=True)
            show(one.text, {"ratio": str(one), "figures": one.figures})
            found.append(one)
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--tables", type=int, nargs="+", default=[100], help="one load after another"
    )
    parser.add_argument("--seconds", type=float, default=20.0, help="how long each load lasts")
    given = parser.parse_args()
    main(given.tables, given.seconds)
