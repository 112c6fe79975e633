"""Checks by SQLite itself: pages, indexes, and types of values."""

from __future__ import annotations

from collections.abc import Iterator

from domain.words.phrases import phrase
from service.keeping.check.findings import FILE, TABLES, Fault
from service.store.records import Records
from service.store.schema import KEPT

SUBJECT = "the file"
#: The most findings of SQLite's own check that are reported.
_MOST = 20
_TYPES = {int: "integer", str: "text", bytes: "blob"}


def faults(records: Records, *, quick: bool) -> Iterator[Fault]:
    """The faults that SQLite finds in a file.

    O(its size); `quick`: indexes are not compared with tables.
    """
    with records.rows(f"PRAGMA {'quick' if quick else 'integrity'}_check({_MOST})") as found:
        for row in found:
            if row[0] != "ok":
                yield Fault(SUBJECT, FILE, phrase("it is damaged: {what}", what=row[0]))


def types(records: Records) -> Iterator[Fault]:
    """The values that are of another type than their column: SQLite takes of any kind given."""
    for table in KEPT:
        columns = table.columns.items()
        sums = (f"sum(typeof({name})<>'{_TYPES[kind]}')" for name, kind in columns)
        row = records.row(f"SELECT {', '.join(sums)} FROM {table.name}")
        for column, count in zip(table.columns, row, strict=True):
            if count:
                why = phrase(
                    "{count} rows: {column} is of another type", count=count, column=column
                )
                yield Fault(table.name, TABLES, why)
