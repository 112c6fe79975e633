"""What acts at the desk do to the result of a match that is over, said before they are done.

The commands that use it are `kifu desk result` and `kifu desk penalise` (`desk`).
"""

from __future__ import annotations

from collections.abc import Sequence

import click

from domain.officials import results
from domain.record.views import PUBLIC
from domain.words.phrases import phrase
from replay_cli.commands.running.recording import seat_of
from replay_cli.drawing.names import player
from replay_cli.output import language
from replay_cli.reaching.connection import Reader


def won(winner: int, score: Sequence[int]) -> str:
    """A result in words."""
    games = "–".join(map(str, score))
    if winner < 0:
        return language().say(phrase("a draw, {score}", score=games))
    return language().say(phrase("{player} won, {score}", player=player(winner), score=games))


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
    """What a penalty does to a match that is over."""
    p = r.client.position(r.id, view=PUBLIC)
    if not p.over:
        return ""
    r.result = p.results[-1].seq
    found = p.heading.policy.penalty(kind)
    if found is None or not found.effect:
        return ""
    then = results.after_penalty(p, seat_of(r, who), found.effect)
    if (then.winner, [*then.score]) == (p.winner, p.score):
        return f"Match {r.id} is over, and its result stays: {won(p.winner, p.score)}."
    return (
        f"Match {r.id} is over: {won(p.winner, p.score)}. By the penalty that will be superseded"
        f" by: {won(then.winner, then.score)}. All who see the match see both."
    )
