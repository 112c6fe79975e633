"""SQL that means the same in every database that a store may be in.

A statement is a text and its parameters: `?`, or `?1` where one is used again. `Must` is one that
has to change exactly one row. Every statement of the modules around names the columns that it
writes: tables of earlier versions may have others as well, and a column that is a word of the
language stands in quotes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

#: An SQL statement and its parameters, to be carried out along with a save.
Statement = tuple[str, tuple[Any, ...]]


class Must(NamedTuple):
    """A statement that changes one row, or else nothing of its transaction is saved: `Conflict`."""

    sql: str
    parameters: tuple[Any, ...]


def insert(table: str, columns: str) -> str:
    """Adds a row, and fails if there is one of its key; `columns` are divided by commas."""
    marks = ",".join("?" for _ in columns.split(","))
    return f"INSERT INTO {table} ({columns}) VALUES ({marks})"


def insert_new(table: str, columns: str) -> str:
    """Adds a row unless there is one of its key."""
    return f"{insert(table, columns)} ON CONFLICT DO NOTHING"


def upsert(table: str, key: str, columns: str) -> str:
    """Adds a row, in the place of the one that has the same `key` (columns) if there is one."""
    return f"{insert(table, columns)} {replacing(key, columns)}"


def replacing(key: str, columns: str) -> str:
    """What makes of an insertion of these columns one that takes the place of what has its key."""
    kept = {name.strip() for name in key.split(",")}
    others = [name for name in map(str.strip, columns.split(",")) if name not in kept]
    changes = ", ".join(f"{name}=excluded.{name}" for name in others)
    return f"ON CONFLICT ({key}) DO UPDATE SET {changes}"


def marks(count: int) -> str:
    """The parameters of `IN (…)`."""
    return ",".join("?" * count)
