"""Clocks, and how a match ends once time is called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from domain.engine import series, timekeeping
from domain.engine.checks.verify import DIVERGED, EXACT, verify
from domain.engine.match import Match, Refused
from domain.engine.timekeeping import too_late
from domain.officials import clocks, rewind, rulings
from domain.officials.frame import Official
from domain.record import events as ev
from domain.record.decisions import Act
from domain.record.entries import AnyEvent, Entry
from domain.record.folding.fold import fold_all
from domain.record.interventions import ClockSet
from domain.record.position import Attack, Position
from domain.record.schema.citations import known, texts
from domain.record.schema.policy import Clocks, EndOfTime, Policy
from tests.playouts import Dice, Setup, answer, opening, resume, take_turn
from tests.unit.record.logs import log, made, match_opened, moved

SETUP = Setup(5, ("ST01", "ST03"))
FLUX = Setup(5, ("HX-A", "HX-B"))
SHIELDS = EndOfTime(turns=2, tiebreaks=("shield", "deck"))


def begin(setup: Setup = SETUP, best_of: int = 1, **policy: Any) -> Match:
    given = replace(opening(setup), policy=Policy(**policy), best_of=best_of)
    return Match.open(setup.rules, given, Dice(setup.seed))


def play_to(match: Match, turn: int, setup: Setup = SETUP) -> None:
    while match.pos.turn < turn and not match.pos.over:
        take_turn(match, setup)


def by(match: Match, ms: int = 0) -> Official:
    return Official("Judge Joy", match.pos.time + ms, "because")


def refused(fault: str, command: Any, *args: Any) -> None:
    with pytest.raises(Refused) as refusal:
        command(*args)
    assert refusal.value.refusal.fault == fault


def sound(match: Match, log: Sequence[Entry], setup: Setup = SETUP) -> None:
    """The record is the live match, plays again exactly, and cites what exists."""
    assert resume(setup, list(log)).pos == match.pos
    assert verify(log, setup.rules).kind == EXACT
    rules, of_cards = setup.rules, texts(setup.rules.cards)
    cites = {cite for entry in log for cite in entry.cites}
    assert all(known(cite, rules.rules, of_cards) for cite in cites)


# -- clocks ----------------------------------------------------------------------------------------


def test_clocks_start_with_the_match_and_are_charged_with_answers() -> None:
    match = begin(clocks=Clocks(round=60_000, seat=30_000, increment=500))
    log = match.collect()
    assert [e.cites for e in log if isinstance(e.event, ClockSet)] == [
        ("policy:clocks.round",), ("policy:clocks.seat",), ("policy:clocks.seat",),
    ]  # fmt: skip
    p, first = match.pos, match.pos.decision
    assert first is not None
    seat, other = first.seats[0], 1 - first.seats[0]
    assert p.left(f"seat/{seat}", 2_000) == 28_000
    assert p.left(f"seat/{other}", 2_000) == 30_000
    assert p.left("round", 2_000) == 58_000
    before = p.time
    take_turn(match, SETUP)
    took = p.time - before
    log += match.collect()
    made = next(e.event for e in log if isinstance(e.event, ev.DecisionMade))
    assert made.ms == took
    assert p.clocks[f"seat/{seat}"].left == 30_000 + 500 - took
    sound(match, log)


def test_no_clock_runs_where_the_policy_has_none() -> None:
    assert begin().pos.clocks == {}


def test_a_pause_stops_every_clock_and_a_clock_may_be_set_meanwhile() -> None:
    match = begin(clocks=Clocks(round=60_000, seat=30_000))
    log, decision = match.collect(), match.pos.decision
    assert decision is not None
    seat = f"seat/{decision.seats[0]}"
    clocks.pause(match, Official("Joy", 1_000))
    assert match.pos.left("round", 50_000) == 59_000
    clocks.set_clock(match, Official("Joy", 20_000), seat, 45_000)
    assert match.pos.left(seat, 50_000) == 45_000
    clocks.go_on(match, Official("Joy", 41_000))
    assert match.pos.left("round", 43_000) == 57_000
    assert match.pos.left(seat, 43_000) == 43_000
    match.choose(decision.seats[0], decision.n, _act(match), 44_000)
    assert match.pos.clocks[seat].left == 42_000
    sound(match, log + match.collect())


def _act(match: Match) -> Act:
    """What the bot of the match does at the open decision."""
    decision = match.pos.decision
    assert decision is not None
    offer = decision.offers[decision.seats[0]]
    assert offer is not None
    return answer(SETUP, decision.n, offer)


@pytest.mark.parametrize(("effect", "best_of"), [("", 1), ("game loss", 3), ("match loss", 3)])
def test_a_flag_leads_to_what_the_policy_says(effect: str, best_of: int) -> None:
    match = begin(best_of=best_of, clocks=Clocks(seat=10_000, flag=effect))
    log = match.collect()
    assert match.pos.decision is not None
    seat = match.pos.decision.seats[0]
    refused("TIME_LEFT", clocks.flag, match, Official("Joy", 9_000), seat)
    refused("TIME_LEFT", clocks.flag, match, Official("Joy", 90_000), 1 - seat)
    refused("NO_SUCH_CLOCK", clocks.flag, match, Official("Joy", 90_000), 7)
    assert match.collect() == []
    clocks.flag(match, Official("Joy", 11_000), seat)
    log += match.collect()
    assert match.pos.score[1 - seat] == bool(effect)
    assert match.pos.over == (effect == "match loss")
    assert match.pos.clocks[f"seat/{seat}"].left == -1_000
    if effect:
        lost = next(e for e in log if isinstance(e.event, ev.SeatLost))
        assert lost.cites == ("policy:clocks.flag", "house:clock", "house:official")
    sound(match, log)


# -- the end of time -------------------------------------------------------------------------------


@pytest.mark.parametrize("setup", [SETUP, FLUX])
def test_after_time_is_called_the_turn_is_finished_and_so_many_more_are_played(
    setup: Setup,
) -> None:
    tiebreaks = ("shield", "deck") if setup is SETUP else ("-damage", "guard")
    match = begin(setup, 3, end=EndOfTime(turns=2, tiebreaks=tiebreaks))
    log = match.collect()
    play_to(match, 3, setup)
    clocks.call_time(match, by(match))
    assert (match.pos.called, match.pos.extra) == (True, 2)
    refused("TIME_CALLED", clocks.call_time, match, by(match))
    while not match.pos.over:
        take_turn(match, setup)
    log += match.collect()
    turns = [e.event.n for e in log if isinstance(e.event, ev.TurnBegan)]
    assert max(turns) == 5
    ended = [e.event for e in log if isinstance(e.event, ev.GameEnded)]
    assert [one.why for one in ended] == ["time"]
    lost = next(e for e in log if isinstance(e.event, ev.SeatLost))
    assert lost.cites[0].startswith("policy:end.tiebreaks.")
    assert lost.cites[1:] == ("policy:end.turns", "house:time")
    assert next(e for e in reversed(log) if isinstance(e.event, ev.MatchEnded)).cites[0] == (
        "house:time"
    )
    assert isinstance(lost.event, ev.SeatLost)
    assert lost.event.seats == (match.pos.rival(match.pos.winner),)
    sound(match, log, setup)


def test_without_a_tie_break_time_ends_in_a_draw() -> None:
    match = begin(end=EndOfTime())
    log = match.collect()
    play_to(match, 2)
    clocks.call_time(match, by(match))
    while not match.pos.over:
        take_turn(match, SETUP)
    assert (match.pos.turn, match.pos.winner, match.pos.why) == (2, -1, "both")
    assert match.pos.lost == {0: "time", 1: "time"}
    sound(match, log + match.collect())


def test_minutes_end_by_an_official_and_seats_may_not_act_after_them() -> None:
    match = begin(end=EndOfTime(ms=5_000, tiebreaks=("deck",)))
    log = match.collect()
    play_to(match, 2)
    refused("TIME_NOT_CALLED", clocks.decide, match, by(match))
    clocks.call_time(match, by(match))
    assert match.pos.extra == -1
    decision, late = match.pos.decision, match.pos.time + 5_001
    assert decision is not None
    seat, act = decision.seats[0], _act(match)
    for origin in ("seat", "implied", "timeout"):
        refused("TIME_OVER", match.choose, seat, decision.n, act, late, "", origin)
    refused("TIME_OVER", match.interject, seat, "concede", late)
    over = match.why_not(seat, act, late)
    assert over is not None
    assert over.fault == "TIME_OVER"
    assert match.why_not(seat, act, match.pos.time) is None
    clocks.pause(match, by(match))
    assert too_late(match.pos, late + 60_000) is None
    clocks.go_on(match, by(match, 60_000))
    assert too_late(match.pos, match.pos.time + 4_000) is None
    assert too_late(match.pos, match.pos.time + 6_000) is not None
    clocks.decide(match, by(match, 6_000))
    assert match.pos.over
    refused("MATCH_OVER", clocks.call_time, match, by(match))
    refused("MATCH_OVER", clocks.decide, match, by(match))
    sound(match, log + match.collect())


def _concede(match: Match, seat: int, now: int) -> None:
    match.interject(seat, "concede", now)


def _answer(match: Match, seat: int, now: int) -> None:
    assert match.pos.decision is not None
    match.choose(seat, match.pos.decision.n, _act(match), now)


@pytest.mark.parametrize("do", [_concede, _answer])
def test_what_came_after_the_limit_is_found_by_verification(do: Any) -> None:
    """What a seat did in time, and the record was altered to say it did too late."""
    match = begin(end=EndOfTime(ms=5_000, tiebreaks=("deck",)))
    log = match.collect()
    play_to(match, 2)
    clocks.call_time(match, by(match))
    log += match.collect()
    assert match.pos.decision is not None
    do(match, match.pos.decision.seats[0], match.pos.time + 1_000)
    late = [replace(entry, time=entry.time + 9_000) for entry in match.collect()]
    found = verify([*log, *late], SETUP.rules)
    assert (found.kind, found.seq) == (DIVERGED, late[0].seq)
    assert found.reason == "no seat could have done that"


def test_tie_breaks_are_asked_in_order_and_a_minus_turns_one_around() -> None:
    manifest = SETUP.rules.manifest
    p = Position()
    p.zones = {"shield/0": [1, 2], "shield/1": [3, 4], "deck/0": [5], "deck/1": [6, 7]}
    for tiebreaks, losers, rule in [
        (("shield", "deck"), (0,), "policy:end.tiebreaks.deck"),
        (("shield", "-deck"), (1,), "policy:end.tiebreaks.-deck"),
        (("shield",), (0, 1), "policy:end.tiebreaks"),
    ]:
        p.heading.policy = Policy(end=EndOfTime(tiebreaks=tiebreaks))
        assert timekeeping.behind(p, manifest) == (losers, rule)


def _took(*places: str, sign: str = "", at_once: bool = False) -> tuple[int, ...]:
    """Who is behind, after cards have left these places one after the other."""
    end = EndOfTime(tiebreaks=(f"{sign}last(shield+base)",))
    events: list[AnyEvent] = [match_opened(policy=Policy(end=end))]
    for n, place in enumerate(places, 1):
        events += [made(place, n), moved(place, "trash/0", {n: n})]
    entries = log(*events)
    if at_once:
        entries = [replace(entry, moment=1) for entry in entries]
    return timekeeping.behind(fold_all(entries), SETUP.rules.manifest)[0]


def test_a_tie_break_may_ask_who_took_the_last_card_out_of_zones() -> None:
    assert _took("shield/0", "shield/1", "deck/0") == (0,)
    assert _took("shield/1", "base/0") == (1,)
    assert _took("shield/1", "base/0", sign="-") == (0,)
    assert _took("hand/0") == (0, 1)
    assert _took("shield/0", "base/1", at_once=True) == (0, 1)
    refused("BAD_POLICY", lambda: begin(end=EndOfTime(tiebreaks=("last(life)",))))


def test_figures_of_zones_are_summed_and_some_count_only_below_a_number() -> None:
    manifest = SETUP.rules.manifest
    p = Position()
    p.zones = {"shield/0": [1, 2], "shield/1": [3], "base/0": [], "base/1": [4], "deck/0": [5]}
    for tiebreaks, losers, rule in [
        (("shield",), (1,), "policy:end.tiebreaks.shield"),
        (("shield+base",), (0, 1), "policy:end.tiebreaks"),
        (("shield+base", "deck"), (1,), "policy:end.tiebreaks.deck"),
        (("-base+deck", "deck"), (1,), "policy:end.tiebreaks.deck"),
        (("shield<1", "deck"), (1,), "policy:end.tiebreaks.deck"),
        (("shield<2",), (1,), "policy:end.tiebreaks.shield<2"),
    ]:
        p.heading.policy = Policy(end=EndOfTime(tiebreaks=tiebreaks))
        assert timekeeping.behind(p, manifest) == (losers, rule)


MANUAL = "trm:5.2"


@pytest.mark.parametrize(("turn", "last"), [(3, 6), (4, 6)])
def test_extra_turns_are_fewer_in_the_turn_of_who_goes_second(turn: int, last: int) -> None:
    match = begin(end=EndOfTime(3, fewer=1, rule=MANUAL))
    log = match.collect()
    play_to(match, turn)
    clocks.call_time(match, by(match))
    while not match.pos.over:
        take_turn(match, SETUP)
    assert match.pos.turn == last
    log += match.collect()
    lost = next(e for e in log if isinstance(e.event, ev.SeatLost))
    assert lost.cites == ("policy:end.tiebreaks", MANUAL, "policy:end.turns", "house:time")
    sound(match, log)


def test_who_has_won_more_games_wins_as_time_is_called() -> None:
    match = begin(best_of=3, end=EndOfTime(3, lead=True, rule=MANUAL))
    log = match.collect()
    play_to(match, 2)
    rulings.penalise(match, by(match), 0, "game-loss", "late")
    while match.pos.turn < 2:
        take_turn(match, SETUP)
    clocks.call_time(match, by(match))
    assert (match.pos.over, match.pos.winner, match.pos.score) == (True, 1, [0, 1])
    log += match.collect()
    lost = [e for e in log if isinstance(e.event, ev.SeatLost)][-1]
    assert lost.cites[:2] == ("policy:end.lead", MANUAL)
    sound(match, log)


@pytest.mark.parametrize("between", [True, False])
def test_between_two_games_the_policy_says_whether_another_is_played(between: bool) -> None:
    match = begin(best_of=3, end=EndOfTime(2, between=between, tiebreaks=("deck",)))
    log = match.collect()
    play_to(match, 2)
    rulings.penalise(match, by(match), 0, "game-loss", "late")
    assert (match.pos.game, match.pos.turn) == (2, 0)
    clocks.call_time(match, by(match))
    assert match.pos.over == between
    while not match.pos.over:
        take_turn(match, SETUP)
    log += match.collect()
    turns = [e.event.n for e in log if isinstance(e.event, ev.TurnBegan)]
    if between:
        assert (match.pos.winner, match.pos.score) == (1, [0, 1])
        lost = [e for e in log if isinstance(e.event, ev.SeatLost)][-1]
        assert lost.cites[0] == "policy:end.between"
    else:  # straight under extra turns
        assert turns[-2:] == [1, 2]
    sound(match, log)


def level(best_of: int = 1, **end: Any) -> tuple[Match, list[Entry]]:
    """A match that time ends, and no comparison differs."""
    match = begin(best_of=best_of, end=EndOfTime(**end))
    log = match.collect()
    play_to(match, 2)
    clocks.call_time(match, by(match))
    while not match.pos.over and match.pos.turn < 6:
        take_turn(match, SETUP)
    return match, log + match.collect()


def test_a_level_match_may_be_lost_by_both() -> None:
    match, log = level(level="both lose", rule=MANUAL)
    assert (match.pos.winner, match.pos.score) == (-1, [0, 0])
    assert set(match.pos.lost.values()) == {series.BY_TIME}
    assert series.lost_by_all(match.pos)
    ended = next(e for e in log if isinstance(e.event, ev.MatchEnded))
    assert ended.cites[:3] == ("policy:end.level", MANUAL, "house:time")
    sound(match, log)


@pytest.mark.parametrize("between", [True, False])
def test_a_match_is_level_too_where_a_game_has_made_it_so(between: bool) -> None:
    """One all: as time is called between two games, or as the second ends after it was called."""
    match = begin(best_of=3, end=EndOfTime(9, between=True, level="both lose"))
    play_to(match, 2)
    rulings.penalise(match, by(match), 0, "game-loss", "late")
    play_to(match, 2)
    if not between:
        clocks.call_time(match, by(match))
    rulings.penalise(match, by(match), 1, "game-loss", "late")
    if between:
        clocks.call_time(match, by(match))
    assert (match.pos.over, match.pos.winner, match.pos.score) == (True, -1, [1, 1])
    assert series.lost_by_all(match.pos)


def test_a_level_match_may_be_decided_by_a_lot() -> None:
    match, log = level(level="lots", rule=MANUAL)
    drawn = [e for e in log if isinstance(e.event, ev.ChanceDrawn)][-1]
    assert drawn.cites == ("policy:end.level", MANUAL, "house:time")
    assert isinstance(drawn.event, ev.ChanceDrawn)
    assert drawn.event.result.value is not None
    assert match.pos.winner == drawn.event.result.value[0]
    sound(match, log)


def test_a_level_match_may_be_played_on_turn_by_turn() -> None:
    match, log = level(level="play on", tiebreaks=("shield<1",))
    assert (match.pos.over, match.pos.turn, match.pos.extra) == (False, 6, 0)
    began = [e for e in log if isinstance(e.event, ev.TurnBegan)]
    assert {"policy:end.level", "house:time"} <= {*began[-1].cites}
    clocks.decide(match, by(match))
    assert match.pos.over
    sound(match, log + match.collect())


@pytest.mark.parametrize("together", ["", "turn player"])
def test_where_all_lose_at_once_the_turn_player_may_be_the_loser(together: str) -> None:
    match = begin(together=together)
    play_to(match, 2)
    match.collect()
    t, turn = match.table, match.pos.turn_seat
    t.emit(ev.SeatLost((0, 1), "shield"), "gcg:1-2-2")
    assert [*series.conclude(t, ("gcg:1-2-1",), ("gcg:1-3-4",), ("gcg:1-2-1-1",), "")] == []
    ended = next(e for e in match.collect() if isinstance(e.event, ev.GameEnded))
    if together:
        assert (match.pos.winner, ended.cites) == (1 - turn, ("policy:together", "gcg:1-2-1"))
    else:
        assert (match.pos.winner, ended.cites) == (-1, ("gcg:1-3-4",))


def test_what_has_begun_is_played_to_its_end_after_the_minutes() -> None:
    p = Position()
    p.deadline = 1
    for finish, found in [(False, "TIME_OVER"), (True, None)]:
        p.heading.policy = Policy(end=EndOfTime(ms=1, finish=finish))
        p.heading.mode = "dealer"
        p.attack = Attack(1, 2, 2)
        late = too_late(p, 5)
        assert (late.fault if late is not None else None) == found
        p.attack = None
        assert too_late(p, 5) is not None


def test_a_tie_break_must_mean_something_in_the_game() -> None:
    refused("BAD_POLICY", lambda: begin(end=EndOfTime(tiebreaks=("life",))))
    refused("BAD_POLICY", lambda: begin(end=EndOfTime(turns=-1)))
    refused("BAD_POLICY", lambda: begin(end=EndOfTime(turns=1, fewer=2)))
    refused("BAD_POLICY", lambda: begin(end=EndOfTime(tiebreaks=("shield+life",))))
    refused("BAD_POLICY", lambda: begin(end=EndOfTime(level="whatever")))
    refused("BAD_POLICY", lambda: begin(end=EndOfTime(rule="trm:0")))
    refused("BAD_POLICY", lambda: begin(together="nobody"))
    refused("BAD_POLICY", lambda: begin(clocks=Clocks(seat=1, flag="shame")))


def _dealt() -> Match:
    return begin(end=EndOfTime(ms=5_000))


def _at_a_table() -> Match:
    policy = Policy(end=EndOfTime(ms=5_000))
    given = replace(opening(SETUP), policy=policy, mode="table", rolls=((0,),))
    return Match.open(SETUP.rules, given, Dice(SETUP.seed))


def _fork() -> Match:
    return resume(SETUP, rewind.fork(_dealt().collect(), "origin", 1))


@pytest.mark.parametrize(
    ("opened", "fault"), [(_dealt, "TIME_OVER"), (_at_a_table, None), (_fork, None)]
)
def test_nothing_is_too_late_at_a_real_table_or_in_a_fork(opened: Any, fault: str | None) -> None:
    match = opened()
    clocks.call_time(match, by(match))
    decision, late = match.pos.decision, match.pos.time + 6_000
    assert decision is not None
    if fault:
        refused(fault, _answer, match, decision.seats[0], late)
    else:
        _answer(match, decision.seats[0], late)
        assert match.pos.time == late
