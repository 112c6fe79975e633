"""A series of games: the result of one, and whether another is played."""

from __future__ import annotations

from typing import NamedTuple, NoReturn

from domain.engine.rulebook import go
from domain.engine.signals import Over
from domain.engine.table import Table
from domain.record import events as ev
from domain.record.position import Position

#: Why a seat that is penalised with the whole match has lost.
WHOLE_MATCH = "match-loss"


def between(p: Position) -> bool:
    """Whether a game has ended, and none has begun since: lists are made again."""
    return bool(p.why) and not p.over


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
) -> None:
    """Record the result of a game by who has lost; then the next game begins at a step, or none.

    A series goes on until somebody has won more than half of it, every game was played, or time was
    called, also between two games. The rules are those for a game won, one that all lose, the end
    of the match, and the next game.
    """
    p, winner, whole = t.pos, -1, False
    if not between(p):
        losers = sorted(p.lost)
        winner = -1 if len(losers) > 1 else p.rival(losers[0])
        why = "both" if winner < 0 else p.lost[losers[0]]
        whole = WHOLE_MATCH in p.lost.values()  # an official has decided the match, at any score
        t.emit(ev.GameEnded(winner, why), *(drawn if winner < 0 else won))
    settled = whole or max(p.score) > p.heading.best_of // 2 or p.game >= p.heading.best_of
    if settled or p.called:
        ahead = [seat for seat, n in enumerate(p.score) if n > p.score[p.rival(seat)]]
        ahead = [winner] if whole else ahead
        by_time = () if settled else ("house:time",)
        t.emit(ev.MatchEnded(ahead[0] if ahead else -1, tuple(p.score)), *by_time, *match)
    else:
        go(t, step, "house:series", *next_)
