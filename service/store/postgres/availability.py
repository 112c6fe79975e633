"""Whether the database answers, so that callers do not wait for one that is known to be down.

Where a connection broke, or none was to be had, a thread looks by a connection of its own.
Meanwhile others wait for the answer; once the database is known to be unavailable, requests for a
connection fail at once, and it is polled until it is back. Then all earlier connections are
replaced (`connections`), since broken ones can't be recognised.

A database that has become read-only (a primary that was demoted) is unavailable for writers only.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from threading import Condition, Thread
from typing import Any

import psycopg
from psycopg.rows import tuple_row
from psycopg_pool import PoolTimeout

#: How often an unavailable database is polled, how long an answer is waited for, and how long
#: others wait for the one that asks, in seconds.
EVERY, ANSWER, WAIT = 0.5, 3, 1.0
#: What a database says that is there, but takes nobody in; and what one says that is not there yet.
_THERE = "FATAL"
_NOT_YET = ("starting up", "shutting down", "not yet accepting", "recovery")


#: What a database says of a session that may write nothing.
_READ_ONLY = "SELECT current_setting('transaction_read_only') = 'on'"


class NotSaved(psycopg.OperationalError):
    """It is known that nothing was saved."""


class Away(NotSaved):
    """The database is known not to answer: nothing was asked of it."""


class ReadOnly(Away):
    """The database can only be read for now: nothing was asked of it."""


class Availability:
    """The known state of a database."""

    def __init__(self, conninfo: str, exchange: Callable[[], None]) -> None:
        """`exchange` is called once it answers again: earlier connections are broken."""
        self._conninfo, self._exchange = conninfo, exchange
        self.written = False  # it could be written when it was opened
        self._why, self._readable = "", False
        self._looking = self._closed = self._broken = False
        self._changed = Condition()

    def ask(self, *, writing: bool) -> None:
        """Return at once if it answers as far as is known; raise `Away` at once if it doesn't.

        `ReadOnly`, if something is to be written to one that can only be read.
        """
        if self._looking and not self._why:
            with self._changed:
                self._changed.wait_for(lambda: not self._looking or bool(self._why), WAIT)
        if self._why and self._readable:
            if writing:
                raise ReadOnly(self._why)
        elif self._why:
            raise Away(self._why)

    def doubt(self, *, broken: bool) -> None:
        """Have it looked for; `broken`: a connection is, so that others may be."""
        with self._changed:
            self._broken = self._broken or broken
            if self._looking or self._closed:
                return
            self._looking = True
        Thread(target=self._look, name="availability", daemon=True).start()

    def close(self) -> None:
        """Look no more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _look(self) -> None:
        was_readable = False
        while (fault := self._fault()) is not None:
            if readable := isinstance(fault, ReadOnly):
                self._renew()
            with self._changed:
                was_readable, self._broken = was_readable or readable, self._broken or not readable
                self._readable, self._why = readable, str(fault)
                self._changed.notify_all()
                if self._changed.wait_for(lambda: self._closed, EVERY):
                    return
        self._broken = self._broken or was_readable  # writers must not use earlier connections
        self._renew()
        with self._changed:
            self._why, self._looking = "", False
            self._changed.notify_all()

    def _renew(self) -> None:
        with self._changed:
            exchange, self._broken = self._broken and not self._closed, False
        if exchange:
            with suppress(Exception):
                self._exchange()

    def _fault(self) -> Away | None:
        """Why it can't be reached, or not be written any more, if it can't be."""
        until = time.monotonic() + ANSWER
        try:
            with psycopg.connect(
                self._conninfo, connect_timeout=ANSWER, autocommit=True
            ) as connection:
                only = self.written and is_read_only(connection)
                return ReadOnly("it can only be read now") if only else None
        except psycopg.Error as error:
            text = " ".join(str(error).split())
        there = _THERE in text and not any(words in text for words in _NOT_YET)
        if there and time.monotonic() < until:
            return None
        return Away(text or "it does not answer")


def is_read_only(connection: psycopg.Connection[Any]) -> bool:
    """Whether nothing can be written by a connection."""
    with psycopg.Cursor(connection, row_factory=tuple_row) as cursor:
        found = cursor.execute(_READ_ONLY).fetchone()
    return found is not None and bool(found[0])


def is_broken(error: BaseException) -> bool:
    """Whether an error of psycopg's means that its connection is no more."""
    if not isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return False
    if isinstance(error, NotSaved | PoolTimeout):
        return False
    state: Any = error.sqlstate
    return state is None or state[:2] == "08" or state[:3] == "57P"
