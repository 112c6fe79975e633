"""Auto-passes, on the toy game: what ends them, what is refused, what others see of them.

In that game passing ends a turn, so whoever leaves one plays no card. That real games are played so
in any order is in `properties/play/test_standing`.
"""

from __future__ import annotations

import pytest

from domain import games
from domain.engine.match import Match, Refused, Stale
from domain.engine.naming import Inputs
from domain.engine.passes.standing import MOST, STEPS, Standing
from domain.officials import clocks
from domain.officials.corrections.correcting import correct
from domain.officials.corrections.fixes import Fix
from domain.officials.frame import Official
from domain.record.decisions import Act
from domain.record.entries import Entry
from domain.record.events import DecisionMade
from domain.record.views import OFFICIAL, PUBLIC, STANDING, redact
from tests.playouts import PAIRS, Setup
from tests.support.standing import play_lazily
from tests.unit.engine.test_match import opened
from tests.unit.officials.test_corrections import main

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
    match.leave(0, 1, Standing(), 700, "t-7")
    act(match)
    log = match.collect()
    assert made(log) == [(0, STANDING, 700), (1, "seat", 1000), (0, STANDING, 0)]
    tickets = [e.event.ticket.value for e in log if isinstance(e.event, DecisionMade)]
    assert tickets == ["t-7", "", ""]
    assert match.pos.decision is not None
    assert match.pos.decision.seats == [1]


@pytest.mark.parametrize(
    ("left", "does", "ended"),
    [
        (Standing(), "play", False),
        (Standing(turn=True), "pass", True),
        (Standing(turn=True), "play", False),
        (Standing(rival=True), "pass", False),
        (Standing(rival=True), "play", True),
        (Standing(steps=("main",)), "pass", False),
    ],
)  # fmt: skip
def test_it_ends_by_what_it_says(left: Standing, does: str, ended: bool) -> None:
    match = opened()
    match.leave(1, 1, left, 5)
    act(match, does)
    assert (1 not in match.standing) == ended


def test_it_passes_only_in_the_steps_that_it_names() -> None:
    match = opened()
    match.leave(1, 1, Standing(steps=("draw",)), 5)
    act(match)
    assert match.pos.decision is not None
    assert (match.pos.decision.seats, match.pos.step) == ([1], "main")
    assert 1 in match.standing


def test_one_that_is_withdrawn_answers_nothing() -> None:
    match = opened()
    match.leave(1, 1, Standing(), 5)
    match.withdraw(1)
    match.withdraw(0)
    act(match)
    assert made(match.collect()) == [(0, "seat", 1000)]


def test_a_later_one_takes_the_place_of_the_first() -> None:
    match = opened()
    match.leave(1, 1, Standing(), 5)
    match.leave(1, 1, Standing(rival=True), 6)
    act(match, "play")
    assert match.standing == {}


def test_both_seats_may_leave_one_and_the_match_comes_to_its_end() -> None:
    match = opened()
    match.leave(1, 1, Standing(), 5)
    match.leave(0, 1, Standing(), 5)
    assert match.pos.over
    assert match.standing == {}
    assert [origin for _, origin, _ in made(match.collect())] == [STANDING] * 4


def test_nobody_is_answered_for_without_end() -> None:
    match = opened(options={"turns": 3 * MOST})
    match.leave(1, 1, Standing(), 5)
    match.leave(0, 1, Standing(), 5)
    assert not match.pos.over
    assert len(made(match.collect())) == MOST


@pytest.mark.parametrize(
    ("seat", "n", "left", "fault"),
    [
        (0, 2, Standing(), "STALE"),
        (0, 1, Standing(steps=("nowhere",)), "BAD_STANDING"),
        (0, 1, Standing(steps=("main",) * (STEPS + 1)), "BAD_STANDING"),
        (2, 1, Standing(), "BAD_STANDING"),
        (-1, 1, Standing(), "BAD_STANDING"),
    ],
)
def test_what_is_refused_leaves_no_trace(seat: int, n: int, left: Standing, fault: str) -> None:
    match = opened()
    match.collect()
    match.leave(1, 1, Standing(rival=True), 5)
    with pytest.raises((Refused, Stale)) as caught:
        match.leave(seat, n, left, 9)
    if isinstance(caught.value, Refused):
        assert caught.value.refusal.fault == fault
        assert caught.value.refusal.rules == ("house:standing",)
    assert match.collect() == []
    assert match.standing == {1: Standing(rival=True, game=1, began=1)}


def test_what_cant_be_named_is_refused_and_leaves_no_trace() -> None:
    match = opened()
    match.collect()
    with pytest.raises(Refused) as caught:
        match.leave(0, 1, Standing(), 9, inputs=Inputs({1: "T01"}))
    assert caught.value.refusal.fault == "NOT_ASKED"
    assert (match.collect(), match.standing) == ([], {})


def test_nothing_is_left_while_the_match_stands_still_or_is_over() -> None:
    match = opened()
    match.leave(1, 1, Standing(), 5)
    clocks.pause(match, JUDGE)
    with pytest.raises(Refused) as caught:
        match.leave(0, 1, Standing(), 9)
    assert caught.value.refusal.fault == "PAUSED"
    match.withdraw(1)
    clocks.go_on(match, JUDGE)
    match.interject(0, "concede", 10)
    with pytest.raises(Refused) as caught:
        match.leave(1, 1, Standing(), 9)
    assert caught.value.refusal.fault == "NOT_ASKED"


def test_the_end_of_a_game_ends_them() -> None:
    match = opened(best_of=3)
    match.leave(1, 1, Standing(), 5)
    match.interject(0, "concede", 10)
    assert match.standing == {}


def test_only_officials_who_change_the_table_end_them() -> None:
    match, _, seat = main()
    match.leave(1 - seat, match.pos.decisions, Standing(), match.pos.time)
    clocks.pause(match, JUDGE)
    clocks.go_on(match, JUDGE)
    assert match.standing
    draw = Fix("draw", n=2, src=f"deck/{seat}", place=f"hand/{seat}")
    correct(match, JUDGE, [draw])
    assert match.standing == {}


@pytest.mark.parametrize(
    ("viewer", "origin"), [(OFFICIAL, STANDING), (0, STANDING), (1, "seat"), (PUBLIC, "seat")]
)
def test_whence_an_answer_came_is_the_seats_own(viewer: int, origin: str) -> None:
    match = opened()
    match.collect()
    match.leave(0, 1, Standing(turn=True), 700)
    assert made([redact(entry, viewer) for entry in match.collect()]) == [(0, origin, 700)]


@pytest.mark.parametrize("game", [*games.names(), "lamps"])
def test_every_game_says_what_passes(game: str) -> None:
    """A row of the table of acts with `passes=True`, for each window at least."""
    rules = Setup(1, PAIRS[game][0]).rules
    assert rules.passes <= rules.idle
    assert play_lazily(Setup(3, PAIRS[game][0]), most=150).stood
