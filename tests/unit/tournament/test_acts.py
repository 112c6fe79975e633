"""What can be done at a tournament, what is refused, and that a refusal leaves no trace."""

from __future__ import annotations

import pytest

from domain.engine.rulebook import Refused
from domain.record.schema.policy import Policy
from domain.tournament import progress, views
from domain.tournament.acts import (
    calls,
    clocks,
    decks,
    lists,
    penalties,
    players,
    results,
    rounds,
)
from domain.tournament.folding import fold
from domain.tournament.record import (
    AGREED,
    BYE,
    CONCEDED,
    ELIMINATION,
    NO_SHOW,
    RULED,
    SWISS,
    Format,
    FormatChanged,
    Outcome,
    Table,
)
from domain.tournament.state import match_id, place_of
from domain.tournament.tournament import Tournament
from domain.words.phrases import lines
from tests.support.tournaments import (
    BAD_LIST,
    DRAWN,
    LIST,
    LOST,
    RULES,
    WON,
    by,
    opened,
    playing,
    refused,
)


def test_a_record_leads_to_what_was() -> None:
    t = playing(opened(people=5), (1, 2), (3, 4), (5, 0), now=1000)
    log = t.collect()
    assert [entry.seq for entry in log] == [*range(1, len(log) + 1)]
    assert fold(log) == t.state == Tournament.resume(log).state
    assert log[0].event.at == log[0].time == 0  # type: ignore[union-attr]


def test_time_does_not_run_back() -> None:
    t = opened(people=0)
    players.enter(t, by(5000), [("Ann", "")])
    players.enter(t, by(4000), [("Bea", "")])
    assert [entry.time for entry in t.collect()] == [0, 5000, 5000]


@pytest.mark.parametrize(
    "format_",
    [
        Format("lamps", best_of=2),
        Format("lamps", mode="online"),
        Format("lamps", seconds=-1),
        Format("lamps", rounds=100),
        Format("lamps", cut=6),
        Format("lamps", points=(3, -1, 0)),
        Format("lamps", tiebreaks=("wins", "wins")),
        Format("lamps", tiebreaks=("luck",)),
        Format("lamps", policy=Policy(replay_evidence="all")),
    ],
)
def test_a_format_that_cannot_be_is_refused(format_: Format) -> None:
    with pytest.raises(Refused) as caught:
        Tournament.open(by(), "ev3t", "Cup", format_)
    assert caught.value.refusal.fault == "BAD_FORMAT"
    change = players.change_format
    assert refused(opened(), change, "Cup", format_, "why", RULES) == "BAD_FORMAT"


def test_a_format_may_change_and_opened_rounds_keep_theirs() -> None:
    t = playing(opened(), (1, 2))
    other = Format("other")
    assert refused(t, players.change_format, "Cup", other, "why", RULES) == "BAD_FORMAT"
    players.change_format(t, by(), "Cup II", Format("lamps", best_of=3), "more time", RULES)
    assert isinstance(t.collect()[-1].event, FormatChanged)
    assert t.state.rounds[0].format == Format("lamps", seconds=60)
    results.report(t, by(), 1, 1, WON)
    rounds.end(t, by())
    playing(t, (1, 2))
    assert refused(t, results.report, 2, 1, Outcome(3, 0, 0, 1)) == "BAD_RESULT"
    results.report(t, by(), 2, 1, Outcome(2, 1, 0, 1))


# -- players and lists -----------------------------------------------------------------------------


def test_players_are_entered_together_or_not_at_all() -> None:
    t = opened(people=2)
    assert players.enter(t, by(), [("Cleo", "c"), ("Dan", "")]) == [3, 4]
    for people, fault in (
        ([("Eve", ""), ("eve", "")], "NAME_TAKEN"),
        ([("Eve", ""), ("CLEO", "")], "NAME_TAKEN"),
        ([("Eve", "c")], "KEY_TAKEN"),
        ([("  ", "")], "NAME_MISSING"),
        ([("E\nve", "")], "BAD_NAME"),
        ([("E" * 81, "")], "BAD_NAME"),
        ([("Eve", "k" * 81)], "BAD_NAME"),
        ([(f"P{n}", "") for n in range(5000)], "TOO_MANY_PLAYERS"),
    ):
        assert refused(t, players.enter, people) == fault
    players.correct(t, by(), 3, "Kleo", "c")
    assert t.state.players[3].name == "Kleo"
    assert refused(t, players.correct, 3, "Kleo", "c") == "SAME_PLAYER"
    assert refused(t, players.correct, 3, "Dan", "c") == "NAME_TAKEN"
    assert refused(t, players.correct, 9, "Zoe", "") == "NO_SUCH_PLAYER"


def test_who_drops_is_paired_no_more_until_he_is_back() -> None:
    t = playing(opened(), (1, 2), (3, 4))
    players.drop(t, by(), 2, "ill")
    assert refused(t, players.drop, 2) == "PLAYER_DROPPED"
    results.report(t, by(), 1, 1, LOST)  # the round goes on
    results.report(t, by(), 1, 2, DRAWN)
    rounds.end(t, by())
    assert refused(t, rounds.pair, [Table(1, 1, 2)]) == "PLAYER_DROPPED"
    players.reinstate(t, by(), 2)
    assert refused(t, players.reinstate, 2) == "PLAYER_PLAYS"
    rounds.pair(t, by(), [Table(1, 1, 2)])
    players.drop(t, by(), 1)
    assert refused(t, rounds.open_round) == "PLAYER_DROPPED"


def test_lists_are_accepted_without_faults_and_fixed_then() -> None:
    t = opened(people=3, accepted=False)
    assert refused(t, lists.accept) == "LIST_MISSING"
    assert lists.hand_in(t, by(), 1, BAD_LIST, RULES) == ("one copy too many",)
    lists.hand_in(t, by(), 2, LIST, RULES)
    assert refused(t, lists.accept, [2, 1]) == "LIST_FAULTY"
    assert refused(t, lists.accept, [2, 3]) == "LIST_MISSING"
    assert lists.accept(t, by()) == [2]
    assert refused(t, lists.accept, [2]) == "LIST_FIXED"
    assert refused(t, lists.hand_in, 2, LIST, RULES) == "LIST_FIXED"
    assert lists.hand_in(t, by(), 1, LIST, RULES) == ()
    assert refused(t, lists.reopen, 1, "why") == "LIST_NOT_ACCEPTED"
    assert refused(t, lists.reopen, 2, " ") == "TEXT_MISSING"
    lists.reopen(t, by(), 2, "a card was banned")
    assert t.state.deck(2) is None
    lists.publish(t, by())
    assert refused(t, lists.publish) == "LISTS_PUBLISHED"


def test_who_sits_in_a_round_keeps_his_list() -> None:
    t = playing(opened(), (1, 2))
    assert refused(t, lists.reopen, 1, "why") == "LISTS_FROZEN"
    lists.reopen(t, by(), 3, "why")  # who does not, may
    results.report(t, by(), 1, 1, WON)
    rounds.end(t, by())
    lists.reopen(t, by(), 1, "why")
    assert t.state.deck(1) is None
    assert [t.state.deck(n, t.state.rounds[0]) for n in (1, 2)] == [LIST, LIST]


# -- rounds ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tables", "fault"),
    [
        ([], "BAD_PAIRING"),
        ([Table(0, 1, 2)], "BAD_PAIRING"),
        ([Table(1, 1, 2), Table(1, 3, 4)], "BAD_PAIRING"),
        ([Table(10**9, 1, 2)], "BAD_PAIRING"),
        ([Table(1, 1, 1)], "PLAYER_TWICE"),
        ([Table(1, 1, 2), Table(2, 2, 3)], "PLAYER_TWICE"),
        ([Table(1, 1, 0), Table(2, 1, 2)], "PLAYER_TWICE"),
        ([Table(1, 1, 9)], "NO_SUCH_PLAYER"),
        ([Table(1, 0, 1)], "NO_SUCH_PLAYER"),
        ([Table(1, 0, 0)], "NO_SUCH_PLAYER"),
    ],
)
def test_a_player_has_one_place_in_a_round(tables: list[Table], fault: str) -> None:
    assert refused(opened(), rounds.pair, tables) == fault


def test_a_round_comes_after_another() -> None:
    t = opened(people=3)
    assert refused(t, rounds.open_round) == "NO_SUCH_ROUND"
    assert rounds.pair(t, by(), [Table(1, 1, 2)]) == 1
    assert refused(t, rounds.start) == "ROUND_NOT_OPENED"
    assert refused(t, results.report, 1, 1, WON) == "ROUND_NOT_OPENED"
    assert rounds.pair(t, by(), [Table(4, 2, 1), Table(5, 3, 0)]) == 1  # anew
    assert refused(t, rounds.pair, [Table(1, 1, 2)], "drawn") == "BAD_PAIRING"
    rounds.open_round(t, by())
    assert t.state.rounds[0].tables[5].outcome == Outcome(1, 0, 0, 3, BYE)
    assert refused(t, rounds.open_round) == "ROUND_OPENED"
    assert refused(t, rounds.pair, [Table(1, 1, 2)]) == "ROUND_NOT_ENDED"
    assert refused(t, rounds.end) == "ROUND_NOT_STARTED"
    assert refused(t, clocks.pause) == "ROUND_NOT_STARTED"
    rounds.start(t, by())
    assert refused(t, rounds.start) == "ROUND_STARTED"
    assert refused(t, rounds.end) == "RESULTS_MISSING"
    assert refused(t, rounds.finish) == "ROUND_NOT_ENDED"
    results.report(t, by(), 1, 4, Outcome(1, 0, 0, 2))
    rounds.end(t, by())
    assert refused(t, rounds.end) == "ROUND_ENDED"
    assert rounds.pair(t, by(), [Table(1, 1, 2)]) == 2
    rounds.finish(t, by())  # what is paired only is not played
    assert t.state.ended
    for act, args in (
        (rounds.pair, ([Table(1, 1, 2)],)), (rounds.open_round, ()), (rounds.finish, ()),
        (players.enter, ([("Zoe", "")],)), (players.drop, (1,)),
    ):  # fmt: skip
        assert refused(t, act, *args) == "EVENT_ENDED"


def test_a_drawn_table_of_an_elimination_ends_no_round() -> None:
    for how, needed in ((ELIMINATION, True), (SWISS, False)):
        t = opened(people=2)
        rounds.pair(t, by(), [Table(1, 1, 2)], how)
        rounds.open_round(t, by())
        rounds.start(t, by())
        if needed:
            assert refused(t, results.report, 1, 1, DRAWN) == "RESULT_DRAWN"
        results.report(t, by(), 1, 1, DRAWN, 9 if needed else 0)  # as its match has ended
        if needed:
            assert refused(t, rounds.end) == "RESULT_DRAWN"
            results.correct(t, by(), 1, 1, Outcome(0, 0, 0, 0, RULED, both_lost=True), "no show")
        rounds.end(t, by())


def test_a_round_names_the_tables_that_lack_a_result() -> None:
    t = playing(opened(), (1, 2), (3, 4))
    results.report(t, by(), 1, 1, WON)
    with pytest.raises(Refused, match="lacks the result of table 2"):
        rounds.end(t, by())


def test_without_lists_no_match_is_opened_unless_none_is_recorded() -> None:
    t = opened(accepted=False)
    rounds.pair(t, by(), [Table(1, 1, 2), Table(2, 3, 0)])
    with pytest.raises(Refused, match=r"no list is accepted of Player 1, Player 2$"):
        rounds.open_round(t, by())
    many = opened(people=9, accepted=False)
    rounds.pair(many, by(), [Table(n, n, n + 4) for n in range(1, 5)])
    with pytest.raises(Refused) as caught:
        rounds.open_round(many, by())
    found = [f"no list is accepted of Player {n}" for n in (1, 5, 2, 6, 3, 7, 4, 8)]
    assert [*map(str, lines(caught.value.refusal.text))] == found
    paper = opened(Format("lamps", mode=""), accepted=False)
    playing(paper, (1, 2))
    assert [*paper.state.matches(paper.state.rounds[0])] == []


def test_the_id_of_a_match_says_where_it_is_played() -> None:
    t = playing(opened(people=5), (1, 2), (3, 4), (5, 0))
    ids = [match for match, _ in t.state.matches(t.state.rounds[0])]
    assert ids == ["ev3t.r1.t1", "ev3t.r1.t2"]
    assert [place_of(id_) for id_ in ids] == [("ev3t", 1, 1), ("ev3t", 1, 2)]
    assert place_of(match_id("a", 12, 304)) == ("a", 12, 304)
    for other in ("k7f3q", "", ".r1.t1", "a.r0.t1", "a.r1", "a.t1.r1", "a.r1.t1.x", "a.r²1.t1"):
        assert place_of(other) is None, other


# -- results ---------------------------------------------------------------------------------------


def test_results_are_corrected_at_any_time_and_withdrawn_before_the_end() -> None:
    t = playing(opened(), (1, 2), (3, 4))
    results.report(t, by(), 1, 1, WON)
    assert refused(t, results.report, 1, 1, LOST) == "RESULT_THERE"
    assert refused(t, results.correct, 1, 1, WON, "why") == "SAME_RESULT"
    assert refused(t, results.correct, 1, 1, LOST, "") == "TEXT_MISSING"
    assert refused(t, results.correct, 1, 2, LOST, "why") == "RESULT_MISSING"
    assert refused(t, results.withdraw, 1, 2, "why") == "RESULT_MISSING"
    results.withdraw(t, by(), 1, 1, "wrong table")
    assert t.state.rounds[0].missing == [1, 2]
    results.report(t, by(), 1, 1, LOST)
    results.report(t, by(), 1, 2, DRAWN)
    rounds.end(t, by())
    assert refused(t, results.withdraw, 1, 1, "why") == "ROUND_ENDED"
    rounds.finish(t, by())
    results.correct(t, by(), 1, 1, WON, "the slip said so")
    table = t.state.rounds[0].tables[1]
    assert [one.outcome for one in table.results] == [WON, None, LOST, WON]


def test_the_end_of_a_match_may_be_taken_back_after_the_round() -> None:
    t = playing(opened(), (1, 2))
    results.report(t, by(), 1, 1, WON, seq=40)
    rounds.end(t, by())
    results.withdraw(t, by(), 1, 1, "", seq=44)
    assert refused(t, rounds.pair, [Table(1, 1, 2)]) == "RESULTS_MISSING"
    assert refused(t, rounds.finish) == "RESULTS_MISSING"
    results.report(t, by(), 1, 1, LOST, seq=60)
    rounds.pair(t, by(), [Table(1, 1, 2)])


@pytest.mark.parametrize(
    ("outcome", "good"),
    [
        (Outcome(2, 1, 0, 1), True),
        (Outcome(1, 1, 1, 0), True),
        (Outcome(1, 2, 0, 2), True),
        (Outcome(0, 0, 0, 1, NO_SHOW), True),
        (Outcome(1, 0, 0, 2, CONCEDED), True),
        (Outcome(0, 0, 0, 0, AGREED), True),
        (Outcome(1, 1, 0, 0, RULED, True), True),
        (Outcome(2, 2, 0, 0), False),
        (Outcome(3, 0, 0, 1), False),
        (Outcome(2, 0, 0, 2), False),
        (Outcome(1, 1, 0, 1), False),
        (Outcome(2, 0, 0, 3), False),
        (Outcome(-1, 0, 0, 0), False),
        (Outcome(0, 0, 4, 0), False),
        (Outcome(2, 0, 0, 1, BYE), False),
        (Outcome(2, 0, 0, 1, "luck"), False),
        (Outcome(2, 0, 0, 1, RULED, True), False),
    ],
)
def test_what_can_come_of_a_best_of_three(outcome: Outcome, good: bool) -> None:
    t = playing(opened(Format("lamps", best_of=3)), (1, 2))
    if good:
        results.report(t, by(), 1, 1, outcome)
    else:
        assert refused(t, results.report, 1, 1, outcome) == "BAD_RESULT"


def test_a_bye_is_a_win_until_an_official_rules_otherwise() -> None:
    t = playing(opened(), (1, 2), (3, 0))
    assert refused(t, results.withdraw, 1, 2, "why") == "BAD_RESULT"
    assert refused(t, results.correct, 1, 2, Outcome(1, 0, 0, 3), "why") == "BAD_RESULT"
    results.correct(t, by(), 1, 2, Outcome(0, 0, 0, 0, RULED), "came too late")


# -- clocks ----------------------------------------------------------------------------------------


def left(t: Tournament, now: int) -> list[int]:
    return [
        one.clock.at(now) for one in t.state.rounds[-1].tables.values() if one.clock is not None
    ]


def test_each_table_has_its_clock() -> None:
    t = playing(opened(people=5), (1, 2), (3, 4), (5, 0), now=1000)
    assert left(t, 11_000) == [50_000, 50_000]
    clocks.pause(t, by(11_000), tables=[2])
    assert refused(t, clocks.pause, 0, [2]) == "CLOCK_PAUSED"
    clocks.extend(t, by(21_000), 30, tables=[2], why="deck check")
    assert left(t, 21_000) == [40_000, 80_000]
    clocks.pause(t, by(31_000))
    assert refused(t, clocks.pause) == "CLOCK_PAUSED"
    clocks.resume(t, by(41_000))
    assert refused(t, clocks.resume) == "CLOCK_RUNS"
    assert left(t, 51_000) == [20_000, 70_000]
    clocks.extend(t, by(51_000), -25)
    assert left(t, 51_000) == [-5_000, 45_000]
    for act, args, fault in (
        (clocks.pause, (0, [9]), "NO_SUCH_TABLE"), (clocks.pause, (0, [3]), "NO_CLOCK"),
        (clocks.extend, (0,), "BAD_TIME"), (clocks.extend, (10**6,), "BAD_TIME"),
        (clocks.pause, (7,), "NO_SUCH_ROUND"), (clocks.pause, (0, [], "w" * 2001), "TEXT_TOO_LONG"),
    ):  # fmt: skip
        assert refused(t, act, *args) == fault


def test_time_is_called_for_those_that_are_not_done() -> None:
    t = playing(opened(), (1, 2), (3, 4))
    results.report(t, by(), 1, 1, WON)
    assert refused(t, clocks.call_time, 0, [1]) == "TIME_CALLED"
    clocks.call_time(t, by())
    called = [one.clock.called for one in t.state.rounds[0].tables.values() if one.clock]
    assert called == [False, True]
    assert refused(t, clocks.call_time) == "TIME_CALLED"
    assert refused(t, clocks.extend, 60, 0, [2]) == "TIME_CALLED"


def test_a_round_without_a_clock_has_none_to_extend() -> None:
    t = playing(opened(Format("lamps")), (1, 2))
    assert refused(t, clocks.extend, 60) == "NO_CLOCK"
    clocks.pause(t, by())
    clocks.call_time(t, by())


# -- officials -------------------------------------------------------------------------------------


def test_a_call_is_raised_taken_and_answered() -> None:
    t = opened()
    assert refused(t, calls.raise_call, 1) == "NO_SUCH_ROUND"
    playing(t, (1, 2), (3, 4))
    assert calls.raise_call(t, by(1000, "seat 0"), 1, 2, "a card is torn") == 1
    assert refused(t, calls.raise_call, 1, 3) == "NO_SUCH_PLAYER"
    assert refused(t, calls.raise_call, 7) == "NO_SUCH_TABLE"
    calls.take(t, by(5000), 1)
    assert refused(t, calls.take, 1) == "CALL_TAKEN"
    calls.take(t, by(6000, "Jo"), 1)
    assert refused(t, calls.answer, 2) == "NO_SUCH_CALL"
    calls.answer(t, by(9000, "Jo"), 1, "sleeved anew", 20)
    assert refused(t, calls.answer, 1) == "CALL_ANSWERED"
    assert refused(t, calls.take, 1) == "CALL_ANSWERED"
    call = t.state.calls[1]
    assert (call.raised, call.taken, call.taken_by, call.answered) == (1000, 6000, "Jo", 9000)
    assert left(t, 9000) == [71_000, 51_000]
    calls.raise_call(t, by(), 2)
    assert refused(t, calls.answer, 2, "", -1) == "BAD_TIME"
    results.report(t, by(), 1, 1, WON)
    results.report(t, by(), 1, 2, DRAWN)
    rounds.end(t, by())
    assert refused(t, calls.answer, 2, "", 60) == "ROUND_ENDED"
    calls.answer(t, by(), 2, "nothing was wrong")


def test_penalties_stay_with_a_player() -> None:
    t = playing(opened(), (1, 2))
    seq = penalties.penalise(t, by(), 1, "warning", "late", 1)
    assert refused(t, penalties.penalise, 1, "frown", "late") == "NO_SUCH_PENALTY"
    assert refused(t, penalties.penalise, 1, "warning", "") == "TEXT_MISSING"
    assert refused(t, penalties.penalise, 9, "warning", "late") == "NO_SUCH_PLAYER"
    penalties.penalise(t, by(), 1, "caution", "", 1, match="ev3t.r1.t1", seq=30)
    penalties.penalise(t, by(), 1, "frown", "", 1, match="ev3t.r1.t1", seq=31)  # by its scheme
    assert refused(t, penalties.withdraw, 1, "why") == "NO_SUCH_PENALTY"
    penalties.withdraw(t, by(), seq, "it was another")
    assert refused(t, penalties.withdraw, seq, "why") == "PENALTY_WITHDRAWN"
    kept = [(one.kind, one.withdrawn) for one in t.state.penalties.values()]
    assert kept == [("warning", "it was another"), ("caution", ""), ("frown", "")]
    penalties.note(t, by(), "watch table 1", 1, 2)
    assert refused(t, penalties.note, "x", 8) == "NO_SUCH_TABLE"
    assert [(one.text, one.round) for one in t.state.notes] == [("watch table 1", 1)]


def test_decks_are_drawn_by_a_seed_up_to_a_share_and_checked() -> None:
    t = opened(people=21)
    found = decks.draw(t, by(), seed=5)
    assert len(found) == 3  # 10 % and a little more
    assert found == decks.draw(opened(people=21), by(), seed=5)
    assert found != decks.draw(opened(people=21), by(), seed=6)
    assert refused(t, decks.draw) == "DECKS_DRAWN"
    assert refused(t, decks.draw, percent=101) == "BAD_SHARE"
    assert not {*found} & {*decks.draw(t, by(), number=4)}
    assert len(decks.draw(t, by(), percent=50)) == 11 - 7
    players.drop(t, by(), found[0])
    assert len(decks.draw(t, by(), number=99)) == 10
    assert refused(t, decks.draw, number=1) == "DECKS_DRAWN"
    assert decks.share(t.state) == (0, 21)
    decks.check(t, by(), found[0])
    decks.check(t, by(), found[1], " 51 cards ")
    decks.check(t, by(), found[1], "and again")  # who was not drawn for it
    assert refused(t, decks.check, 99) == "NO_SUCH_PLAYER"
    assert decks.share(t.state) == (2, 21)
    checked = [one for one in t.state.checks if one.player == found[1]]
    assert [(one.fault, one.by) for one in checked] == [("51 cards", "Ida"), ("and again", "Ida")]
    assert checked[0].seq < checked[0].checked == checked[1].seq - 1
    assert t.state == fold(t.collect())


def test_those_who_pass_to_the_elimination_are_checked_as_well() -> None:
    t = opened(Format("lamps", cut=2, rounds=1), people=4)
    assert refused(opened(people=0), decks.draw, cut=True) == "NO_CUT"
    playing(t, (1, 2), (3, 4))
    results.report(t, by(), 1, 1, WON)
    results.report(t, by(), 1, 2, Outcome(0, 1, 0, 4))
    rounds.end(t, by())
    decks.draw(t, by(), number=4)
    assert decks.draw(t, by(), cut=True) == [1, 4]
    assert refused(t, decks.draw, cut=True) == "DECKS_DRAWN"
    assert [(one.cut, one.round) for one in t.state.checks] == [(False, 1)] * 4 + [(True, 1)] * 2


def test_officials_are_named() -> None:
    t = opened()
    players.name_official(t, by(), "Jo", "judge")
    assert refused(t, players.name_official, "Jo", "judge") == "SAME_ROLE"
    assert refused(t, players.name_official, "Jo", "king") == "BAD_ROLE"
    players.name_official(t, by(), "Jo", "head judge")
    assert t.state.officials == {"Jo": "head judge"}
    players.name_official(t, by(), "Jo", "")
    assert t.state.officials == {}


# -- check-in --------------------------------------------------------------------------------------


def test_players_check_in_late_as_well_and_out() -> None:
    t = opened(people=3)
    players.check_in(t, by(), 1)
    players.check_in(t, by(), 2, identified=True)
    assert refused(t, players.check_in, 1) == "SAME_PLAYER"
    players.check_in(t, by(), 1, identified=True)
    assert refused(t, players.check_in, 1) == "SAME_PLAYER"  # it was seen
    assert refused(t, players.check_in, 3, absent=True) == "SAME_PLAYER"
    assert refused(t, players.check_in, 4) == "NO_SUCH_PLAYER"
    assert progress.absent(t.state) == [3]
    playing(t, (1, 2))
    players.check_in(t, by(), 3)
    players.check_in(t, by(), 2, absent=True)
    one, two, three = t.state.players.values()
    assert [one.late, two.late, three.late] == [False, False, True]
    assert (two.present, two.identified) == (False, False)
    assert progress.absent(t.state) == [2]
    players.drop(t, by(), 2)
    assert progress.absent(t.state) == []
    seen = views.seen(t.state, views.PUBLIC)
    assert not any(player.present or player.identified for player in seen.players.values())
    mine = views.seen(t.state, views.Viewer(player=3)).players
    assert [n for n, player in mine.items() if player.present] == [3]


def test_nobody_is_missing_where_nobody_checks_in() -> None:
    assert progress.absent(opened(people=3).state) == []
