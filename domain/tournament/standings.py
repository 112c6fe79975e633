"""Standings: players in order of their points and, where these are equal, of tie-breaks by name.

A tie-break is a row of `TIEBREAKS`: what it is called, and the figures it gives to players who are
still level; more is ahead. Opponents are those whom a player has met at a table, byes not among
them, and count as often as he met them. Those who have dropped stay in. Who is level after the
last tie-break shares a rank, and stands in an order that follows from the seed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby

from msgspec import Struct

from domain.tournament.chance import drawn
from domain.tournament.scores import DRAWN, LEAST, LOST, POINTS, WON, Played, Score, scores
from domain.words.phrases import phrase


class Standing(Struct, frozen=True):
    """A player's place; `figures` are those of the tie-breaks that were asked for, in order."""

    rank: int
    player: int
    score: Score
    figures: tuple[Fraction, ...] = ()


class Field(Struct, frozen=True):
    """All that a tie-break may look at: everybody's score, penalties received, the seed."""

    scores: Mapping[int, Score]
    penalties: Mapping[int, int]
    seed: int


#: The figure of a player, given those who are level with him (himself among them).
Figure = Callable[[Field, Score, Collection[int]], Fraction]


class Tiebreak(Struct, frozen=True):
    """The name of a tie-break, in full and as the head of a column, and its function."""

    label: str
    short: str
    figure: Figure
    percent: bool = False


def _mean(figures: Sequence[Fraction]) -> Fraction:
    return sum(figures, Fraction()) / len(figures) if figures else LEAST


def _opponents_match_win(field: Field, score: Score, level: Collection[int]) -> Fraction:
    return _mean([field.scores[other].match_win for other in score.met])


def _opponents_game_win(field: Field, score: Score, level: Collection[int]) -> Fraction:
    return _mean([field.scores[other].game_win for other in score.met])


def _buchholz(field: Field, score: Score, level: Collection[int]) -> Fraction:
    return Fraction(sum(field.scores[other].points for other in score.met))


def _median_buchholz(field: Field, score: Score, level: Collection[int]) -> Fraction:
    points = sorted(field.scores[other].points for other in score.met)
    return Fraction(sum(points[1:-1]))


def _sonneborn_berger(field: Field, score: Score, level: Collection[int]) -> Fraction:
    share = {WON: Fraction(1), DRAWN: Fraction(1, 2), LOST: Fraction()}
    parts = (share[result] * field.scores[other].points for other, result in score.against)
    return sum(parts, Fraction())


def _head_to_head(field: Field, score: Score, level: Collection[int]) -> Fraction:
    """The points from those level with him; none for anybody where not all of them have met."""
    if not all(set(level) <= {*field.scores[one].met, one} for one in level):
        return Fraction()
    return Fraction(sum(POINTS[result] for other, result in score.against if other in level))


#: The tie-breaks there are. A format names them in the order in which they count.
TIEBREAKS: Mapping[str, Tiebreak] = {
    "opponents-match-win": Tiebreak(
        phrase("opponents' match-win percentage"), "OMW%", _opponents_match_win, percent=True
    ),
    "game-win": Tiebreak(
        phrase("game-win percentage"), "GW%", lambda f, score, _: score.game_win, percent=True
    ),
    "opponents-game-win": Tiebreak(
        phrase("opponents' game-win percentage"), "OGW%", _opponents_game_win, percent=True
    ),
    "buchholz": Tiebreak(phrase("opponents' points"), "Buch", _buchholz),
    "median-buchholz": Tiebreak(
        phrase("opponents' points, but the most and the least"), "Med", _median_buchholz
    ),
    "sonneborn-berger": Tiebreak(
        phrase("points of those beaten, and half of those drawn with"), "SB", _sonneborn_berger
    ),
    "head-to-head": Tiebreak(
        phrase("points from those level, if all have met"), "H2H", _head_to_head
    ),
    "wins": Tiebreak(
        phrase("matches won at a table"),
        "Wins",
        lambda f, score, _: Fraction(score.matches[WON] - score.byes),
    ),
    "penalties": Tiebreak(
        phrase("fewest penalties"),
        "Pen",
        lambda field, score, _: Fraction(-field.penalties.get(score.player, 0)),
    ),
    "random": Tiebreak(
        phrase("drawn by lot"),
        "Lot",
        lambda field, score, _: Fraction(drawn(field.seed, score.player) % 1_000_000),
    ),
}  # fmt: skip
#: Those of a format that names none.
DEFAULT = ("opponents-match-win", "game-win", "opponents-game-win")


def standings(
    players: Iterable[int], played: Iterable[Played], *,
    points: tuple[int, int, int] = POINTS, tiebreaks: Sequence[str] = (), seed: int = 0,
    penalties: Mapping[int, int] | None = None,
) -> list[Standing]:  # fmt: skip
    """All players in order, out of the tables that have a result; an unknown name is a `KeyError`.

    Leave out those of an elimination after Swiss rounds: `pairing.bracket.placed` tells its places.
    """
    field = Field(scores(players, played, points), penalties or {}, seed)
    figures: dict[int, tuple[Fraction, ...]] = dict.fromkeys(field.scores, ())
    level = _split(list(field.scores), {n: Fraction(s.points) for n, s in field.scores.items()})
    for name in tiebreaks or DEFAULT:
        figure = TIEBREAKS[name].figure
        split = []
        for group in level:
            values = {one: figure(field, field.scores[one], group) for one in group}
            for one in group:
                figures[one] = (*figures[one], values[one])
            split += _split(group, values)
        level = split
    found: list[Standing] = []
    for group in level:
        rank = len(found) + 1
        order = sorted(group, key=lambda player: drawn(seed, player))
        found += [Standing(rank, n, field.scores[n], figures[n]) for n in order]
    return found


def _split(group: Sequence[int], values: Mapping[int, Fraction]) -> list[list[int]]:
    """A group of players as groups of equal value, the greatest first."""
    order = sorted(group, key=lambda player: -values[player])
    return [[*same] for _, same in groupby(order, key=lambda player: values[player])]


def written(name: str, figure: Fraction) -> str:
    """The figure of a tie-break, for people: `66.67`, `12`, `4.5`."""
    if TIEBREAKS[name].percent:
        return f"{float(figure * 100):.2f}"
    return f"{float(abs(figure)):g}"
