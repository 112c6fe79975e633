"""Compaction of a file: what is due is repacked, and the room that is free in it is given back.

SQLite keeps the room of rows that were replaced for those to come, so a file never gets smaller by
itself. What a match says stays as it is; nobody else may have the file meanwhile. SQLite writes all
of it anew in one transaction: what breaks off leaves the file as it was.
"""

from __future__ import annotations

from collections.abc import Iterator

from service.store.derived import listing
from service.store.layout.repacking import repack_statements, to_repack
from service.store.records import NoSuchMatch, Records, StoreError, Work


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
