"""Searches of the listing: matches by label, state, game and event, the newest first.

What is asked for names one list or several (`service.store.tables.lists`). The one that is sparsest
from where the search begins is read page by page, the rows of its matches by their ids, and those
are judged by everything that was asked. So each statement names one list, or the matches that it is
about, and no search looks at more than `MOST` matches: one that has found less by then says where
to go on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from domain.record.schema.citations import without_edition
from service.store.derived import listing
from service.store.derived.listing import Listed
from service.store.records import Records
from service.store.tables import lists
from service.store.tables.lists import Key

#: How many matches a search looks at.
MOST = 4000


class Found(NamedTuple):
    """The matches that a search has found, and where to go on; None: there are no more."""

    matches: list[Listed]
    after: Key | None


class Wanted(Struct, frozen=True):
    """The search: matches that fit all given criteria.

    `forks`: those that are forks as well; they are no part of what was really played. `event`: only
    those of this tournament. `origin`: only forks of this match.
    """

    labels: Mapping[str, str] = {}
    game: str = ""
    state: int | None = None
    event: str = ""
    forks: bool = False
    origin: str = ""

    def lists(self) -> list[str]:
        """The lists on which every match that fits stands."""
        found = [listing.of_label(name, value) for name, value in self.labels.items()]
        found += [listing.of_event(self.event)] if self.event else []
        found += [listing.of_state(self.state)] if self.state is not None else []
        found += [listing.of_game(self.game)] if self.game else []
        return found or [listing.ALL if self.forks else listing.PLAYED]

    def fits(self, one: Listed) -> bool:
        """Whether a match is what is searched for."""
        return (
            all(one.heading.labels.get(name) == value for name, value in self.labels.items())
            and self.game in ("", one.heading.game, without_edition(one.heading.game))
            and self.state in (None, one.state)
            and (not self.event or one.id.startswith(f"{self.event}."))
            and (self.forks or one.heading.origin is None)
            and (not self.origin or _origin(one) == self.origin)
        )


def _origin(one: Listed) -> str:
    """The match that one is a fork of; empty: it is not a fork."""
    return one.heading.origin.match if one.heading.origin is not None else ""


#: What a search for nothing in particular finds.
EVERYTHING = Wanted()


def search(
    records: Records, wanted: Wanted = EVERYTHING, before: Key | None = None, limit: int = 50
) -> Found:
    """Matches that fit, the newest first; `before` is the time and id of the last one seen."""
    found, left, size = list[tuple[Key, Listed]](), MOST, limit + 1
    with records.reading():
        name = _sparsest(records, wanted.lists(), before, size)
        while len(found) <= limit and left > 0:
            keys = lists.page(records, name, before, size)
            found += _fitting(records, wanted, keys)
            before, left = keys[-1] if len(keys) == size else None, left - size
            if before is None:
                break
            size = min(2 * size, lists.PAGE)
        shown = _counted(records, [one for _, one in found[:limit]])
    return Found(shown, found[limit - 1][0] if len(found) > limit else before)


def _sparsest(records: Records, names: Sequence[str], before: Key | None, size: int) -> str:
    """Of several lists the one on which so many matches go back furthest."""
    if len(names) == 1:
        return names[0]
    pages = {name: lists.page(records, name, before, size) for name in names}
    return min(names, key=lambda name: (len(pages[name]) == size, pages[name][-1:]))


def _fitting(records: Records, wanted: Wanted, keys: Sequence[Key]) -> Iterator[tuple[Key, Listed]]:
    """Those of some matches that fit."""
    known = lists.rows_of(records, listing.ROWS, [id_ for _, id_ in keys], listing.listed)
    for key in keys:
        one = known.get(key[1]) or listing.instead(records, key[1])
        if one is not None and wanted.fits(one):
            yield key, one


def _counted(records: Records, found: Sequence[Listed]) -> list[Listed]:
    """These matches with how many entries, rewinds and results that stand no more each has."""
    counts = lists.rows_of(records, _COUNTS, [one.id for one in found], lambda row: tuple(row)[1:])
    return [
        replace(one, entries=entries or 0, rewinds=back, superseded=results)
        for one in found
        for entries, back, results in [counts.get(one.id, (0, 0, 0))]
    ]


_COUNTS = (
    "SELECT m.id, (SELECT max(originator_version) FROM stored_events WHERE originator_id=m.id)"
    " AS entries, (SELECT count(*) FROM rewinds WHERE id=m.id) AS rewinds,"
    " (SELECT count(*) FROM superseded WHERE id=m.id) AS superseded FROM matches m"
    " WHERE m.id IN ({})"
)
