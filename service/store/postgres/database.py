"""The driver of stores in PostgreSQL (`service.store.driver`)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, TypeVar, cast

import psycopg
from psycopg_pool import PoolTimeout

from domain.words.phrases import phrase
from service.store.driver import Rows
from service.store.errors import Conflict, Full, Gone, StoreError, Unstorable, Unwritable
from service.store.postgres import migrating
from service.store.postgres.availability import ReadOnly, is_broken, is_read_only
from service.store.postgres.connections import Address, Connection, Datastore, as_rows
from service.store.postgres.recorder import GIVEN_UP, PostgresRecorder
from service.store.postgres.terms import Terms
from service.store.postgres.texts import sought, translated
from service.store.statements import Version
from service.telemetry.shared import StoreMetrics

#: What was waited for too long, by the state of the error.
_TIMEOUTS = {"57014": "statement", "55P03": "lock", "25P03": "statement"}
#: A text or a number that PostgreSQL can't store: the errors of psycopg and of the database.
_NO_VALUE = {"", "22021", "22003"}
_READ_ONLY = "25006"
_FORBIDDEN = {"42501", _READ_ONLY}
#: No room on the disk, or in what is configured.
_FULL = {"53000", "53100", "53200"}
_UNKNOWN_TABLE = {"42P01", "42703"}


class Database:
    """A database, with the tables of this version."""

    shared, stages, closed = True, False, False

    def __init__(self, where: str, *, reading: bool = False) -> None:
        """Open a database, which gets its tables if it is empty; `reading`: nothing is written.

        Raises `StoreError`: it can't be reached, or is not migrated; `Unwritable`.
        """
        address = Address(where)
        self.name, self._conninfo = address.name, address.conninfo
        self.writable, self.reason = not reading, f"{self.name} is only read here"
        self._datastore = Datastore(address, hurry=not reading)
        self._open = threading.local()  # the snapshot that this thread is reading
        self._terms = Terms(self._conninfo, self._datastore.watched)
        self._metrics = StoreMetrics()
        self.recorder = PostgresRecorder(self.rows, self._datastore)
        self.recorder.on_retry = lambda why: self._metrics.retry(why)
        try:
            with self.translated("used"):
                with psycopg.connect(self._conninfo):
                    pass  # reported here, not by a pool
                with self._datastore.get_connection() as connection:
                    self._prepare(connection, reading)
        except BaseException:
            self._datastore.close()
            raise

    def _prepare(self, connection: Connection, reading: bool) -> None:
        if not reading:
            migrating.check_encoding(connection)
            if not migrating.applied(connection):
                migrating.migrate(connection)
        if waiting := migrating.missing(connection):
            raise StoreError(
                phrase(
                    "{name} lacks migration {number} of this version: `kifu store migrate` "
                    "brings it up to date, while servers run",
                    name=self.name,
                    number=waiting[0].number,
                )
            )
        if (availability := self._datastore.availability) is not None:
            availability.written = not is_read_only(connection)

    # -- reading ---------------------------------------------------------------------------------

    @contextmanager
    def reading(self, *, several: bool = True) -> Iterator[None]:
        """Read several things as they are at one time, in one transaction of this thread's.

        It begins with the first of them. One thing is read as it is at one time anyway.
        """
        if not several or getattr(self._open, "snapshot", None) is not None:
            yield
            return
        with self.translated("read"), ExitStack() as stack:
            snapshot = self._open.snapshot = _Snapshot(self._datastore, stack)
            try:
                yield
            finally:
                self._open.snapshot = None
                snapshot.end()

    @contextmanager
    def rows(self, sql: str, parameters: Sequence[Any]) -> Iterator[Rows]:
        """The rows that a query finds."""
        snapshot: _Snapshot | None = getattr(self._open, "snapshot", None)
        with self.translated("read"):
            if snapshot is not None:
                yield snapshot.found(sql, parameters)
            else:
                yield twice(lambda: self._read(sql, parameters))

    def _read(self, sql: str, parameters: Sequence[Any]) -> Rows:
        with self._datastore.get_connection() as connection:
            return _found(connection, sql, parameters)

    def version(self, match: str) -> Version:
        """How far a match is."""
        with self.rows("SELECT seq, lefts FROM chains WHERE id=?", (match,)) as found:
            row = found.fetchone()
        return Version(row["seq"], row["lefts"]) if row is not None else Version()

    # -- writing ---------------------------------------------------------------------------------

    @contextmanager
    def translated(self, doing: str) -> Iterator[None]:
        """Raises what goes wrong in the database as `Conflict` or `StoreError`."""
        try:
            yield
        except psycopg.Error as error:
            raise self._meant(error, doing) from error
        except UnicodeEncodeError as error:
            raise Unstorable(f"{self.name} can't be {doing}: {error}") from error

    def _meant(self, error: psycopg.Error, doing: str) -> Exception:
        state = error.sqlstate or ""
        self._count(error, state)
        text = " ".join(str(error).split())[:300]
        if state in GIVEN_UP or isinstance(error, psycopg.IntegrityError):
            return Conflict(text)
        if isinstance(error, ReadOnly) or (state == _READ_ONLY and self._datastore.written):
            return Gone(f"{self.name} can't be {doing}: it can only be read now")
        if state in _FORBIDDEN:
            return Unwritable(
                phrase("{name} can't be {doing}: {text}", name=self.name, doing=doing, text=text)
            )
        if state in _UNKNOWN_TABLE:
            return StoreError(
                phrase(
                    "{name} can't be {doing}: its tables are not known ({text})",
                    name=self.name,
                    doing=doing,
                    text=text,
                )
            )
        if state in _FULL:
            return Full(f"{self.name} can't be {doing}: {text}")
        if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
            return Gone(f"{self.name} can't be {doing}: it does not answer ({text})")
        if isinstance(error, psycopg.DataError) and state in _NO_VALUE:
            return Unstorable(f"{self.name} can't be {doing}: {text}")
        return StoreError(
            phrase("{name} can't be {doing}: {text}", name=self.name, doing=doing, text=text)
        )

    def _count(self, error: psycopg.Error, state: str) -> None:
        """Tell the metrics of what will be tried again, or took too long."""
        if state in GIVEN_UP:
            self._metrics.retry(GIVEN_UP[state])
        elif kind := _TIMEOUTS.get(state) or ("pool" if isinstance(error, PoolTimeout) else ""):
            self._metrics.timeout(kind)

    def check(self) -> None:
        """Raises `Gone` if it could be written, and can only be read now."""
        with self.translated("written"):
            twice(self._check)

    def _check(self) -> None:
        with self._datastore.get_connection(writing=True) as connection:
            if is_read_only(connection) and self._datastore.written:
                raise psycopg.errors.ReadOnlySqlTransaction

    def report(self, metrics: StoreMetrics) -> None:
        """Tell these of the pool, of what was tried again, and of what took too long."""
        self._metrics = metrics
        metrics.pool(self._datastore.usage)

    def announce(self, address: str = "", *, starting: bool = False) -> None:
        """Do nothing: no caller is refused."""

    def leading(self, what: str) -> int:
        """Whether this process does something that one of all does, and since when."""
        return self._terms.taken(what)

    def term(self, what: str) -> int:
        """The same, by its own knowledge."""
        return self._terms.known(what)

    def vacuum(self) -> None:
        """PostgreSQL does it by itself."""

    def close(self) -> None:
        """Close all connections."""
        self._terms.close()
        self._datastore.close()


class _Snapshot:
    """A transaction that reads, from its first statement on."""

    def __init__(self, datastore: Datastore, stack: ExitStack) -> None:
        """`stack` is left when it ends."""
        self._datastore, self._stack = datastore, stack
        self._connection: Connection | None = None

    def found(self, sql: str, parameters: Sequence[Any]) -> Rows:
        """The rows of a query."""
        if self._connection is None:
            return twice(lambda: self._begin(sql, parameters))
        return _found(self._connection, sql, parameters)

    def _begin(self, sql: str, parameters: Sequence[Any]) -> Rows:
        """Begin with a query: both go to the database at once."""
        with ExitStack() as stack:
            connection = stack.enter_context(self._datastore.get_connection())
            with connection.pipeline():
                connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                found = _found(connection, sql, parameters)
            self._stack.push(stack.pop_all())
        self._connection = connection
        return found

    def end(self) -> None:
        """Let go of what was read."""
        if self._connection is not None:
            with suppress(psycopg.Error):
                self._connection.execute("COMMIT")


T = TypeVar("T")


def twice(read: Callable[[], T]) -> T:
    """Read, and once more where the connection was broken before: nothing else was done by it."""
    try:
        return read()
    except psycopg.Error as error:
        if not is_broken(error):
            raise
    return read()


def _found(connection: Connection, sql: str, parameters: Sequence[Any]) -> Rows:
    cursor = psycopg.RawCursor(cast(Any, connection), row_factory=as_rows)
    return cast(Rows, cursor.execute(translated(sql), sought(parameters)))
