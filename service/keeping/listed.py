"""Other things on lists than matches: tokens, codes, events, logs of access.

Without its row on a list something is there and not found: a token that was revoked would be good
again. So `check` looks for each of them, and `kifu store rebuild` puts it there. Those of matches
are in `service.store.derived.checks`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from service.credentials import codes, tokens
from service.store.records import Records, Work
from service.store.tables import access, lists, tournaments
from service.store.tables.lists import PAGE, Row

#: What finds the rows that there should be.
SOURCES = (tokens.listed, codes.listed, tournaments.listed, access.listed)


def missing(records: Records) -> Iterator[Row]:
    """The rows that should be on lists and are not: the list, the time, the id. O(all there is)."""
    rows = chain.from_iterable(found(records) for found in SOURCES)
    yield from (row for row in rows if not lists.has(records, *row))


def rebuild(records: Records) -> None:
    """Put on lists what is missing there; what stands there for no reason is found by nobody."""
    with records.reading():
        rest = [lists.added(*row) for row in missing(records)]
    for at in range(0, len(rest), PAGE):
        records.write(Work("", (), rest[at : at + PAGE]))
