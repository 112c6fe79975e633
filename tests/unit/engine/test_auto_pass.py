"""Auto-passes, on the toy game: what ends them, what is refused, what others see of them.

In that game passing ends a turn, so whoever leaves one plays no card. That real games are played so
in any order is in `properties/play/test_auto_pass`.
"""

from __future__ import annotations

import pytest

from domain import games
from domain.engine.match import Match, Refused, Stale
from domain.engine.naming import Inputs
from domain.engine.passes.autopass import MOST, STEPS, AutoPass
from domain.officials import clocks
from domain.officials.corrections.correcting import correct
from domain.officials.corrections.fixes import Fix
from domain.officials.frame import Official
from domain.record.decisions import Act
from domain.record.entries import Entry
from domain.record.events import DecisionMade
from domain.record.views import AUTO, OFFICIAL, PUBLIC, redact
from tests.playouts import PAIRS, Setup
from tests.support.auto_pass import play_lazily
from tests.unit.engine.test_match import opened
from tests.unit.officials.test_corrections import PLAIN, at

JUDGE = Official("Jo", 5, "so it was")


def made(log: list[Entry]) -> list[tuple[int, str, int]]:
    """Who answered, whence it came, how long it took."""
    return [
        (e.event.seat, e.event.origin, e.event.ms) for e in log if isinstance(e.event, DecisionMade)
    ]


def act(match: Match, kind: str = "pass") -> None:
    """Whoever is to decide does something, a second later."""
    decision = match.pos.decision
    assert decision is not None
    seat = decision.seats[0]
    offer = decision.offers[seat]
    assert offer is not None
    option = next(one for one in offer.options if one.kind == kind)
    match.choose(seat, decision.n, Act(kind, option.card), match.pos.time + 1000)


def test_it_answers_what_is_open_and_what_comes() -> None:
    match = opened()
    match.collect()
    match.set_auto_pass(0, 1, AutoPass(), 700, "t-7")
    act(match)
    log = match.collect()
    assert made(log) == [(0, AUTO, 700), (1, "seat", 1000), (0, AUTO, 0)]
    tickets = [e.event.ticket.value for e in log if isinstance(e.event, DecisionMade)]
    assert tickets == ["t-7", "", ""]
    assert match.pos.decision is not None
    assert match.pos.decision.seats == [1]


@pytest.mark.parametrize(
    ("left", "does", "ended"),
    [
        (AutoPass(), "play", False),
        (AutoPass(turn=True), "pass", True),
        (AutoPass(turn=True), "play", False),
        (AutoPass(rival=True), "pass", False),
        (AutoPass(rival=True), "play", True),
        (AutoPass(steps=("main",)), "pass", False),
    ],
)  # fmt: skip
def test_it_ends_by_what_it_says(left: AutoPass, does: str, ended: bool) -> None:
    match = opened()
    match.set_auto_pass(1, 1, left, 5)
    act(match, does)
    assert (1 not in match.auto_passes) == ended


def test_it_passes_only_in_the_steps_that_it_names() -> None:
    match = opened()
    match.set_auto_pass(1, 1, AutoPass(steps=("draw",)), 5)
    act(match)
    assert match.pos.decision is not None
    assert (match.pos.decision.seats, match.pos.step) == ([1], "main")
    assert 1 in match.auto_passes


def test_one_that_is_withdrawn_answers_nothing() -> None:
    match = opened()
    match.set_auto_pass(1, 1, AutoPass(), 5)
    match.withdraw_auto_pass(1)
    match.withdraw_auto_pass(0)
    act(match)
    assert made(match.collect()) == [(0, "seat", 1000)]


def test_a_later_one_takes_the_place_of_the_first() -> None:
    match = opened()
    match.set_auto_pass(1, 1, AutoPass(), 5)
    match.set_auto_pass(1, 1, AutoPass(rival=True), 6)
    act(match, "play")
    assert match.auto_passes == {}


def test_both_seats_may_leave_one_and_the_match_comes_to_its_end() -> None:
    match = opened()
    match.set_auto_pass(1, 1, AutoPass(), 5)
    match.set_auto_pass(0, 1, AutoPass(), 5)
    assert match.pos.over
    assert match.auto_passes == {}
    assert [origin for _, origin, _ in made(match.collect())] == [AUTO] * 4


def test_nobody_is_answered_for_without_end() -> None:
    match = opened(options={"turns": 3 * MOST})
    match.set_auto_pass(1, 1, AutoPass(), 5)
    match.set_auto_pass(0, 1, AutoPass(), 5)
    assert not match.pos.over
    assert len(made(match.collect())) == MOST


@pytest.mark.parametrize(
    ("seat", "n", "left", "fault"),
    [
        (0, 2, AutoPass(), "STALE"),
        (0, 1, AutoPass(steps=("nowhere",)), "BAD_AUTO_PASS"),
        (0, 1, AutoPass(steps=("main",) * (STEPS + 1)), "BAD_AUTO_PASS"),
        (2, 1, AutoPass(), "BAD_AUTO_PASS"),
        (-1, 1, AutoPass(), "BAD_AUTO_PASS"),
    ],
)
def test_what_is_refused_leaves_no_trace(seat: int, n: int, left: AutoPass, fault: str) -> None:
    match = opened()
    match.collect()
    match.set_auto_pass(1, 1, AutoPass(rival=True), 5)
    with pytest.raises((Refused, Stale)) as caught:
        match.set_auto_pass(seat, n, left, 9)
    if isinstance(caught.value, Refused):
        assert caught.value.refusal.fault == fault
        assert caught.value.refusal.rules == ("house:auto-pass",)
    assert match.collect() == []
    assert match.auto_passes == {1: AutoPass(rival=True, game=1, began=1)}


def test_what_cant_be_named_is_refused_and_leaves_no_trace() -> None:
    match = opened()
    match.collect()
    with pytest.raises(Refused) as caught:
        match.set_auto_pass(0, 1, AutoPass(), 9, inputs=Inputs({1: "T01"}))
    assert caught.value.refusal.fault == "NOT_ASKED"
    assert (match.collect(), match.auto_passes) == ([], {})


def test_nothing_is_left_while_the_match_stands_still_or_is_over() -> None:
    match = opened()
    match.set_auto_pass(1, 1, AutoPass(), 5)
    clocks.pause(match, JUDGE)
    with pytest.raises(Refused) as caught:
        match.set_auto_pass(0, 1, AutoPass(), 9)
    assert caught.value.refusal.fault == "PAUSED"
    match.withdraw_auto_pass(1)
    clocks.go_on(match, JUDGE)
    match.interject(0, "concede", 10)
    with pytest.raises(Refused) as caught:
        match.set_auto_pass(1, 1, AutoPass(), 9)
    assert caught.value.refusal.fault == "NOT_ASKED"


def test_the_end_of_a_game_ends_them() -> None:
    match = opened(best_of=3)
    match.set_auto_pass(1, 1, AutoPass(), 5)
    match.interject(0, "concede", 10)
    assert match.auto_passes == {}


def test_only_officials_who_change_the_table_end_them() -> None:
    match, _ = at("main", PLAIN)
    seat = match.pos.turn_seat
    match.set_auto_pass(1 - seat, match.pos.decisions, AutoPass(), match.pos.time)
    clocks.pause(match, JUDGE)
    clocks.go_on(match, JUDGE)
    assert match.auto_passes
    draw = Fix("draw", n=2, src=f"deck/{seat}", place=f"hand/{seat}")
    correct(match, JUDGE, [draw])
    assert match.auto_passes == {}


@pytest.mark.parametrize(
    ("viewer", "origin"), [(OFFICIAL, AUTO), (0, AUTO), (1, "seat"), (PUBLIC, "seat")]
)
def test_whence_an_answer_came_is_the_seats_own(viewer: int, origin: str) -> None:
    match = opened()
    match.collect()
    match.set_auto_pass(0, 1, AutoPass(turn=True), 700)
    assert made([redact(entry, viewer) for entry in match.collect()]) == [(0, origin, 700)]


@pytest.mark.parametrize("game", [*games.names(), "lamps"])
def test_every_game_says_what_passes(game: str) -> None:
    """A row of the table of acts with `passes=True`, for each window at least."""
    rules = Setup(1, PAIRS[game][0]).rules
    assert rules.passes <= rules.idle
    assert play_lazily(Setup(3, PAIRS[game][0]), most=150).stood
