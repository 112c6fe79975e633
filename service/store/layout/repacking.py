"""Repacking of matches that have ended: their rows replaced by fewer and longer ones.

Of a match that is over nothing is added in a hurry any more, so its entries lie in rows of 128,
compressed as hard as can be, and every other snapshot is enough. What an entry says is taken over
byte by byte. It happens in one transaction, which fails if the rows are not those that were read,
or the match waits for it no more: it may have gone on, or into an archive. Readers see the ones or
the others. What is still to be done is listed in the store.

SQLite keeps the room of rows that were replaced for those to come, so a file never gets smaller by
itself: `compact` writes all of it again in one transaction, while nobody else has the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from domain.record.events import MatchOpened
from domain.words.phrases import phrase
from service.store.derived import listing
from service.store.derived.snapshots import Snapshots
from service.store.layout import packing
from service.store.layout.compression import HARD
from service.store.layout.packing import CHUNK
from service.store.records import (
    LAST,
    Must,
    NoSuchMatch,
    Records,
    Statement,
    StoreError,
    Work,
)
from service.store.statements import insert
from service.store.tables import lists


def to_repack(records: Records) -> list[str]:
    """The matches that have ended and are not repacked yet."""
    pages = lists.every(records, listing.UNPACKED)
    return [match for page in pages for _, match in page]


def repack_statements(records: Records, match: str) -> list[Statement]:
    """The statements that repack the rows of a match; none if it is not waiting for that.

    O(entries). Raises `StoreError` if they can't be read.
    """
    with records.reading():
        heading = _heading(records, match)
        if heading is None or not lists.has(records, listing.UNPACKED, heading.at, match):
            return []
        found: list[Statement] = [Must(*lists.removed(listing.UNPACKED, heading.at, match))]
        number = records.row_mapper.in_use.get(heading.game, 0)
        rows = records.stored(match)
        if len(rows) > -(-rows[-1][1] // CHUNK):
            found += _new_rows(records, match, rows, number)
            found += _thin_snapshots(records, match)
    return found


def compact(records: Records) -> Iterator[tuple[str, StoreError | None]]:
    """Repack the matches that have ended and are not repacked; each, and why it could not be.

    The file is made smaller once all have been asked for. Raises `StoreError` if it can't be.
    """
    for match in to_repack(records):
        try:
            records.use_dictionary(listing.find(records, match).heading.game)
            records.write(Work(match, (), repack_statements(records, match)))
        except (StoreError, NoSuchMatch) as error:
            yield match, error if isinstance(error, StoreError) else StoreError(str(error))
        else:
            yield match, None
    records.driver.vacuum()


def _heading(records: Records, match: str) -> MatchOpened | None:
    """The event that opened a match, if it can be read."""
    opened = [entry.event for entry in records.entries(match, 0, 1)]
    return next((event for event in opened if isinstance(event, MatchOpened)), None)


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
        raise StoreError(phrase("match {match}: its entries can't be repacked", match=match))
    yield _REMOVE, (match, before[-1].seq, len(rows))
    for row in new:
        yield _INSERT, (match, *row)


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


_INSERT = insert("stored_events", "originator_id, originator_version, topic, state")
#: Where the rows are others than those that were read none goes, and the new ones are refused: the
#: last of them has the number of the last row there is.
_REMOVE = (
    "DELETE FROM stored_events WHERE originator_id=?1 AND originator_version<=?2 AND ?3 ="
    " (SELECT count(*) FROM stored_events WHERE originator_id=?1 AND originator_version<=?2)"
)
