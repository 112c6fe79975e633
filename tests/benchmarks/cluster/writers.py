"""Commands a second that processes write into PostgreSQL, beside bare INSERTs of the same bytes.

    python -m tests.benchmarks.cluster writers

So many processes at once write the commands of matches that were played in advance: packing,
hashing, what is derived from them and the commit count. The bound, before and after, is as many
processes that insert rows of as many bytes, in transactions of as many commands, with the same
durability. A command a transaction is what a lonely match costs, sixteen what a busy server makes
of what has gathered. Both have written some before: the first commands open matches, which are put
on lists then, and a statement is kept ready once it was sent five times.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import cache
from typing import Any, NamedTuple

import psycopg

from domain.record.entries import Entry
from service.store.derived import listing
from service.store.layout import packing
from service.store.layout.compression import Compression, shipped
from service.store.records import Records, Work
from tests.benchmarks.cluster import copies
from tests.benchmarks.cluster.database import Cluster
from tests.benchmarks.table import Found, bracketed

#: How many processes write at once, and how many commands share a transaction.
WRITERS, TOGETHER = (1, 2, 4), (1, 16)
#: Matches that each of them writes, in turn; how many commands in all, and before that is timed.
MATCHES, COMMANDS, BEFORE = 16, 480, 128
#: What a command writes beside its row: its match's head, with its key.
HEAD = 100


class Command(NamedTuple):
    """What is written at once: a work, and how many bytes it comes to."""

    work: Work
    size: int


#: Writes some commands in one transaction.
Write = Callable[[Sequence[Command]], object]


def commands(writer: int) -> list[Command]:
    """The commands of a process, those of its matches in turn."""
    compression = Compression(lambda: {1: shipped(copies.GAME)})
    found = []
    for turn in range((BEFORE + COMMANDS) // MATCHES):
        for number, match in enumerate(_played()):
            name = f"w{writer}m{number}"
            also = listing.derive(name, match[turn], at=copies.AT + number)
            row = packing.pack(name, match[turn], compression, 1)
            size = sum(map(len, (name, row[1], row[2]))) + HEAD
            found.append(Command(Work(name, match[turn], also, copies.GAME), size))
    return found


@cache
def _played() -> list[list[list[Entry]]]:
    """The matches: played once, before there are processes that write them."""
    return [copies.played(number) for number in range(MATCHES)]


def kifu(url: str) -> Iterator[Write]:
    """Through the store."""
    with closing(Records(url)) as records:
        records.use_dictionary(copies.GAME)
        yield lambda some: records.write(*(one.work for one in some))


def bare(url: str) -> Iterator[Write]:
    """As rows of the same size."""
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.cursor()

        def write(some: Sequence[Command]) -> None:
            rows = [(one.work.match, one.work.entries[-1].seq, b"x" * one.size) for one in some]
            if len(rows) == 1:
                cursor.execute(_INSERT, rows[0])
            else:
                with connection.transaction():
                    cursor.executemany(_INSERT, rows)

        yield write


_INSERT = "INSERT INTO bare VALUES (%s, %s, %s)"
_TABLE = "CREATE TABLE bare (id TEXT, seq BIGINT, state BYTEA, PRIMARY KEY (id, seq))"
Way = Callable[[str], Iterator[Write]]


def _write(way: Way, url: str, writer: int, together: int, ready: Any, begin: Any) -> None:
    found = commands(writer)
    for write in way(url):
        for some in batched(found[:BEFORE], together):
            write(some)
        ready.put(writer)
        begin.wait()
        for some in batched(found[BEFORE:], together):
            write(some)
        ready.put(writer)


def batched(some: Sequence[Command], n: int) -> Iterator[Sequence[Command]]:
    """So many after the other."""
    return (some[at : at + n] for at in range(0, len(some), n))


def rate(cluster: Cluster, way: Way, writers: int, together: int) -> tuple[float, float, float]:
    """Commands a second; the database's processor seconds for one, and the bytes of its log."""
    url = cluster.database()
    _played()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(_TABLE)
    if way is kifu:
        with closing(Records(url)) as records:  # its tables, and the dictionary
            records.use_dictionary(copies.GAME)
    ready: Any = multiprocessing.Queue()
    begin: Any = multiprocessing.Event()
    work = [
        multiprocessing.Process(
            target=_write, args=(way, url, writer, together, ready, begin), daemon=True
        )
        for writer in range(writers)
    ]
    for one in work:
        one.start()
    for _ in work:
        ready.get(timeout=120)
    spent, written, start = cluster.cpu(), cluster.wal(), time.perf_counter()
    begin.set()
    for _ in work:
        ready.get(timeout=120)
    took, total = time.perf_counter() - start, writers * COMMANDS
    for one in work:
        one.join()
    each = (cluster.cpu() - spent) / total, (cluster.wal() - written) / total
    cluster.drop(url)
    return total / took, *each


def measure(cluster: Cluster, writers: int, together: int, rounds: int) -> Found:
    """One row of the table."""
    spent, written = list[float](), list[float]()

    def work() -> float:
        found, processor, log = rate(cluster, kifu, writers, together)
        spent.append(processor)
        written.append(log)
        return found

    rounds_ = bracketed(lambda: rate(cluster, bare, writers, together)[0], work, rounds)
    return Found(
        f"writers, {writers}, {together}",
        f"commands written into PostgreSQL by {writers} processes, {together} a transaction,"
        " beside bare INSERTs of the same bytes",
        rounds_.ratios,
        f"{rounds_.figures('/s')}; {min(spent) * 1e6:.0f} µs of the database,"
        f" {min(written):,.0f} B of its log a command",
        "0.5",
    )


def main(cluster: Cluster, rounds: int = 2) -> list[Found]:
    return [
        measure(cluster, writers, together, rounds) for together in TOGETHER for writers in WRITERS
    ]
