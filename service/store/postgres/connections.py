"""Connections to PostgreSQL: pooled, bounded in number and in time.

No statement waits longer than the configured limits (`LIMITS`), and none longer than `PATIENCE` if
the database does not answer at all: then its connection is cut. While it is known to be away nobody
waits for it (`availability`).
"""

from __future__ import annotations

import heapq
import os
import re
import socket
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from itertools import count
from threading import Condition, Lock, Thread
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import dict_row
from psycopg_pool import ConnectionPool, PoolTimeout

from service.store.errors import StoreError
from service.store.postgres.availability import Availability, is_broken

#: The settings of each connection, in milliseconds.
LIMITS = {
    "statement_timeout": 10_000,
    "lock_timeout": 3_000,
    "idle_in_transaction_session_timeout": 10_000,
}
#: What else: statements are planned once, since a plan for all matches is the plan for each, while
#: the database would plan again for the part that each of them is in; a statement by itself sees
#: what others have committed, like those of our transactions.
WAYS = {
    "plan_cache_mode": "force_generic_plan",
    "default_transaction_isolation": "read committed",
}
#: What a connection does about a network that is silent; seconds, `tcp_user_timeout` milliseconds.
NETWORK = {
    "connect_timeout": 3,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 8_000,
}
#: The name and the encoding of a connection, independent of the environment.
SPOKEN = {"application_name": "kifu", "client_encoding": "UTF8"}
#: How long to wait for a connection, and for an answer at most, in seconds.
FREE, PATIENCE = 3.0, 12.0
#: How many connections there are at least and at most.
LEAST, MOST = 2, 12


_NO_ADDRESS = (
    "that is no address of a database (postgresql://HOST:PORT/NAME, or with USER:PASSWORD and an @"
    " before the host; in a name or password write all but letters and digits as %XX)"
)

Connection = psycopg.Connection[Any]


class Address:
    """The address of a database, with any options of libpq; `name` has no secret in it."""

    def __init__(self, text: str) -> None:
        """Raises `StoreError` if it is malformed."""
        try:
            parts = conninfo_to_dict(text)
        except psycopg.ProgrammingError:
            raise StoreError(_NO_ADDRESS) from None  # what is wrong may be the password
        where = str(parts.get("host") or parts.get("hostaddr") or "localhost")
        if "@" in f"{where}{parts.get('dbname')}" or re.search(
            r"[^0-9,]", f"{parts.get('port') or ''}"
        ):
            raise StoreError(_NO_ADDRESS)
        defaults = {key: value for key, value in NETWORK.items() if key not in parts}
        self.conninfo = make_conninfo(text, **SPOKEN | defaults)
        hosts, ports = where.split(","), str(parts.get("port") or "").split(",")
        ports = ports if len(ports) == len(hosts) else ports[:1] * len(hosts)
        pairs = zip(hosts, ports, strict=True)
        places = [f"{host}:{port}" if port else host for host, port in pairs]
        self.name = f"postgresql://{','.join(places)}/{parts.get('dbname') or ''}"


class Datastore:
    """The connections of this process."""

    def __init__(self, address: Address, most: int = MOST, *, hurry: bool = True) -> None:
        """`most` connections at the same time; without `hurry` a statement may take for ever."""
        self.watch = Watch() if hurry else None
        self._used, self._lock = 0, Lock()
        self.availability = Availability(address.conninfo, self._exchange) if hurry else None
        self.pool = ConnectionPool(
            address.conninfo,
            connection_class=psycopg.Connection[dict[str, Any]],
            kwargs={"row_factory": dict_row, "autocommit": True},
            min_size=min(LEAST, most),
            max_size=most,
            open=False,
            configure=_limited if hurry else _patient,
            check=None,
            timeout=FREE,
            reconnect_timeout=0.5,  # the next caller has it tested again
        )

    @contextmanager
    def get_connection(
        self, patience: float | None = None, *, writing: bool = False
    ) -> Iterator[Connection]:
        """A connection, which is cut if the database leaves it without an answer for too long.

        Raises `Away` at once if it is known not to answer; for `writing` raises `ReadOnly` if it is
        known to be read-only.
        """
        if self.availability is None or self.watch is None:
            with self._taken() as connection:
                yield connection
            return
        self.availability.ask(writing=writing)
        until = time.monotonic() + (PATIENCE if patience is None else patience)
        try:
            with self._taken() as connection, self.watch.over(connection, until):
                yield connection
        except psycopg.Error as error:
            demoted = isinstance(error, psycopg.errors.ReadOnlySqlTransaction) and self.written
            broken = demoted or is_broken(error)
            if broken or isinstance(error, PoolTimeout):
                self.availability.doubt(broken=broken)
            raise

    @contextmanager
    def _taken(self) -> Iterator[Connection]:
        """A connection of the pool, which is counted."""
        self.pool.open()
        with self.pool.connection() as connection:
            with self._lock:
                self._used += 1
            try:
                yield connection
            finally:
                with self._lock:
                    self._used -= 1

    @property
    def written(self) -> bool:
        """Whether the database could be written when it was opened."""
        return self.availability is not None and self.availability.written

    def watched(self, connection: Connection) -> AbstractContextManager[None]:
        """A connection that is not of the pool is cut as well if it gets no answer."""
        return nullcontext() if self.watch is None else self.watch.over(connection)

    def _exchange(self) -> None:
        self.pool.drain()

    def usage(self) -> dict[str, float]:
        """How many connections are `open` and `used`, at `most`, and calls `waiting` for one."""
        found = self.pool.get_stats()
        return {
            "open": found.get("pool_size", 0),
            "used": self._used,
            "most": found.get("pool_max", 0),
            "waiting": found.get("requests_waiting", 0),
        }

    def close(self) -> None:
        """Close all connections."""
        self.pool.close()
        if self.watch is not None and self.availability is not None:
            self.watch.close()
            self.availability.close()


def _limited(connection: Connection) -> None:
    _set(connection, {**LIMITS, **WAYS})


def _patient(connection: Connection) -> None:
    """No limits, where the database, or its user, may have some."""
    _set(connection, dict.fromkeys(LIMITS, 0))


def _set(connection: Connection, settings: Mapping[str, object]) -> None:
    each = (f"set_config('{name}', '{value}', false)" for name, value in settings.items())
    connection.execute(f"SELECT {', '.join(each)}".encode())


class Watch:
    """Cuts connections that are in use for too long: nothing else ends a wait for a dead peer."""

    def __init__(self) -> None:
        self._due: list[tuple[float, int, Any]] = []
        self._numbers = count()
        self._done = set[int]()
        self._changed = Condition()
        self._closed = False
        self._thread: Thread | None = None

    @contextmanager
    def over(self, connection: Connection, until: float = 0.0) -> Iterator[None]:
        """Cut a connection unless this ends by then (`time.monotonic`)."""
        number = next(self._numbers)
        with self._changed:
            if self._thread is None:
                self._thread = Thread(target=self._run, name="watch", daemon=True)
                self._thread.start()
            due = until or time.monotonic() + PATIENCE
            heapq.heappush(self._due, (due, number, connection))
        try:
            yield
        finally:
            with self._changed:
                self._done.add(number)

    def close(self) -> None:
        """Watch no more."""
        with self._changed:
            self._closed = True
            self._changed.notify()

    def _run(self) -> None:
        with self._changed:
            while not self._closed:
                while self._due and self._due[0][1] in self._done:
                    self._done.discard(heapq.heappop(self._due)[1])
                now = time.monotonic()
                if self._due and self._due[0][0] <= now:
                    cut(heapq.heappop(self._due)[2])
                else:
                    wait = min(self._due[0][0] - now, 1.0) if self._due else 1.0
                    self._changed.wait(wait)


def cut(connection: Connection) -> None:
    """Make callers that wait for a connection's answer fail at once."""
    with suppress(Exception), socket.socket(fileno=os.dup(connection.fileno())) as found:
        found.shutdown(socket.SHUT_RDWR)


class Row:
    """A row whose values are had by their place or their column's name."""

    __slots__ = ("_places", "_values")

    def __init__(self, values: Sequence[Any], places: dict[str, int]) -> None:
        self._values, self._places = values, places

    def __getitem__(self, key: Any) -> Any:
        return self._values[self._places[key] if isinstance(key, str) else key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def keys(self) -> list[str]:
        """The names of the columns."""
        return [*self._places]


def as_rows(cursor: psycopg.Cursor[Any]) -> Callable[[Sequence[Any]], Row]:
    """Makes rows of what a cursor finds (a row factory of psycopg's)."""
    places = {column.name: at for at, column in enumerate(cursor.description or ())}
    return lambda values: Row(values, places)
