"""How a tournament goes on: Swiss rounds, a cut, an elimination, places; and where it can't."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from domain.engine.rulebook import Refused
from domain.record.schema.policy import EndOfTime
from domain.tournament import progress
from domain.tournament.acts import checks, penalties, players, results, rounds
from domain.tournament.pairing.bracket import Undecided
from domain.tournament.progress import CannotPair
from domain.tournament.record import (
    BY_CHART,
    ELIMINATION,
    GIVEN,
    PLAY_OFF,
    SEED,
    SWISS,
    Format,
    Outcome,
    StageFormat,
)
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
    results.correct(t, by(), 1, 2, Outcome(0, 0), "", 9)
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


# -- stages and the chart of a manual --------------------------------------------------------------

STAGED = replace(
    FORMAT,
    cut=BY_CHART,
    chart=((8, 3, 0), (16, 2, 4), (32, 5, 4)),
    stages=(
        StageFormat("cut", best_of=3, seconds=3600, end=EndOfTime(3), first=SEED),
        StageFormat("final", best_of=3, end=EndOfTime(5)),
    ),
)


@pytest.mark.parametrize(("n", "plan"), [(8, (3, 0)), (9, (2, 4)), (17, (5, 4)), (40, (5, 4))])
def test_a_chart_gives_rounds_and_cut_by_the_number_of_players(n: int, plan: object) -> None:
    t = opened(STAGED, n)
    assert (progress.planned(t.state), progress.cut(t.state)) == plan


def test_late_entries_alter_neither_rounds_nor_cut() -> None:
    t = opened(STAGED, 16)
    paired(t)
    rounds.open_round(t, by())
    players.enter(t, by(), [("Late One", "")])
    assert (progress.planned(t.state), progress.cut(t.state)) == (2, 4)


def test_each_stage_is_played_by_its_own_settings() -> None:
    t = opened(STAGED, 12)
    for _ in range(4):
        paired(t)
        played(t) if len(t.state.rounds) < 3 else played_of_three(t)
    found = [(one.part, one.format) for one in t.state.rounds]
    assert [part for part, _ in found] == ["swiss", "swiss", "cut", "final"]
    settings = [(f.best_of, f.seconds, f.policy.end.turns) for _, f in found if f is not None]
    assert settings == [(1, 0, 0), (1, 0, 0), (3, 3600, 3), (3, 0, 5)]
    firsts = [[one.first for one in f.stages] for _, f in found if f is not None]
    assert firsts == [[], [], [SEED], [""]]


def played_of_three(t: Tournament) -> None:
    rounds.open_round(t, by())
    rounds.start(t, by())
    for n, table in t.state.rounds[-1].tables.items():
        results.report(t, by(), 0, n, Outcome(2, 1, winner=table.first))
    rounds.end(t, by())


def test_a_play_off_is_for_the_places_of_those_who_are_level() -> None:
    t = opened(replace(FORMAT, rounds=1, tiebreaks=("play-off", "random")), 8)
    paired(t)
    with pytest.raises(CannotPair, match="no players are level"):
        progress.next_round(replace(t.state, rounds=[], players={}), 1, PLAY_OFF)
    played(t)
    level = [one.player for one in progress.standing(t.state) if one.score.points]
    for _ in range(2):  # winners meet winners in the second
        found = paired(t, PLAY_OFF)
        assert (found.by, len(found.tables)) == (PLAY_OFF, 4)
        played(t)
    ahead = [one for one in progress.standing(t.state) if one.player in level]
    assert sorted(one.figures[0] for one in ahead) == [0, 1, 1, 2]
    assert all(one.score.points == 3 and sum(one.score.matches) == 1 for one in ahead)
    assert (progress.planned(t.state), paired(t).by) == (1, ELIMINATION)
    with pytest.raises(CannotPair, match="no tie-break"):
        progress.next_round(opened(FORMAT, 4).state, 1, PLAY_OFF)


@pytest.mark.parametrize(
    "format_",
    [
        replace(STAGED, chart=()),
        replace(STAGED, chart=((8, 3, 0), (8, 3, 0))),
        replace(STAGED, chart=((8, 3, 3),)),
        replace(STAGED, least_rate="much"),
        replace(STAGED, stages=(StageFormat("semifinal"),)),
        replace(STAGED, stages=(StageFormat("cut"), StageFormat("cut"))),
        replace(STAGED, stages=(StageFormat("cut", best_of=2),)),
        replace(STAGED, stages=(StageFormat("cut", first="loser"),)),
        replace(STAGED, stages=(StageFormat("cut", end=EndOfTime(level="maybe")),)),
    ],
)
def test_a_format_must_be_valid(format_: Format) -> None:
    with pytest.raises(Refused) as refused:
        checks.formal(format_)
    assert refused.value.refusal.fault == "BAD_FORMAT"
