"""The writes of one command to a store (`Work`), and SQL that is portable.

A statement is a text and its parameters: `?`, or `?1` where one is used again. `Must` is one that
has to change exactly one row. Every statement of the modules around names the columns that it
writes: a later version may have added others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from domain.record.entries import Entry

#: An SQL statement and its parameters, to be carried out along with a save.
Statement = tuple[str, tuple[Any, ...]]


class Must(NamedTuple):
    """A statement that changes one row, or else nothing of its transaction is saved: `Conflict`."""

    sql: str
    parameters: tuple[Any, ...]


class Version(NamedTuple):
    """How far a match is: its last entry, and how often what its seats have left has changed."""

    seq: int = 0
    left: int = 0


class Work(NamedTuple):
    """The additions of one command to a match: its entries, and statements to go with them.

    `game` is whose dictionary they are written with.
    `since`: their match is chained again, and so many entries were there before (`chaining`).
    `version`: if others may write as well, the match must have this version; `left`: auto-passes of
    its seats change.
    """

    match: str
    entries: Sequence[Entry]
    also: Sequence[Statement] = ()
    game: str = ""
    since: int | None = None
    version: Version | None = None
    left: bool = False


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
    """The clause that makes an insertion of these columns replace the row with its key."""
    kept = {name.strip() for name in key.split(",")}
    others = [name for name in map(str.strip, columns.split(",")) if name not in kept]
    changes = ", ".join(f"{name}=excluded.{name}" for name in others)
    return f"ON CONFLICT ({key}) DO UPDATE SET {changes}"


def marks(count: int) -> str:
    """The parameters of `IN (…)`."""
    return ",".join("?" * count)
