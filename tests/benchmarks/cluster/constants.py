"""The constants of the capacity model (`tests.scale`), measured on this machine.

    python -m tests.benchmarks.cluster constants --save

Servers are measured on PostgreSQL, with news by NATS: what one of them works for a command, for a
follower, for a position, by its processor time; what the database works, writes ahead and keeps.
What grows with the followers is the difference between many and few.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import grpc
import httpx
import psutil
import psycopg
import uvloop
from kifu.v1 import match_service_pb2 as pb
from kifu.v1.match_service_pb2_grpc import MatchServiceStub

from domain import games
from domain.engine.match import Deck, Match, Opening
from service.api.calls import requests
from service.dice import Dice
from service.store.records import Records
from tests.benchmarks import service_followers, web
from tests.benchmarks.cluster import copies, writers
from tests.benchmarks.cluster.copies import Copies
from tests.benchmarks.cluster.database import Cluster
from tests.benchmarks.cluster.table import Table, servers
from tests.benchmarks.domain import live_bytes
from tests.benchmarks.service_commands import DECKS, GAME, bearer, many, play, stream
from tests.benchmarks.table import cpu
from tests.scale.constants import Constant
from tests.support import nats as brokers
from tests.support.serving import Running

#: Matches at once whose commands are counted, and those of which all else is.
AT_ONCE, PLAYED, COPIES = 16, 8, 200
#: Few followers and many, of pages and by gRPC; commands that they are told of.
PAGES, STREAMS, CROWD = (50, 850), (20, 220), 30
#: Bytes that go with each packet on the wire: those of TCP, IP and Ethernet.
PACKET = 66
Values = dict[str, tuple[float | tuple[float, ...], str, str]]


class Place(NamedTuple):
    """Two servers with pages on one store: seats are sent to the first, followers to the second."""

    cluster: Cluster
    running: list[Running]

    @property
    def port(self) -> int:
        """Where the second one has its pages."""
        return int(self.running[1].web.rpartition(":")[2])

    def cpu(self, at: int) -> float:
        """Processor seconds of a server."""
        return cpu(self.running[at].process.pid)


@contextmanager
def place(cluster: Cluster) -> Iterator[Place]:
    """Two servers, a database and a broker of their own."""
    url = cluster.database()
    with (
        tempfile.TemporaryDirectory() as name,
        brokers.running(Path(name)) as broker,
        servers(url, 2, Path(name), news=broker.url, http_port=0) as running,
    ):
        yield Place(cluster, running)
    cluster.drop(url)


# -- commands --------------------------------------------------------------------------------------


def of_matches() -> Values:
    """What does not depend on the machine."""
    played = [copies.played(number) for number in range(PLAYED)]
    commands = sum(map(len, played))
    entries = sum(len(some) for match in played for some in match)
    how = f"{PLAYED} matches of {copies.GAME}, played at random from the same seeds"
    return {
        "entries": (entries / commands, "entries a command", how),
        "commands": (commands / PLAYED, "commands a match", how),
    }


def of_commands(here: Place) -> Values:
    """What a command takes of its server and of the database, and how differently."""
    matches, times = [play(seed) for seed in range(AT_ONCE + 1)], list[float]()
    one = here.running[0]

    async def run() -> None:
        async with grpc.aio.insecure_channel(one.address) as channel:
            stub = MatchServiceStub(channel)
            await stream(stub, one.token, matches[-1], [])
            before.append((here.cpu(0), here.cluster.cpu(), here.cluster.wal()))
            await many(AT_ONCE, lambda at: stream(stub, one.token, matches[at], times), AT_ONCE)

    before = list[tuple[float, float, int]]()
    uvloop.run(run())
    server, database, log = before[0]
    each = (here.cpu(0) - server) / len(times)
    how = f"{AT_ONCE} matches at once on streams, {len(times):,} commands, one server"
    return {
        "command": (tuple(each * part for part in shares()), "s of a server, equally likely",
                    f"{how}; spread as that of Match.choose alone"),
        "command_database": ((here.cluster.cpu() - database) / len(times), "s of PostgreSQL", how),
        "log": ((here.cluster.wal() - log) / len(times), "B of the log a command", how),
    }  # fmt: skip


def shares(parts: int = 10) -> list[float]:
    """How much longer or shorter than the mean commands take: so many equally likely shares."""
    rules, took = games.rulebook(GAME), list[float]()
    decks = tuple(Deck(name, rules.decks[name]) for name in DECKS)
    for seed in range(4):
        match = Match.open(rules, Opening(("A", "B"), decks, 0), Dice(seed))
        for seat, command in play(seed).commands:
            act = requests.act_of(command)
            start = time.thread_time()
            match.choose(seat, command.decision, act, match.pos.time + 1)
            match.collect()
            took.append(time.thread_time() - start)
    took.sort()
    mean, size = statistics.mean(took), len(took) / parts
    return [
        statistics.mean(took[int(at * size) : int((at + 1) * size)]) / mean for at in range(parts)
    ]


def of_commits(cluster: Cluster) -> Values:
    """How long the transaction of a command waits for the database: round trips and the disk."""
    url, took = cluster.database(), list[float]()
    with closing(Records(url)) as records:
        records.use_dictionary(copies.GAME)
        for command in writers.commands(0):
            start, spent = time.perf_counter(), time.thread_time()
            records.write(command.work)
            took.append(time.perf_counter() - start - (time.thread_time() - spent))
    cluster.drop(url)
    how = f"median of {len(took)} commands written one by one, less what the writer works itself"
    return {"commit": (statistics.median(took), "s of waiting for PostgreSQL", how)}


def of_openings(here: Place, times: int = 40) -> Values:
    """What opening a match takes, and taking one into memory that another server has played."""
    before, played = here.cpu(0), play(1)
    tables = [Table(here.running, played) for _ in range(times)]
    opened = (here.cpu(0) - before) / times
    for table in tables:
        for _ in range(30):
            table.command(0)
    spent = list[float]()
    for _ in range(2):
        before = here.cpu(1)
        for table in tables:
            table.command(1)
        spent.append((here.cpu(1) - before) / times)
    for table in tables:
        table.close()
    return {
        "open": (opened, "s of a server", f"{times} matches opened by calls"),
        "resume": (max(spent[0] - spent[1], 0.0), "s of a server",
                   f"the first command of {times} matches on another server less the second"),
    }  # fmt: skip


# -- followers -------------------------------------------------------------------------------------


def of_pages(here: Place) -> Values:
    """What followers of a page take, and what comes to a server with any."""
    found: dict[int, float] = {}
    joined = memory = 0.0
    for n in PAGES:
        table = Table(here.running, play(1))
        process = psutil.Process(here.running[1].process.pid)
        before, room = here.cpu(1), process.memory_info().rss
        people = web.follow(here.port, f"/m/{table.match.id}/follow", n)
        joined = (here.cpu(1) - before) / n
        memory = (process.memory_info().rss - room) / n
        found[n] = _notice_delay(here, table, people.everybody)
        people.stop()
        table.close()
    few, most = PAGES
    event = (found[most] - found[few]) / (most - few)
    how = f"{few} and {most} followers of pages on another server than the commands, {CROWD} each"
    size = len(web.EVENT % (10_000, 10_000)) + len("31\r\n\r\n") + PACKET
    return {
        "event": (event, "s of a server a follower", how),
        "read": (max(found[few] - few * event, 0.0), "s of a server a command", how),
        "event_bytes": (size, "B on the wire", "an event in a chunk in a packet"),
        "join": (joined, "s of a server", f"{most} that begin to follow"),
        "follower_memory": (max(memory, 0.0), "B", f"{most} that follow a page"),
    }


def _notice_delay(here: Place, table: Table, everybody: Callable[[], object]) -> float:
    """What the second server works for a command of which all its followers are told."""
    for _ in range(3):
        table.command(0)
        everybody()
    before = here.cpu(1)
    for _ in range(CROWD):
        table.command(0)
        everybody()
    return (here.cpu(1) - before) / CROWD


def of_streams(here: Place) -> Values:
    """What followers by gRPC take, and how many bytes they get."""
    found: dict[int, float] = {}
    for n in STREAMS:
        table = Table(here.running, play(1))
        request = pb.WatchEventsRequest(match_id=table.match.id, after_seq=table.last - 1)
        people = service_followers.follow(
            here.running[1].address, "/kifu.v1.MatchService/WatchEvents",
            request.SerializeToString(), table.match.public, n,
        )  # fmt: skip
        found[n] = _notice_delay(here, table, people.everybody)
        people.stop()
        table.close()
    table = Table(here.running, play(2))
    first = table.last
    while table.last < first + 400:
        table.command(0)
    request = pb.WatchEventsRequest(match_id=table.match.id, after_seq=first)
    size, entries = 0, 0
    for one in table.stubs[1].WatchEvents(request, metadata=bearer(table.match.public)):
        size, entries = size + one.ByteSize(), entries + len(one.entries)
        if entries >= 400:
            break
    table.close()
    few, most = STREAMS
    each = of_matches()["entries"][0]
    assert isinstance(each, float)
    return {
        "message": ((found[most] - found[few]) / (most - few), "s of a server a follower",
                    f"{few} and {most} followers by gRPC, {CROWD} commands each"),
        "message_bytes": (size / entries * each + PACKET + 5, "B on the wire",
                          f"{entries} entries as the public sees them, for those of a command"),
    }  # fmt: skip


# -- pages -----------------------------------------------------------------------------------------


def of_positions(here: Place) -> Values:
    """What a browser fetches for a command: by the first that asks a server, and by all others."""
    table = Table(here.running, play(2))
    marks = [table.last, *(table.command(0) for _ in range(100))]
    steps = [
        (f"at/{now}", f"lines/{was}-{now}", f"marks/{was}-{now}.json")
        for was, now in pairwise(marks)
    ]
    head = {"accept-encoding": "gzip"}
    base = f"http://127.0.0.1:{here.port}/m/{table.match.id}"
    spent, size = list[float](), 0
    with httpx.Client(base_url=base, headers=head) as client:
        for path in steps[0]:
            client.get(path)
        for _ in range(2):
            before = here.cpu(1)
            for step in steps[1:]:
                for path in step:
                    with client.stream("GET", path) as answer:
                        body = b"".join(answer.iter_raw())
                        assert answer.status_code == 200
                        size += len(body) + sum(len(k) + len(v) + 4 for k, v in answer.headers.raw)
            spent.append((here.cpu(1) - before) / (len(steps) - 1))
        before = here.cpu(1)
        for _ in range(100):
            client.get(f"http://127.0.0.1:{here.port}/m/{table.match.id}")
        page = (here.cpu(1) - before) / 100
    table.close()
    how = f"the three addresses of a command, {len(steps) - 1} commands"
    return {
        "render": (spent[0], "s of a server", f"{how}, asked for the first time"),
        "kept": (spent[1], "s of a server", f"{how}, asked for again"),
        "position_bytes": (size / 2 / (len(steps) - 1), "B on the wire", f"{how}, with heads"),
        "page": (page, "s of a server", "the page of a match"),
    }


# -- the store and the news ------------------------------------------------------------------------


def of_rows(cluster: Cluster) -> Values:
    """What an entry takes up in the database: while its match is played, and once it is over."""
    with tempfile.TemporaryDirectory() as name, closing(Records(Path(name) / "some")) as records:
        records.use_dictionary(copies.GAME)
        ids = copies.play(records, 2 * copies.LIVE_EACH)
        some = [copies.source(records, match) for match in ids]
    found = dict[str, float]()
    live = some[copies.LIVE_EACH - 1 :: copies.LIVE_EACH]
    for kind, sources in (("live", live), ("ended", [one for one in some if one not in live])):
        url, made = cluster.database(), Copies(sources, COPIES)
        with closing(Records(url)) as records:
            records.use_dictionary(copies.GAME)
        with psycopg.connect(url, autocommit=True) as connection:
            before = _size(connection)
            copies.into_postgres(url, made)
            found[kind] = (_size(connection) - before) / made.entries
        cluster.drop(url)
    how = f"{COPIES} matches in PostgreSQL, with indexes, snapshots and listings"
    return {
        "live_entry": (found["live"], "B an entry", how),
        "ended_entry": (found["ended"], "B an entry", how),
        "match_memory": (live_bytes(), "B", "24 matches in mid-game, by tracemalloc"),
    }


def _size(connection: Any) -> int:
    row = connection.execute("SELECT pg_database_size(current_database())").fetchone()
    return int(row[0])


def of_reading(cluster: Cluster, times: int = 3000) -> Values:
    """What the database works for a server that reads what another has committed."""
    url = cluster.database()
    with closing(Records(url)) as records:
        records.use_dictionary(copies.GAME)
        match = copies.play(records, copies.LIVE_EACH)[-1]
        last = records.last(match)
        before = cluster.cpu()
        for _ in range(times):
            records.entries(match, last - 8)
        spent = (cluster.cpu() - before) / times
    cluster.drop(url)
    how = f"the last entries of a match, {times:,} times"
    return {"read_database": (spent, "s of PostgreSQL", how)}


def of_news() -> Values:
    """How long news take, and what they take of the broker."""
    with tempfile.TemporaryDirectory() as name, brokers.running(Path(name)) as broker:
        spent, late, n = uvloop.run(_brokered(broker))
    return {
        "delivery": (late, "s from one server to another", "median of 500 pieces by NATS"),
        "news_broker": (spent / 2 / n, "s of the broker a piece in or out",
                        f"{n:,} pieces by NATS to one who hears them"),
    }  # fmt: skip


async def _brokered(broker: brokers.Nats, n: int = 60_000) -> tuple[float, float, int]:
    import nats

    heard, arrived = 0, asyncio.Event()

    async def hear(message: Any) -> None:
        nonlocal heard
        heard += 1
        arrived.set()

    async def reached(number: int) -> None:
        while heard < number:
            arrived.clear()
            await asyncio.wait_for(arrived.wait(), 60)

    teller, hearer = await nats.connect(broker.url), await nats.connect(broker.url)
    await hearer.subscribe("kifu.>", cb=hear)
    await hearer.flush()
    times = list[float]()
    for at in range(500):
        start = time.perf_counter()
        await teller.publish("kifu.match.one", b"x" * 24)
        await reached(at + 1)
        times.append(time.perf_counter() - start)
    before = cpu(broker.pid)
    for at in range(n):
        await teller.publish(f"kifu.match.{at % 100}", b"x" * 24)
        if not at % 500:
            await teller.flush()
    await teller.flush()
    await reached(n + len(times))
    spent = cpu(broker.pid) - before
    await teller.close()
    await hearer.close()
    return spent, statistics.median(times), n


def main(cluster: Cluster) -> dict[str, Constant]:
    """All of them."""
    found = of_matches() | of_commits(cluster) | of_rows(cluster) | of_reading(cluster)
    with place(cluster) as here:
        for measure in (of_commands, of_openings, of_pages, of_streams, of_positions):
            found |= measure(here)
    found |= of_news()
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    return {
        name: Constant(_rounded(value), unit, how, today)
        for name, (value, unit, how) in sorted(found.items())
    }


def _rounded(value: float | tuple[float, ...]) -> float | tuple[float, ...]:
    """Four digits are more than the machine's mood leaves certain."""
    if isinstance(value, tuple):
        return tuple(float(f"{one:.4g}") for one in value)
    return float(f"{value:.4g}")
