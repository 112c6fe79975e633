"""Lists: under each key, the ids of what it finds, by time.

What has many rows is found by its id alone; by anything else it is found in a list. A row of a list
is written in the transaction that makes it true, or takes it back. A list is only an index: its
readers also read the rows with those ids, and judge by them (`derived.listing`,
`service.credentials`). So a database can be divided by the first column of each of its tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from service.store.records import Records, Statement
from service.store.statements import Must, insert_new, marks

_ADD = insert_new("lists", "list, at, id")
_REMOVE = "DELETE FROM lists WHERE list=? AND at=? AND id=?"
_KEEP = "UPDATE lists SET id=id WHERE list=? AND at=? AND id=?"
#: Later than every time, and how much of a list is read at once.
END, PAGE = 1 << 62, 500
T = TypeVar("T")

#: A row of a list: its name, a time, an id.
Row = tuple[str, int, str]
#: Where something stands in a list: its time (milliseconds since 1970), its id.
Key = tuple[int, str]


def added(name: str, at: int, id_: str) -> Statement:
    """Put something on a list, unless it stands there."""
    return _ADD, (name, at, id_)


def removed(name: str, at: int, id_: str) -> Statement:
    """Take something off a list, if it stands there."""
    return _REMOVE, (name, at, id_)


def must_stand(name: str, at: int, id_: str) -> Must:
    """Nothing of a transaction is saved unless something stands on a list, and goes on to."""
    return Must(_KEEP, (name, at, id_))


def has(records: Records, name: str, at: int, id_: str) -> bool:
    """Whether something stands on a list."""
    sql = "SELECT 1 FROM lists WHERE list=? AND at=? AND id=?"
    return records.row(sql, name, at, id_) is not None


def page(
    records: Records,
    name: str,
    before: Key | None = None,
    limit: int = PAGE,
    *,
    including: bool = False,
) -> list[Key]:
    """So much of a list from a place on, the newest first; `including` what stands there."""
    sql = f"SELECT at, id FROM lists WHERE list=? AND (at, id) {'<=' if including else '<'} (?,?)"
    values = (name, *(before or (END, "")), limit)
    with records.rows(f"{sql} ORDER BY at DESC, id DESC LIMIT ?", *values) as rows:
        return [(row["at"], row["id"]) for row in rows]


def every(
    records: Records, name: str, upto: Key | None = None, size: int = PAGE
) -> Iterator[list[Key]]:
    """A list page by page, the newest first, from a place on."""
    found = page(records, name, upto, size, including=True)
    while found:
        yield found
        found = page(records, name, found[-1], size) if len(found) == size else []


def rows_of(
    records: Records, sql: str, ids: Sequence[str], read: Callable[[Any], T]
) -> dict[str, T]:
    """The rows of a query by ids (`… id IN ({})`), as `read` has each row, by the column `id`."""
    found: dict[str, T] = {}
    for at in range(0, len(ids), PAGE):
        some = ids[at : at + PAGE]
        with records.rows(sql.format(marks(len(some))), *some) as rows:
            found.update((row["id"], read(row)) for row in rows.fetchall())
    return found
