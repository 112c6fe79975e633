"""Rows copied unchanged from one store to another, for all databases.

A row of entries names the dictionary that it is compressed with by its number in the store. Where
another store has that under another number, the row is given that number and its checksum again;
what is compressed stays what it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from domain.words.phrases import phrase
from service.store.layout import packing
from service.store.records import Records, Statement, StoreError, Work
from service.store.schema import KEPT, TABLES, Table
from service.store.statements import insert, insert_new, marks, upsert
from service.store.tables import lists
from service.store.tables.tournaments import LIST, Tournaments, key_of
from service.store.tables.tournaments import TABLE as EVENTS

#: Rows that are written in one transaction where they are of no match.
LOT = 500
#: Rows that are read at a time from a database elsewhere.
PAGE = 5_000
Row = tuple[Any, ...]


def names(table: Table) -> str:
    """The columns of a table, for a statement."""
    return ", ".join(table.columns)


def read(records: Records, table: Table, where: str = "", *values: Any) -> Iterator[Row]:
    """The rows of a table in the order of its key, as they are."""
    key = ", ".join(table.key)
    sql = f"SELECT {names(table)} FROM {table.name}"
    if where or not records.shared:
        condition = f" WHERE {where}" if where else ""
        with records.rows(f"{sql}{condition} ORDER BY {key}", *values) as found:
            for row in found:
                yield tuple(row)
        return
    at, last = [[*table.columns].index(name) for name in table.key], ()
    while True:  # page by page: a database elsewhere sends all that it finds at once
        after = f" WHERE ({key}) > ({marks(len(last))})" if last else ""
        with records.rows(f"{sql}{after} ORDER BY {key} LIMIT {PAGE}", *last) as found:
            page = [tuple(row) for row in found]
        yield from page
        if len(page) < PAGE:
            return
        last = tuple(page[-1][i] for i in at)


def added(table: Table, rows: Iterable[Row], *, new: bool = False) -> list[Statement]:
    """A statement that adds rows, and fails if a key exists; `new`: such rows stay as they are."""
    sql = (insert_new if new else insert)(table.name, names(table))
    return [(sql, row) for row in rows]


def replaced(table: Table, rows: Iterable[Row]) -> list[Statement]:
    """A statement that replaces the rows with the same keys."""
    key = ", ".join(table.key)
    others = len(table.columns) > len(table.key)
    sql = upsert(table.name, key, names(table)) if others else insert_new(table.name, names(table))
    return [(sql, row) for row in rows]


def lots(rows: Iterator[Row]) -> Iterator[list[Row]]:
    """Rows, so many at a time."""
    while some := list(islice(rows, LOT)):
        yield some


class Dictionaries:
    """The dictionaries of one store in another, to which they are copied as they are needed."""

    def __init__(self, source: Records, target: Records) -> None:
        self._numbers = dict[int, int]()
        self._source, self._target = source, target

    def number(self, number: int) -> int:
        """The number in the target of a dictionary of the source; raises `StoreError`."""
        if not number:
            return 0
        if number not in self._numbers:
            self._numbers[number] = self._copied(number)
        return self._numbers[number]

    def _copied(self, number: int) -> int:
        sql = "SELECT name, data FROM dictionaries WHERE id=?"
        row = self._source.row(sql, number)
        if row is None:
            raise StoreError(
                phrase(
                    "{where} has no dictionary {number}", where=self._source.where, number=number
                )
            )
        name, data = row["name"], row["data"]
        kept = self._target.row("SELECT id FROM dictionaries WHERE name=?", name)
        if kept is not None:
            return int(kept["id"])
        taken = self._target.row("SELECT max(id), count(*) FROM dictionaries WHERE id=?", number)
        free = number if not taken[1] else self._next()
        table = TABLES["dictionaries"]
        self._target.write(Work("", (), added(table, [(free, name, data)])))
        return free

    def _next(self) -> int:
        last = self._target.row("SELECT max(id) FROM dictionaries")[0] or 0
        if last >= 255:
            raise StoreError(
                phrase("no more dictionaries fit into {where}", where=self._target.where)
            )
        return int(last) + 1

    def entries(self, rows: Iterable[Row]) -> list[Row]:
        """Rows of entries as the target has them."""
        return [self._renumbered(row) for row in rows]

    def _renumbered(self, row: Row) -> Row:
        match, last, topic, state = row
        new = self.number(packing.dictionary_of(state))
        return (match, last, topic, packing.renumbered(match, last, topic, state, new))


# -- all that there is of something ----------------------------------------------------------------


def of_match(
    source: Records, dictionaries: Dictionaries, match: str, tables: Iterable[Table] = KEPT
) -> list[Statement]:
    """The statements that add a match as a store has it, and replace a chain that is left there."""
    found = list[Statement]()
    for table in (one for one in tables if one.match):
        some = read(source, table, f"{table.match}=?", match)
        if table.name == "chains":
            found += replaced(table, some)
        elif table.name == "stored_events":
            found += added(table, dictionaries.entries(some))
        else:
            found += added(table, some)
    return found


def of_event(source: Records, event: str) -> list[Statement]:
    """The statements that add the record of an event as a store has it, in the same way."""
    entries = read(source, TABLES[EVENTS], "originator_id=?", event)
    chain = read(source, TABLES["chains"], "id=?", key_of(event))
    return [
        *added(TABLES[EVENTS], entries),
        *replaced(TABLES["chains"], chain),
        lists.added(LIST, Tournaments(source).opened_at(event), event),
    ]
