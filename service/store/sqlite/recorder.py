"""Writes to an SQLite file: rows of entries, and statements with them.

All writing goes through one connection, and leaves its transaction open: when it is durable is the
caller's to decide, who may wait for the disk in another thread.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property, partial
from typing import Any

from eventsourcing.persistence import StoredEvent

from domain.words.phrases import phrase
from service.store.driver import Recorder, RowReader, Stored
from service.store.errors import Conflict
from service.store.layout import chaining
from service.store.layout.chaining import Links
from service.store.statements import Must, Work

#: Who judges which entries may be next is the store, and nobody between question and answer.
_APPEND = (
    "INSERT INTO stored_events SELECT ?1,?2,?3,?4 WHERE ?2 - CAST(?3 AS INTEGER) ="
    " coalesce((SELECT max(originator_version) FROM stored_events WHERE originator_id=?1), 0)"
)


class SQLiteRecorder(Recorder):
    """The recorder of a file."""

    def __init__(self, rows: RowReader, connect: Callable[[], sqlite3.Connection]) -> None:
        super().__init__(rows)
        self._connect = connect

    @cached_property
    def writer(self) -> sqlite3.Connection:
        """The connection that writes. It never waits: callers that may wait retry (`write`)."""
        connection = self._connect()
        connection.execute("PRAGMA busy_timeout=0")
        return connection

    def insert_events(
        self,
        stored_events: Sequence[StoredEvent],
        works: Sequence[Work] = (),
        links: list[Links | None] | None = None,
        stored: Stored = lambda match, n: (),
        **kwargs: Any,
    ) -> None:
        """Write rows, chains and statements in a transaction that stays open."""
        cursor, found = self.writer.cursor(), [] if links is None else links
        cursor.execute("BEGIN IMMEDIATE")
        try:
            _append(cursor, stored_events)
            for statement in (one for work in works for one in work.also):
                cursor.execute(*statement)
                if isinstance(statement, Must) and cursor.rowcount != 1:
                    raise Conflict(phrase("a row that was to be changed is not there, or another"))
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

    def close(self) -> None:
        """Write no more."""
        if "writer" in vars(self):
            self.writer.close()


def _append(cursor: sqlite3.Cursor, rows: Sequence[StoredEvent]) -> None:
    """Each row follows the last one of its match, or is not written: `Conflict`."""
    values = [(e.originator_id, e.originator_version, e.topic, e.state) for e in rows]
    cursor.executemany(_APPEND, values)
    if rows and cursor.rowcount != len(rows):
        raise Conflict(phrase("{n} rows do not all follow those that there are", n=len(rows)))


def _chained(cursor: sqlite3.Cursor, work: Work, stored: Stored) -> Links | None:
    """Chain the entries of a work, which were written just now."""
    if not work.entries:
        return None
    cursor.execute(chaining.ROW, (work.match,))
    linked = chaining.extended(work, cursor.fetchone(), partial(stored, work.match))
    cursor.execute(chaining.SAVE, (work.match, *linked.row))
    return linked.links
