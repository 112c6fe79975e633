"""The matches and events that a visitor may list, each as he may know of it by now.

With a token of an organiser or of an event, the listing uses it. Everybody else sees of each match
what its public sees, with that delay (`Site.spectators`): a match of which nothing is released
is not there, and is not counted.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from contextlib import suppress
from time import monotonic
from typing import NamedTuple

from kifu.v1 import match_service_pb2 as pb
from kifu.v1 import tournament_service_pb2 as tpb
from msgspec import Struct

from service.api import summaries
from service.api.calls.errors import Fault, malformed
from service.identity import Role
from service.store.derived import searching
from service.store.derived.listing import Listed
from service.store.derived.searching import Found
from service.store.records import NoSuchMatch, StoreError
from service.store.tables.tournaments import NoSuchTournament
from service.web.site import Site
from service.web.visitors import Visitor

#: Matches on a page; how many are looked through for it at most; events that are listed.
SIZE, MOST, EVENTS = 60, 1200, 50
#: How long the public's data of a match are reused, in seconds.
FRESH = 1.5
#: How matches are asked for by state, in the order in which a page shows them.
STATES = {name: state for state, name in summaries.NAMES.items()}
_ORDER = [*STATES.values(), pb.MATCH_STATE_UNSPECIFIED]


class Wanted(Struct, frozen=True, kw_only=True):
    """Which matches are listed: of a game, in a state, of an event, with all of these words.

    `page` is the end of the page before this one, as it stated; empty: the first page.
    """

    game: str = ""
    state: str = ""
    event: str = ""
    text: str = ""
    page: str = ""

    def fits(self, found: pb.Match) -> bool:
        """Whether a match is in the state and has the words that are asked for."""
        if self.state and found.state != STATES[self.state]:
            return False
        labels = {one.name: one.value for one in found.labels}
        return self._has(found.id, found.game, found.seats, labels)

    def may_fit(self, listed: Listed) -> bool:
        """Whether a match can fit, as far as known without reading it: to read few in vain."""
        heading = listed.heading
        if (
            self.state
            and not heading.policy.delay
            and summaries.STATES[STATES[self.state]] != listed.state
        ):
            return False
        return self._has(listed.id, heading.game, heading.seats, heading.labels)

    def _has(self, match: str, game: str, seats: Iterable[str], labels: Mapping[str, str]) -> bool:
        parts = (part for pair in labels.items() for part in pair)
        there = " ".join([match, game, *seats, *parts]).casefold()
        return all(word in there for word in self.text.casefold().split())


class Page(NamedTuple):
    """The matches of a page, and where the next one begins; empty: it is the last."""

    matches: list[pb.Match]
    more: str


class Lists:
    """The lists of a site."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._rows: dict[str, tuple[float, pb.Match | None]] = {}

    async def matches(self, visitor: Visitor, wanted: Wanted) -> Page:
        """The matches of a page, those that are played first. Raises `Fault`."""
        whole = visitor.signed_in and (_is_organiser(visitor) or bool(visitor.who.event))
        if whole or not self._site.look.open:
            found = await self._by_token(visitor, wanted)
        else:
            found = await self._of_public(visitor, wanted)
        found.matches.sort(key=lambda one: _ORDER.index(one.state))
        return found

    async def _by_token(self, visitor: Visitor, wanted: Wanted) -> Page:
        """The list by a token."""
        if not visitor.signed_in:
            return Page([], "")
        found, token, left = list[pb.Match](), wanted.page, MOST
        while left > 0 and len(found) < SIZE:
            request = pb.ListMatchesRequest(
                game=wanted.game,
                state=STATES.get(wanted.state, pb.MATCH_STATE_UNSPECIFIED),
                event_id=wanted.event,
                page_size=SIZE,
                page_token=token,
                with_progress=True,
            )
            answer = await self._site.ask(request, visitor.sender)
            found += filter(wanted.fits, answer.matches)
            token, left = answer.next_page_token, left - SIZE
            if not token:
                break
        return Page(found, token)

    async def _of_public(self, visitor: Visitor, wanted: Wanted) -> Page:
        """The public's data of each match."""
        found, mark, left = list[pb.Match](), _mark(wanted.page), MOST
        shown_to = mark  # where the next page begins says nothing of what is not released
        while left > 0:
            some, after = await self._search(wanted, mark)
            may = [one.id for one in some if wanted.may_fit(one)]
            rows_ = await asyncio.gather(*(self._row(visitor, match) for match in may))
            rows = dict(zip(may, rows_, strict=True))
            for one in some:
                row, mark = rows.get(one.id), (one.heading.at, one.id)
                if row is not None and wanted.fits(row):
                    if len(found) == SIZE:
                        return Page(found, _written(shown_to))
                    found.append(row)
                if row is not None or not one.heading.policy.delay:
                    shown_to = mark
            left -= max(len(some), 1)
            if after is None:
                return Page(found, "")
            mark = after
        return Page(found, _written(shown_to) if shown_to != _mark(wanted.page) else "")

    async def _search(self, wanted: Wanted, mark: tuple[int, str] | None) -> Found:
        records, run = self._site.matches.records, self._site.matches.lanes.run
        what = searching.Wanted(game=wanted.game, event=wanted.event)
        return await run(searching.search, records, what, mark, SIZE)

    async def _row(self, visitor: Visitor, match: str) -> pb.Match | None:
        """The public's row of a match; None: none."""
        known = self._rows.get(match)
        if known is not None and monotonic() - known[0] < FRESH:
            return known[1]
        found: pb.Match | None = None
        with suppress(NoSuchMatch, StoreError, Fault):  # what can't be read keeps nothing else back
            token, _ = await self._site.spectators.token(match)
            sender = visitor.sender._replace(authorization=f"Bearer {token}")
            request = pb.ListMatchesRequest(with_progress=True)
            found = next(iter((await self._site.ask(request, sender)).matches), None)
        if len(self._rows) >= MOST:
            self._rows.clear()
        self._rows[match] = monotonic(), found
        return found

    async def events(self, visitor: Visitor) -> list[tpb.TournamentSummary]:
        """The events that a visitor may know of, the newest first. Raises `Fault`."""
        if visitor.signed_in and (_is_organiser(visitor) or not self._site.look.open):
            request = tpb.ListTournamentsRequest(page_size=EVENTS)
            return list((await self._site.ask(request, visitor.sender)).events)
        if not self._site.look.open:
            return []
        opened = await self._site.tournaments.opened()
        rows_ = [await self._event(visitor, id_) for _, id_ in opened[:EVENTS]]
        return [one for one in rows_ if one is not None]

    async def _event(self, visitor: Visitor, event: str) -> tpb.TournamentSummary | None:
        """An event as its public may know of it by now; None: not at all."""
        with suppress(NoSuchTournament, StoreError, Fault):
            token, _ = await self._site.spectators.event_token(event)
            sender = visitor.sender._replace(authorization=f"Bearer {token}")
            found = (await self._site.ask(tpb.ListTournamentsRequest(), sender)).events
            return next((one for one in found if not one.broken), None)
        return None


def _is_organiser(visitor: Visitor) -> bool:
    return visitor.who.role == Role.ORGANISER


def _written(mark: tuple[int, str] | None) -> str:
    """Where a page ended, for an address: when its last match was opened, and its id."""
    return f"{mark[0]}-{mark[1]}" if mark is not None else ""


def _mark(text: str) -> tuple[int, str] | None:
    opened, dash, match = text.partition("-")
    if not text:
        return None
    if not dash or not opened.isdecimal() or len(opened) > 15 or len(match) > 64:
        raise malformed("page", "is not one that was given out here")
    return int(opened), match
