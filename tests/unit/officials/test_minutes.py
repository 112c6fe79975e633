"""How the minutes that are played after time was called end a match."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.engine import timekeeping
from domain.engine.match import Match
from domain.officials import clocks, rewind
from domain.officials.frame import Official
from domain.record.entries import Entry
from domain.record.events import MatchEnded, SeatLost
from domain.record.interventions import TimeCalled
from domain.record.schema.policy import Clocks, EndOfTime, Policy
from tests.playouts import Dice, opening, resume, take_turn
from tests.unit.officials.test_clocks import SETUP, begin, by, play_to, refused, sound

MINUTES = EndOfTime(3, 300_000, ("shield+base", "deck"), 1, finish=True, rule="trm:5.2")


def called(end: EndOfTime = MINUTES) -> tuple[Match, list[Entry]]:
    """A match whose time was called in its second turn."""
    match = begin(end=end, clocks=Clocks(round=60_000))
    log = match.collect()
    play_to(match, 2)
    clocks.call_time(match, by(match))
    return match, log + match.collect()


def at_rest(match: Match) -> None:
    """Play until nothing has begun."""
    while timekeeping.runs_out(match.pos) is None:
        take_turn(match, SETUP)


def test_they_end_it_at_their_time_by_the_section_of_the_manual() -> None:
    match, log = called()
    due = timekeeping.runs_out(match.pos)
    assert due == match.pos.deadline
    refused("TIME_LEFT", clocks.run_out, match, Official("kifu", due - 1))
    clocks.run_out(match, Official("kifu", due + 60_000, "the minutes are over"))
    ending = match.collect()
    opened, _, lost, *_, ended = ending
    assert opened.cites == ("policy:end.ms", "trm:5.2", "house:time", "house:official")
    assert isinstance(lost.event, SeatLost)
    assert lost.cites[0].startswith("policy:end.tiebreaks")
    assert lost.cites[1:3] == ("trm:5.2", "policy:end.ms")
    assert isinstance(ended.event, MatchEnded)
    assert {entry.time for entry in ending} == {due}
    refused("TIME_LEFT", clocks.run_out, match, Official("kifu", due + 60_000))
    sound(match, log + ending)


def test_what_has_begun_is_waited_for_if_the_policy_says_so() -> None:
    match = begin(end=MINUTES)
    while match.pos.attack is None:
        take_turn(match, SETUP)
    clocks.call_time(match, by(match))
    assert timekeeping.runs_out(match.pos) is None
    refused("TIME_LEFT", clocks.run_out, match, by(match, 900_000))
    at_rest(match)
    assert match.pos.attack is None
    clocks.run_out(match, by(match, 900_000))
    log = list[Entry]()
    sound(match, log + match.collect())


def test_a_pause_moves_their_end_and_none_ends_meanwhile() -> None:
    match, log = called()
    end = match.pos.deadline
    clocks.pause(match, by(match, 1_000))
    assert timekeeping.runs_out(match.pos) is None
    clocks.go_on(match, by(match, 41_000))
    assert timekeeping.runs_out(match.pos) == end + 41_000
    sound(match, log + match.collect())


def test_an_official_may_give_more_of_them_also_when_they_are_over() -> None:
    match, log = called()
    end, extra = match.pos.deadline, match.pos.extra
    clocks.extend(match, by(match, 1_000), "round", 120_000)
    assert (match.pos.deadline, match.pos.extra) == (end + 120_000, extra)
    late = match.pos.deadline + 7_000
    clocks.extend(match, Official("Joy", late), "round", 60_000)
    assert timekeeping.runs_out(match.pos) == late + 60_000
    refused("BAD_TIME", clocks.extend, match, by(match), "round", 0)
    refused("TIME_OVER", clocks.give_minutes, match, Official("Joy", late + 90_000), 1_000)
    sound(match, log + match.collect())


def test_a_match_that_is_taken_back_after_them_is_ended_by_an_official() -> None:
    match, log = called()
    at_rest(match)
    decision = match.pos.decision
    assert decision is not None
    clocks.run_out(match, Official("kifu", match.pos.deadline))
    log += match.collect()
    back = rewind.rewind(SETUP.rules, log, decision.n, by(match, 90_000), Dice(SETUP.seed))
    assert (back.pos.over, back.pos.called, back.pos.deadline) == (False, True, 0)
    assert timekeeping.runs_out(back.pos) is None
    log += back.collect()
    assert isinstance(log[-2].event, TimeCalled)
    take_turn(back, SETUP)
    clocks.decide(back, by(back))
    assert back.pos.over
    sound(back, log + back.collect())


def test_they_run_on_where_a_match_is_taken_back_in_time() -> None:
    match, log = called()
    at_rest(match)
    decision, end = match.pos.decision, match.pos.deadline
    assert decision is not None
    take_turn(match, SETUP)
    log += match.collect()
    back = rewind.rewind(SETUP.rules, log, decision.n, by(match, 1_000), Dice(SETUP.seed))
    assert timekeeping.runs_out(back.pos) == end


def test_a_real_table_has_a_minute_to_enter_what_was_done_in_time() -> None:
    policy = Policy(end=EndOfTime(ms=5_000, tiebreaks=("deck",)))
    given = replace(opening(SETUP), policy=policy, mode="table", rolls=((0,),))
    match = Match.open(SETUP.rules, given, Dice(SETUP.seed))
    clocks.call_time(match, by(match))
    end = match.pos.deadline
    assert timekeeping.runs_out(match.pos) == end + timekeeping.ENTERED
    decision = match.pos.decision
    assert decision is not None
    offer = decision.offers[decision.seats[0]]
    assert offer is not None
    match.choose(decision.seats[0], decision.n, offer.options[0].act(), end + 30_000)
    assert timekeeping.runs_out(match.pos) == end + 30_000 + timekeeping.ENTERED


@pytest.mark.parametrize("end", [EndOfTime(turns=2), EndOfTime()])
def test_without_minutes_nothing_runs_out(end: EndOfTime) -> None:
    match, _ = called(end)
    assert timekeeping.runs_out(match.pos) is None
    assert resume(SETUP, called(MINUTES)[1]).pos.deadline > 0
