"""What a store asks of the database that it is in: the interface of `sqlite` and `postgres`.

A driver opens the database, reads rows from it and says what went wrong in terms of a store. What
is written goes through its recorder, a part of the `eventsourcing` library's for that database.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from eventsourcing.persistence import AggregateRecorder, InfrastructureFactory

from domain.record.entries import Entry
from service.store.layout.chaining import Links
from service.store.layout.work import Version, Work
from service.telemetry.shared import StoreMetrics

#: Finds the first `n` entries of a match within the transaction that writes to it; None: all. With
#: True it has to be one of which the log has nothing (`chaining.Stored`).
Stored = Callable[[str, int | None, bool], Sequence[Entry]]


class Rows(Protocol):
    """What a query has found: rows whose values are had by their place or their column's name."""

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...

    def __iter__(self) -> Iterator[Any]: ...


class Recorder(Protocol):
    """Writes rows of entries and what goes with them. The library calls it with what to save."""

    def insert_events(
        self, stored_events: Sequence[Any], *, works: Sequence[Work], links: list[Links | None],
        stored: Stored,
    ) -> Any:  # fmt: skip
        """Write the rows of works, their chains and their statements, all or nothing.

        How each was chained is added to `links`. Where the driver `stages`, the transaction stays
        open until `commit`, else all is durable on return.
        """

    def commit(self) -> None:
        """Make durable what was staged."""


class Driver(Protocol):
    """An open database."""

    #: What it is called in messages: no secret is in it.
    name: str
    #: The layout of its rows (LAYOUT.md).
    layout: int
    #: Why it can't be written, if it can't be.
    reason: str
    #: Whether other processes may write it at the same time.
    shared: bool
    #: Whether writing is quick, and only making it durable takes long.
    stages: bool

    @property
    def writable(self) -> bool:
        """Whether it can be written."""

    def factory(self) -> InfrastructureFactory[Any]:
        """What makes the library's parts."""

    def recorder(self, factory: InfrastructureFactory[Any]) -> AggregateRecorder:
        """The library's recorder, which is a `Recorder`."""

    def reading(self, *, several: bool = True) -> AbstractContextManager[None]:
        """Read several things as they are at one time, in one transaction of this thread's.

        Without `several` it is one statement, whose rows may be read one by one.
        """

    def rows(self, sql: str, parameters: Sequence[Any]) -> AbstractContextManager[Rows]:
        """The rows that a query finds; raises `StoreError`."""

    def has_table(self, name: str) -> bool:
        """Whether there is a table: what is only read may be older than what reads it."""

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
        """The number of that term as far as it is known here, without asking; 0: there is none."""

    def vacuum(self) -> None:
        """Give back the room that is free in it."""

    def close(self) -> None:
        """Close it, and let others have it."""
