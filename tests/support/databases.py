"""Databases of each kind for tests of stores: opened, and tampered with behind the store's back."""

from __future__ import annotations

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from service.store.records import Records


class Place(ABC):
    """Where a store is, and the stores that were opened there."""

    #: Whether several may write it at the same time.
    shared = False

    def __init__(self, where: Path | str) -> None:
        self.where, self._open = where, list[Records]()

    def records(self, *, reading: bool = False) -> Records:
        """The store, opened once more; closed with the place."""
        self._open.append(Records(self.where, reading=reading))
        return self._open[-1]

    def close(self) -> None:
        """Close what was opened."""
        while self._open:
            self._open.pop().close()

    @abstractmethod
    def change(self, sql: str, *values: Any) -> int:
        """Somebody tampers with the rows (`?` for values); how many are others now."""

    @abstractmethod
    def look(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """The rows that a query finds."""


class InFile(Place):
    """An SQLite file."""

    def change(self, sql: str, *values: Any) -> int:
        with closing(sqlite3.connect(self.where, isolation_level=None)) as file:
            return file.execute(sql, values).rowcount

    def look(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.where)) as file:
            return file.execute(sql, values).fetchall()


class InPostgres(Place):
    """A PostgreSQL database."""

    shared = True
    _connection: Any = None

    def change(self, sql: str, *values: Any) -> int:
        return int(self._execute(sql, values).rowcount)

    def look(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        return list(self._execute(sql, values))

    def _execute(self, sql: str, values: Sequence[Any]) -> Any:
        import psycopg

        if self._connection is None:
            self._connection = psycopg.connect(str(self.where), autocommit=True)
        return self._connection.execute(sql.replace("?", "%s").encode(), values)

    def close(self) -> None:
        super().close()
        if self._connection is not None:
            self._connection.close()


def emptied(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """An empty database of the kind that a fixture's parameter names: `sqlite` or `postgresql`."""
    found: Place = (
        InFile(tmp_path / "matches.kifu")
        if request.param == "sqlite"
        else InPostgres(request.getfixturevalue("postgres_url"))
    )
    yield found
    found.close()
