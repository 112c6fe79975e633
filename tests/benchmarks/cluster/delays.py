"""How long it takes from a commit on one server until a follower of another one has it.

    python -m tests.benchmarks.cluster delays

By each way in which news go: NATS, PostgreSQL's LISTEN, and polling. The bound is a follower of the
server that has committed. The time counts from when the entries are durable, by the clock of the
machine.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from struct import iter_unpack
from threading import Thread
from typing import Any, NamedTuple

import grpc

from tests.benchmarks.cluster.database import Cluster
from tests.benchmarks.cluster.table import Table, servers
from tests.benchmarks.service_commands import play
from tests.benchmarks.table import Found
from tests.support import nats

COMMANDS, FIRST = 100, 8
#: The ways news go, and how many commands are followed by each.
WAYS = {"NATS": COMMANDS, "LISTEN": COMMANDS, "polling": 20}


class Delays(NamedTuple):
    """Seconds from a commit until a follower had it: of the same server, and of another."""

    same: list[float]
    other: list[float]


@contextmanager
def news(way: str) -> Iterator[str]:
    """The address by which servers tell each other in this way."""
    if way != "NATS":
        yield "listen" if way == "LISTEN" else "poll"
        return
    with tempfile.TemporaryDirectory() as name, nats.running(Path(name)) as broker:
        yield broker.url


def measured(cluster: Cluster, way: str, commands: int) -> Delays:
    """Follow a match on two servers, of which one gets the commands."""
    found, url = Delays([], []), cluster.database()
    with tempfile.TemporaryDirectory() as name, news(way) as address:
        folder, published = Path(name), f"{name}/published{{n}}"
        with servers(url, 2, folder, news=address, published=published) as running:
            table = Table(running, play(1))
            arrived: list[SimpleQueue[tuple[int, float]]] = [SimpleQueue(), SimpleQueue()]
            for at, queue in enumerate(arrived):
                Thread(target=_follow, args=(table.watch(at), queue), daemon=True).start()
            time.sleep(1.0)
            for n in range(commands):
                last = table.command()
                times = [_reached(queue, last) for queue in arrived]
                durable = _last(folder / "published0")
                if n >= FIRST:
                    found.same.append(max(times[0] - durable, 1e-6))
                    found.other.append(times[1] - durable)
                time.sleep(0.01)
            table.close()
    cluster.drop(url)
    return found


def _follow(stream: Any, queue: SimpleQueue[tuple[int, float]]) -> None:
    try:
        for one in stream:
            queue.put((one.seq, time.monotonic()))
    except grpc.RpcError:
        return  # the server was stopped


def _reached(queue: SimpleQueue[tuple[int, float]], last: int) -> float:
    """When everything up to an entry had come."""
    while True:
        seq, when = queue.get(timeout=30)
        if seq >= last:
            return when


def _last(path: Path) -> float:
    return float([*iter_unpack("d", path.read_bytes())][-1][0])


def quantile(times: list[float], part: float) -> float:
    """What `part` of them do not exceed."""
    return sorted(times)[int(len(times) * part)]


def main(cluster: Cluster) -> list[Found]:
    found = []
    for way, commands in WAYS.items():
        delays = measured(cluster, way, commands)
        halves = [statistics.median(some) for some in delays]
        mosts = [quantile(some, 0.99) for some in delays]
        found.append(
            Found(
                f"delay, {way}",
                f"from a commit to a follower of another server by {way}, beside one of the same"
                " server: p50 and p99",
                (halves[1] / halves[0], mosts[1] / mosts[0]),
                f"p50 {halves[1] * 1e3:.1f} ms ({halves[0] * 1e3:.1f}),"
                f" p99 {mosts[1] * 1e3:.1f} ms ({mosts[0] * 1e3:.1f})",
                less=True,
            )
        )
    return found
