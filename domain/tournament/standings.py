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
from types import MappingProxyType

from msgspec import Struct

from domain.tournament.chance import drawn
from domain.tournament.record import PLAY_OFF
from domain.tournament.scores import DRAWN, LEAST, LOST, POINTS, WON, Played, Score, scores
from domain.words.phrases import phrase


class Standing(Struct, frozen=True):
    """A player's place, and how the tie-breaks that were asked for were worked out, in order."""

    rank: int
    player: int
    score: Score
    workings: tuple[Working, ...] = ()

    @property
    def figures(self) -> tuple[Fraction, ...]:
        """The figures of the tie-breaks."""
        return tuple(one.figure for one in self.workings)


class Field(Struct, frozen=True):
    """All that a tie-break may look at: everybody's score, penalties received, the seed.

    `least_rate` is what a win rate counts as at least; `playoffs` are matches of play-offs won.
    """

    scores: Mapping[int, Score]
    penalties: Mapping[int, int]
    seed: int
    least_rate: Fraction = LEAST
    playoffs: Mapping[int, int] = MappingProxyType({})

    def rate(self, share: Fraction) -> Fraction:
        """A win rate as it counts."""
        return max(share, self.least_rate)


#: What a figure is made of, given those who are level with the player (himself among them): players
#: with their share in it, each opponent match by match, or himself.
Parts = Callable[[Field, Score, Collection[int]], Iterable[tuple[int, Fraction]]]
#: How the parts make a figure: their sum, divided by a number (0: it is 0, for a rate the least).
Divisor = Callable[[Score, int], int]


def _whole(score: Score, n: int) -> int:
    return 1


def _mean(score: Score, n: int) -> int:
    return n


def _mean_with_byes(score: Score, n: int) -> int:
    return n + score.byes


class Tiebreak(Struct, frozen=True):
    """The name of a tie-break, in full and as the head of a column, and how it is worked out."""

    label: str
    short: str
    parts: Parts
    divisor: Divisor = _whole
    percent: bool = False

    def figure(self, field: Field, score: Score, level: Collection[int]) -> Fraction:
        """The figure of a player."""
        return self.worked(field, score, tuple(self.parts(field, score, level)))[1]

    def worked(
        self, field: Field, score: Score, parts: Sequence[tuple[int, Fraction]]
    ) -> tuple[int, Fraction]:
        """What the sum of these parts is divided by, and the figure that this gives."""
        by = self.divisor(score, len(parts))
        if not by:
            return by, field.rate(Fraction()) if self.percent else Fraction()
        return by, sum((share for _, share in parts), Fraction()) / by


class Working(Struct, frozen=True):
    """How a figure was worked out: its parts, by player, and what their sum is divided by."""

    name: str
    parts: tuple[tuple[int, Fraction], ...]
    divisor: int
    figure: Fraction


def _own(share: Callable[[Score], Fraction | int]) -> Parts:
    """A figure of the player alone."""
    return lambda field, score, level: [(score.player, Fraction(share(score)))]


def _own_rate(share: Callable[[Score], Fraction]) -> Parts:
    return lambda field, score, level: [(score.player, field.rate(share(score)))]


def _met(share: Callable[[Field, Score], Fraction | int]) -> Parts:
    """Figures of the opponents."""
    return lambda field, score, level: [
        (other, Fraction(share(field, field.scores[other]))) for other in score.met
    ]


def _median(field: Field, score: Score, level: Collection[int]) -> list[tuple[int, Fraction]]:
    met = sorted((Fraction(field.scores[other].points), other) for other in score.met)
    return [(other, points) for points, other in met[1:-1]]


def _sonneborn_berger(
    field: Field, score: Score, level: Collection[int]
) -> list[tuple[int, Fraction]]:
    share = {WON: Fraction(1), DRAWN: Fraction(1, 2), LOST: Fraction()}
    return [(other, share[was] * field.scores[other].points) for other, was in score.against]


def _head_to_head(field: Field, score: Score, level: Collection[int]) -> list[tuple[int, Fraction]]:
    """The points from those level with him; none for anybody where not all of them have met."""
    if not all(set(level) <= {*field.scores[one].met, one} for one in level):
        return []
    return [(other, Fraction(POINTS[was])) for other, was in score.against if other in level]


def _opponents_match_win(field: Field, score: Score) -> Fraction:
    return TIEBREAKS["opponents-match-win"].figure(field, score, ())


#: The tie-breaks there are. A format names them in the order in which they count.
TIEBREAKS: Mapping[str, Tiebreak] = {
    "opponents-match-win": Tiebreak(
        phrase("opponents' match-win percentage"), "OMW%",
        _met(lambda field, other: field.rate(other.match_win)), _mean, percent=True,
    ),
    "game-win": Tiebreak(
        phrase("game-win percentage"), "GW%", _own_rate(lambda score: score.game_win), percent=True
    ),
    "opponents-game-win": Tiebreak(
        phrase("opponents' game-win percentage"), "OGW%",
        _met(lambda field, other: field.rate(other.game_win)), _mean, percent=True,
    ),
    "own-win": Tiebreak(
        phrase("match-win percentage without byes"), "MW%",
        _own_rate(lambda score: score.own_win), percent=True,
    ),
    "opponents-win": Tiebreak(
        phrase("opponents' match-win percentage, their byes not counted"), "OW%",
        _met(lambda field, other: field.rate(other.own_win)), _mean, percent=True,
    ),
    "opponents-win-byes": Tiebreak(
        phrase("the same, divided by all rounds, the own byes among them"), "OW/R%",
        _met(lambda field, other: field.rate(other.own_win)), _mean_with_byes, percent=True,
    ),
    "opponents-opponents-match-win": Tiebreak(
        phrase("match-win percentage of opponents' opponents"), "OOMW%",
        _met(_opponents_match_win), _mean, percent=True,
    ),
    "buchholz": Tiebreak(
        phrase("opponents' points"), "Buch", _met(lambda field, other: other.points)
    ),
    "median-buchholz": Tiebreak(
        phrase("opponents' points, but the most and the least"), "Med", _median
    ),
    "sonneborn-berger": Tiebreak(
        phrase("points of those beaten, and half of those drawn with"), "SB", _sonneborn_berger
    ),
    "head-to-head": Tiebreak(
        phrase("points from those level, if all have met"), "H2H", _head_to_head
    ),
    PLAY_OFF: Tiebreak(
        phrase("matches of play-offs won"), "PO",
        lambda field, score, _: [(score.player, Fraction(field.playoffs.get(score.player, 0)))],
    ),
    "wins": Tiebreak(
        phrase("matches won at a table"), "Wins",
        _own(lambda score: score.matches[WON] - score.byes),
    ),
    "penalties": Tiebreak(
        phrase("fewest penalties"), "Pen",
        lambda field, score, _: [
            (score.player, Fraction(-field.penalties.get(score.player, 0)))
        ],
    ),
    "random": Tiebreak(
        phrase("drawn by lot"), "Lot",
        lambda field, score, _: [
            (score.player, Fraction(drawn(field.seed, score.player) % 1_000_000))
        ],
    ),
}  # fmt: skip
#: Those of a format that names none.
DEFAULT = ("opponents-match-win", "game-win", "opponents-game-win")


def standings(
    players: Iterable[int], played: Iterable[Played], *,
    points: tuple[int, int, int] = POINTS, tiebreaks: Sequence[str] = (), seed: int = 0,
    penalties: Mapping[int, int] | None = None, least_rate: str = "",
    playoffs: Mapping[int, int] = MappingProxyType({}),
) -> list[Standing]:  # fmt: skip
    """All players in order, out of the tables that have a result; an unknown name is a `KeyError`.

    `least_rate` is a win rate's, as formats have it; `playoffs` are the matches of play-offs won.

    Leave out those of an elimination after Swiss rounds: `pairing.bracket.placed` tells its places.
    """
    least = Fraction(least_rate) if least_rate else LEAST
    field = Field(scores(players, played, points), penalties or {}, seed, least, playoffs)
    workings: dict[int, tuple[Working, ...]] = dict.fromkeys(field.scores, ())
    level = _split(list(field.scores), {n: Fraction(s.points) for n, s in field.scores.items()})
    for name in tiebreaks or DEFAULT:
        split = []
        for group in level:
            worked = {one: _worked(name, field, field.scores[one], group) for one in group}
            for one in group:
                workings[one] = (*workings[one], worked[one])
            split += _split(group, {one: found.figure for one, found in worked.items()})
        level = split
    found: list[Standing] = []
    for group in level:
        rank = len(found) + 1
        order = sorted(group, key=lambda player: drawn(seed, player))
        found += [Standing(rank, n, field.scores[n], workings[n]) for n in order]
    return found


def _worked(name: str, field: Field, score: Score, level: Collection[int]) -> Working:
    tiebreak = TIEBREAKS[name]
    parts = tuple(tiebreak.parts(field, score, level))
    return Working(name, parts, *tiebreak.worked(field, score, parts))


def _split(group: Sequence[int], values: Mapping[int, Fraction]) -> list[list[int]]:
    """A group of players as groups of equal value, the greatest first."""
    order = sorted(group, key=lambda player: -values[player])
    return [[*same] for _, same in groupby(order, key=lambda player: values[player])]


def written(name: str, figure: Fraction) -> str:
    """The figure of a tie-break, for people: `66.67`, `12`, `4.5`."""
    if TIEBREAKS[name].percent:
        return f"{float(figure * 100):.2f}"
    return f"{float(abs(figure)):g}"
