"""Passes that an act implies at a real table: recorded with it or not at all."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.engine.match import Match, Refused, Stale
from domain.engine.naming import NOTHING, Misstated
from domain.engine.passes import implying
from domain.record.decisions import Act
from domain.record.entries import Entry
from domain.record.events import DecisionMade
from domain.record.folding.fold import fold_all
from replay_cli.playing.fuzz.tables import no_dice
from tests.unit.engine.test_match import OPENING, TOY


def at_table(turns: int = 8, mode: str = "table") -> Match:
    """A match of the toy game at its first decision: passing ends a turn there."""
    match = Match.open(TOY, replace(OPENING, mode=mode, options={"turns": turns}), no_dice)
    match.collect()
    return match


def pass_and_choose(match: Match, seat: int, n: int, act: str, now: int, passes: int) -> None:
    implying.after_passes(
        match, passes, n, now, NOTHING, lambda n: match.choose(seat, n, Act(act), now)
    )


def given(log: list[Entry]) -> list[tuple[int, str, int]]:
    made = [entry.event for entry in log if isinstance(entry.event, DecisionMade)]
    return [(one.seat, one.origin, one.n) for one in made]


@pytest.mark.parametrize("passes", [0, 1, 4])
def test_passes_of_either_seat_are_recorded_with_the_act(passes: int) -> None:
    match, seat = at_table(), passes % 2
    pass_and_choose(match, seat, 1, "pass", 700, passes)
    log = match.collect()
    assert given(log) == [
        *((n % 2, "implied", n + 1) for n in range(passes)),
        (seat, "seat", passes + 1),
    ]
    assert {entry.time for entry in log if isinstance(entry.event, DecisionMade)} == {700}


@pytest.mark.parametrize(
    ("seat", "n", "passes", "act", "wrong", "rules"),
    [
        (0, 2, 2, "pass", Stale, ()),
        (1, 1, 2, "pass", Misstated, ("toy:4-1", "toy:4")),  # it is the other seat's by then
        (0, 1, 2, "juggle", Misstated, ("toy:4",)),
        (0, 1, 9, "pass", Misstated, ("house:implied",)),  # the match is over by then
    ],
)
def test_what_is_refused_after_passes_makes_the_match_unfit(
    seat: int, n: int, passes: int, act: str, wrong: type[Exception], rules: tuple[str, ...]
) -> None:
    match = at_table()
    with pytest.raises(wrong) as caught:
        pass_and_choose(match, seat, n, act, 5, passes)
    if isinstance(caught.value, Refused):
        assert caught.value.refusal.rules == rules


def test_nothing_is_implied_where_the_service_deals() -> None:
    match = Match.open(TOY, OPENING, lambda kind, of: tuple(range(of)))
    match.collect()
    with pytest.raises(Refused) as caught:
        pass_and_choose(match, 1, 1, "pass", 5, 1)
    assert caught.value.refusal.fault == "PASS_NOT_IMPLIED"
    assert match.collect() == []
    assert implying.foresee(match) == ([], False)


def test_it_is_foreseen_where_passes_lead() -> None:
    match, repeated = at_table(), at_table()
    entries, cut = implying.foresee(repeated)
    assert not cut
    assert [origin for _, origin, _ in given(entries)] == ["implied"] * 8
    before = match.pos
    assert fold_all(entries, before).over
