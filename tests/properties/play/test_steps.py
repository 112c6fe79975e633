"""Acts that are built part by part: any picks can be completed, and no act is missing.

In random matches of every game, at every decision: a walk of random picks ends in an act that fits
the offer; and the act that a bot chose can be built, pick by pick.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given

from domain import games
from domain.record.decisions import NUMBER, TEXTS, Misfit, Offer, Option
from domain.record.fitting.fit import fit
from domain.record.fitting.steps import Picks, Step, rest, step
from domain.record.values import Ref
from replay_cli.playing.bots import SOMETHING
from replay_cli.playing.playout import Playout
from tests.properties.play.test_fitting import every, meets, offers
from tests.properties.strategies import examples, seeds

#: Decisions of a match at which acts are built.
DECISIONS = 120


def _picked(now: Step, ref: object) -> Picks:
    return (*now.picks[: now.at], (*now.picks[now.at], ref))  # type: ignore[arg-type]


def _answered(offer: Offer, option: Option, now: Step, value: object) -> Step:
    """The next step after a number or a text, which close their part."""
    return step(offer, option, (*now.picks[: now.at], (value,)), now.at + 1)  # type: ignore[arg-type]


def at_random(offer: Offer, option: Option, rng: Random) -> Picks:
    """The picks of a walk that takes any way it is offered."""
    now = step(offer, option)
    while now.at < len(option.parts):
        part = option.parts[now.at]
        if part.pool in TEXTS:
            now = _answered(offer, option, now, SOMETHING[: part.high])
        elif part.pool == NUMBER:
            now = _answered(offer, option, now, rng.choice(now.can or (part.low, part.high)))
        elif now.enough and (not now.can or rng.random() < 0.4):
            now = step(offer, option, now.picks, now.at + 1)
        else:
            assert now.can, (option, now)
            now = step(offer, option, _picked(now, rng.choice(now.can)), now.at)
        assert rest(offer, option, now) is not None or any(p.pool in TEXTS for p in option.parts)
    return now.picks


def towards(offer: Offer, option: Option, wanted: Picks) -> Picks:
    """The picks of a walk that means an act."""
    now = step(offer, option)
    while now.at < len(option.parts):
        part, meant = option.parts[now.at], wanted[now.at]
        if part.pool < 0:
            now = _answered(offer, option, now, meant[0])
            continue
        ordered = part.limits is not None and part.limits.ordered
        left = Counter(meant) - Counter(now.picks[now.at])
        if not left:
            assert now.enough, (option, now, wanted)
            now = step(offer, option, now.picks, now.at + 1)
            continue
        ref = meant[len(now.picks[now.at])] if ordered else next(iter(left))
        assert ref in now.can, (option, now, wanted)
        now = step(offer, option, _picked(now, ref), now.at)
    return now.picks


@pytest.mark.parametrize("game", games.names())
def test_steps_lead_to_every_act_and_to_no_dead_end(game: str) -> None:
    rules, rng, walked = games.rulebook(game), Random(game), 0
    decks = list(rules.decks)
    playout = Playout(rules, [decks[0], decks[-1]], 7)
    for _ in playout:
        decision = playout.match.pos.decision
        if decision is None or walked >= DECISIONS:
            break
        for seat in decision.seats:
            offer = decision.offers[seat]
            assert offer is not None
            walked += 1
            option = rng.choice(offer.options)
            act = option.act(at_random(offer, option, rng))
            fit(offer, act)
            meant = playout.bots[seat].complete(offer, option)
            built = towards(offer, option, meant.picks)
            for part, one, other in zip(option.parts, built, meant.picks, strict=True):
                ordered = part.limits is not None and part.limits.ordered
                assert one == other if ordered else Counter(one) == Counter(other)
    assert walked > DECISIONS / 2


@examples(60)
@given(offers(), seeds)
def test_what_may_be_picked_is_what_trying_all_ways_finds(offer: Offer, seed: int) -> None:
    rng, option = Random(seed), offer.options[0]
    ways = [picks for picks in every(offer) if meets(offer, picks)]
    if not ways:
        with pytest.raises(Misfit):
            step(offer, option)
        return
    now = step(offer, option)
    while now.at < len(option.parts):
        before, at = now.picks[: now.at], now.at
        here = [w[at] for w in ways if all(map(alike, w, before))]
        if option.parts[at].pool == NUMBER:
            assert set(now.can) == {n for (n,) in here}
            now = _answered(offer, option, now, rng.choice(now.can))
            continue
        counted = Counter(now.picks[at])
        assert now.enough == any(alike(way, now.picks[at]) for way in here)
        pool = offer.pools[option.parts[at].pool]
        assert set(now.can) == {
            ref for ref in pool if any(counted + Counter([ref]) <= Counter(way) for way in here)
        }
        if now.enough and (not now.can or rng.random() < 0.5):
            now = step(offer, option, now.picks, at + 1)
        else:
            now = step(offer, option, _picked(now, rng.choice(now.can)), at)
    assert meets(offer, now.picks)


def alike(one: tuple[Ref, ...], other: tuple[Ref, ...]) -> bool:
    """Whether two parts have the same picks, in any order."""
    return Counter(one) == Counter(other)


@given(offers())
@examples(20)
def test_picks_that_no_step_leads_to_are_refused(offer: Offer) -> None:
    option = offer.options[0]
    for picks, closed in [((("nowhere",),), 0), ((("nowhere",),), 1), (((), (), (), ()), 0)]:
        with pytest.raises(Misfit):
            step(offer, option, picks, closed)
    with pytest.raises(Misfit):
        step(offer, option, (), len(option.parts) + 1)
