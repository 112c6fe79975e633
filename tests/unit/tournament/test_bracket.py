"""Single elimination: who meets whom, who has byes, who goes on, which places there are."""

from __future__ import annotations

import pytest

from domain.tournament.pairing import bracket
from domain.tournament.record import BYE, Outcome, Table


def pairs(tables: tuple[Table, ...]) -> list[tuple[int, int]]:
    return [(table.first, table.second) for table in tables]


def won_by(*winners: int) -> dict[int, Outcome]:
    return {n: Outcome(1, 0, winner=winner) for n, winner in enumerate(winners, 1)}


@pytest.mark.parametrize(
    ("players", "expected"),
    [
        (0, []),
        (1, [(1, 0)]),
        (2, [(1, 2)]),
        (4, [(1, 4), (2, 3)]),
        (6, [(1, 0), (4, 5), (2, 0), (3, 6)]),
        (8, [(1, 8), (4, 5), (2, 7), (3, 6)]),
    ],
)
def test_first_round(players: int, expected: list[tuple[int, int]]) -> None:
    assert pairs(bracket.first([*range(1, players + 1)])) == expected


@pytest.mark.parametrize("players", range(2, 34))
def test_the_better_seed_wins_until_the_first_two_meet(players: int) -> None:
    """Byes go to the top only; after every round the better half is left, in pairs of one sum."""
    tables = bracket.first([*range(1, players + 1)])
    byes = [table.first for table in tables if not table.second]
    assert sorted(byes) == [*range(1, len(byes) + 1)]
    while len(tables) > 1:
        tables = bracket.following(tables, won_by(*(table.first for table in tables)))
        assert {one + other for one, other in pairs(tables)} == {2 * len(tables) + 1}
    assert pairs(tables) == [(1, 2)]
    assert bracket.following(tables, won_by(1)) == ()


def test_nobody_goes_on_from_a_draw_or_an_open_table() -> None:
    tables = bracket.first([1, 2, 3, 4, 5, 6])
    outcomes = {1: Outcome(1, 0, winner=1, how=BYE), 2: Outcome(1, 1), 3: Outcome(1, 0, winner=2)}
    with pytest.raises(bracket.Undecided, match="from table 2, 4: a winner") as refused:
        bracket.following(tables, outcomes)
    assert refused.value.tables == (2, 4)


def test_a_table_that_nobody_leaves_gives_a_bye() -> None:
    tables = bracket.first([*range(1, 9)])
    outcomes = won_by(1, 4, 2, 3) | {2: Outcome(0, 0, both_lost=True)}
    assert pairs(bracket.following(tables, outcomes)) == [(1, 0), (2, 3)]
    assert pairs(bracket.following(tables, won_by(1, 4, 2, 3), dropped={1, 2})) == [(4, 0), (3, 0)]
    # Nobody is left of tables 1 and 2: who wins at 3 and 4 meets in the final.
    final = bracket.following(tables, won_by(1, 4, 2, 3), dropped={1, 4})
    assert final == (Table(2, 2, 3),)
    assert bracket.following(final, {2: Outcome(1, 0, winner=3)}) == ()


def test_places_are_shared_by_those_who_went_out_together() -> None:
    first = bracket.first([10, 20, 30, 40])
    final = bracket.following(first, won_by(40, 20))
    rounds = [
        [(table, outcome) for table, outcome in zip(tables, won.values(), strict=True)]
        for tables, won in ((first, won_by(40, 20)), (final, won_by(20)))
    ]
    assert bracket.placed([10, 20, 30, 40], rounds[:1]) == [(1, 20), (1, 40), (3, 10), (3, 30)]
    assert bracket.placed([10, 20, 30, 40], rounds) == [(1, 20), (2, 40), (3, 10), (3, 30)]
