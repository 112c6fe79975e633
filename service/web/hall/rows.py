"""The tables of a round as rows of the hall: players, clock, progress.

A row says when something was, never how long ago: it changes only when something happens at its
table. `boards` keeps which rows have changed.
"""

from __future__ import annotations

from collections.abc import Mapping

from kifu.v1 import match_service_pb2
from msgspec import Struct

from domain.telling.book import Book
from domain.telling.names import letter
from domain.text import outcomes
from domain.tournament.state import Round, Seating, Stage, State
from domain.words.phrases import Phrase, phrase
from service.identity import Role

#: The states of a match, as rows have them.
WAITING, LIVE, OVER = "waiting", "live", "over"
_STATES = {
    match_service_pb2.MATCH_STATE_WAITING: WAITING,
    match_service_pb2.MATCH_STATE_LIVE: LIVE,
    match_service_pb2.MATCH_STATE_ENDED: OVER,
}


class Clock(Struct, frozen=True):
    """The time on a clock at a time, in milliseconds, and whether it has been running since."""

    left: int
    since: int
    running: bool
    called: bool = False


class Last(Struct, frozen=True):
    """The last act at a table, as everybody sees it; by which seat, and its letter."""

    seat: int = -1
    by: str = ""
    text: str = ""


class Progress(Struct, frozen=True):
    """How far the match of a table is, and when its last entry was made (ms since 1970).

    `followers`: how many follow it at this server. `act`: what was done last, up to `entries`.
    """

    state: str
    game: int = 0
    turn: int = 0
    seat: int = -1
    step: str = ""
    deciding: tuple[int, ...] = ()
    score: tuple[int, ...] = ()
    last: int = 0
    paused: bool = False
    entries: int = 0
    followers: int = 0
    act: Last = Last()

    @property
    def whose(self) -> str:
        """The letter of whose turn it is."""
        return letter(self.seat)


class Row(Struct, frozen=True):
    """A table of a round. `match` is empty where none is recorded; `call` is one that waits.

    `claims` are the results that its players report, who differ if it is `disputed`.
    """

    number: int
    names: tuple[str, ...]
    match: str = ""
    clock: Clock | None = None
    progress: Progress | None = None
    result: str = ""
    winner: str = ""
    typed: bool = False
    corrected: bool = False
    call: int = 0
    playing: bool = False
    both: bool = False
    claims: tuple[str, ...] = ()
    disputed: bool = False

    @property
    def bye(self) -> bool:
        """Whether nobody sits opposite."""
        return len(self.names) == 1


def rows(s: State, now: Round, progress_by_match: Mapping[str, Progress]) -> list[Row]:
    """The rows of a round, in order of their tables."""
    calls = {one.table: one.number for one in s.calls.values()
             if not one.answered and one.round == now.number}  # fmt: skip
    return [
        _row(s, now, one, progress_by_match, calls.get(n, 0))
        for n, one in sorted(now.tables.items())
    ]


def _row(
    s: State, now: Round, one: Seating, progress_by_match: Mapping[str, Progress], call: int
) -> Row:
    recorded = one.second and (now.format or s.format).mode and now.stage != Stage.PAIRED
    match = s.match(now.number, one.number) if recorded else ""
    outcome, clock = one.outcome, None
    if one.clock is not None and outcome is None and now.stage != Stage.ENDED:
        c, timed = one.clock, now.seconds
        clock = Clock(c.left if timed else 0, c.since if timed else 0, c.running, c.called)
    return Row(
        one.number,
        tuple(s.players[player].name for player in one.players),
        match,
        clock,
        progress_by_match.get(match),
        outcomes.write(outcome) if outcome is not None and one.second else "",
        s.players[outcome.winner].name if outcome is not None and outcome.winner else "",
        typed=one.result is not None and not one.result.source and bool(one.second),
        both=one.result is not None and one.result.both,
        claims=tuple(outcomes.write(claim.outcome) for claim in one.claims),
        disputed=one.disputed,
        corrected=len(one.results) > 1,
        call=call,
        playing=now.stage == Stage.STARTED and outcome is None,
    )


def progress(found: match_service_pb2.Match, book: Book) -> Progress:
    """How far a match is, in the words of its game."""
    p, state = found.progress, _STATES.get(found.state, WAITING)
    step = book.manifest.label("steps", p.step) if p.step else ""
    return Progress(
        state, p.game, p.turn, p.turn_seat if p.turn else -1, str(step), tuple(p.deciding),
        tuple(p.score), p.last_time.ToMilliseconds() if state != WAITING else 0, p.paused,
        found.entries, p.followers,
    )  # fmt: skip


def role_of(role: str) -> Phrase:
    """The names of those who may enter, for people."""
    if role == Role.ORGANISER:
        return phrase("organiser")
    return phrase("scorekeeper") if role == Role.SCOREKEEPER else phrase("official")
