"""Auto-passes: what they answer, when they end, and that nobody else can tell.

Matches of all games, whose bots set and withdraw auto-passes at random.
"""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from domain.engine.checks.verify import EXACT, verify
from domain.engine.match import Match
from domain.engine.passes.autopass import next_pass
from domain.record.entries import Entry, encode
from domain.record.events import DecisionMade, Interjected
from domain.record.views import AUTO, PUBLIC, redact
from tests.playouts import Dice, Setup, acts, opening, resume
from tests.properties.secrecy.twins import difference, permuted, swapped_in_hand
from tests.properties.strategies import examples, setups
from tests.support.auto_pass import play_lazily


@examples(4)
@given(setups())
def test_they_pass_and_nothing_else_and_at_once(setup: Setup) -> None:
    def nothing_waits(match: Match, log: list[Entry]) -> None:
        assert next_pass(match.auto_passes, match.pos, match.rules) is None

    lazy, rules = play_lazily(setup, nothing_waits), setup.rules
    found = {entry.seq: act for entry, act in acts(lazy.log)}
    for entry in lazy.stood:
        made = entry.event
        assert isinstance(made, DecisionMade)
        assert found[entry.seq].kind in rules.passes
        assert (made.ms, entry.by) == (0, made.seat)
    assert verify(lazy.log, rules).kind == EXACT


@examples(4)
@given(setups())
def test_a_match_is_resumed_at_each_decision_with_what_was_left(setup: Setup) -> None:
    def compare(match: Match, log: list[Entry]) -> None:
        if match.pos.decisions % 5 == setup.seed % 5 and not match.pos.over:
            repeated = resume(setup, log)
            repeated.auto_passes = match.auto_passes
            assert repeated.pos == match.pos
            assert repeated.collect() == []
            assert next_pass(repeated.auto_passes, repeated.pos, repeated.rules) is None

    play_lazily(setup, compare)


@examples(5)
@given(setups())
def test_to_others_they_are_quick_passes(setup: Setup) -> None:
    """Other viewers, except officials, get the bytes of a match in which the passes were typed."""
    lazy = play_lazily(setup)
    answers = {entry.seq: act for entry, act in acts(lazy.log)}
    match = Match.open(setup.rules, opening(setup), Dice(setup.seed))
    log = match.collect()
    for entry in lazy.log:
        event = entry.event
        if isinstance(event, DecisionMade):
            match.choose(event.seat, event.n, answers[entry.seq], entry.time)
        elif isinstance(event, Interjected):
            picks = event.picks.value or ()
            match.interject(event.seat, event.kind, entry.time, event.about, picks)
        log += match.collect()
    for viewer in (0, 1, PUBLIC):
        for one, other in zip(lazy.log, log, strict=True):
            seen, typed = redact(one, viewer), redact(other, viewer)
            own = isinstance(one.event, DecisionMade) and one.event.seat == viewer
            assert own or encode(seen) == encode(typed)
            if own and one in lazy.stood:
                assert seen.event.origin == AUTO  # type: ignore[union-attr]


@examples(5)
@given(setups(restless=False), st.sampled_from([0, 1, PUBLIC]), st.randoms(use_true_random=False))
def test_they_tell_nothing_of_hidden_cards(setup: Setup, viewer: int, rng: Random) -> None:
    lazy = play_lazily(setup)
    twins = [permuted(setup, lazy.log, viewer, rng, lazy.leaves)]
    swapped = swapped_in_hand(setup, lazy.log, viewer, rng, lazy.leaves)
    twins += [swapped] if swapped is not None and setup.bot == "keen" else []
    for twin in twins:
        assert difference(lazy.log, twin, viewer) is None


def test_some_answers_are_given_in_every_game() -> None:
    for decks in (("ST01", "ST03"),):
        assert len(play_lazily(Setup(3, decks)).stood) > 10
