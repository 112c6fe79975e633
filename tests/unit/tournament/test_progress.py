"""How a tournament goes on: Swiss rounds, a cut, an elimination, places; and where it can't."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from domain.tournament import progress
from domain.tournament.acts import penalties, players, results, rounds
from domain.tournament.pairing.bracket import Undecided
from domain.tournament.progress import CannotPair
from domain.tournament.record import ELIMINATION, GIVEN, SWISS, Format, Outcome
from domain.tournament.tournament import Tournament
from tests.support.tournaments import by, opened

#: No match is recorded: results are entered.
FORMAT = Format("lamps", mode="", cut=4)


def paired(t: Tournament, how: str = "") -> progress.Next:
    """Pair the next round, and take it up."""
    found = progress.next_round(t.state, 1, how)
    rounds.pair(t, by(), found.tables, found.by, 1)
    return found


def played(t: Tournament, winners: Mapping[int, int] | None = None) -> None:
    """Play the round: at these tables these win (0: a draw), else the smaller number."""
    rounds.open_round(t, by())
    rounds.start(t, by())
    for n, table in t.state.rounds[-1].tables.items():
        if table.second:
            winner = (winners or {}).get(n, min(table.players))
            wins = (winner == table.first, winner == table.second)
            results.report(t, by(), 0, n, Outcome(*map(int, wins), winner=winner))
    rounds.end(t, by())


def test_swiss_rounds_then_a_cut_then_places() -> None:
    t = opened(FORMAT, 9)
    assert progress.planned(t.state) == 4
    for _ in range(4):
        assert paired(t).by == SWISS
        played(t)
    assert progress.standing(t.state)[0].player == 1
    players.drop(t, by(), 1)
    found = paired(t)
    assert found.by == ELIMINATION
    top = [one.player for one in progress.standing(t.state)]
    assert [(one.first, one.second) for one in found.tables] == [
        (top[1], top[4]), (top[2], top[3]),
    ]  # fmt: skip
    played(t, {1: top[4], 2: top[3]})
    before = progress.standing(t.state)
    assert [(one.first, one.second) for one in paired(t).tables] == [(top[4], top[3])]
    played(t, {1: top[3]})
    assert progress.standing(t.state) == before
    places = [(one.rank, one.standing.player) for one in progress.places(t.state)]
    assert places[:4] == [(1, top[3]), (2, top[4]), (3, top[1]), (3, top[2])]
    assert [player for _, player in places[4:]] == [1, *top[5:]]
    assert places[4][0] == 5
    with pytest.raises(CannotPair, match="the last match has been played"):
        paired(t)


def test_a_round_that_is_not_opened_is_paired_anew() -> None:
    t = opened(FORMAT, 5)
    assert paired(t) == paired(t)
    assert progress.places(t.state) == progress.places(opened(FORMAT, 5).state)
    players.drop(t, by(), 3)
    assert sorted(n for one in paired(t).tables for n in (one.first, one.second)) == [1, 2, 4, 5]


def test_how_many_rounds_there_are_follows_from_those_who_played_the_first() -> None:
    t = opened(FORMAT, 9)
    paired(t)
    played(t)
    for n in range(5, 10):
        players.drop(t, by(), n)
    assert progress.planned(t.state) == 4
    assert progress.planned(opened(Format("lamps", rounds=7), 2).state) == 7


def test_an_elimination_may_be_all_there_is() -> None:
    t = opened(Format("lamps", mode=""), 6)
    assert len([one for one in paired(t, ELIMINATION).tables if not one.second]) == 2
    played(t)
    assert paired(t).by == ELIMINATION
    played(t)
    with pytest.raises(CannotPair, match="single elimination has begun"):
        paired(t, SWISS)


def test_a_draw_keeps_the_next_round_from_being_paired() -> None:
    t = opened(Format("lamps", mode=""), 4)
    paired(t, ELIMINATION)
    played(t)
    results.correct(t, by(), 1, 2, Outcome(0, 0), "both were right")
    with pytest.raises(Undecided, match="table 2"):
        paired(t)


def test_what_was_planned_is_over() -> None:
    t = opened(Format("lamps", mode="", rounds=1), 4)
    paired(t)
    played(t)
    with pytest.raises(CannotPair, match="all 1 rounds that were planned are over"):
        paired(t)
    assert paired(t, SWISS).by == SWISS


def test_who_comes_in_by_lot_is_named() -> None:
    t = opened(Format("lamps", mode="", rounds=1, cut=2, tiebreaks=("wins",)), 8)
    paired(t)
    played(t)
    (caveat,) = paired(t).caveats
    assert "are level: a draw by lot lets" in caveat


def test_nobody_is_left() -> None:
    t = opened(FORMAT, 1)
    players.drop(t, by(), 1)
    for how in (SWISS, ELIMINATION):
        with pytest.raises(CannotPair, match="no player is left"):
            paired(t, how)


def test_given_rounds_count_and_penalties_that_stand() -> None:
    t = opened(Format("lamps", mode="", tiebreaks=("penalties",)), 4)
    tables = progress.next_round(t.state, 1).tables
    rounds.pair(t, by(), tables, GIVEN)
    played(t)
    winners = [min(one.first, one.second) for one in tables]
    assert {one.player for one in progress.standing(t.state)[:2]} == {*winners}
    entry = penalties.penalise(t, by(), winners[0], "warning", "late")
    assert progress.standing(t.state)[0].player == winners[1]
    penalties.withdraw(t, by(), entry, "he was not")
    assert [one.rank for one in progress.standing(t.state)] == [1, 1, 3, 3]
