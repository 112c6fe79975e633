"""A series of games: the result of one, and whether another is played."""

from __future__ import annotations

from typing import NamedTuple, NoReturn

from domain.engine.rulebook import go
from domain.engine.signals import Chance, Over, Play
from domain.engine.table import Table
from domain.record import events as ev
from domain.record.position import Position
from domain.record.schema.manifest import REASONS
from domain.record.schema.policy import BOTH_LOSE, LOTS, TURN_PLAYER
from domain.record.values import EVERYONE

#: Why a seat that is penalised with the whole match has lost.
WHOLE_MATCH = "match-loss"
#: Why a seat that is penalised with a game has lost that.
PENALISED = "penalty"
#: Why a game that the tie-breaks, or a clock, decided was lost.
BY_TIME = "time"
#: Reasons to lose that are an official's or the clock's, not a game's.
OFFICIAL = frozenset(word.name for word in REASONS)
#: What is noted of the seat that goes first in a game.
FIRST = "first"


def between(p: Position) -> bool:
    """Whether a game has ended, and none has begun since: lists are made again."""
    return bool(p.why) and not p.over


def level(p: Position) -> bool:
    """Whether all seats have won as many games."""
    return len(set(p.score)) == 1


def lose(t: Table, seat: int, why: str, *cites: str) -> None:
    """A seat loses the game that goes on; between two games the next, which begins for that."""
    if between(t.pos):
        t.emit(ev.GameBegan(t.pos.game + 1), "house:series")
    t.emit(ev.SeatLost((seat,), why), *cites)


class Loss(NamedTuple):
    """The seats that lose for one reason, which a game declares, and the rules by which they do."""

    seats: tuple[int, ...]
    why: str
    cites: tuple[str, ...]


def defeat(t: Table, *losses: Loss) -> NoReturn:
    """End the game for these seats, who lose together, each for its own reason."""
    with t.at_once():
        for loss in losses:
            if loss.seats:
                t.emit(ev.SeatLost(loss.seats, loss.why), *loss.cites)
    raise Over


def conclude(
    t: Table,
    won: tuple[str, ...],
    drawn: tuple[str, ...],
    match: tuple[str, ...],
    step: str,
    *next_: str,
) -> Play:
    """Record the result of a game by who has lost; then the next game begins at a step, or none.

    A series goes on until somebody has won more than half of it, every game was played, or time was
    called, also between two games. The rules are those for a game won, one that all lose, the end
    of the match, and the next game. A lot may name the winner of a match that time leaves level.
    """
    p, winner, whole = t.pos, -1, False
    if not between(p):
        losers = sorted(p.lost)
        if len(losers) > 1 and _turn_player_loses(p):
            losers, won = [p.turn_seat], ("policy:together", *won)
        winner = -1 if len(losers) > 1 else p.rival(losers[0])
        why = "both" if winner < 0 else p.lost[losers[0]]
        whole = WHOLE_MATCH in p.lost.values()  # an official has decided the match, at any score
        t.emit(ev.GameEnded(winner, why), *(drawn if winner < 0 else won))
    settled = whole or max(p.score) > p.heading.best_of // 2 or p.game >= p.heading.best_of
    if settled or p.called:
        ahead = [seat for seat, n in enumerate(p.score) if n > p.score[p.rival(seat)]]
        ahead = [winner] if whole else ahead
        by_time: tuple[str, ...] = () if settled else ("house:time",)
        end = p.heading.policy.end
        if _left_level(p) and end.level in (BOTH_LOSE, LOTS):
            by_time = (*end.cites("policy:end.level"), "house:time")
            if end.level == LOTS:
                ahead = yield Chance("order", len(p.score), by_time, EVERYONE)
        t.emit(ev.MatchEnded(ahead[0] if ahead else -1, tuple(p.score)), *by_time, *match)
    else:
        go(t, step, "house:series", *next_)


def lost_by_all(p: Position) -> bool:
    """Whether time leaves a match level that all lose then, by the policy."""
    return _left_level(p) and p.heading.policy.end.level == BOTH_LOSE


def _left_level(p: Position) -> bool:
    """Whether time leaves a match level: its last game was won, or is lost by all for time."""
    by_time = len(p.lost) == 1 or {*p.lost.values()} == {BY_TIME}
    return p.called and level(p) and by_time


def _turn_player_loses(p: Position) -> bool:
    """Whether the policy names the turn player the loser of a game that all lose by its rules."""
    by_rules = not OFFICIAL.intersection(p.lost.values())
    return by_rules and p.turn > 0 and p.heading.policy.together == TURN_PLAYER
