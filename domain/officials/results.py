"""Corrections of results of matches that are over.

They append to its record, after its end: a `ResultCorrected` in an official's frame supersedes the
result before it, which stays readable (`Position.results`). A penalty that costs a game or the
match supersedes it in the same way (`after_penalty`). Where the last act itself was a mistake, the
match goes back to before it (`rewind`), and is live again.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from domain.engine.match import Match
from domain.engine.series import PENALISED, WHOLE_MATCH
from domain.officials import checks
from domain.officials.frame import Official, frame
from domain.record.interventions import ResultCorrected
from domain.record.position import NOBODY, Position
from domain.record.schema.policy import MATCH_LOSS
from domain.words.phrases import phrase

RULE = "house:result"


class Outcome(Struct, frozen=True):
    """The winner of a match (-1: nobody), games won by each seat, seats that lost by penalties."""

    winner: int
    score: tuple[int, ...]
    lost: tuple[int, ...] = ()


def correct_result(
    match: Match, by: Official, winner: int, score: Sequence[int], note: str, result: int = 0
) -> None:
    """Correct the result of a match that is over; raises `Refused`.

    `winner` is a seat or -1, independent of the score; a match may also be lost without a lost
    game.
    `result`: the entry with the result that is to stand until then; 0: whichever does.
    """
    if result:
        stands(match.pos, result)
    p, seats = match.pos, match.rules.manifest.seats
    if not p.over:
        raise checks.refused("the match is not over: it has no result yet", RULE, "MATCH_LIVE")
    checks.worded(note, RULE)
    if winner != NOBODY:
        checks.seated(match, winner, RULE)
    if len(score) != seats or min(score) < 0 or sum(score) > p.heading.best_of:
        text = phrase(
            "a score says how many of at most {games} games each of {seats} seats has won",
            games=p.heading.best_of,
            seats=seats,
        )
        raise checks.refused(text, RULE, "BAD_RESULT")
    if (winner, [*score]) == (p.winner, p.score):
        raise checks.refused("that is the result already", RULE, "SAME_RESULT")
    with frame(match, by, "result", p.results[-1].seq) as cites:
        _supersede(match, Outcome(winner, tuple(score)), note, *cites)


def stands(p: Position, result: int) -> None:
    """Make sure that the result of an entry still stands; raises `Refused`."""
    if not p.over or p.results[-1].seq != result:
        now = phrase("the match is live")
        if p.over:
            now = phrase("that of entry {n} stands", n=p.results[-1].seq)
        text = phrase("the result of entry {n} stands no more: {now}", n=result, now=now)
        raise checks.refused(text, RULE, "RESULT_STALE")


def after_penalty(p: Position, seat: int, effect: str) -> Outcome:
    """The result of a match that is over once a penalty with this effect is added to it.

    The match is lost independent of the score. A game is lost that the seat had won, or else one
    that nobody had; where it has lost every game, nothing changes. Two seats that have both lost
    the match, or by penalties its only game, leave nobody to win it.
    """
    lost = {*_lost(p)}
    score, rival = [*p.score], p.rival(seat)
    if effect == MATCH_LOSS:
        lost.add(seat)
    elif p.heading.best_of == 1 and p.lost.get(rival) == PENALISED and len(p.results) == 1:
        lost, score = {seat, rival}, [0] * len(score)
    elif score[seat]:
        score[seat], score[rival] = score[seat] - 1, score[rival] + 1
    elif sum(score) < p.game:
        score[rival] += 1
    ahead = [one for one, n in enumerate(score) if n > score[p.rival(one)]]
    winner = next(iter(ahead), NOBODY)
    if lost:
        left = [one for one in range(len(score)) if one not in lost]
        winner = left[0] if len(left) == 1 else NOBODY
    elif score == p.score:
        winner = p.winner
    return Outcome(winner, tuple(score), tuple(sorted(lost)))


def penalised(match: Match, seat: int, effect: str, note: str, *cites: str) -> None:
    """Supersede the result by what a penalty leads to, if that is another one.

    Within the frame of the penalty.
    """
    p = match.pos
    found = after_penalty(p, seat, effect)
    if (found.winner, [*found.score], found.lost) != (p.winner, p.score, _lost(p)):
        _supersede(match, found, note, RULE, *cites)


def _lost(p: Position) -> tuple[int, ...]:
    """The seats that have lost the whole match by penalties, before its end or after it."""
    if len(p.results) > 1:
        return p.results[-1].lost
    return tuple(sorted(seat for seat, why in p.lost.items() if why == WHOLE_MATCH))


def _supersede(match: Match, found: Outcome, note: str, *cites: str) -> None:
    match.table.emit(ResultCorrected(found.winner, found.score, note, found.lost), *cites)
