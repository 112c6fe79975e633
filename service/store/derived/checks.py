"""Checks and rebuilds derived data: listings, lists of rewinds, snapshots.

So are the dictionaries by which entries are compressed, those that are shipped.

`listing`, `rewinds` and `history` bypass what they find damaged and report it (`Records.doubt`).
Here all of it is compared with the entries and rebuilt. Seeds are in no entry: they are kept if
they can be read; without its seed a match goes on with chance that can't be repeated.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any

from domain.words.phrases import phrase
from service.store import schema
from service.store.derived import listing
from service.store.history import History
from service.store.layout import compression
from service.store.records import LAST, Records, Statement, StoreError, Work
from service.store.tables import lists

#: Whose rows are of one match, and what they are to people.
_TABLES = {
    "matches": phrase("its listing is not what its entries say"),
    "rewinds": phrase("its rewinds are not what its entries say"),
    "superseded": phrase("its earlier results are not what its entries say"),
}


def faults(records: Records, match: str, upto: int = LAST) -> list[str]:
    """The derived rows that differ from a match's entries; `StoreError` if they are unreadable.

    O(entries). Snapshots after entry `upto` are not looked at. All of it is read as it is at one
    time: the match may be played on or repacked meanwhile.
    """
    with records.reading():
        wanted = _expected_rows(listing.rows_of(records, match))
        found: list[str] = [
            fault
            for table, fault in _TABLES.items()
            if _stored_rows(records, table, match) != wanted[table]
        ]
        if _misplaced(records, wanted["lists"]):
            found.append(phrase("its lists are not what its entries say"))
        if not found and (seq := History(records).audit(match, upto)):
            text = "its snapshot at entry {seq} is not what its entries add up to"
            found = [phrase(text, seq=seq)]
        if _damaged_dictionaries(records):
            found.append(phrase("a dictionary of its file is damaged"))
        return found


def unlisted(records: Records) -> list[str]:
    """The matches that no listing has. O(matches)."""
    return records.ids(missing_in="matches")


def rebuild_statements(records: Records, match: str) -> Iterator[list[Statement]]:
    """All that is derived of a match, to be written in two steps: snapshots rest on the others.

    Raises `StoreError` if its entries can't be read. Nothing else may happen to it meanwhile.
    """
    gone: list[Statement] = [
        (f"DELETE FROM {table} WHERE id=?", (match,)) for table in (*_TABLES, "snapshots")
    ]
    made = listing.rows_of(records, match)
    stands = {at for _, at, _ in _expected_rows(made)["lists"]}
    gone += [lists.removed(name, at, match) for name in listing.STATES for at in stands]
    yield gone + made
    yield History(records).advance(match)


def rebuild(records: Records) -> Iterator[tuple[str, StoreError | None]]:
    """Make all that is derived in a file again; each match, and why it could not be done.

    What belongs to no match goes. The file must be nobody else's.
    """
    ids = records.ids()
    tables = (*_TABLES, "snapshots")
    stray = "DELETE FROM {} WHERE id NOT IN (SELECT originator_id FROM stored_events)"
    mended = [
        ("UPDATE dictionaries SET data=? WHERE id=?", (data, number))
        for number, data in _damaged_dictionaries(records)
        if data is not None
    ]
    listed = stray.format("lists") + " AND list>='matches' AND list<'matchet'"
    gone = [*map(stray.format, tables), listed]
    records.write(Work("", (), [*((statement, ()) for statement in gone), *mended]))
    for match in ids:
        try:
            for statements in rebuild_statements(records, match):
                records.write(Work(match, (), statements))
        except StoreError as error:
            yield match, error
        else:
            yield match, None


def _damaged_dictionaries(records: Records) -> list[tuple[int, bytes | None]]:
    """Those that are not what their name says: the number, and what it should be, if known.

    They are no part of a record. Where the same one is shipped that is used in its place.
    """
    with records.rows("SELECT id, CAST(name AS TEXT) AS name, data FROM dictionaries") as found:
        return [
            (row["id"], right)
            for row in found
            if (right := compression.undamaged(row["name"], row["data"])) != row["data"]
        ]


def _stored_rows(records: Records, table: str, match: str) -> list[tuple[Any, ...]] | None:
    """The rows of a match; None if they can't be read."""
    try:
        with records.rows(f"SELECT * FROM {table} WHERE id=? ORDER BY 1, 2", match) as found:
            rows = [tuple(row) for row in found.fetchall()]
            return [*map(listing.as_of_today, rows)] if table == "matches" else rows
    except StoreError:
        return None


def _expected_rows(statements: Sequence[Statement]) -> dict[str, list[tuple[Any, ...]]]:
    """The content of tables after these statements only."""
    with closing(sqlite3.connect(":memory:")) as scratch:
        for one in schema.known():
            scratch.executescript(one.for_sqlite())
        for statement, parameters in statements:
            scratch.execute(statement, parameters)
        query = "SELECT * FROM {} ORDER BY 1, 2"
        tables = (*_TABLES, "lists")
        return {table: scratch.execute(query.format(table)).fetchall() for table in tables}


def _misplaced(records: Records, wanted: Sequence[tuple[Any, ...]]) -> bool:
    """Whether a match is missing on one of its lists, or on one of a state that it is not in.

    On others it may stand for no reason: who searches looks at its row as well.
    """
    names = {name for name, _, _ in wanted} - listing.PENDING
    places = {(at, match) for _, at, match in wanted}
    return any(
        lists.has(records, name, at, match) != (name in names)
        for at, match in places
        for name in names | listing.STATES
    )
