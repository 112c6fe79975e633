"""The scores of all players: points, matches, games, opponents.

Byes count as a win, without an opponent. A player without an opponent who did not win has missed
the round: a loss, without an opponent. `standings` orders players by it, `pairing.swiss` pairs
them.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from msgspec import Struct

from domain.tournament.record import Outcome, Table

#: Points for a match won, drawn and lost, where a format says nothing else; those of games always.
POINTS = (3, 1, 0)
#: A win percentage counts as this at least, where a format says nothing else.
LEAST = Fraction(1, 3)
#: What a match was for a player: where `POINTS` has its points.
WON, DRAWN, LOST = range(3)

Played = tuple[Table, Outcome]


class Score(Struct):
    """A player's score. `matches` and `games` are won, drawn, lost; byes are among those won.

    `against` has, match by match, the opponent and what the match was for this player; matches
    without an opponent are not in it. `most` is what winning all of them would have given.
    """

    player: int
    points: int = 0
    most: int = 0
    byes: int = 0
    matches: tuple[int, int, int] = (0, 0, 0)
    games: tuple[int, int, int] = (0, 0, 0)
    against: tuple[tuple[int, int], ...] = ()

    @property
    def met(self) -> tuple[int, ...]:
        """The opponents, match by match: one may be there twice."""
        return tuple(other for other, _ in self.against)

    @property
    def match_win(self) -> Fraction:
        """The share of the match points there were to win; 0 where there were none."""
        return _share(self.points, self.most)

    @property
    def own_win(self) -> Fraction:
        """The same share of the rounds that were no byes."""
        won = self.most * self.byes // sum(self.matches) if self.byes else 0
        return _share(self.points - won, self.most - won)

    @property
    def game_win(self) -> Fraction:
        """The share of the game points there were to win."""
        points = sum(n * worth for n, worth in zip(self.games, POINTS, strict=True))
        return _share(points, POINTS[WON] * sum(self.games))


def scores(
    players: Iterable[int], played: Iterable[Played], points: tuple[int, int, int] = POINTS
) -> dict[int, Score]:
    """Everybody's score, out of all tables that have a result."""
    found = {player: Score(player) for player in players}
    for table, outcome in played:
        games = (outcome.first, outcome.drawn, outcome.second)
        for own, other, of_games in (
            (table.first, table.second, games),
            (table.second, table.first, games[::-1]),
        ):
            if own in found:
                _count(found[own], other, _result(own, outcome), of_games, points)
    return found


def _result(player: int, outcome: Outcome) -> int:
    """The result of a match for a player of it."""
    if outcome.winner == player:
        return WON
    return DRAWN if outcome.is_draw else LOST


def _count(
    score: Score, other: int, result: int, games: tuple[int, ...], points: tuple[int, int, int]
) -> None:
    """Add a match to a score; without an opponent it is a bye, or a round that was missed."""
    if not other and result != WON:
        result = LOST
    score.points += points[result]
    score.most += points[WON]
    score.byes += not other and result == WON
    score.matches = _plus(score.matches, tuple(n == result for n in range(3)))
    score.games = _plus(score.games, games)
    if other:
        score.against = (*score.against, (other, result))


def _plus(one: tuple[int, int, int], other: tuple[int, ...]) -> tuple[int, int, int]:
    won, drawn, lost = (a + b for a, b in zip(one, other, strict=True))
    return won, drawn, lost


def _share(part: int, whole: int) -> Fraction:
    return Fraction(part, whole) if whole else Fraction()
