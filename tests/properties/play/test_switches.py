"""Switches of seats: what they pass, when, and that nobody can tell whether the seat could respond.

Matches of all games in which both seats are asked only where they could do something, and pass
there all the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.engine.checks.verify import EXACT, verify
from domain.engine.match import Match, Refused
from domain.engine.passes.autopass import pass_of
from domain.engine.passes.paced import held_until, next_paced
from domain.engine.passes.switches import ABLE, LEAST, MARKED, MOST, Switch, delay
from domain.engine.rulebook import Dice as Chance
from domain.record.decisions import Act
from domain.record.entries import Entry
from domain.record.events import DecisionMade
from domain.record.views import AUTO, PUBLIC
from tests.playouts import Dice, Setup, acts, answer, opening
from tests.properties.secrecy.twins import Twin, difference, permutation
from tests.properties.strategies import examples, setups

#: How long a seat takes for anything, in milliseconds: less than any delay.
THOUGHT = 90


class Played(NamedTuple):
    """A match, its answers by decision, and which of them switches gave."""

    log: list[Entry]
    answers: Mapping[int, Act]
    automatic: frozenset[int]


def play(
    setup: Setup, dice: Chance, asks: str = ABLE, answers: Mapping[int, Act] | None = None
) -> Played:
    """Play with switches: a seat that may pass does; else as a bot does, or as in `answers`."""
    match, log = Match.open(setup.rules, opening(setup), dice), list[Entry]()
    for seat in range(2):
        match.set_switch(seat, Switch(asks, secret=setup.seed + seat))
    log += match.collect()
    for _ in range(250):
        decision = match.pos.decision
        if match.pos.over or decision is None:
            break
        found = next_paced(match.auto_passes, match.pos, match.rules.passes)
        try:
            if found is not None:
                match.answer_paced(found.due - 1)
                assert match.collect() == []
                match.answer_paced(found.due)
            else:
                seat = decision.seats[0]
                offer = decision.offers[seat]
                assert offer is not None
                act = pass_of(match.rules.passes, offer)
                act = act or (answers or {}).get(decision.n) or answer(setup, decision.n, offer)
                held = held_until(match.auto_passes, match.pos, match.rules.passes, seat, act)
                match.choose(seat, decision.n, act, max(match.pos.time + THOUGHT, held))
        except Refused:  # in a twin: what was answered in the other can't be done
            break
        log += match.collect()
    made = [e.event for e in log if isinstance(e.event, DecisionMade)]
    given = {e.event.n: act for e, act in acts(log) if isinstance(e.event, DecisionMade)}
    return Played(log, given, frozenset(one.n for one in made if one.origin == AUTO))


def twin_of(setup: Setup, one: Played, viewer: int, rng: Random) -> tuple[Played, Twin]:
    """The same match with other cards where the viewer can't see them."""
    same, draws = permutation(one.log, viewer, rng)
    left = iter(draws)
    other = play(setup, lambda kind, of: next(left), ABLE, one.answers)
    return other, Twin(other.log, same, True)


@examples(6)
@given(setups(restless=False), st.sampled_from([0, 1, PUBLIC]), st.randoms(use_true_random=False))
def test_nobody_can_tell_whether_a_seat_could_respond(
    setup: Setup, viewer: int, rng: Random
) -> None:
    one = play(setup, Dice(setup.seed))
    _, twin = twin_of(setup, one, viewer, rng)
    assert difference(one.log, twin, viewer) is None
    assert verify(one.log, setup.rules).kind == EXACT


def test_twins_differ_in_who_was_asked() -> None:
    """Or the test above would show nothing."""
    differing = 0
    for seed in range(12):
        setup = Setup(seed, ("ST03", "ST01"))
        one = play(setup, Dice(seed))
        other, twin = twin_of(setup, one, 1, Random(seed))
        assert difference(one.log, twin, 1) is None
        differing += len(one.automatic ^ other.automatic)
    assert differing > 5


@examples(4)
@given(setups(restless=False))
def test_one_that_marks_nothing_is_never_asked_where_it_may_pass(setup: Setup) -> None:
    played = play(setup, Dice(setup.seed), MARKED)
    passes = setup.rules.passes
    answered = {n for n, act in played.answers.items() if act.kind in passes}
    assert answered - played.automatic <= {1}  # which was open when it was set


@pytest.mark.parametrize("secret", [0, 1, 2**62])
def test_delays_are_spread_and_bounded(secret: int) -> None:
    drawn = [delay(secret, n) for n in range(400)]
    assert all(LEAST <= one <= MOST for one in drawn)
    assert sum(one < (LEAST * MOST) ** 0.5 for one in drawn) in range(160, 240)
