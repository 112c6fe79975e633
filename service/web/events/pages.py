"""The page of an event, and the screen that a hall sees: pairings, the clock, standings, results.

Only rounds that are open are shown: one that is paired may still be paired again. Figures for
officials are left out for all visitors, as the page is what everybody sees.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from kifu.v1 import tournament_service_pb2 as pb
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from domain.telling.names import countdown
from domain.telling.tournament import STAGES
from domain.text import outcomes
from domain.tournament import progress
from domain.tournament.state import Player, Round, Stage, State
from domain.words.tables import Language
from service.api.tournaments import rights
from service.web import answers
from service.web.connect.coding import Shared
from service.web.connect.feeds import Feed, Format
from service.web.site import Site
from service.web.visitors import Visitor

#: Tie-breaks whose figures are for officials.
_KEPT = ("penalties",)


class Place(Struct, frozen=True):
    """A table as everybody sees it: who sits there, its match, its result."""

    number: int
    names: tuple[str, ...]
    match: str = ""
    result: str = ""
    winner: str = ""
    differs: str = ""


class Shown(Struct, frozen=True):
    """A round as everybody sees it."""

    number: int
    stage: str
    places: tuple[Place, ...]

    @property
    def by_name(self) -> list[tuple[str, int, str]]:
        """Where everybody sits, by name: his table (0: a bye), and who sits opposite."""
        found = []
        for one in self.places:
            first, second = (*one.names, "")[:2]
            found.append((first, one.number if second else 0, second))
            if second:
                found.append((second, one.number, first))
        return sorted(found, key=lambda one: (one[0].casefold(), one[0]))


#: What matches say against the results of their tables, by round and table.
Differing = Mapping[tuple[int, int], str]


def rounds(s: State, differing: Differing = MappingProxyType({})) -> list[Shown]:
    """The rounds that are open, or have been, the last one first."""
    return [_shown(s, one, differing) for one in s.rounds[::-1] if one.stage != Stage.PAIRED]


def _shown(s: State, one: Round, differing: Differing) -> Shown:
    recorded = (one.format or s.format).mode
    places = []
    for n, table in sorted(one.tables.items()):
        outcome, pair = table.outcome, bool(table.second)
        winner = s.players.get(outcome.winner) if outcome is not None else None
        places.append(Place(
            n,
            tuple(s.players[player].name for player in table.players),
            s.match(one.number, n) if pair and recorded else "",
            outcomes.write(outcome) if outcome is not None and pair else "",
            winner.name if winner is not None and pair else "",
            differing.get((one.number, n), ""),
        ))  # fmt: skip
    return Shown(one.number, STAGES[Stage(one.stage)], tuple(places))


class Time(Struct, frozen=True):
    """The time on a round's clock at a time, in ms, and whether it has been running since."""

    left: int
    since: int
    running: bool
    shown: str


def clock_of(s: State, now: int) -> Time | None:
    """The clock that the tables share which play on; None: none runs."""
    one = s.round
    if one is None or not one.seconds or one.stage != Stage.STARTED:
        return None
    found = [t.clock for t in one.tables.values() if t.clock is not None and t.result is None]
    if not found:
        return None
    usual = max(found, key=lambda c: sum((c.left, c.since) == (o.left, o.since) for o in found))
    return Time(usual.left, usual.since, usual.running, countdown(usual.at(now)))


async def page(site: Site, visitor: Visitor, s: State, now: int) -> Response:
    """The page of an event."""
    language = visitor.sender.language
    found = await site.ask(pb.GetStandingsRequest(event_id=s.id), visitor.sender)
    request = pb.GetTournamentRequest(event_id=s.id, with_differing=True)
    compared: pb.GetTournamentResponse = await site.ask(request, visitor.sender)
    differing = {(one.round, one.table): one.text for one in compared.differing}
    return answers.page(
        "events/event.html", language, s=s, rounds=rounds(s, differing),
        clock=clock_of(s, now), time=now,
        standings=public_standings(found), planned=progress.planned(s) if s.players else 0,
        playing=len(progress.active(s)), lists=_lists(s, rights.viewer(visitor.who, s).player),
    )  # fmt: skip


def _lists(s: State, own: int) -> list[Player]:
    """Whose lists can be read: once they are published everybody's, before that one's own."""
    found = [p for p in s.players.values() if s.published or p.number == own]
    return [p for p in found if p.list in s.lists and s.lists[p.list].deck.name]


def screen(s: State, now: int, language: Language, *, hall: bool) -> Response:
    """The screen of a hall: the clock, and where everybody sits. `hall`: it is an insider's."""
    found = rounds(s)
    return answers.page(
        "events/screen.html", language, s=s, now=found[0] if found else None,
        clock=clock_of(s, now), time=now, planned=progress.planned(s) if s.players else 0,
        follow=f"/hall/{s.id}/follow" if hall else f"/e/{s.id}/follow",
    )  # fmt: skip


def public_standings(found: pb.GetStandingsResponse) -> pb.GetStandingsResponse:
    """The standings without figures that are for officials."""
    shown = [n for n, column in enumerate(found.tiebreaks) if column.name not in _KEPT]
    return pb.GetStandingsResponse(
        tiebreaks=[found.tiebreaks[n] for n in shown],
        rows=[_without(row, shown) for row in found.rows],
    )


def _without(row: pb.StandingRow, shown: Sequence[int]) -> pb.StandingRow:
    found = pb.StandingRow()
    found.CopyFrom(row)
    del found.figures[:]
    found.figures.extend(row.figures[n] for n in shown)
    return found


def _entry(message: Any) -> bytes:
    last: int = message.entries[-1].seq
    return b'event: entry\nid: %d\ndata: {"seq":%d}\n\n' % (last, last)


#: Failures end the stream: the browser comes again, and then gets the error.
_FORM = Format("text/event-stream", b": hello\n\n", b": still here\n\n", _entry, lambda fault: b"")


def followed(site: Site, visitor: Visitor, request: Request) -> Response:
    """The events that an event's record goes on, after the entry that the browser knows of.

    They tell only that there is entry N, in the form that `layout/static/follow.js` follows; the
    page asks what is new. They are sent as the feeds of programs are.
    """
    known = request.headers.get("last-event-id") or request.query_params.get("after", "0")
    after = int(known) if known.isascii() and known.isdecimal() and len(known) < 10 else 0
    asked = pb.WatchTournamentRequest(event_id=request.path_params["event"], after=after)
    shared = Shared(site.matches.lanes.run)
    return Feed(site, shared, site.method(asked), asked, visitor.sender, _FORM)
