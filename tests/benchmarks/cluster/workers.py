"""Whether several processes on one machine would serve more than one does.

    python -m tests.benchmarks.cluster workers

Two servers with an SQLite file each, which share nothing and merge nothing, are the most that could
come of `kifu serve --workers 2`: their commands a second beside those of one, by as many clients.
The same with two servers on one PostgreSQL. Then what files themselves bear: bare transactions of a
command's size by two and four processes, on one file and on a file each, beside one process.
"""

from __future__ import annotations

import multiprocessing
import sqlite3
import tempfile
import time
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import grpc
import uvloop
from kifu.v1.match_service_pb2_grpc import MatchServiceStub

from tests.benchmarks.cluster.database import Cluster
from tests.benchmarks.service_commands import Played, many, play, stream
from tests.benchmarks.table import Found, bracketed, cpu
from tests.support import serving

#: Clients at once, and matches that they play, on all servers together.
AT_ONCE, MATCHES = 16, 16
#: Bytes of a command's row, and how many a process writes.
ROW, ROWS = 160, 300


def _play(address: str, token: str, matches: list[Played], at_once: int, results: Any) -> None:
    async def run() -> None:
        async with grpc.aio.insecure_channel(address) as channel:
            stub, times = MatchServiceStub(channel), list[float]()
            await stream(stub, token, matches[-1], [])
            results.put(None)
            await many(at_once, lambda at: stream(stub, token, matches[at], times), len(matches))
            results.put(len(times))

    uvloop.run(run())


def served(matches: list[Played], servers: int, url: str = "") -> tuple[float, float]:
    """Commands a second of so many servers, and how many cores they took.

    They have a database in common, if its address is given, else a file each.
    """
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        results: Any = multiprocessing.Queue()
        running, clients = [], []
        for number in range(servers):
            folder = Path(name) / (str(number) if not url else "")
            folder.mkdir(exist_ok=True)
            one = serving.start(folder / "matches.kifu", forked=False, store=url)
            stack.callback(one.kill)
            running.append(one)
            some, at_once = matches[number::servers], AT_ONCE // servers
            given = one.address, one.token, some, at_once, results
            clients.append(multiprocessing.Process(target=_play, args=given, daemon=True))
            clients[-1].start()
        for _ in clients:
            results.get(timeout=120)
        before, start = sum(cpu(one.process.pid) for one in running), time.perf_counter()
        done = sum(results.get(timeout=120) for _ in clients)
        took = time.perf_counter() - start
        spent = sum(cpu(one.process.pid) for one in running) - before
        for client in clients:
            client.join()
        return done / took, spent / took


def _insert(path: Path, writer: int, ready: Any, begin: Any) -> None:
    with closing(sqlite3.connect(path, isolation_level=None, timeout=60)) as connection:
        connection.execute("PRAGMA synchronous=FULL")
        ready.put(writer)
        begin.wait()
        for at in range(ROWS):
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("INSERT INTO bare VALUES (?,?,?)", (writer, at, b"x" * ROW))
            connection.execute("COMMIT")
        ready.put(writer)


def inserted(writers: int, files: int) -> float:
    """Durable transactions a second of so many processes."""
    with tempfile.TemporaryDirectory() as name:
        paths = [Path(name) / f"{at}.db" for at in range(files)]
        for path in paths:
            with closing(sqlite3.connect(path)) as connection:
                connection.execute("PRAGMA journal_mode=WAL")
                connection.execute(
                    "CREATE TABLE bare (writer, at, state, PRIMARY KEY (writer, at))"
                )
        ready: Any = multiprocessing.Queue()
        begin: Any = multiprocessing.Event()
        work = [
            multiprocessing.Process(
                target=_insert, args=(paths[writer % files], writer, ready, begin), daemon=True
            )
            for writer in range(writers)
        ]
        for one in work:
            one.start()
        for _ in work:
            ready.get(timeout=60)
        start = time.perf_counter()
        begin.set()
        for _ in work:
            ready.get(timeout=120)
        took = time.perf_counter() - start
        for one in work:
            one.join()
        return writers * ROWS / took


def both(cluster: Cluster, matches: list[Played], postgres: bool, rounds: int) -> Found:
    """Two servers beside one, on files or a database."""
    cores = dict[int, list[float]]()

    def rate(servers: int) -> float:
        url = cluster.database() if postgres else ""
        found, busy = served(matches, servers, url)
        cores.setdefault(servers, []).append(busy)
        if url:
            cluster.drop(url)
        return found

    rates = bracketed(lambda: rate(1), lambda: rate(2), rounds)
    where = "on one PostgreSQL" if postgres else "with an SQLite file each"
    return Found(
        f"workers, {'PostgreSQL' if postgres else 'SQLite'}",
        f"commands/s of two servers {where}, beside one",
        rates.ratios,
        f"{rates.figures('/s')}; one takes {max(cores[1]):.2f} cores, two {max(cores[2]):.2f}",
        "1.5",
    )


def main(cluster: Cluster, rounds: int = 2) -> list[Found]:
    matches = [play(seed) for seed in range(MATCHES)]
    found = [both(cluster, matches, postgres, rounds) for postgres in (False, True)]
    for writers in (2, 4):
        for name, files in (("one file", 1), ("a file each", writers)):
            rates = bracketed(
                lambda: inserted(1, 1), lambda w=writers, f=files: inserted(w, f), rounds
            )
            what = (
                f"bare SQLite transactions/s of {writers} processes on {name}, beside one process"
            )
            found.append(
                Found(f"workers, {writers}, {name}", what, rates.ratios, rates.figures("/s"))
            )
    return found
