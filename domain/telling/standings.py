"""How the standings were worked out, in lines for people: each figure with its parts.

What the figures are is in `domain.tournament.standings`.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from msgspec.structs import asdict

from domain.record.schema.citations import manuals as sections
from domain.tournament import manuals, progress
from domain.tournament.standings import TIEBREAKS, Working, written
from domain.tournament.state import State
from domain.words.phrases import GISTS, Phrase, joined, phrase, word


def source(s: State) -> str:
    """The section of the event's manual that its standings are by, if they are."""
    return manuals.standings(s.format.rules, asdict(s.format))


def cited(s: State) -> Phrase:
    """By what the standings are; empty: by what the event's file says."""
    found = source(s)
    if not found:
        return Phrase("")
    return phrase("by {rule}: {gist}", rule=found, gist=word(sections().get(found, ""), GISTS))


def explained(s: State, player: int) -> Iterator[Phrase]:
    """A player's points and figures, each with its working."""
    one = next(one for one in progress.standing(s) if one.player == player)
    won, drawn, lost = one.score.matches
    worth = s.format.points
    yield phrase(
        "rank {rank}: {points} points = {won} × {win} + {drawn} × {draw} + {lost} × {loss}; byes"
        " among those won: {byes}",
        rank=one.rank, points=one.score.points, won=won, drawn=drawn, lost=lost,
        win=worth[0], draw=worth[1], loss=worth[2], byes=one.score.byes,
    )  # fmt: skip
    for working in one.workings:
        yield phrase(
            "{label}: {working}",
            label=phrase(TIEBREAKS[working.name].label), working=_working(s, player, working),
        )  # fmt: skip
    if rule := cited(s):
        yield rule


def _working(s: State, player: int, one: Working) -> Phrase:
    parts = joined(" + ", [_part(s, player, one.name, *part) for part in one.parts])
    figure = written(one.name, one.figure)
    if not one.parts:
        return phrase("nothing counts: {figure}", figure=figure)
    if one.divisor == 1 and len(one.parts) == 1:
        return phrase("{parts}", parts=parts)
    if one.divisor == 1:
        return phrase("{parts} = {figure}", parts=parts, figure=figure)
    return phrase("({parts}) / {n} = {figure}", parts=parts, n=one.divisor, figure=figure)


def _part(s: State, player: int, name: str, who: int, share: Fraction) -> Phrase:
    figure = written(name, share)
    if who == player:
        return phrase("{figure}", figure=figure)
    return phrase("{figure} ({name})", figure=figure, name=s.players[who].name)
