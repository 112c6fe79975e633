"""Leader election: which of the servers of a database does a task that only one does.

It is the one whose session holds an advisory lock. A session lives as long as its connection, and
that of a process that stands still lives on. So the database ends a session from which it has heard
nothing for `LAPSE` (`idle_session_timeout`), and a thread here says something all `RENEWED`. Each
time that the lock is had again begins another term, with another number.

Who stood still and goes on may believe for a while that his term lasts. Nothing rests on that: what
he writes has numbers that the database takes once only (`service.anchors.ledger`).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from itertools import count
from threading import Event, Lock, Thread
from typing import Any

import psycopg

from service.store.postgres import migrating
from service.store.postgres.connections import Connection

#: After how long without a word the database ends the session of who leads, and how often he says
#: something, in seconds.
LAPSE, RENEWED = 10.0, 3.0
#: Before PostgreSQL 14 there is no such setting: then a session ends with its connection.
_LAPSE = "SELECT set_config(name, %s, false) FROM pg_settings WHERE name = 'idle_session_timeout'"
_TAKE = "SELECT pg_try_advisory_lock(%s, hashtext(%s))"


class Terms:
    """The terms of this process."""

    def __init__(
        self, conninfo: str, watched: Callable[[Connection], AbstractContextManager[None]]
    ) -> None:
        """`watched` cuts a connection that gets no answer."""
        self._conninfo, self._watched = conninfo, watched
        self._held = dict[str, tuple[int, Connection]]()
        self._numbers = count(1)
        self._lock, self._closed = Lock(), Event()
        self._thread: Thread | None = None

    def known(self, what: str) -> int:
        """The number of the term that this process has, as far as it knows; 0: none."""
        return self._held.get(what, (0,))[0]

    def taken(self, what: str) -> int:
        """The same, and a new term if there is nobody who has one."""
        with self._lock:
            self._renew(what)
            if what not in self._held and not self._closed.is_set():
                self._take(what)
            return self.known(what)

    def _take(self, what: str) -> None:
        try:
            connection: Any = psycopg.connect(self._conninfo, autocommit=True)
        except psycopg.Error:
            return
        try:
            with self._watched(connection):
                connection.execute(_LAPSE, (f"{LAPSE * 1000:.0f}ms",))
                found = connection.execute(_TAKE, (migrating.LOCK, what)).fetchone()
        except psycopg.Error:
            found = None
        if found is None or not found[0]:
            connection.close()
            return
        self._held[what] = (next(self._numbers), connection)
        if self._thread is None:
            self._thread = Thread(target=self._run, name="terms", daemon=True)
            self._thread.start()

    def _renew(self, what: str) -> None:
        """Say something; what the database has ended, has ended."""
        if (kept := self._held.get(what)) is None:
            return
        try:
            with self._watched(kept[1]):
                kept[1].execute("SELECT 1")
        except psycopg.Error:
            del self._held[what]
            kept[1].close()

    def _run(self) -> None:
        while not self._closed.wait(RENEWED):
            with self._lock:
                for what in [*self._held]:
                    self._renew(what)

    def close(self) -> None:
        """End all of them."""
        self._closed.set()
        with self._lock:
            for _, connection in self._held.values():
                connection.close()
            self._held.clear()
