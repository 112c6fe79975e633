"""The interface of a store to its database: implemented by `sqlite` and `postgres`.

A driver opens the database, reads rows from it and says what went wrong in terms of a store. What
is written goes through its recorder, which the `eventsourcing` library calls.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from eventsourcing.persistence import AggregateRecorder, StoredEvent

from domain.record.entries import Entry
from service.store.layout.chaining import Links
from service.store.statements import Version, Work
from service.telemetry.shared import StoreMetrics

#: No entry has a number as high as this.
LAST = 2**31
#: Finds the first `n` entries of a match within the transaction that writes to it; None: all.
Stored = Callable[[str, int | None], Sequence[Entry]]
#: A damaged value may have another type, or be malformed text.
ROWS = (
    "SELECT originator_id, originator_version, CAST(topic AS BLOB), state FROM stored_events"
    " WHERE originator_id=?"
)


class Rows(Protocol):
    """The rows of a query; their values are read by position or column name."""

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...

    def __iter__(self) -> Iterator[Any]: ...


#: Finds the rows of a query, by its text and its parameters.
RowReader = Callable[[str, Sequence[Any]], AbstractContextManager[Rows]]


class Recorder(AggregateRecorder):
    """Writes rows of entries and what goes with them. The library calls it with what to save."""

    def __init__(self, rows: RowReader) -> None:
        self._rows = rows

    @abstractmethod
    def insert_events(
        self,
        stored_events: Sequence[StoredEvent],
        works: Sequence[Work] = (),
        links: list[Links | None] | None = None,
        stored: Stored = lambda match, n: (),
        **kwargs: Any,
    ) -> None:
        """Write the rows of works, their chains and their statements, all or nothing.

        How each was chained is added to `links`. Where the driver `stages`, the transaction stays
        open until `commit`, else all is durable on return.
        """

    @abstractmethod
    def commit(self) -> None:
        """Make durable what was staged."""

    def select_events(
        self,
        originator_id: Any,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        """The rows of a match as they are; their topics are bytes."""
        sql = f"{ROWS} AND originator_version>? AND originator_version<=? ORDER BY 2"
        bounds = (gt or 0, LAST if lte is None else lte, LAST if limit is None else limit)
        with self._rows(f"{sql}{' DESC' * desc} LIMIT ?", (originator_id, *bounds)) as found:
            return [StoredEvent(*row) for row in found]


class Driver(Protocol):
    """An open database."""

    #: What it is called in messages: no secret is in it.
    name: str
    #: Whether it is an archive, to which nothing is ever added.
    closed: bool
    #: Why it can't be written, if it can't be.
    reason: str
    #: Whether other processes may write it at the same time.
    shared: bool
    #: Whether writing is quick, and only making it durable takes long.
    stages: bool

    @property
    def recorder(self) -> Recorder:
        """Its writer."""

    @property
    def writable(self) -> bool:
        """Whether it can be written."""

    def reading(self, *, several: bool = True) -> AbstractContextManager[None]:
        """Read several things as they are at one time, in one transaction of this thread's.

        Without `several` it is one statement, whose rows may be read one by one.
        """

    def rows(self, sql: str, parameters: Sequence[Any]) -> AbstractContextManager[Rows]:
        """The rows that a query finds; raises `StoreError`."""

    def translated(self, doing: str) -> AbstractContextManager[None]:
        """Raises what goes wrong in the database as `Conflict` or `StoreError`."""

    def version(self, match: str) -> Version:
        """How far a match is."""

    def check(self) -> None:
        """Raises `Gone` if it could be written when it was opened, and can't be any more."""

    def report(self, metrics: StoreMetrics) -> None:
        """Tell these of connections, of what was tried again, and of what took too long."""

    def announce(self, address: str = "", *, starting: bool = False) -> None:
        """Note where this process can be called, for others that are refused.

        `starting`: that it soon will be; neither: that it is no more.
        """

    def leading(self, what: str) -> int:
        """Whether this process, of all that share the database, is the one that does something.

        0: it is not. Else the number of its term, which is another one after it was not.
        """

    def term(self, what: str) -> int:
        """The number of that term if it is known here, without asking; 0: none."""

    def vacuum(self) -> None:
        """Give back the room that is free in it."""

    def close(self) -> None:
        """Close it, and let others have it."""
