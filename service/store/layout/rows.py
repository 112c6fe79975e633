"""The rows of records: adapters between entries and the `eventsourcing` library's SQLite storage.

A row is some entries: their match, the number of the last one, a topic and the packed entries
(`packing`; `layout1` for files of earlier versions). `Records` is what the service uses of them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, cast

from eventsourcing.persistence import InterfaceError, Mapper, StoredEvent, Transcoder
from eventsourcing.sqlite import (
    SQLiteAggregateRecorder,
    SQLiteConnection,
    SQLiteConnectionPool,
    SQLiteCursor,
    SQLiteDatastore,
    SQLiteFactory,
)
from eventsourcing.utils import Environment

from domain.record.entries import Entry
from service.store.file import StoreError
from service.store.layout import layout1, packing
from service.store.layout.compression import TABLE, Compression
from service.store.layout.packing import runs

#: An SQL statement and its parameters, to be carried out along with a save.
Statement = tuple[str, tuple[Any, ...]]
#: How long a reader waits for a file that is locked, in seconds; how many statements stay ready.
BUSY, READY = 5.0, 64


class Conflict(Exception):
    """These entries do not follow the last one of their match; nothing was saved.

    Somebody else has written their numbers already, or what should come before is not there.
    """


class Row:
    """Entries of a match that go into one row: what the library calls a domain event."""

    __slots__ = ("entries", "game", "originator_id", "originator_version")

    def __init__(self, match: str, entries: Sequence[Entry], game: str = "") -> None:
        self.originator_id = match
        self.originator_version = entries[-1].seq
        self.entries = entries
        self.game = game


class Work(NamedTuple):
    """What one command adds to a match: its entries, and statements to go with them.

    `game` is whose dictionary they are written with, `sent` the entries' messages (`wire.packed`).
    `since`: their match is chained anew, and so many entries were there before (`chaining`).
    """

    match: str
    entries: Sequence[Entry]
    also: Sequence[Statement] = ()
    game: str = ""
    sent: Sequence[Any] | None = None
    since: int | None = None


class Batch:
    """Works to be saved together: one object, since the library looks long at each."""

    id = ""

    def __init__(self, works: Sequence[Work]) -> None:
        self.works = works

    def collect_events(self) -> list[Row]:
        """The library's name for what is to be saved."""
        return [
            Row(work.match, run, work.game) for work in self.works for run in runs(work.entries)
        ]


class RowMapper(Mapper[str]):
    """Rows as they are stored, by the layout of the file: the earlier one can only be read."""

    def __init__(self, compression: Compression, earlier: layout1.Rows | None = None) -> None:
        super().__init__(cast(Transcoder, None))
        self.compression = compression
        self._earlier = earlier
        self.in_use: dict[str, int] = {}  # the number of each game's dictionary

    def to_stored_event(self, domain_event: Any) -> StoredEvent:
        """A row as it is stored; `Conflict` if its entries do not follow one another."""
        match, entries = domain_event.originator_id, domain_event.entries
        if any(entry.seq != at for at, entry in enumerate(entries, entries[0].seq)):
            raise Conflict(f"match {match}: the entries do not follow one another")
        row = packing.pack(match, entries, self.compression, self.in_use.get(domain_event.game, 0))
        return StoredEvent(match, *row)

    def to_domain_event(self, stored_event: StoredEvent) -> Row:
        """A stored row; `StoreError` if it can't be one."""
        e, match = stored_event, str(stored_event.originator_id)
        return Row(match, self.entries(match, e.originator_version, e.topic.encode(), e.state))

    def entries(self, match: str, version: int, topic: bytes, state: bytes) -> list[Entry]:
        """The entries of a row; `StoreError` if it is damaged."""
        try:
            if self._earlier is not None:
                return self._earlier.unpack(version, state)
            return packing.unpack(match, version, topic, state, self.compression)
        except (ValueError, TypeError, IndexError) as error:
            first = version if self._earlier is not None else packing.first(version, topic)
            which = entries_of(first, version)
            raise StoreError(f"match {match}: {which} damaged ({error})") from error

    def topics(self, tag: int) -> tuple[str, str]:
        """A condition that holds for each row with events of this tag, and its parameter."""
        if self._earlier is not None:
            return "topic=?3", str(tag)
        return "instr(topic, ?3)", packing.topic_pattern(tag)


def entries_of(first: int, last: int) -> str:
    """Some entries in words, with their verb."""
    return f"entry {last} is" if first >= last else f"entries {first} to {last} are"


class Pool(SQLiteConnectionPool):
    """Connections for which a commit means that the data are on the disk."""

    def __init__(self, db_name: str) -> None:
        super().__init__(db_name=db_name)
        self.is_journal_mode_wal = "?mode=ro" in db_name  # whoever only reads can't set it

    def _create_connection(self) -> SQLiteConnection:
        """As the library does it, but for the statements that are kept ready: it keeps one."""
        try:
            connection = sqlite3.connect(
                self.db_name, uri=True, check_same_thread=False, isolation_level=None,
                timeout=BUSY, cached_statements=READY,
            )  # fmt: skip
        except sqlite3.Error as error:
            raise InterfaceError(error) from error
        connection.row_factory = sqlite3.Row
        if not self.is_journal_mode_wal:
            connection.execute("PRAGMA journal_mode=WAL")
            self.is_journal_mode_wal = True
        connection.execute("PRAGMA synchronous=FULL")
        return SQLiteConnection(connection, self.max_age)


class Datastore(SQLiteDatastore):
    """The library's datastore with our pool."""

    def __init__(self, db_name: str, **options: Any) -> None:
        super().__init__(db_name, **options)
        self.pool = Pool(db_name=db_name)


#: What no library writes for us: rows are few and long, so they lie better in a table of their own
#: order than in one that is its own index (LAYOUT.md).
_TABLE = (
    "CREATE TABLE IF NOT EXISTS stored_events (originator_id TEXT, originator_version INTEGER,"
    " topic TEXT, state BLOB, PRIMARY KEY (originator_id, originator_version))"
)
#: Who judges which entries may be next is the store, and nobody between question and answer.
_APPEND = (
    "INSERT INTO stored_events SELECT ?1,?2,?3,?4 WHERE ?2 - CAST(?3 AS INTEGER) ="
    " coalesce((SELECT max(originator_version) FROM stored_events WHERE originator_id=?1), 0)"
)


class Recorder(SQLiteAggregateRecorder):
    """Rows of entries, and what is derived from them.

    All writing goes through one connection, and leaves its transaction open: when it is durable is
    the caller's to decide (`Records.settle`).
    """

    #: Tables of the modules that derive something from the entries.
    tables: ClassVar[list[str]] = []

    def construct_create_table_statements(self) -> list[str]:
        return [_TABLE, TABLE, *self.tables]

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
            raise Conflict(f"{len(rows)} rows do not all follow those that there are")

    def insert_events(
        self,
        stored_events: Sequence[StoredEvent],
        also: Sequence[Statement] = (),
        then: Callable[[Any], None] = lambda cursor: None,
        **kwargs: Any,
    ) -> None:
        """Write rows, and carry out statements and `then`, in a transaction that stays open."""
        cursor = self.writer.cursor()
        cursor.execute("BEGIN IMMEDIATE")
        try:
            self._insert_events(cursor, stored_events)
            for statement, parameters in also:
                cursor.execute(statement, parameters)
            then(cursor)
        except BaseException:
            self.writer.rollback()
            raise


class Factory(SQLiteFactory):
    """Makes the parts above."""

    aggregate_recorder_class = Recorder

    def __init__(self, env: Environment) -> None:
        super().__init__(env)
        self.datastore = Datastore(self.datastore.pool.db_name, originator_id_type="text")
