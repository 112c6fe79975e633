"""Picks that must add up, by taps: the sum so far, what is left, and the act once it fits."""

from __future__ import annotations

import pytest

from domain.engine.match import Match
from domain.games import rulebook
from domain.record.position import Position
from domain.scorekeeping import picking
from domain.scorekeeping.line.input_line import InputLine
from domain.scorekeeping.picking import Picking
from domain.scorekeeping.session import Session
from domain.telling.book import Book
from domain.text.notation import parse
from domain.text.scenario import load
from domain.text.scenario.setting import lay

RULES = rulebook("yugioh")
RITUAL = """scenario Ritual
game yugioh

position
    A hand: White Dragon Ritual, Paladin of White Dragon, Kuriboh
    A monster: Gemini Elf, Junk Synchron, Summoned Skull

A: activate White Dragon Ritual
"""


class Here(Session):
    """A session at the position of a match."""

    def __init__(self, match: Match) -> None:
        super().__init__("m", Book.of(match.rules))
        self.at = match

    @property
    def pos(self) -> Position:
        return self.at.pos


@pytest.fixture(scope="module")
def ritual() -> InputLine:
    """The Tributes for a Ritual Monster of Level 4 are asked for, of Levels 1, 3, 4 and 6."""
    match = Match(RULES, lay(RULES, load(RITUAL).setting, "Ritual"), lambda kind, of: (0,))
    match.driver.start()
    for typed in ("activate White Dragon Ritual", "pass", "pass", "choose Paladin of White Dragon"):
        decision = match.pos.decision
        assert decision is not None
        seat = decision.seats[0]
        act = parse(typed, match.pos, RULES, seat, decision.offers[seat])
        match.choose(seat, decision.n, act, match.pos.time + 1)
    return InputLine(Here(match))


def picked(line: InputLine, *names: str) -> Picking:
    """What is there once these are tapped, one after the other."""
    (one,) = picking.possible(line)
    found = picking.going_on(line, one.seat, one.option, ())
    for name in names:
        assert found is not None
        free = {pick.name: pick for pick in found.free}
        done = [(pick.ref, pick.card) for pick in (*found.picked, free[name])]
        found = picking.going_on(line, one.seat, one.option, done)
    assert found is not None
    return found


def summed(found: Picking) -> list[tuple[int, int]]:
    assert all(one.most is None for one in found.totals), "more may be picked, none superfluous"
    return [(one.n, one.least) for one in found.totals]


def test_the_sum_is_shown_as_it_grows_and_the_act_is_there_once_it_fits(ritual: InputLine) -> None:
    before = picked(ritual)
    assert summed(before) == [(0, 4)]
    assert before.tap is None
    assert {one.name for one in before.free} == {
        "Gemini Elf", "Junk Synchron", "Summoned Skull", "Kuriboh",
    }  # fmt: skip
    first = picked(ritual, "Junk Synchron")
    assert summed(first) == [(3, 4)]
    assert first.tap is None
    both = picked(ritual, "Junk Synchron", "Kuriboh")
    assert summed(both) == [(4, 4)]
    assert both.tap is not None
    assert both.tap.bare == "make Junk Synchron, Kuriboh"
    assert not both.free, "none of them may be superfluous"


def test_what_would_be_superfluous_is_not_free(ritual: InputLine) -> None:
    alone = picked(ritual, "Summoned Skull")
    assert alone.tap is not None
    assert summed(alone) == [(6, 4)]
    assert not alone.free
    assert {one.name for one in picked(ritual, "Kuriboh").free} == {"Junk Synchron"}


def test_the_line_of_the_act_means_the_same(ritual: InputLine) -> None:
    tap = picked(ritual, "Junk Synchron", "Kuriboh").tap
    assert tap is not None
    t = ritual.table(tap.command.seat)
    assert parse(tap.bare, t.pos, RULES, t.seat, t.offer) == tap.command.act


def test_payments_are_left_as_they_come() -> None:
    rules = rulebook("battle_spirits")
    board = """scenario Payments
game battle_spirits

position
    A hand: Goon-Gata, Sertarius
    A field: Gen-Bor [core 3], Mushakko [core 2]
    counters A reserve: core 6

A: end phase
"""
    match = Match(rules, lay(rules, load(board).setting, "Payments"), lambda kind, of: (0,))
    match.driver.start()
    kinds = {one.title.split(" ")[0] for one in picking.possible(InputLine(Here(match)))}
    assert not kinds & {"summon", "place", "move"}
