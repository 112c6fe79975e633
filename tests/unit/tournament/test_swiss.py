"""Swiss pairings: everybody once, nobody twice against one, like against like; at any size."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.tournament.chance import drawn
from domain.tournament.pairing import bracket, swiss
from domain.tournament.pairing.swiss import Entrant, Paired, pair
from domain.tournament.record import BYE, Outcome, Table
from domain.tournament.scores import Played, scores
from tests.support.marks import each


def seated(paired: Paired) -> list[int]:
    return sorted(n for table in paired.tables for n in (table.first, table.second) if n)


def played(tables: Sequence[Table], seed: int) -> Iterator[Played]:
    """Each table with a result: drawn matches among them."""
    for table in tables:
        lot = drawn(seed, table.first, table.second) % 5
        winner = (
            table.first if not table.second or lot < 2 else (table.second, table.second, 0)[lot - 2]
        )
        yield table, Outcome(int(winner == table.first), int(winner == table.second > 0), 0, winner)


def tournament(players: int, rounds: int, seed: int, drops: bool = False) -> list[Paired]:
    """The pairings of a tournament, some of whose players drop out on the way."""
    active, results, found = set(range(1, players + 1)), [], []
    for n in range(rounds):
        found.append(
            pair(swiss.entrants(sorted(active), scores(range(1, players + 1), results)), seed + n)
        )
        assert seated(found[-1]) == sorted(active)
        results += played(found[-1].tables, seed)
        if drops:
            active -= {one for one in active if drawn(seed, n, one) % 6 == 0}
    return found


@given(st.integers(2, 20), st.integers(0, 9), st.booleans())
def test_nobody_meets_anybody_twice_nor_has_two_byes(players: int, seed: int, drops: bool) -> None:
    met, byes = set(), set()
    for paired in tournament(players, swiss.rounds(players), seed, drops):
        for table in paired.tables:
            two = frozenset((table.first, table.second))
            assert two not in met or table.number in paired.rematches
            assert table.second or table.first not in byes or paired.second_bye == table.first
            met.add(two)
            byes |= set() if table.second else {table.first}
        if not drops:
            assert (paired.rematches, paired.second_bye) == ((), 0)


def test_pairings_follow_from_the_seed() -> None:
    assert tournament(13, 4, 3) == tournament(13, 4, 3)
    assert len({str(tournament(13, 1, seed)) for seed in range(20)}) == 20


# -- compared with all pairings there are ----------------------------------------------------------


def all_pairings(players: Sequence[Entrant]) -> Iterator[list[tuple[Entrant, Entrant]]]:
    if not players:
        yield []
    for n in range(1, len(players)):
        for rest in all_pairings([*players[1:n], *players[n + 1 :]]):
            yield [(players[0], players[n]), *rest]


def cost(pairs: Sequence[tuple[Entrant, Entrant]]) -> tuple[int, int]:
    """How many rematches, and how far apart the points."""
    return (
        sum(one.met.count(other.player) for one, other in pairs),
        sum((one.points - other.points) ** 2 for one, other in pairs),
    )


@st.composite
def fields(draw: st.DrawFn) -> list[Entrant]:
    """Up to eight players, of any scores, who have met many of each other."""
    count = draw(st.integers(2, 8))
    pairs = [(a, b) for a in range(1, count + 1) for b in range(1, a)]
    met = draw(st.lists(st.sampled_from(pairs), max_size=2 * count))
    return [
        Entrant(
            n, draw(st.integers(0, 9)), tuple(a + b - n for a, b in met if n in (a, b)),
            draw(st.integers(0, 1)),
        )
        for n in range(1, count + 1)
    ]  # fmt: skip


@given(fields(), st.integers(0, 2**63 - 1))
def test_of_few_players_no_pairing_is_better(players: list[Entrant], seed: int) -> None:
    paired = pair(players, seed)
    by_number = {one.player: one for one in players}
    pairs = [(by_number[t.first], by_number[t.second]) for t in paired.tables if t.second]
    assert seated(paired) == sorted(by_number)
    assert [t.number for t in paired.tables] == [*range(1, len(paired.tables) + 1)]
    assert [pairs[n - 1][0].met.count(pairs[n - 1][1].player) > 0 for n in paired.rematches] == [
        True
    ] * len(paired.rematches)
    assert bool(paired.rematches) == bool(cost(pairs)[0])
    if len(players) % 2 == 0:
        assert cost(pairs) == min(map(cost, all_pairings(players)))
        return
    bye = by_number[paired.tables[-1].first]
    assert bool(paired.second_bye) == bool(bye.byes) == all(one.byes for one in players)
    choices = {}
    for one in players:
        if one.byes == min(other.byes for other in players):
            rest = [other for other in players if other is not one]
            best = min(map(cost, all_pairings(rest)))
            choices[one.player] = (best[0], one.points, best[1])
    assert choices[bye.player][:2] == min(choices.values())[:2]
    assert cost(pairs) == (choices[bye.player][0], choices[bye.player][2])


def test_a_rematch_that_cannot_be_avoided_is_named() -> None:
    two = [Entrant(1, 3, met=(2,)), Entrant(2, 0, met=(1,))]
    paired = pair(two, 1)
    assert paired == Paired((Table(1, 1, 2),), rematches=(1,))
    assert paired.caveats({}) == ["no pairing without a rematch exists: table 1 is one"]


def test_a_second_bye_that_cannot_be_avoided_is_named() -> None:
    paired = pair([Entrant(7, 3, byes=1)], 1)
    assert paired == Paired((Table(1, 7, 0),), second_bye=7)
    assert paired.caveats({7: "Ann"}) == ["everybody has had a bye: Ann has another"]
    assert pair([], 1) == Paired(())


@pytest.mark.parametrize(
    ("players", "rounds"),
    [(2, 1), (5, 3), (8, 3), (9, 4), (128, 7), (226, 8), (227, 9), (409, 9), (512, 10)],
)
def test_as_many_rounds_as_players_need(players: int, rounds: int) -> None:
    assert swiss.rounds(players) == rounds


@pytest.mark.parametrize("players", each(3, [127, 511, 512]))
def test_hundreds_of_players_are_paired_in_seconds(players: int) -> None:
    began = time.process_time()
    field = [
        Entrant(n, drawn(1, n) % 8 * 3, ((n + 3) % players + 1,)) for n in range(1, players + 1)
    ]
    paired = pair(field, 1)
    assert seated(paired) == [*range(1, players + 1)]
    assert paired.rematches == ()
    assert time.process_time() - began < 15


# -- single elimination: who meets whom, who has byes, who goes on, which places there are ---------


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
