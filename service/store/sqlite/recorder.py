"""Writing to an SQLite file: the `eventsourcing` library's parts, with what Kifu needs of them.

All writing goes through one connection, and leaves its transaction open: when it is durable is the
caller's to decide, who may wait for the disk in another thread.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property, partial
from typing import Any, ClassVar

from eventsourcing.persistence import InterfaceError, StoredEvent
from eventsourcing.sqlite import (
    SQLiteAggregateRecorder,
    SQLiteConnection,
    SQLiteConnectionPool,
    SQLiteCursor,
    SQLiteDatastore,
    SQLiteFactory,
)
from eventsourcing.utils import Environment

from service.store.driver import Stored
from service.store.errors import Conflict
from service.store.layout import chaining
from service.store.layout.chaining import Links
from service.store.layout.compression import TABLE
from service.store.layout.work import Work
from service.store.statements import Must

#: How long a reader waits for a file that is locked, in seconds; how many statements stay ready.
BUSY, READY = 5.0, 64


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
    """Rows of entries, and what is derived from them."""

    #: Tables of the modules that derive something from the entries.
    tables: ClassVar[list[str]] = []
    #: What brings the file of an earlier version up to date: a query that finds something in such a
    #: file, and the statements that are carried out then.
    changes: ClassVar[list[tuple[str, list[str]]]] = []

    def construct_create_table_statements(self) -> list[str]:
        return [_TABLE, TABLE, chaining.TABLE, *self.tables]

    def _create_table(self, c: SQLiteCursor) -> None:
        """All tables, as this version has them, in one transaction; it waits for nobody else."""
        super()._create_table(c)
        for earlier, statements in self.changes:
            c.execute(earlier)
            if c.fetchone() is not None:
                for statement in statements:
                    c.execute(statement)

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
        works: Sequence[Work] = (),
        links: list[Links | None] | None = None,
        stored: Stored = lambda match, n, unseen: (),
        **kwargs: Any,
    ) -> None:
        """Write rows, chains and statements in a transaction that stays open."""
        cursor, found = self.writer.cursor(), [] if links is None else links
        cursor.execute("BEGIN IMMEDIATE")
        try:
            self._insert_events(cursor, stored_events)
            for statement in (one for work in works for one in work.also):
                cursor.execute(*statement)
                if isinstance(statement, Must) and cursor.sqlite_cursor.rowcount != 1:
                    raise Conflict("a row that was to be changed is not there, or another")
            found += [_chained(cursor, work, stored) for work in works]
        except BaseException:
            self.writer.rollback()
            raise

    def commit(self) -> None:
        """Wait for the disk."""
        try:
            self.writer.commit()
        except sqlite3.Error:
            with suppress(sqlite3.Error):
                self.writer.rollback()
            raise


def _chained(cursor: SQLiteCursor, work: Work, stored: Stored) -> Links | None:
    """Chain the entries of a work, which were written just now."""
    if not chaining.is_due(work):
        return None
    cursor.execute(chaining.ROW, (work.match,))
    linked = chaining.extended(work, cursor.fetchone(), partial(stored, work.match))
    if linked is None:
        return None
    cursor.execute(chaining.SAVE, (work.match, *linked.row))
    return linked.links


class Factory(SQLiteFactory):
    """Makes the parts above."""

    aggregate_recorder_class = Recorder

    def __init__(self, env: Environment) -> None:
        super().__init__(env)
        self.datastore = Datastore(self.datastore.pool.db_name, originator_id_type="text")
