"""A PostgreSQL of the benchmarks, as it comes: what is committed is on the disk.

Databases of it are made for each measurement; what its processes have worked and written ahead is
counted from outside.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

import psutil
import psycopg

from tests.benchmarks.table import cpu
from tests.support import postgres


class Cluster(NamedTuple):
    """A PostgreSQL that runs."""

    server: postgres.Server

    def database(self) -> str:
        """The address of a new database, with the tables of a store."""
        return self.server.database()

    def drop(self, url: str) -> None:
        """Remove a database; whoever is connected to it is thrown out."""
        name = psycopg.conninfo.conninfo_to_dict(url)["dbname"]
        with self.server.connection("postgres") as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")

    def cpu(self) -> float:
        """Processor seconds of all its processes, those that have ended among them."""
        head = psutil.Process(self.server.process.pid)
        ended = head.cpu_times()
        found = [cpu(head.pid), ended.children_user, ended.children_system]
        for one in head.children():
            with suppress(OSError):  # it has ended meanwhile
                found.append(cpu(one.pid))
        return sum(found)

    def value(self, sql: str) -> Any:
        """What a query says, anywhere."""
        with psycopg.connect(self.server.url("postgres"), autocommit=True) as connection:
            row = connection.execute(sql).fetchone()
            return row[0] if row else None

    def wal(self) -> int:
        """Bytes that were ever written ahead."""
        return int(self.value("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn"))


@contextmanager
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL of which `fsync` and `synchronous_commit` are on."""
    with postgres.running(quick=False) as server:
        found = Cluster(server)
        assert found.value("SHOW fsync") == found.value("SHOW synchronous_commit") == "on"
        yield found
