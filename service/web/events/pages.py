"""The page of an event, and the screen that a hall sees: pairings, the clock, standings, results.

Only rounds that are open are shown: one that is paired may still be paired again. Figures for
officials are left out for all visitors, as the page is what everybody sees.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Any

from kifu.v1 import tournament_service_pb2 as pb
from markupsafe import Markup
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from domain.telling.names import countdown
from domain.telling.standings import cited
from domain.telling.tournament import STAGES, clock_jumped, round_name
from domain.text import outcomes
from domain.tournament import progress, views
from domain.tournament.pairing.pods import neighbours
from domain.tournament.state import Player, Round, Stage, State
from domain.words.tables import Language, language
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
    name: str
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
    name = round_name(one, progress.planned(s))
    return Shown(one.number, name, STAGES[Stage(one.stage)], tuple(places))


class Pod(Struct, frozen=True):
    """Where a player sits in a pod, and his neighbours among those who play on."""

    number: int
    seat: int
    left: str
    right: str


def pod_of(s: State, player: int) -> Pod | None:
    """Where a player who plays on sits; None: nowhere."""
    number = s.pod(player)
    if not number or s.players[player].dropped:
        return None
    pod, gone = s.pods[number - 1], {n for n, one in s.players.items() if one.dropped}
    left, right = neighbours(pod, player, gone)
    names = {0: ""} | {n: one.name for n, one in s.players.items()}
    return Pod(number, pod.index(player) + 1, names[left], names[right])


class Line(Struct, frozen=True):
    """A round of a player: his table, opponent (none: a bye), match, and result from his side."""

    round: str
    table: int
    opponent: int
    name: str
    result: str = ""
    won: int = 0
    match: str = ""


def results_of(s: State, player: int) -> list[Line]:
    """The rounds of a player that are open, or have been, in order."""
    found = []
    for one in s.rounds:
        table = one.of(player)
        if one.stage == Stage.PAIRED or table is None:
            continue
        other = next((n for n in table.players if n != player), 0)
        o = table.outcome
        if o is not None and player != table.first:
            o = outcomes.turned(o)
        won = 0 if o is None or not o.winner else 1 if o.winner == player else -1
        recorded = other and (one.format or s.format).mode
        found.append(Line(
            round_name(one, progress.planned(s)), table.number, other,
            s.players[other].name if other else "",
            outcomes.write(o) if o is not None else "", won,
            s.match(one.number, table.number) if recorded else "",
        ))  # fmt: skip
    return found


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
    counted = Counter((one.left, one.since) for one in found)
    usual = max(found, key=lambda one: counted[one.left, one.since])
    return Time(usual.left, usual.since, usual.running, countdown(usual.at(now)))


def own_clock(s: State, player: int, now: int) -> Time | None:
    """The clock of the table at which a player sits; None: none runs there."""
    one = s.round
    table = one.of(player) if one is not None else None
    if one is None or not one.seconds or one.stage != Stage.STARTED or table is None:
        return None
    clock = table.clock
    if clock is None:
        return None
    return Time(clock.left, clock.since, clock.running, countdown(clock.at(now)))


async def page(site: Site, visitor: Visitor, event: str) -> str:
    """The page of an event as it is for everybody (`shared.filled` completes it)."""
    s = views.seen(await site.event(event, visitor.sender), views.PUBLIC)
    method = site.method(pb.GetTournamentRequest())
    differing = await site.guard.value(
        method, visitor.sender, partial(site.queries.differing, event)
    )
    found = await site.ask(pb.GetStandingsRequest(event_id=event), visitor.sender)
    made = partial(_page, visitor.sender.language, s, site.tournaments.clock(), differing, found)
    return await site.matches.lanes.run(made, site.queries.jumped(s), unlimited=True)


def _page(
    language: Language,
    s: State,
    now: int,
    differing: Sequence[pb.TableDiffers],
    found: pb.GetStandingsResponse,
    jumped: int,
) -> str:
    texts = {(one.round, one.table): one.text for one in differing}
    return answers.rendered(
        "events/event.html", language, s=s, rounds=rounds(s, texts), section=_section,
        clock=clock_of(s, now), time=now, jumped=clock_jumped(jumped),
        standings=public_standings(found), cited=cited(s), players_at=f"/e/{s.id}/results",
        pods=[[s.players[n] for n in pod] for pod in s.pods],
        playing=len(progress.active(s)), lists=_lists(s) if s.published else (),
    )  # fmt: skip


@lru_cache(maxsize=64)
def _section(tag: str, shown: Shown) -> Markup:
    """The section of a round: those of earlier rounds seldom change."""
    return Markup(answers.rendered("events/round.html", language(tag), round=shown))


def _lists(s: State) -> list[Player]:
    """Whose lists there are."""
    return [p for p in s.players.values() if p.list in s.lists and s.lists[p.list].deck.name]


def own_list(s: State, player: int, language: Language) -> str:
    """The link to a player's own list, while he alone may read it; empty: there is none."""
    found = [one for one in _lists(s) if one.number == player and not s.published]
    return answers.rendered("events/listed.html", language, s=s, lists=found) if found else ""


def screen(s: State, now: int, language: Language, *, hall: bool) -> Response:
    """The screen of a hall: the clock, and where everybody sits. `hall`: it is an insider's."""
    found = rounds(s)
    return answers.page(
        "events/screen.html", language, s=s, now=found[0] if found else None, pods=_seats(s),
        clock=clock_of(s, now), time=now,
        follow=f"/hall/{s.id}/follow" if hall else f"/e/{s.id}/follow",
    )  # fmt: skip


def _seats(s: State) -> list[tuple[str, int, int]]:
    """Where everybody sits in the pods who plays on, by name: his pod, and his seat there."""
    found = [
        (s.players[one].name, number, seat)
        for number, pod in enumerate(s.pods, 1)
        for seat, one in enumerate(pod, 1)
        if not s.players[one].dropped
    ]
    return sorted(found, key=lambda one: (one[0].casefold(), one[0]))


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
    event = request.path_params["event"]
    asked = pb.WatchTournamentRequest(event_id=event, after=after, brief=True)
    shared = Shared(site.matches.lanes.run)
    return Feed(site, shared, site.method(asked), asked, visitor.sender, _FORM)
