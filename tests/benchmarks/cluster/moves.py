"""What it costs that a match's commands come to another server than before.

    python -m tests.benchmarks.cluster moves

The same match goes on on one of two servers: that which had the command before (the bound), one
that has the match in memory as it was some commands ago, and one that has never had it. Then many
matches at once, whose people are always sent to the same server, or to another with each command:
what sticky routing spares.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import grpc
import uvloop
from kifu.v1.match_service_pb2_grpc import MatchServiceStub

from tests.benchmarks.cluster.database import Cluster
from tests.benchmarks.cluster.table import Table, servers
from tests.benchmarks.service_commands import Played, opened, play
from tests.benchmarks.table import Found, bracketed, cpu
from tests.support import nats
from tests.support.serving import Running

#: Matches that are moved, commands between two moves, and how often each moves.
MOVED, BETWEEN, MOVES = 12, 4, 8
#: Matches at once, and commands of each.
AT_ONCE, COMMANDS = 16, 60


def moved(running: list[Running], seeds: int) -> dict[str, list[float]]:
    """How long commands take: on the same server, on one that is behind, on a new one."""
    found: dict[str, list[float]] = {"same": [], "behind": [], "new": []}
    for seed in range(seeds):
        table, at = Table(running, play(seed)), 0
        for _ in range(BETWEEN):
            table.command(at)
        for move in range(MOVES):
            at = 1 - at
            for n in range(BETWEEN):
                start = time.perf_counter()
                table.command(at)
                took = time.perf_counter() - start
                kind = "same" if n else ("behind" if move else "new")
                found[kind].append(took)
        table.close()
    return found


def routed(running: list[Running], matches: list[Played], sticky: bool) -> tuple[float, float]:
    """Commands a second of many matches at once, and the servers' CPU for one."""

    async def one(stubs: list[Any], played: Played, number: int) -> None:
        match, seats = await opened(stubs[number % 2], running[number % 2].token, played)
        for n, (seat, command) in enumerate(played.commands[:COMMANDS]):
            command.match_id = match
            at = number if sticky else number + n
            await stubs[at % 2].Choose(command, metadata=seats[seat])

    async def run() -> float:
        channels = [grpc.aio.insecure_channel(one.address) for one in running]
        stubs = [MatchServiceStub(channel) for channel in channels]
        start = time.perf_counter()
        await asyncio.gather(*(one(stubs, played, n) for n, played in enumerate(matches)))
        took = time.perf_counter() - start
        for channel in channels:
            await channel.close()
        return took

    before = sum(cpu(one.process.pid) for one in running)
    took, total = uvloop.run(run()), len(matches) * COMMANDS
    return total / took, (sum(cpu(one.process.pid) for one in running) - before) / total


def main(cluster: Cluster, rounds: int = 2) -> list[Found]:
    url, spent = cluster.database(), dict[bool, list[float]]()
    with (
        tempfile.TemporaryDirectory() as name,
        nats.running(Path(name)) as broker,
        servers(url, 2, Path(name), news=broker.url) as running,
    ):
        moved(running, 2)
        times = moved(running, MOVED)
        matches = [play(100 + seed) for seed in range(AT_ONCE)]

        def rate(sticky: bool) -> float:
            found, each = routed(running, matches, sticky)
            spent.setdefault(sticky, []).append(each)
            return found

        rates = bracketed(lambda: rate(True), lambda: rate(False), rounds)
    cluster.drop(url)
    middle = {kind: statistics.median(some) for kind, some in times.items()}
    least, most = min(spent[True]) * 1e6, max(spent[False]) * 1e6
    return [
        *(
            Found(
                f"move, {kind}",
                f"a command on another server, which {text}, beside the next one on the same",
                (middle[kind] / middle["same"],),
                f"p50 {middle[kind] * 1e3:.1f} ms, {middle['same'] * 1e3:.1f} ms on the same",
                less=True,
            )
            for kind, text in (
                ("behind", f"had the match {BETWEEN} commands ago"),
                ("new", "never had the match"),
            )
        ),
        Found(
            "move, not sticky",
            f"commands/s of {AT_ONCE} matches, each command on the other of two servers, beside"
            " each match always on the same",
            rates.ratios,
            f"{rates.figures('/s')}; {most:.0f} µs of the servers a command, {least:.0f} if sticky",
        ),
    ]
