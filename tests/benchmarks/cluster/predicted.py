"""What the model says of a server, beside that server: how long commands take at a given load.

    python -m tests.benchmarks.cluster predicted

Many matches, each of whose commands comes some time after the one before, as people decide; so
often in all that one core would be so busy. The model is given what a command took of the server's
processor in this run, and what a bare commit takes; it says how long a command waits and takes.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import grpc
import uvloop
from kifu.v1 import match_service_pb2 as pb
from kifu.v1.match_service_pb2_grpc import MatchServiceStub

from tests.benchmarks.cluster.constants import of_commits, shares
from tests.benchmarks.cluster.database import Cluster
from tests.benchmarks.cluster.delays import quantile
from tests.benchmarks.cluster.table import servers
from tests.benchmarks.service_commands import Played, opened, play
from tests.benchmarks.table import Found, cpu
from tests.scale.queueing import Delay, Jobs, shared_flush, waiting
from tests.support.serving import Running

#: Matches at once, how many of them are different, and the part of a core that they are to take.
MATCHES, PLAYED, LOADS = 64, 16, (0.25, 0.5)
#: About what a command takes, to begin with; seconds that are measured, and those before.
ABOUT, SECONDS, BEFORE = 0.0012, 5.0, 1.5


class Seen(NamedTuple):
    """How long commands took, how many there were a second, and what each took of the server."""

    times: list[float]
    rate: float
    spent: float


def seen(running: Running, matches: list[Played], load: float) -> Seen:
    """Play matches at a pace."""
    pause, rng = MATCHES * ABOUT / load, Random(1)

    async def one(stub: Any, played: Played, begins: float, until: float) -> None:
        match, seats = await opened(stub, running.token, played)
        streams = [stub.Play(metadata=seat) for seat in seats]
        await asyncio.sleep(begins)
        for n, (seat, command) in enumerate(played.commands):
            await asyncio.sleep(rng.uniform(0.4, 1.6) * pause)
            request = pb.PlayRequest(id=n, choose=command)
            request.choose.match_id = match
            start = time.perf_counter()
            await streams[seat].write(request)
            await streams[seat].read()
            if start > until - SECONDS:
                times.append(time.perf_counter() - start)
            if time.perf_counter() > until:
                break
        for stream in streams:
            stream.cancel()

    async def run() -> None:
        async with grpc.aio.insecure_channel(running.address) as channel:
            stub = MatchServiceStub(channel)
            until = time.perf_counter() + BEFORE + pause + SECONDS
            work = [
                asyncio.create_task(one(stub, matches[n % PLAYED], rng.uniform(0, pause), until))
                for n in range(MATCHES)
            ]
            await asyncio.sleep(until - SECONDS - time.perf_counter())
            spent.append(cpu(running.process.pid))
            await asyncio.sleep(until - time.perf_counter())
            spent.append(cpu(running.process.pid))
            await asyncio.gather(*work)

    times, spent = list[float](), list[float]()
    uvloop.run(run())
    return Seen(times, len(times) / SECONDS, (spent[1] - spent[0]) / len(times))


def delay_of(found: Seen, commit: float) -> Delay:
    """The same as the model has it."""
    sizes = tuple(found.spent * share for share in shares())
    flush = shared_flush(found.rate, commit)
    return waiting([Jobs(found.rate, sizes)]).then(sizes).then(flush)


def main(cluster: Cluster) -> list[Found]:
    matches = [play(seed) for seed in range(PLAYED)]
    commit = of_commits(cluster)["commit"][0]
    assert isinstance(commit, float)
    url, shown = cluster.database(), []
    with tempfile.TemporaryDirectory() as name, servers(url, 1, Path(name)) as running:
        seen(running[0], matches, LOADS[0])
        for load in LOADS:
            found = seen(running[0], matches, load)
            model = delay_of(found, commit)
            pairs = [(quantile(found.times, part), model.quantile(part)) for part in (0.5, 0.99)]
            busy = found.rate * found.spent
            shown.append(
                Found(
                    f"predicted, {load}",
                    f"how long a command takes of a server that is {busy:.0%} busy, beside what the"
                    " model says: p50 and p99",
                    tuple(real / expected for real, expected in pairs),
                    "; ".join(f"{real * 1e3:.1f} ms, {one * 1e3:.1f} by the model"
                              for real, one in pairs) + f"; {found.rate:.0f} commands/s",
                    "1",
                    less=True,
                )
            )  # fmt: skip
    cluster.drop(url)
    return shown
