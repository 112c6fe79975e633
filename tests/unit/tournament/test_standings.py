"""Standings: points and tie-breaks, against examples worked out elsewhere, and by hand."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest

from domain.tournament.record import BYE, NO_SHOW, Outcome, Table
from domain.tournament.scores import DRAWN, LOST, WON, Score, scores
from domain.tournament.standings import DEFAULT, TIEBREAKS, Field, standings, written


def match(first: int, second: int, score: str, how: str = "played") -> tuple[Table, Outcome]:
    """A table: `2-1`, `1-1-1` (games drawn last), or `0-0 both lost`."""
    games, _, both = score.partition(" ")
    one, other, drawn = (*map(int, games.split("-")), 0)[:3]
    winner = first if one > other else second if other > one else 0
    return Table(1, first, second), Outcome(one, other, drawn, winner, how, bool(both))


def scored(player: int, record: str) -> Score:
    """A player's score out of his matches won, lost and drawn, as rule documents write it."""
    won, lost, drawn = map(int, record.split("-"))
    rounds = won + lost + drawn
    return Score(player, 3 * won + drawn, 3 * rounds, matches=(won, drawn, lost))


# -- examples of rule documents --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("record", "share"),
    # Magic: The Gathering Tournament Rules, Appendix C (match-win percentage).
    [("5-2-1", 0.667), ("1-3-0", 0.333), ("3-2-0", 0.60)],
)
def test_match_win_percentage(record: str, share: float) -> None:
    rate = Field({}, {}, 0).rate(scored(1, record).match_win)
    assert float(rate) == pytest.approx(share, abs=0.001)


def test_median_of_opponents_points() -> None:
    """The chess federations' usual example: opponents of 4, 2, 3, 4, 5 and 6 points give 16."""
    points = [4, 2, 3, 4, 5, 6]
    field = {n: Score(n, points=p) for n, p in enumerate(points, 2)}
    one = Score(1, against=tuple((n, WON) for n in field))
    at = Field(field, {}, 0)
    assert TIEBREAKS["median-buchholz"].figure(at, one, [1]) == 16
    assert TIEBREAKS["buchholz"].figure(at, one, [1]) == 24


def test_points_of_those_beaten_and_half_of_those_drawn_with() -> None:
    """Chess: the Sonneborn-Berger example of ChessKid's help pages; its points doubled."""
    bob, mary, john = 1, 2, 3
    field = {
        bob: Score(bob, 6, against=((mary, LOST), (mary, WON), (john, WON), (john, WON))),
        mary: Score(mary, 3, against=((bob, WON), (bob, LOST), (john, LOST), (john, DRAWN))),
        john: Score(john, 3, against=((bob, LOST), (bob, LOST), (mary, DRAWN), (mary, WON))),
    }
    figure, at = TIEBREAKS["sonneborn-berger"].figure, Field(field, {}, 0)
    found = [float(figure(at, score, [score.player])) / 2 for score in field.values()]
    assert found == [4.5, 3.75, 2.25]


# -- by hand ---------------------------------------------------------------------------------------

#: Three rounds of five: a bye each round, a draw, a player who drops after two, one who is absent.
PLAYED = [
    match(1, 2, "2-0"), match(3, 4, "2-1"), match(5, 0, "2-0", BYE),
    match(1, 3, "2-1"), match(5, 2, "1-1-1"), match(4, 0, "2-0", BYE),
    match(1, 5, "2-0"), match(2, 4, "0-2", NO_SHOW), match(3, 0, "2-0", BYE),
]  # fmt: skip


def test_scores() -> None:
    found = scores(range(1, 6), PLAYED)
    assert {n: (s.points, s.most, s.byes) for n, s in found.items()} == {
        1: (9, 9, 0), 2: (1, 9, 0), 3: (6, 9, 1), 4: (6, 9, 1), 5: (4, 9, 1),
    }  # fmt: skip
    assert found[3].matches == (2, 0, 1)
    assert found[3].games == (5, 0, 3)
    assert found[2].games == (1, 1, 5)
    assert found[5].against == ((2, DRAWN), (1, LOST))


@pytest.mark.parametrize(
    ("name", "figures"),
    [
        # Of 1: 2 (1/9, so 1/3), 3 (6/9), 5 (4/9). Of 3: 4 (6/9) and 1 (9/9), not the bye.
        ("opponents-match-win", {1: "13/27", 3: "5/6", 4: "1/2"}),
        # Game points of all there were: 18 of 21; 5: 6+4+0 of 2+3+2 games; 2: 4 of 7, so the least.
        ("game-win", {1: "6/7", 5: "10/21", 2: "1/3"}),
        # Of 4: 3 (15 of 24 points) and 2 (the least).
        ("opponents-game-win", {4: "23/48"}),
        ("buchholz", {1: "11", 2: "19", 3: "15", 4: "7", 5: "10"}),
        ("median-buchholz", {1: "4", 2: "6", 3: "0"}),
        ("sonneborn-berger", {1: "11", 2: "2", 3: "6", 4: "1", 5: "1/2"}),
        # Only 3 and 4 are level, and 3 has beaten 4.
        ("head-to-head", {1: "0", 3: "3", 4: "0"}),
        ("wins", {1: "3", 2: "0", 3: "1", 4: "1", 5: "0"}),
        ("penalties", {1: "-2", 2: "0"}),
    ],
)
def test_tiebreaks(name: str, figures: dict[int, str]) -> None:
    found = standings(range(1, 6), PLAYED, tiebreaks=[name], penalties={1: 2})
    by_player = {one.player: one.figures[0] for one in found}
    assert {n: by_player[n] for n in figures} == {n: Fraction(f) for n, f in figures.items()}


def places(tiebreaks: Sequence[str], seed: int = 0) -> list[tuple[int, int]]:
    found = standings(range(1, 6), PLAYED, tiebreaks=tiebreaks, seed=seed)
    return [(one.rank, one.player) for one in found]


def test_tiebreaks_count_in_their_order() -> None:
    assert places(()) == places(DEFAULT) == [(1, 1), (2, 3), (3, 4), (4, 5), (5, 2)]
    assert places(["game-win"]) == [(1, 1), (2, 4), (3, 3), (4, 5), (5, 2)]
    assert places(["wins", "game-win"]) == places(["game-win"])
    assert places(["head-to-head", "game-win"]) == places(())


def test_who_is_level_to_the_end_shares_a_rank_in_an_order_that_is_drawn() -> None:
    orders = {tuple(places(["wins"], seed)) for seed in range(20)}
    assert orders == {
        ((1, 1), (2, 3), (2, 4), (4, 5), (5, 2)), ((1, 1), (2, 4), (2, 3), (4, 5), (5, 2)),
    }  # fmt: skip
    ranks = {tuple(places(["random"], seed)) for seed in range(20)}
    assert ranks == {
        ((1, 1), (2, 3), (3, 4), (4, 5), (5, 2)), ((1, 1), (2, 4), (3, 3), (4, 5), (5, 2)),
    }  # fmt: skip
    assert places(["random"], 7) == places(["random"], 7)


def test_three_of_whom_two_have_not_met_are_not_compared_with_each_other() -> None:
    played = [match(1, 2, "1-0"), match(2, 3, "1-0"), match(3, 0, "1-0", BYE)]
    found = standings([1, 2, 3], played, tiebreaks=["head-to-head"])
    assert [(one.rank, one.figures) for one in found] == [(1, (Fraction(),))] * 3
    found = standings([1, 2, 3], [*played[:2], match(3, 1, "1-0")], tiebreaks=["head-to-head"])
    assert [(one.rank, one.figures) for one in found] == [(1, (Fraction(3),))] * 3


def test_both_may_lose_and_a_missed_round_is_a_loss() -> None:
    found = scores([1, 2, 3], [match(1, 2, "0-0 both lost"), match(3, 0, "0-0")])
    assert [(s.points, s.most, s.matches, s.met) for s in found.values()] == [
        (0, 3, (0, 0, 1), (2,)), (0, 3, (0, 0, 1), (1,)), (0, 3, (0, 0, 1), ()),
    ]  # fmt: skip


def test_nothing_played_is_no_division_by_nothing() -> None:
    found = standings([1, 2], [], tiebreaks=[*TIEBREAKS])
    assert [one.score.points for one in found] == [0, 0]
    assert found[0].figures[:3] == (Fraction(1, 3),) * 3
    assert standings([], []) == []
    with pytest.raises(KeyError):
        standings([1], [], tiebreaks=["luck"])


def test_points_are_those_of_the_format() -> None:
    found = scores(range(1, 6), PLAYED, (2, 1, 0))
    assert (found[5].points, found[5].most) == (3, 6)
    assert found[5].match_win == Fraction(1, 2)


def test_figures_are_written_for_people() -> None:
    assert [written("game-win", Fraction(2, 3)), written("buchholz", Fraction(12))] == [
        "66.67",
        "12",
    ]
    assert [written("sonneborn-berger", Fraction(9, 2)), written("penalties", Fraction(-2))] == [
        "4.5",
        "2",
    ]


def bye(player: int) -> tuple[Table, Outcome]:
    return Table(9, player, 0), Outcome(1, 0, 0, player, BYE)


# -- by a publisher's manual -----------------------------------------------------------------------

#: Four rounds of five players, each with a bye but one: worked out by hand below.
FIVE = [
    match(1, 2, "1-0"), match(3, 4, "1-0"), bye(5),
    match(1, 3, "1-0"), match(5, 2, "1-0"), bye(4),
    match(1, 5, "0-1"), match(4, 2, "0-1"), bye(3),
]  # fmt: skip
MANUAL = ("own-win", "opponents-win", "head-to-head")


def test_own_rate_is_without_byes_and_that_of_opponents_has_a_least_rate() -> None:
    """Own rates: 1: 6 of 9; 2: 3 of 9; 3: 3 of 6; 4: 0 of 6, counts as 0.33; 5: 6 of 6."""
    found = {
        one.player: one for one in standings(range(1, 6), FIVE, tiebreaks=MANUAL, least_rate="0.33")
    }
    own = {n: one.figures[0] for n, one in found.items()}
    assert own == {
        1: Fraction(2, 3), 2: Fraction(1, 3),
        3: Fraction(1, 2), 4: Fraction("0.33"), 5: Fraction(1),
    }  # fmt: skip
    met = {1: (2, 3, 5), 2: (1, 5, 4), 3: (4, 1), 4: (3, 2), 5: (2, 1)}
    for n, others in met.items():
        assert found[n].figures[1] == sum(own[one] for one in others) / len(others)
    order = sorted(found, key=lambda n: found[n].rank)
    assert order == [5, 1, 3, 2, 4]
    assert [found[n].score.points for n in order] == [9, 6, 6, 3, 3]


def test_the_divisor_that_the_manual_leaves_open_is_a_named_choice() -> None:
    names = ("opponents-win", "opponents-win-byes")
    found = {one.player: one.figures for one in standings(range(1, 6), FIVE, tiebreaks=names)}
    assert found[1][0] == found[1][1]
    assert found[5][1] == found[5][0] * 2 / 3


def test_opponents_of_opponents() -> None:
    names = ("opponents-match-win", "opponents-opponents-match-win")
    found = {one.player: one.figures for one in standings(range(1, 6), FIVE, tiebreaks=names)}
    assert found[4][1] == (found[3][0] + found[2][0]) / 2


def test_a_figure_comes_with_its_working() -> None:
    found = {one.player: one for one in standings(range(1, 6), FIVE, tiebreaks=MANUAL)}
    for one in found.values():
        for working in one.workings:
            if working.divisor:
                assert sum(part for _, part in working.parts) / working.divisor == working.figure
    assert [who for who, _ in found[1].workings[1].parts] == [2, 3, 5]
