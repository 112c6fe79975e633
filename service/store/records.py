"""Records of matches in an SQLite file, through the `eventsourcing` library.

Each match is a stream: a row for each entry, whose version is the entry's sequence number and whose
topic is the event's tag. So a second writer of the same entry fails cleanly, and nothing needs an
order across matches. Derived data (`listing`, `history`) is written in the same transaction.

Collecting the work of several matches into one transaction is in `commit`.
"""

from __future__ import annotations

import logging
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, cast

from eventsourcing.application import Application
from eventsourcing.persistence import (
    ApplicationRecorder,
    InfrastructureFactory,
    Mapper,
    PersistenceError,
    StoredEvent,
    Transcoder,
)
from eventsourcing.sqlite import (
    SQLiteAggregateRecorder,
    SQLiteConnection,
    SQLiteConnectionPool,
    SQLiteCursor,
    SQLiteDatastore,
    SQLiteFactory,
)
from eventsourcing.utils import Environment

from domain.record.entries import TYPES, Entry, decode, encode
from service.logs import log_event
from service.store.file import Locked as Locked
from service.store.file import StoreError as StoreError
from service.store.file import Unwritable as Unwritable
from service.store.file import claim, readable, worded
from service.store.hold import TRY, Hold, Taken
from service.store.shorthand import TABLE, Shorthand, room

#: An SQL statement and its parameters, to be carried out along with a save.
Statement = tuple[str, tuple[Any, ...]]

#: How long to wait for another program that writes to the file, and how often to try, in seconds.
PATIENCE, AGAIN = 30.0, 0.01
#: No entry has a number as high as this.
LAST = 2**31
#: What comes of a damaged file; what SQLite says of one may be no text either.
_UNREADABLE = (sqlite3.Error, PersistenceError, UnicodeDecodeError)


class Conflict(Exception):
    """These entries do not follow the last one of their match; nothing was saved.

    Somebody else has written their numbers already, or what should come before is not there.
    """


class NoSuchMatch(LookupError):
    """There is no match of that id."""


class Line:
    """An entry and the match it belongs to: what the library calls a domain event."""

    __slots__ = ("entry", "game", "originator_id", "originator_version")

    def __init__(self, match: str, entry: Entry, game: str = "") -> None:
        self.originator_id = match
        self.originator_version = entry.seq
        self.entry = entry
        self.game = game


class Work(NamedTuple):
    """What one command adds to a match: its entries, and statements to go with them.

    `game` is whose shorthand they are written in, `sent` the entries' messages (`wire.packed`).
    """

    match: str
    entries: Sequence[Entry]
    also: Sequence[Statement] = ()
    game: str = ""
    sent: Sequence[Any] | None = None


class Batch:
    """Works to be saved together: one object, since the library looks long at each."""

    id = ""

    def __init__(self, works: Sequence[Work]) -> None:
        self.works = works

    def collect_events(self) -> list[Line]:
        """The library's name for what is to be saved."""
        return [Line(work.match, entry, work.game) for work in self.works for entry in work.entries]


# -- the library's parts, in our terms -----------------------------------------------------------

_TOPICS = {cls: str(tag) for tag, cls in TYPES.items()}


class EntryMapper(Mapper[str]):
    """Entries as MessagePack, in shorthand."""

    shorthand = Shorthand()

    def to_stored_event(self, domain_event: Any) -> StoredEvent:
        """A line as a row."""
        entry = domain_event.entry
        return StoredEvent(
            domain_event.originator_id,
            domain_event.originator_version,
            _TOPICS[type(entry.event)],
            self.shorthand.pack(entry.seq, encode(entry), domain_event.game),
        )

    def to_domain_event(self, stored_event: StoredEvent) -> Line:
        """A row as a line; `StoreError` if it can't be one."""
        match, version = str(stored_event.originator_id), stored_event.originator_version
        return Line(match, self.entry(match, version, stored_event.state))

    def entry(self, match: str, version: int, state: bytes) -> Entry:
        """What a row of a match holds; `StoreError` if it is no entry."""
        try:
            return decode(self.shorthand.unpack(version, state))
        except (ValueError, TypeError, IndexError) as error:
            raise StoreError(f"match {match}: entry {version} is damaged ({error})") from error


class Pool(SQLiteConnectionPool):
    """Connections for which a commit means that the data are on the disk."""

    def __init__(self, db_name: str) -> None:
        super().__init__(db_name=db_name)
        self.is_journal_mode_wal = "?mode=ro" in db_name  # whoever only reads can't set it

    def _create_connection(self) -> SQLiteConnection:
        connection = super()._create_connection()
        connection.cursor().execute("PRAGMA synchronous=FULL")
        return connection


class Datastore(SQLiteDatastore):
    """The library's datastore with our pool."""

    def __init__(self, db_name: str, **options: Any) -> None:
        super().__init__(db_name, **options)
        self.pool = Pool(db_name=db_name)


#: Who judges which entry may be next is the store, and nobody between the question and the answer.
_APPEND = (
    "INSERT INTO stored_events SELECT ?1,?2,?3,?4 WHERE ?2 = 1 +"
    " coalesce((SELECT max(originator_version) FROM stored_events WHERE originator_id=?1), 0)"
)


class Recorder(SQLiteAggregateRecorder):
    """Rows of entries, clustered by match, and what is derived from them.

    All writing goes through one connection, and leaves its transaction open: when it is durable is
    the caller's to decide (`Records.settle`).
    """

    #: Tables of the modules that derive something from the entries.
    tables: ClassVar[list[str]] = [TABLE]

    def construct_create_table_statements(self) -> list[str]:
        return [*super().construct_create_table_statements(), *self.tables]

    @cached_property
    def writer(self) -> SQLiteConnection:
        """The connection that writes. It never waits: whoever may wait tries again (`write`)."""
        connection = self.datastore.pool._create_connection()
        connection.cursor().execute("PRAGMA busy_timeout=0")
        return connection

    def _insert_events(
        self, c: SQLiteCursor, stored_events: Sequence[StoredEvent], **_: Any
    ) -> None:
        """Each row follows the last one of its match, or is not written: `Conflict`."""
        rows = [(e.originator_id, e.originator_version, e.topic, e.state) for e in stored_events]
        c.executemany(_APPEND, rows)
        if rows and c.sqlite_cursor.rowcount != len(rows):
            raise Conflict(f"{len(rows)} entries do not all follow those that there are")

    def insert_events(
        self, stored_events: Sequence[StoredEvent], also: Sequence[Statement] = (), **kwargs: Any
    ) -> None:
        """Write rows, and carry out statements, in a transaction that stays open."""
        cursor = self.writer.cursor()
        cursor.execute("BEGIN IMMEDIATE")
        try:
            self._insert_events(cursor, stored_events)
            for statement, parameters in also:
                cursor.execute(statement, parameters)
        except BaseException:
            self.writer.rollback()
            raise


class Factory(SQLiteFactory):
    """Makes the parts above."""

    aggregate_recorder_class = Recorder

    def __init__(self, env: Environment) -> None:
        super().__init__(env)
        self.datastore = Datastore(self.datastore.pool.db_name, originator_id_type="text")


class Records(Application[str]):
    """The records of all matches in one file."""

    name = "Kifu"

    def __init__(self, path: Path | str, *, reading: bool = False, patience: float = TRY) -> None:
        """Hold a file, and make it if there is none; `reading`: read one that others may write.

        Raises `StoreError`; `Unwritable` if it can be read only, or another process still holds it
        after so many seconds of patience.
        """
        self.path = Path(path)
        self.doubts = set[str]()  # whose derived data are known to be damaged
        self.doubted: Callable[[str], None] = lambda match: None  # who makes them anew
        self.why_not = f"{path} is only read here"  # and not written, if it isn't
        self.hold = None if reading else _hold(self.path, patience)
        try:
            if reading:
                env = {"SQLITE_DBNAME": readable(self.path), "CREATE_TABLE": "n"}
            else:
                claim(self.path)
                env = {"SQLITE_DBNAME": str(path)}
            super().__init__(env=env)
        except BaseException as error:
            if self.hold is not None:
                self.hold.release()
            if isinstance(error, (*_UNREADABLE, OSError)):
                raise worded(self.path, error) from error
            raise
        self.entry_mapper.shorthand = Shorthand(self._samples)

    def learn(self, game: str, name: str, sample: Callable[[], bytes]) -> None:
        """Write entries of a game by the sample of that name; it is made if there is none.

        Reading needs no call of this: what was written by a sample has it in the file.
        """
        find = "SELECT id FROM samples WHERE name=?"
        if self.row(find, name) is None:
            values = (room(self._samples()), name, zlib.compress(sample(), 9))
            self.write(Work("", (), [("INSERT INTO samples VALUES (?,?,?)", values)]))
        self.entry_mapper.shorthand.use(game, self.row(find, name)["id"])

    def _samples(self) -> dict[int, bytes]:
        with self.rows("SELECT id, sample FROM samples") as found:
            kept = {row["id"]: row["sample"] for row in found.fetchall()}
        try:
            return {number: zlib.decompress(sample) for number, sample in kept.items()}
        except (zlib.error, TypeError) as error:
            raise StoreError(f"{self.path}: its samples are damaged ({error})") from error

    def doubt(self, match: str, what: str) -> None:
        """Something derived from a match's entries is not what it should be, and was bypassed."""
        if match not in self.doubts:
            self.doubts.add(match)
            log_event(logging.WARNING, "derived data damaged", match=match, what=what)
            self.doubted(match)

    @property
    def entry_mapper(self) -> EntryMapper:
        """The mapper, by the type that it is of."""
        return cast(EntryMapper, self.mapper)

    def construct_factory(self, env: Environment) -> InfrastructureFactory[Any]:
        """SQLite with our connections."""
        return Factory(env)

    def construct_mapper(self) -> Mapper[str]:
        """Entries as rows."""
        return EntryMapper(cast(Transcoder, None))

    def construct_recorder(self) -> ApplicationRecorder:
        """A recorder without a global order: no match needs one, and rows are smaller."""
        return cast(ApplicationRecorder, self.factory.aggregate_recorder())

    # -- writing ---------------------------------------------------------------------------------

    def write(self, *works: Work) -> None:
        """Save the work of several commands in one transaction, all or nothing; durable on return.

        Raises `Conflict` if a match's entries do not follow those it has, `Locked` if another
        program holds the file for longer than `PATIENCE`.
        """
        until = time.monotonic() + PATIENCE
        while not self._staged(works, last=time.monotonic() > until):
            time.sleep(AGAIN)  # not within SQLite, where other threads would wait for us as well
        self.settle()

    def _staged(self, works: Sequence[Work], last: bool) -> bool:
        try:
            self.stage(*works)
        except Locked:
            if last:
                raise
            return False
        return True

    def stage(self, *works: Work) -> None:
        """The first half of `write`: quick, and what raises `Conflict`. `settle` must follow.

        Raises `Locked` if another program holds the file.
        """
        if self.hold is None:
            raise Unwritable(self.why_not)
        try:
            also = [statement for work in works for statement in work.also]
            self.save(cast(Any, Batch(works)), also=also)
        except sqlite3.IntegrityError as error:
            raise Conflict(str(error)) from error
        except sqlite3.Error as error:
            raise worded(self.path, error, "written") from error

    def settle(self) -> None:
        """The second half: wait for the disk. May be called in another thread."""
        writer = self._recorder.writer
        try:
            writer.commit()
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):
                writer.rollback()
            raise worded(self.path, error, "written") from error

    @property
    def _recorder(self) -> Recorder:
        return cast(Recorder, self.recorder)

    def close(self) -> None:
        """Close the file, and let others have it."""
        if "writer" in vars(self._recorder):
            self._recorder.writer.close()
        super().close()
        if self.hold is not None:
            self.hold.release()
            self.hold = None

    # -- reading ---------------------------------------------------------------------------------

    def entries(
        self, match: str, after: int = 0, until: int | None = None, limit: int | None = None
    ) -> list[Entry]:
        """Entries of a match, those after number `after`, in order. O(entries read).

        Reads the rows itself: the library's way makes two more objects of each, which doubles the
        cost of everything that looks back.
        """
        sql = (
            "SELECT originator_version, state FROM stored_events WHERE originator_id=?"
            " AND originator_version>? AND originator_version<=? ORDER BY 1 LIMIT ?"
        )
        last = until if until is not None else LAST
        entry = self.entry_mapper.entry
        with self.rows(sql, match, after, last, limit or LAST) as cursor:
            found = [entry(match, *row) for row in cursor.fetchall()]
        if found and found[-1].seq - after != len(found):
            here = {one.seq for one in found}
            gap = next((seq for seq in range(after + 1, found[-1].seq) if seq not in here), 0)
            what = f"entry {gap} is missing" if gap else "an entry is there twice"
            raise StoreError(f"match {match}: {what}")
        return found

    def ids(self) -> list[str]:
        """All matches that have entries. O(matches)."""
        sql = (
            "WITH RECURSIVE each(id) AS (SELECT min(originator_id) FROM stored_events UNION ALL"
            " SELECT (SELECT min(originator_id) FROM stored_events WHERE originator_id>id)"
            " FROM each WHERE id IS NOT NULL) SELECT id FROM each WHERE id IS NOT NULL"
        )
        with self.rows(sql) as found:
            return [row["id"] for row in found.fetchall()]

    def last(self, match: str) -> int:
        """The number of a match's last entry; 0 if there is no such match."""
        sql = "SELECT max(originator_version) FROM stored_events WHERE originator_id=?"
        return int(self.row(sql, match)[0] or 0)

    def find(self, match: str, tag: int, nth: int = 1, after: int = 0, until: int = LAST) -> int:
        """The number of the nth entry with an event of this tag, -1: the last; 0 if there is none.

        O(entries in between), reading none.
        """
        order = "ASC" if nth > 0 else "DESC"
        sql = (
            "SELECT originator_version FROM stored_events WHERE originator_id=? AND topic=?"
            " AND originator_version>? AND originator_version<=?"
            f" ORDER BY 1 {order} LIMIT 1 OFFSET ?"
        )
        row = self.row(sql, match, str(tag), after, until, abs(nth) - 1)
        return int(row[0]) if row is not None else 0

    def count(self, match: str, tag: int) -> int:
        """How many entries of a match have an event of this tag. O(entries), reading none."""
        sql = "SELECT count(*) FROM stored_events WHERE originator_id=? AND topic=?"
        return int(self.row(sql, match, str(tag))[0])

    def tagged(self, match: str, tag: int, after: int = 0) -> list[Entry]:
        """Those entries after a number whose event has this tag. O(entries), reading only those."""
        sql = (
            "SELECT originator_version, state FROM stored_events WHERE originator_id=? AND topic=?"
            " AND originator_version>? ORDER BY 1"
        )
        entry = self.entry_mapper.entry
        with self.rows(sql, match, str(tag), after) as cursor:
            return [entry(match, *row) for row in cursor.fetchall()]

    def row(self, sql: str, *parameters: Any) -> Any:
        """The first row that a query finds, or None."""
        with self.rows(sql, *parameters) as found:
            return found.fetchone()

    @contextmanager
    def rows(self, sql: str, *parameters: Any) -> Iterator[SQLiteCursor]:
        """The rows that a query finds."""
        datastore = cast(Factory, self.factory).datastore
        try:
            with datastore.transaction(commit=False) as cursor:
                cursor.execute(sql, parameters)
                yield cursor
        except _UNREADABLE as error:
            raise worded(self.path, error, "read") from error


def _hold(path: Path, patience: float) -> Hold:
    try:
        return Hold(path, patience)
    except Taken as taken:
        raise Unwritable(f"{path} can't be written: {taken}") from taken
    except FileNotFoundError as error:
        raise worded(path, error) from error
    except OSError as error:
        raise (Unwritable if path.exists() else StoreError)(
            f"{path} can't be written: {error.strerror}"
        ) from error
