"""Whether the database answers: so that nobody waits for one that is known not to.

Where a connection broke, or none was to be had, a thread looks by a connection of its own. Until
that is answered, others wait for it; once the database is known to be away, whoever wants a
connection is told so at once, and it is looked for until it is back. Then all connections of before
are exchanged (`connections`), since those that broke are not told from others.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from threading import Condition, Thread
from typing import Any

import psycopg
from eventsourcing.persistence import OperationalError

#: How often a database that is away is looked for, for how long an answer is waited for, and how
#: long others wait for whoever looks, in seconds.
EVERY, ANSWER, WAIT = 0.5, 3, 1.0
#: What a database says that is there, but takes nobody in; and what one says that is not there yet.
_THERE = "FATAL"
_NOT_YET = ("starting up", "shutting down", "not yet accepting", "recovery")


class Away(OperationalError):
    """The database is known not to answer: nothing was asked of it."""


class Availability:
    """What is known of a database."""

    def __init__(self, conninfo: str, exchange: Callable[[], None]) -> None:
        """`exchange` is called once it answers again: connections of before are worth nothing."""
        self._conninfo, self._exchange = conninfo, exchange
        self._why = ""
        self._looking = self._closed = self._broken = False
        self._changed = Condition()

    def ask(self) -> None:
        """Return at once if it answers as far as is known; raise `Away` at once if it doesn't."""
        if self._looking and not self._why:
            with self._changed:
                self._changed.wait_for(lambda: not self._looking or bool(self._why), WAIT)
        if self._why:
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
        while why := self._fault():
            with self._changed:
                self._why, self._broken = why, True
                self._changed.notify_all()
                if self._changed.wait_for(lambda: self._closed, EVERY):
                    return
        with self._changed:
            exchange, self._broken = self._broken and not self._closed, False
        if exchange:
            with suppress(Exception):
                self._exchange()
        with self._changed:
            self._why, self._looking = "", False
            self._changed.notify_all()

    def _fault(self) -> str:
        """Why it can't be reached, if it can't be."""
        until = time.monotonic() + ANSWER
        try:
            with psycopg.connect(self._conninfo, connect_timeout=ANSWER, autocommit=True):
                return ""
        except psycopg.Error as error:
            text = " ".join(str(error).split())
        there = _THERE in text and not any(words in text for words in _NOT_YET)
        return "" if there and time.monotonic() < until else text or "it does not answer"


def is_broken(error: BaseException | None) -> bool:
    """Whether an error of psycopg's means that its connection is no more."""
    if not isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return False
    state: Any = error.sqlstate
    return state is None or state[:2] == "08" or state[:3] == "57P"
