"""What acts of officials do to the result of a match, said before they are done.

The sentences are those of `domain.telling.consequences`. The commands that use it are
`kifu desk result` and `kifu desk penalise` (`desk`), and those of `kifu time` that end a match
(`time`).
"""

from __future__ import annotations

from collections.abc import Sequence

import click

from domain.record.position import Position
from domain.record.views import PUBLIC
from domain.telling import consequences, notices
from replay_cli.commands.running.recording import seat_of
from replay_cli.output import say
from replay_cli.reaching.connection import Reader


def won(winner: int, score: Sequence[int]) -> str:
    """A result in words."""
    return say(notices.won(winner, score))


def standing(r: Reader) -> int:
    """The entry with the result that stands, as it was shown; 0 where the match is live."""
    if r.result is None:
        _seen(r)
    return r.result or 0


def _seen(r: Reader) -> Position:
    """The match as everybody sees it; its result is what the official is shown."""
    p = r.client.position(r.id, view=PUBLIC)
    r.result = consequences.result_entry(p)
    return p


def typed(r: Reader, winner: str, score: str) -> tuple[int, tuple[int, ...]]:
    """A result as one types it: `A 2-1`, `draw 1-1`."""
    try:
        games = tuple(map(int, score.split("-")))
    except ValueError:
        raise click.BadParameter(f"{score!r} is no score such as 2-1", param_hint="SCORE") from None
    return -1 if winner.lower() == "draw" else seat_of(r, winner), games


def correction_consequence(r: Reader, winner: str, score: str, note: str) -> str:
    """What correcting a result does."""
    p = _seen(r)
    return say(consequences.correction(r.id, p, *typed(r, winner, score))) if p.over else ""


def penalty_consequence(r: Reader, who: str, kind: str, **_: object) -> str:
    """What a penalty does to a match."""
    p = _seen(r)
    found = p.heading.policy.penalty(kind)
    costs = found is not None and found.effect
    return say(consequences.penalty(r.id, p, seat_of(r, who), kind)) if costs else ""


def flag_consequence(r: Reader, who: str, **_: object) -> str:
    """What follows from a clock that has run out."""
    p = r.client.position(r.id, view=PUBLIC)
    costs = p.heading.policy.clocks.flag and not p.over
    return say(consequences.flag(r.id, p, seat_of(r, who))) if costs else ""


def call_consequence(r: Reader) -> str:
    """What follows once time is called."""
    return say(consequences.time_called(r.id, r.client.position(r.id, view=PUBLIC)))


def decision_consequence(r: Reader) -> str:
    """What deciding by time comes to."""
    p = r.client.position(r.id, view=PUBLIC)
    return say(consequences.decided(r.id, p, r.book.manifest))
