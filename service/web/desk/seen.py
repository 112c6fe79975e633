"""The data of the desk: the state of a match, its board and last lines, for an official.

As everybody sees it, unless the official asks for everything: that he looks is recorded then, by
the feed that all pages are made of (`service.web.positions`), and the page says so in advance.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
from kifu.v1 import match_service_pb2 as pb
from kifu.v1 import tournament_service_pb2
from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from domain.record.entries import undone
from domain.record.position import Position, seat_of
from domain.record.views import OFFICIAL, PUBLIC
from domain.telling import consequences, notices
from domain.telling.names import clock_name, letter, time_left
from domain.telling.tournament import given_for
from domain.tournament.state import Call, State, place_of
from domain.words.phrases import Phrase
from service import wire
from service.api.calls.errors import forbidden
from service.api.reading import own
from service.identity import Role
from service.store.derived import rewinds
from service.web import views
from service.web.positions.feed import Feed
from service.web.positions.sights import Sight, at_once
from service.web.positions.telling.transcripts import LineData
from service.web.site import Site
from service.web.visitors import Visitor

#: How many lines are shown at first, and of how many decisions it is known where they are.
LINES, DECISIONS = 60, 200


class Line(Struct, frozen=True):
    """A line of the transcript, the decisions that it, or what led to it, answered; if undone."""

    data: LineData
    decisions: tuple[int, ...] = ()
    undone: bool = False


class Made(NamedTuple):
    """An answer: its entry, its decision, its seat."""

    seq: int
    n: int
    seat: int


class Clock(Struct, frozen=True):
    """A clock of the match: its name in requests, what it is called, what it shows now."""

    name: str
    label: Phrase
    left: int
    running: bool

    @property
    def typed(self) -> str:
        """How it is typed: `round`, or the letter of a seat."""
        return letter(seat_of(self.name)) if self.name.startswith("seat/") else self.name


class Desk(Struct, frozen=True):
    """A match as the desk shows it, by now."""

    match: pb.Match
    pos: Position
    now: dict[str, Any]
    seq: int
    time: int
    visitor: Visitor
    whole: bool

    @property
    def id(self) -> str:
        """The match."""
        return self.match.id

    @property
    def view(self) -> str:
        """Through whose eyes it is shown, as addresses say it."""
        return views.ALL if self.whole else views.EVERYBODY

    @property
    def decision(self) -> int:
        """The number of the open decision; 0: none is."""
        return self.pos.decision.n if self.pos.decision is not None else 0

    @property
    def last_decision(self) -> int:
        """The decision that was opened last."""
        return self.pos.decisions

    @property
    def result(self) -> int:
        """The entry with the result that stands; 0: the match is live."""
        return consequences.result_entry(self.pos)

    @property
    def table(self) -> bool:
        """Whether it is played with real cards."""
        return self.match.mode == "table"

    @property
    def dealt(self) -> bool:
        """Whether the service deals."""
        return not self.table

    @property
    def waits(self) -> str:
        """For what it waits to begin; empty: it has begun."""
        return self.pos.heading.waits

    def letter(self, seat: int) -> str:
        """The letter of a seat."""
        return letter(seat)

    @property
    def clocks(self) -> list[Clock]:
        """Its clocks."""
        return [
            Clock(one["clock"], Phrase(clock_name(one["clock"])), one["left"], one["running"])
            for one in self.now["clocks"]
        ]

    @property
    def looked(self) -> Phrase:
        """The notice that a look at everything is recorded, and where."""
        kept = self.match.policy.replay_evidence not in ("", "none")
        live = self.match.state == pb.MATCH_STATE_LIVE and not self.match.unofficial
        return consequences.look(entry=kept and live)

    @property
    def notes(self) -> list[str]:
        """The notices about the match as a whole."""
        p, heading = self.pos, self.pos.heading
        found: list[str | None] = [notices.chance(self.match.chance)]
        if self.match.unofficial:
            found.insert(0, notices.fork(self.match.fork.match))
        if self.waits:
            labels = {one.name: one.value for one in self.match.labels}
            found.append(notices.waiting(heading.waits, labels))
        found.append(notices.won(p.winner, p.score) if p.over else time_left(p, p.time))
        return [one for one in found if one]


class Fork(Struct, frozen=True):
    """A fork of the match: after which of its entries it begins, and how far it has come.

    `own`: the visitor may go there by what he signed in with.
    """

    id: str
    seq: int
    time: int
    turn: int
    over: bool
    own: bool


async def forks(site: Site, seen: Desk) -> list[Fork]:
    """The forks of the match, the newest first, as many as one search finds."""
    request = pb.ListMatchesRequest(fork_of=seen.id, with_progress=True)
    found = await site.ask(request, seen.visitor.sender)
    return [
        Fork(
            one.id, one.fork.seq, one.open_time.ToMilliseconds(), one.progress.turn,
            one.state == pb.MATCH_STATE_ENDED, seen.visitor.who.may_see(one.id),
        )
        for one in found.matches
    ]  # fmt: skip


class Place(Struct, frozen=True):
    """The event of a match: its state as the visitor sees it, its round and its table."""

    s: State
    round: int
    table: int
    time: int
    runs: bool

    @property
    def calls(self) -> list[Call]:
        """The calls from this table that wait."""
        return [
            one
            for one in self.s.calls.values()
            if not one.answered and (one.round, one.table) == (self.round, self.table)
        ]

    @property
    def players(self) -> tuple[int, ...]:
        """The players, by number, seat by seat."""
        return self.s.rounds[self.round - 1].tables[self.table].players

    def penalties(self, seat: int) -> list[str]:
        """The penalties that a seat's player was given at the event, and what for."""
        players = self.players
        return [
            given_for(self.s, one)
            for one in self.s.penalties.values()
            if seat < len(players) and one.player == players[seat] and not one.withdrawn
        ]


def require(visitor: Visitor, match: str) -> None:
    """Refuse callers who are no officials of a match; raises `Fault`."""
    own(visitor.who, match)
    if visitor.who.role not in (Role.ORGANISER, Role.OFFICIAL):
        raise forbidden("an official of the match")


async def desk(site: Site, feed: Feed, visitor: Visitor, match: str, *, whole: bool) -> Desk:
    """A match as it stands; raises `Fault`."""
    require(visitor, match)
    found = (await site.ask(pb.GetMatchRequest(match_id=match), visitor.sender)).match
    public = sight(visitor, match, whole=False)
    now = msgspec.json.decode((await feed.now(public)).codings[""])
    history, run = site.matches.history, site.matches.lanes.run
    pos = await run(lambda: history.position(match, PUBLIC, upto=now["seq"]))
    return Desk(found, pos, now, now["seq"], site.matches.clock(), visitor, whole)


def sight(visitor: Visitor, match: str, *, whole: bool) -> Sight:
    """An official's view of a match: as everybody sees it, or all of it."""
    return at_once(visitor, match, OFFICIAL if whole else PUBLIC)


async def board(feed: Feed, seen: Desk) -> Markup:
    """The board as it lies."""
    if not seen.seq:
        return Markup("")
    body = await feed.at(sight(seen.visitor, seen.id, whole=seen.whole), seen.seq, False)
    return Markup(body.codings[""].decode())


async def open_decision(feed: Feed, seen: Desk) -> Markup:
    """The open decision, as far as visible."""
    if not seen.decision:
        return Markup("")
    looking = sight(seen.visitor, seen.id, whole=seen.whole)
    return Markup((await feed.decision(looking, seen.decision, False)).codings[""].decode())


async def lines(site: Site, feed: Feed, seen: Desk, most: int) -> tuple[list[Line], bool]:
    """The last lines of the transcript, with the decisions they answer; whether there are more."""
    looking = sight(seen.visitor, seen.id, whole=seen.whole)
    all_lines = await feed.transcript_lines(looking, 0, seen.seq) if seen.seq else []
    open_ = await feed.unfinished(looking, seen.seq) if seen.seq else None
    all_lines = [*all_lines, open_] if open_ is not None else all_lines
    shown = all_lines[-most:] if most else all_lines
    made = await _answers(site, seen, most)
    back = await site.matches.lanes.run(rewinds.find, site.matches.records, seen.id)
    found = [
        replace(one, undone=bool(undone(back, one.data.seq)))
        for one in _with_decisions(shown, made)
    ]
    return found, len(shown) < len(all_lines)


def _with_decisions(shown: Sequence[LineData], made: Sequence[Made]) -> list[Line]:
    """The lines, each with the decisions that it tells of.

    An act is narrated once it is paid for: so it is the next line of its seat before another
    decision is answered, or else the line that the answer falls into.
    """
    found: dict[int, list[int]] = {}
    ends = [*(one.seq for one in made[1:]), 1 << 60]
    for one, end in zip(made, ends, strict=False):
        acts = (
            at
            for at, line in enumerate(shown)
            if one.seq <= line.seq < end and line.kind == "act" and line.seat == one.seat
        )
        within = (at for at, line in enumerate(shown) if line.seq <= one.seq)
        at = next(acts, max(within, default=-1))
        if at >= 0:
            found.setdefault(at, []).append(one.n)
    return [Line(one, tuple(found.get(at, ()))) for at, one in enumerate(shown)]


async def _answers(site: Site, seen: Desk, most: int) -> list[Made]:
    """The answers that stand, in order."""
    start = max(1, seen.last_decision - DECISIONS) if most else 1
    request = pb.ListDecisionsRequest(
        match_id=seen.id, start=start, active=True, page_size=200, view=pb.View(public=True)
    )
    found: list[Made] = []
    while True:
        page = await site.ask(request, seen.visitor.sender)
        for one in page.decisions:
            found += [Made(side.seq, one.n, side.seat) for side in one.seats if side.seq]
        if not page.next_page_token:
            return sorted(found)
        request.page_token = page.next_page_token


async def place(site: Site, visitor: Visitor, match: str) -> Place | None:
    """The event of a match, if it is of one."""
    found = place_of(match)
    if found is None:
        return None
    event, number, table = found
    request = tournament_service_pb2.GetTournamentRequest(event_id=event)
    answer = await site.ask(request, visitor.sender)
    runs = visitor.who.role == Role.ORGANISER or visitor.who.event == event
    return Place(wire.tournament_of(answer.event), number, table, answer.now, runs)


def seats(seen: Desk) -> list[tuple[int, str, str]]:
    """The seats: number, letter, name."""
    return [(n, letter(n), name) for n, name in enumerate(seen.match.seats)]
