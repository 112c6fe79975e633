"""What acts of officials do to the result of a match, said before they are done.

The commands that use it are `kifu desk result` and `kifu desk penalise` (`desk`), and those of
`kifu time` that end a match (`time`).
"""

from __future__ import annotations

from collections.abc import Sequence

import click

from domain.officials import results
from domain.record.position import Position
from domain.record.schema.policy import MATCH_LOSS
from domain.record.views import PUBLIC
from replay_cli.commands.running.recording import seat_of
from replay_cli.drawing import notices
from replay_cli.output import language
from replay_cli.reaching.connection import Reader


def won(winner: int, score: Sequence[int]) -> str:
    """A result in words."""
    return language().say(notices.won(winner, score))


def standing(r: Reader) -> int:
    """The entry with the result that stands, as it was shown; 0 where the match is live."""
    if r.result is None:
        p = r.client.position(r.id, view=PUBLIC)
        r.result = p.results[-1].seq if p.over else 0
    return r.result


def typed(r: Reader, winner: str, score: str) -> tuple[int, tuple[int, ...]]:
    """A result as one types it: `A 2-1`, `draw 1-1`."""
    try:
        games = tuple(map(int, score.split("-")))
    except ValueError:
        raise click.BadParameter(f"{score!r} is no score such as 2-1", param_hint="SCORE") from None
    return -1 if winner.lower() == "draw" else seat_of(r, winner), games


def correction_foretold(r: Reader, winner: str, score: str, note: str) -> str:
    """What correcting a result does."""
    p = r.client.position(r.id, view=PUBLIC)
    if not p.over:
        return ""  # it will be refused
    r.result = p.results[-1].seq
    seat, games = typed(r, winner, score)
    return (
        f"The result of match {r.id} is {won(p.winner, p.score)}; it will be superseded by:"
        f" {won(seat, games)}. All who see the match see both."
    )


def penalty_foretold(r: Reader, who: str, kind: str, **_: object) -> str:
    """What a penalty does to a match."""
    p = r.client.position(r.id, view=PUBLIC)
    r.result = p.results[-1].seq if p.over else 0
    found = p.heading.policy.penalty(kind)
    if found is None or not found.effect:
        return ""
    if not p.over:
        return _foretold(r, p, seat_of(r, who), found.effect)
    then = results.after_penalty(p, seat_of(r, who), found.effect)
    if (then.winner, [*then.score]) == (p.winner, p.score):
        return f"Match {r.id} is over, and its result stays: {won(p.winner, p.score)}."
    return (
        f"Match {r.id} is over: {won(p.winner, p.score)}. By the penalty that will be superseded"
        f" by: {won(then.winner, then.score)}. All who see the match see both."
    )


def _foretold(r: Reader, p: Position, seat: int, effect: str) -> str:
    """What costs a seat the game, or the match, in one that is live."""
    if p.heading.waits:
        return ""  # it will be refused
    then = notices.lost(p, [seat], whole=effect == MATCH_LOSS)
    return f"Match {r.id}: {language().say(then)}."


def flag_foretold(r: Reader, who: str, **_: object) -> str:
    """What follows from a clock that has run out."""
    p = r.client.position(r.id, view=PUBLIC)
    effect = p.heading.policy.clocks.flag
    return _foretold(r, p, seat_of(r, who), effect) if effect and not p.over else ""


def call_foretold(r: Reader) -> str:
    """What follows once time is called."""
    p = r.client.position(r.id, view=PUBLIC)
    if p.over or p.called or p.heading.waits:
        return ""
    return f"The time of match {r.id} is over: {language().say(notices.time_called(p))}."


def decision_foretold(r: Reader) -> str:
    """What deciding by time comes to."""
    p = r.client.position(r.id, view=PUBLIC)
    if p.over or not p.called:
        return ""
    return f"Match {r.id} ends now: {language().say(notices.decided(p, r.book.manifest))}."
