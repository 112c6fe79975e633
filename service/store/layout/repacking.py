"""Repacking of matches that have ended: their rows replaced by fewer and longer ones.

Of a match that is over nothing is added in a hurry any more, so its entries lie in rows of 128,
compressed as hard as can be, and every other snapshot is enough. What an entry says is taken over
byte by byte. It happens in one transaction, which fails if the rows are not those that were read;
readers see the ones or the others. What is still to be done is listed in the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from service.store.derived.snapshots import Snapshots
from service.store.layout import packing
from service.store.layout.compression import HARD
from service.store.layout.packing import CHUNK
from service.store.records import LAST, Records, Statement, StoreError


def to_repack(records: Records) -> list[str]:
    """The matches that have ended and are not repacked yet."""
    with records.rows("SELECT id FROM unpacked") as found:
        return [row["id"] for row in found]


def repack_statements(records: Records, match: str) -> list[Statement]:
    """What replaces the rows of a match; nothing if it is not waiting for that.

    O(entries). Raises `StoreError` if they can't be read.
    """
    if records.row("SELECT 1 FROM unpacked WHERE id=?", match) is None:
        return []
    found: list[Statement] = [("DELETE FROM unpacked WHERE id=?", (match,))]
    with records.reading():
        number = _number(records, match)
        rows = records.stored(match)
        if len(rows) > -(-rows[-1][1] // CHUNK):
            found += _new_rows(records, match, rows, number)
            found += _thin_snapshots(records, match)
    return found


def _number(records: Records, match: str) -> int:
    """The number of the dictionary that a match is written with: the best that there is."""
    opened = records.entries(match, 0, 1)[0].event
    return records.row_mapper.in_use.get(getattr(opened, "game", ""), 0)


def _new_rows(
    records: Records, match: str, rows: list[packing.Row], number: int
) -> Iterator[Statement]:
    """The new rows, in the place of these; they were compared."""
    compression, before = records.row_mapper.compression, records.entries(match)
    entries = packing.raw_entries(rows, compression)
    new = [
        packing.repack(match, list(chunk), compression, number, HARD)
        for _, chunk in groupby(entries, lambda entry: (entry[0] - 1) // CHUNK)
    ]
    after = [e for row in new for e in packing.unpack(match, row[0], row[1].encode(), row[2],
                                                      compression)]  # fmt: skip
    if after != before:
        raise StoreError(f"match {match}: its entries can't be repacked")
    yield _REMOVE, (match, before[-1].seq, len(rows))
    for row in new:
        yield "INSERT INTO stored_events VALUES (?,?,?,?)", (match, *row)


def _thin_snapshots(records: Records, match: str) -> Iterator[Statement]:
    """Every other snapshot, and the last, in the place of all."""
    snapshots, before = Snapshots(records), None
    places = snapshots.every(match, LAST)
    kept = places[::-2][::-1]
    views = [snapshots.read(match, place) for place in kept]
    if not all(views):
        return
    yield "DELETE FROM snapshots WHERE id=?", (match,)
    for one in views:
        before, statement = snapshots.save(match, one or [], before, HARD)
        yield statement


#: Where the rows are others than those that were read none goes, and the new ones are refused: the
#: last of them has the number of the last row there is.
_REMOVE = (
    "DELETE FROM stored_events WHERE originator_id=?1 AND originator_version<=?2 AND ?3 ="
    " (SELECT count(*) FROM stored_events WHERE originator_id=?1 AND originator_version<=?2)"
)
