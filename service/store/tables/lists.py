"""Lists: under each key by which something is looked up, the ids of what is found by it, by time.

What has many rows is found by its id alone; by anything else it is found in a list. A row of a list
is written in the transaction that makes it true, or takes it back. It is a place to look at, not an
answer: whoever reads a list reads the rows of what is in it as well, by their ids, and judges those
(`derived.listing`, `service.credentials`). So a database can be divided by the first column of each
of its tables.

A file of an earlier version has no lists until it is opened to be written, when they are filled
from what it has instead (`filling`); until then everything is looked at by its time (`Kind`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

from service.store.records import Recorder, Records, Statement
from service.store.statements import Must, insert_new, marks

Recorder.tables.append(
    "CREATE TABLE IF NOT EXISTS lists (list TEXT, at INTEGER, id TEXT,"
    " PRIMARY KEY (list, at, id)) WITHOUT ROWID"
)
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


class Kind(NamedTuple):
    """What is in a list: its table, and the column of the time by which it is listed."""

    table: str
    time: str


def added(name: str, at: int, id_: str) -> Statement:
    """Put something on a list, unless it stands there."""
    return _ADD, (name, at, id_)


def removed(name: str, at: int, id_: str) -> Statement:
    """Take something off a list, if it stands there."""
    return _REMOVE, (name, at, id_)


def must_stand(name: str, at: int, id_: str) -> Must:
    """Nothing of a transaction is saved unless something stands on a list, and goes on to."""
    return Must(_KEEP, (name, at, id_))


def filling(name: str, at: str, source: str, id_: str = "id") -> str:
    """What puts on a list what an SQLite file has, but for what is damaged; all is SQL there."""
    return f"INSERT OR IGNORE INTO lists (list, at, id) SELECT {name}, {at}, {id_} FROM {source}"


def has(records: Records, name: str, at: int, id_: str) -> bool:
    """Whether something stands on a list."""
    sql = "SELECT 1 FROM lists WHERE list=? AND at=? AND id=?"
    return records.row(sql, name, at, id_) is not None


def page(
    records: Records,
    name: str,
    kind: Kind,
    before: Key | None = None,
    limit: int = PAGE,
    *,
    including: bool = False,
) -> list[Key]:
    """So much of a list from a place on, the newest first; `including` what stands at that place.

    Where there are no lists it is everything of its kind, which may not belong there.
    """
    than = "<=" if including else "<"
    if records.has_table("lists"):
        sql = f"SELECT at, id FROM lists WHERE list=? AND (at, id) {than} (?,?)"
        values: tuple[Any, ...] = (name, *(before or (END, "")))
    else:
        if not records.has_table(kind.table):
            return []
        sql = f"SELECT {kind.time} AS at, id FROM {kind.table} WHERE ({kind.time}, id) {than} (?,?)"
        values = before or (END, "")
    with records.rows(f"{sql} ORDER BY at DESC, id DESC LIMIT ?", *values, limit) as rows:
        return [(row["at"], row["id"]) for row in rows]


def every(
    records: Records, name: str, kind: Kind, upto: Key | None = None, size: int = PAGE
) -> Iterator[list[Key]]:
    """A list page by page, the newest first, from a place on."""
    found = page(records, name, kind, upto, size, including=True)
    while found:
        yield found
        found = page(records, name, kind, found[-1], size) if len(found) == size else []


def rows_of(
    records: Records, sql: str, ids: Sequence[str], read: Callable[[Any], T]
) -> dict[str, T]:
    """What a query finds for ids (`… id IN ({})`), as `read` has each row, by the column `id`."""
    found: dict[str, T] = {}
    for at in range(0, len(ids), PAGE):
        some = ids[at : at + PAGE]
        with records.rows(sql.format(marks(len(some))), *some) as rows:
            found.update((row["id"], read(row)) for row in rows.fetchall())
    return found
