"""The rows of records: adapters between entries and the `eventsourcing` library's SQLite storage.

A row is an entry: its match, its sequence number, its event's tag and the packed entry
(`shorthand`). `Records` is what the service uses of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

from eventsourcing.persistence import Mapper, StoredEvent
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
from service.store.file import StoreError
from service.store.shorthand import TABLE, Shorthand

#: An SQL statement and its parameters, to be carried out along with a save.
Statement = tuple[str, tuple[Any, ...]]


class Conflict(Exception):
    """These entries do not follow the last one of their match; nothing was saved.

    Somebody else has written their numbers already, or what should come before is not there.
    """


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
