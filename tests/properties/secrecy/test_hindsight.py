""" "Why not?" about a past decision is answered as of then, and reveals only what the asker saw.

A seat hears what it would have heard at the time, whether from the whole record or from its own
part of it. Everybody else hears what the acting seat would have heard, or that what he sees does
not settle it. Twins that he can't tell apart give him the same answers, and leaks that are planted
are found so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.engine.checks import hindsight
from domain.engine.checks.hindsight import UNSETTLED
from domain.engine.match import Match
from domain.engine.rulebook import Rulebook
from domain.record.decisions import Act, Option
from domain.record.entries import Entry
from domain.record.events import DecisionOpened, StepBegan
from domain.record.folding.fold import fold_all
from domain.record.position import Position, decoded
from domain.record.values import EVERYONE, Ref
from domain.record.views import PUBLIC, position
from tests.playouts import Setup, begin, cuts, go_on, play
from tests.properties.secrecy.twins import Case, noticed, twins
from tests.properties.strategies import examples, seeds, setups


def tried(p: Position, rules: Rulebook, seat: int, rng: Random, n: int) -> Iterator[Act]:
    """Acts that somebody may ask about: those on offer, and any act with any card."""
    offer = p.decision.offers.get(seat) if p.decision is not None else None
    options = offer.options if offer is not None else (Option("pass"),)
    kinds = [word.name for word in rules.manifest.acts]
    refs: list[Ref] = [*range(1, p.next_card + 2), *rules.manifest.places()]
    seen = [n for n, card in p.cards.items() if card.seen == card.follow == EVERYONE] or [1]
    for _ in range(n):
        option = rng.choice(options)
        yield option.act()
        yield option.act(((rng.choice([*seen, "seat/0"]),),))
        yield Act(rng.choice(kinds), rng.choice(refs))
        yield Act(rng.choice(kinds), rng.choice(seen), ((rng.choice(seen),),))


def rests(log: list[Entry]) -> list[int]:
    """From where a match can be gone on with, as snapshots are kept."""
    return [
        at + (type(e.event) is StepBegan)
        for at, e in enumerate(log[:-3])
        if type(e.event) is StepBegan or (type(e.event) is DecisionOpened and e.event.rest)
    ]


@examples(4)
@given(setups(), seeds)
def test_it_is_answered_as_it_was_at_the_time(setup: Setup, seed: int) -> None:
    rng, rules = Random(seed), setup.rules

    def check(match: Match, log: list[Entry]) -> None:
        if rng.random() > 0.03:
            return
        since = rng.choice(rests(log) or [0])
        base, line = fold_all(log[:since]).encoded(), log[since:]
        views = {viewer: position(log, viewer).encoded() for viewer in (0, 1, PUBLIC)}
        for seat in (0, 1):
            for act in tried(match.pos, rules, seat, rng, 5):
                then = match.why_not(seat, act, match.pos.time)
                assert hindsight.resumed(rules, line, seat, act, decoded(base)) == then
                for viewer in views:
                    shown = hindsight.as_seen(rules, decoded(views[viewer]), viewer, seat, act)
                    open_ = viewer != seat or (then is not None and then.fault == "BAD_PICKS")
                    assert shown == then or (shown == UNSETTLED and open_), (viewer, act)

    go_on(begin(setup), setup, [], check)


def test_the_public_gets_much_and_not_all() -> None:
    setup, rng, shown = Setup(11), Random(1), Counter[str]()
    log = play(setup)
    for cut in cuts(log)[5::9]:
        pos = position(log[:cut], PUBLIC)
        for seat in (0, 1):
            for act in tried(pos, setup.rules, seat, rng, 8):
                found = hindsight.as_seen(setup.rules, decoded(pos.encoded()), PUBLIC, seat, act)
                shown[found.fault if found is not None else "allowed"] += 1
    assert shown["allowed"] > 5
    assert shown["ILLEGAL_ACT"] > 100
    assert shown["UNSETTLED"] > 100


# -- twins -----------------------------------------------------------------------------------------


def answers(setup: Setup, log: list[Entry], viewer: int, rng: Random) -> Iterator[tuple[Act, Any]]:
    """The offers to both seats that a viewer knows at the decision that a log ends with."""
    seen = position(log, viewer)
    for seat in (0, 1):
        for act in tried(seen, setup.rules, seat, rng, 12):
            yield act, asked(setup, log, viewer, seat, act)


def asked(setup: Setup, log: list[Entry], viewer: int, seat: int, act: Act) -> Any:
    """The service's answer to a question."""
    if hindsight.sees_all(viewer, seat):
        return hindsight.resumed(setup.rules, log, seat, act)
    return hindsight.as_seen(setup.rules, position(log, viewer), viewer, seat, act)


def distinguished(case: Case) -> object:
    """The first answers by which a viewer can tell two matches apart; None if there are none."""
    setup, log, twin, viewer, seed = case
    at = [cut for cut in cuts(log) if cut <= twin.same and cut <= len(twin.log)]
    if not at:
        return None
    cut = Random(seed).choice(at)
    both = [answers(setup, one[:cut], viewer, Random(seed)) for one in (log, twin.log)]
    return next((pair for pair in zip(*both, strict=True) if pair[0] != pair[1]), None)


@examples(6)
@given(setups(), st.sampled_from([0, 1, PUBLIC]), seeds)
def test_no_answer_tells_hidden_cards_apart(setup: Setup, viewer: int, seed: int) -> None:
    log = play(setup)
    for twin in twins(setup, log, viewer, seed):
        assert distinguished(Case(setup, log, twin, viewer, seed)) is None


@pytest.mark.long
def test_asking_the_whole_record_for_everybody_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hindsight, "sees_all", lambda viewer, seat: True)
    assert noticed(distinguished, (0, 1))
