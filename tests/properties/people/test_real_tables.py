"""At a real table, after any reveals and acts of officials, the record stays consistent.

Nobody dealt here: which card it is, where one must be named, is drawn from what is left of the
list; now and then nobody notes it.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from random import Random

from hypothesis import given

from domain.engine.checks.invariants import misplaced
from domain.engine.checks.verify import EXACT, verify
from domain.officials import rewind
from domain.officials.frame import Official
from domain.record.entries import active
from domain.record.events import CardsKnown
from domain.record.folding.fold import fold_all
from domain.record.position import UNKNOWN
from domain.record.values import EVERYONE
from replay_cli.playing.fuzz.officials import RandomOfficial
from replay_cli.playing.fuzz.tables import RandomScorekeeper
from tests.playouts import Setup, cuts, opening, resume
from tests.properties.strategies import examples, points, seeds, setups

LENGTH = 60


def known(keeper: RandomScorekeeper) -> dict[int, str]:
    """The cards on the table that somebody has named."""
    return {number: card.id for number, card in keeper.match.pos.cards.items() if card.id}


def kept(setup: Setup, seed: int, share: float = 0.15) -> RandomScorekeeper:
    """A match that was entered for a while, with an official at the table."""
    keeper = RandomScorekeeper(setup.rules, opening(setup), Random(seed))
    random_official = RandomOfficial(keeper.rng, partial(resume, setup))
    for _ in range(LENGTH):
        if keeper.rng.random() < (0.7 if keeper.match.pos.over else share):
            keeper.match = random_official.act(keeper.match, keeper.log)
            assert keeper.match.pos == fold_all(active(keeper.log))
            assert list(misplaced(keeper.match.pos)) == []
        elif keeper.match.pos.over:
            break
        if not keeper.match.pos.over:
            keeper.enter()
    return keeper


@examples(6)
@given(setups(), seeds)
def test_the_record_is_exact_and_its_fold_is_the_live_match(setup: Setup, seed: int) -> None:
    keeper = kept(setup, seed)
    log = keeper.log
    assert [entry.seq for entry in log] == list(range(1, len(log) + 1))
    assert all(a.time <= b.time for a, b in pairwise(log))
    assert fold_all(active(log)) == keeper.match.pos
    assert not keeper.match.pos.named
    verdict = verify(log, setup.rules)
    assert verdict.kind == EXACT, verdict


@examples(4)
@given(setups(), seeds, points(6))
def test_it_is_resumed_at_any_decision(setup: Setup, seed: int, where: list[float]) -> None:
    log = kept(setup, seed).log
    stops = cuts(log)
    for share in where:
        stop = stops[int(share * len(stops))]
        repeated = resume(setup, log[:stop])
        assert repeated.collect() == []
        assert repeated.pos == fold_all(active(log[:stop]))


@examples(4)
@given(setups(), seeds)
def test_one_entry_is_undone_and_reentered(setup: Setup, seed: int) -> None:
    keeper = kept(setup, seed, share=0)
    if keeper.match.pos.over:
        return
    before, decided = dict(known(keeper)), keeper.match.pos.decisions
    keeper.enter()
    if keeper.match.pos.over:
        return
    by = Official("Sam", keeper.match.pos.time)
    keeper.match = rewind.undo(setup.rules, keeper.log, by, keeper.match.dice)
    keeper.log += keeper.match.collect()
    p = keeper.match.pos
    assert p.decision is not None
    assert p.decision.n == decided
    assert known(keeper) == before
    keeper.enter()
    assert verify(keeper.log, setup.rules).kind == EXACT


@examples(4)
@given(setups(), seeds)
def test_no_viewer_knows_more_than_was_named(setup: Setup, seed: int) -> None:
    """A card that the record knows was named by somebody, or lay there for all to see."""
    keeper = kept(setup, seed, share=0)
    named = {"", UNKNOWN}
    for entry in keeper.log:
        event = entry.event
        stated = getattr(event, "stated", None)
        if stated is not None and stated.value is not None:
            named |= {identity for _, identity in stated.value.names}
        if isinstance(event, CardsKnown) and event.cards.to == EVERYONE:
            named |= {identity for _, identity in event.cards.value or ()}
    assert {card.id for card in keeper.match.pos.cards.values()} <= named
