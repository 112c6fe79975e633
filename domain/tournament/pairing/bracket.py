"""Single elimination: seeds meet as late as possible, byes go to the top seeds.

The number of a table is its place in the bracket: the winners of tables 1 and 2 meet at table 1 of
the next round, those of 3 and 4 at table 2. A table without a winner (both have lost, or the winner
has dropped) leaves a bye to its neighbour's.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from domain.tournament.record import Outcome, Table
from domain.tournament.scores import Played
from domain.words.phrases import joined, phrase


class Undecided(ValueError):
    """Tables of a round of which nobody can go on yet: no result, or a draw."""

    def __init__(self, tables: Sequence[int]) -> None:
        self.tables = tuple(tables)
        numbers = joined(", ", map(str, tables))
        super().__init__(
            phrase("nobody can go on from table {tables}: a winner is needed", tables=numbers)
        )


def first(seeds: Sequence[int]) -> tuple[Table, ...]:
    """The first round of players in order of their seeds; where one is missing, a bye."""
    places = [1, 2]
    while len(places) < len(seeds):
        total = 2 * len(places) + 1
        places = [place for one in places for place in (one, total - one)]
    at = dict(enumerate(seeds, 1))
    pairs = zip(places[::2], places[1::2], strict=True)
    return tuple(
        Table(n, at[min(two)], at.get(max(two), 0)) for n, two in enumerate(pairs, 1) if seeds
    )


def following(
    tables: Sequence[Table], outcomes: Mapping[int, Outcome], dropped: Collection[int] = ()
) -> tuple[Table, ...]:
    """The round after this one, of which outcomes are given by table; raises `Undecided`.

    Empty after the final.
    """
    if len(tables) == 1:
        return ()
    winners = _winners(tables, outcomes)
    through = {n: player for n, player in winners.items() if player and player not in dropped}
    last = (max(table.number for table in tables) + 1) // 2
    found = []
    for number in range(1, last + 1):
        two = [through[n] for n in (2 * number - 1, 2 * number) if n in through]
        if two:
            found.append(Table(number, two[0], two[1] if len(two) > 1 else 0))
    return tuple(found)


def _winners(tables: Sequence[Table], outcomes: Mapping[int, Outcome]) -> dict[int, int]:
    """Table by table who has won, 0 where both have lost; raises `Undecided`."""
    open_ = [
        table.number
        for table in tables
        if (outcome := outcomes.get(table.number)) is None or outcome.is_draw
    ]
    if open_:
        raise Undecided(open_)
    return {table.number: outcomes[table.number].winner for table in tables}


def placed(seeds: Sequence[int], rounds: Sequence[Sequence[Played]]) -> list[tuple[int, int]]:
    """The places of an elimination: rank and player, who went on for longer first.

    Those who went out in one round share a rank, and stand in order of their seeds.
    """
    left = dict.fromkeys(seeds, 0)
    for number, tables in enumerate(rounds, 1):
        for _, outcome in tables:
            if outcome.winner:
                left[outcome.winner] = number
    order = sorted(seeds, key=lambda player: -left[player])
    ranks = [1 + sum(left[other] > left[player] for other in seeds) for player in order]
    return list(zip(ranks, order, strict=True))
