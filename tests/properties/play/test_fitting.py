"""Picks that several parts ask for together: one checker and one solver, against trying them all.

Offers are small enough for every combination of picks to be tried by a plain reading of what is
asked (`meets`). What `fit` accepts, what it fills in, what bots pick and what the wire brings back
must all agree with that.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain, combinations_with_replacement, permutations, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.record.decisions import (
    NUMBER,
    Act,
    Limits,
    Matching,
    Misfit,
    Offer,
    Option,
    Part,
    Sum,
    Supply,
    Term,
    act_of,
    joint,
)
from domain.record.fitting.fit import completed, default, feasible, fit
from domain.record.position import Position
from domain.record.values import Ref
from replay_cli.playing.bots import Bot
from service import wire
from tests.playouts import complete
from tests.properties.strategies import examples, seeds
from tests.toy import TOY

POOLS: tuple[tuple[Ref, ...], ...] = (("reserve", 7), (7, 8, "soul"))
Picks = tuple[tuple[Ref, ...], ...]

small = st.integers(0, 3)


@st.composite
def terms(draw: st.DrawFn, parts: list[Part], least: int) -> tuple[Term, ...]:
    """The weight of picks of some of these parts."""
    found = []
    for at in draw(st.sets(st.integers(0, len(parts) - 1), min_size=least)):
        size = 1 if parts[at].pool == NUMBER else len(POOLS[parts[at].pool])
        figures = st.lists(st.integers(-2, 4), min_size=size, max_size=size)
        found.append(Term(at, tuple(draw(st.just([]) | figures))))
    return tuple(found)


@st.composite
def sums(draw: st.DrawFn, parts: list[Part]) -> Sum:
    matching = None
    if draw(st.booleans()):
        masks = st.lists(st.integers(1, 7), max_size=3).map(tuple)
        brought = tuple(
            Term(term.part, tuple(abs(n) for n in term.weights))
            for term in draw(terms(parts, 0))
            if parts[term.part].pool != NUMBER
        )
        matching = Matching(draw(masks), draw(masks), brought)
    least = draw(st.integers(-1, 5))
    return Sum("price", draw(terms(parts, 1)), least, least + draw(small), matching)


@st.composite
def supplies(draw: st.DrawFn, parts: list[Part]) -> Supply:
    pool = draw(st.integers(0, len(POOLS) - 1))
    size = len(POOLS[pool])
    caps = draw(st.lists(small, min_size=size, max_size=size))
    at = [n for n, part in enumerate(parts) if part.pool != NUMBER] or [0]
    return Supply(tuple(sorted(draw(st.sets(st.sampled_from(at), min_size=1)))), pool, tuple(caps))


@st.composite
def offers(draw: st.DrawFn) -> Offer:
    """An offer of one option, whose parts ask for something together or by themselves."""
    parts = []
    for name in ("pay", "place", "exile")[: draw(st.sampled_from([1, 2, 2, 2, 3]))]:
        low = draw(st.integers(0, 2))
        pool = draw(st.sampled_from([0, 0, 1, 1, NUMBER]))
        limits = Limits(cap=draw(st.integers(1, 2)))
        if pool != NUMBER and draw(st.integers(0, 3)) == 0:
            size = len(POOLS[pool])
            weights = tuple(draw(st.lists(st.integers(1, 3), min_size=size, max_size=size)))
            least = draw(small)
            most = least + draw(small)
            limits = Limits(False, limits.cap, weights, least, most, draw(st.booleans()))
        parts.append(Part(name, pool, low, low + draw(st.integers(0, 2)), limits))
    together = draw(st.lists(sums(parts), max_size=2)), draw(st.lists(supplies(parts), max_size=1))
    if any(together):
        at = draw(st.integers(0, len(parts) - 1))
        own = parts[at].limits
        assert isinstance(own, Limits)
        joint = replace(own, sums=tuple(together[0]), supplies=tuple(together[1]))
        one = parts[at]
        parts[at] = Part(one.name, one.pool, one.low, one.high, joint)
    return Offer((Option("summon", 5, tuple(parts)), Option("pass")), POOLS)


# -- a plain reading -------------------------------------------------------------------------------


def every(offer: Offer) -> list[Picks]:
    """Every combination of picks, right or wrong, each in one order."""
    ways = []
    for part in offer.options[0].parts:
        if part.pool == NUMBER:
            ways.append([(n,) for n in range(part.high + 2)])
        else:
            pool = offer.pools[part.pool]
            sizes = range(part.high + 2)
            ways.append(list(chain(*(combinations_with_replacement(pool, size) for size in sizes))))
    return list(product(*ways))


def counted(offer: Offer, part: Part, picked: tuple[Ref, ...], term: Term) -> list[int]:
    """The figure of each pick."""
    if part.pool == NUMBER:
        assert isinstance(picked[0], int)
        return [picked[0] * (term.weights or (1,))[0]]
    pool = offer.pools[part.pool]
    return [(term.weights or (1,) * len(pool))[pool.index(ref)] for ref in picked]


def matched(wanted: tuple[int, ...], symbols: list[int]) -> int:
    """The size of the largest matching, by trying every order of the symbols."""
    orders = permutations([one for one in symbols if one] + [0] * len(wanted), len(wanted))
    return max(sum(bool(a & b) for a, b in zip(order, wanted, strict=True)) for order in orders)


def meets(offer: Offer, picks: Picks) -> bool:
    """Whether picks are what is asked for."""
    option = offer.options[0]
    for part, picked in zip(option.parts, picks, strict=True):
        limits = part.limits or Limits()
        n = int(picked[0]) if part.pool == NUMBER else len(picked)
        if not part.low <= n <= part.high:
            return False
        if part.pool == NUMBER:
            continue
        if any(times > limits.cap for times in Counter(picked).values()):
            return False
        if limits.weights:
            figures = counted(offer, part, picked, Term(0, limits.weights))
            if not limits.least <= sum(figures) <= limits.most:
                return False
            if limits.minimal and any(sum(figures) - one >= limits.least for one in figures):
                return False
    joint = [part.limits for part in option.parts if part.limits is not None]
    return all(
        all(in_supply(offer, one, picks) for one in limits.supplies)
        and all(one.least <= total(offer, one, picks) <= one.most for one in limits.sums)
        for limits in joint
    )


def in_supply(offer: Offer, one: Supply, picks: Picks) -> bool:
    taken = Counter(ref for at in one.parts for ref in picks[at])
    caps = zip(offer.pools[one.pool], one.caps, strict=True)
    return all(taken[ref] <= cap for ref, cap in caps)


def total(offer: Offer, one: Sum, picks: Picks) -> int:
    parts = offer.options[0].parts
    plain = sum(sum(counted(offer, parts[t.part], picks[t.part], t)) for t in one.terms)
    if one.matching is None:
        return plain
    symbols = list(one.matching.there)
    for term in one.matching.brought:
        symbols += counted(offer, parts[term.part], picks[term.part], term)
    return plain + matched(one.matching.wanted, symbols)


def accepted(offer: Offer, picks: Picks) -> bool:
    try:
        return fit(offer, Act("summon", 5, picks)).picks == picks
    except Misfit:
        return False


# -- what must agree -------------------------------------------------------------------------------


@examples(120)
@given(offers(), seeds)
def test_what_is_accepted_filled_in_and_picked_is_what_trying_them_all_finds(
    offer: Offer, seed: int
) -> None:
    option, combinations = offer.options[0], every(offer)
    right = [picks for picks in combinations if meets(offer, picks)]
    assert [picks for picks in combinations if accepted(offer, picks)] == right
    assert feasible(offer, option) == bool(right)
    if right:
        rng = Random(seed)
        assert meets(offer, fit(offer, Act("summon", 5)).picks)
        bots = Bot(TOY.manifest, 0, seed)
        if joint(option):
            for act in (bots.complete(offer, option, Position()), complete(rng, offer, option)):
                assert meets(offer, act.picks)
                assert fit(offer, act).picks == act.picks
        some = rng.choice(right)
        for left in range(len(some)):
            answer = fit(offer, Act("summon", 5, some[:left]))
            assert answer.picks[:left] == some[:left]
            assert meets(offer, answer.picks)
            assert fit(offer, act_of(offer, answer)) == answer


@examples(60)
@given(offers())
def test_each_part_left_to_itself_has_the_fewest_picks_that_it_can(offer: Offer) -> None:
    for part in offer.options[0].parts:
        alone = Offer((Option("summon", 5, (own(part),)),), offer.pools)
        right = [picks for picks in every(alone) if meets(alone, picks)]
        if right:
            found = default(offer, part)
            assert meets(alone, (found,))
            assert len(found) == min(len(picks[0]) for picks in right)


def own(part: Part) -> Part:
    limits = part.limits
    if limits is not None:
        limits = replace(limits, sums=(), supplies=())
    return Part(part.name, part.pool, part.low, part.high, limits)


@examples(60)
@given(offers(), seeds)
def test_picks_that_nobody_should_send_are_refused(offer: Offer, seed: int) -> None:
    rng, option = Random(seed), offer.options[0]
    picks = list(completed(offer, option))
    at = rng.randrange(len(picks))
    for wrong in ((-1,), (0, -7), (99,), ("nothing",), (2**63,), picks[at] * 9 or ("hand/0",) * 9):
        act = Act("summon", 5, (*picks[:at], wrong, *picks[at + 1 :]))
        with pytest.raises(Misfit) as misfit:
            fit(offer, act)
        assert misfit.value.fault in {"unknown pick", "too few", "too many", "repeated", "sum"}
    with pytest.raises(Misfit, match="too many parts"):
        fit(offer, Act("summon", 5, (*picks, ())))


@examples(60)
@given(offers())
def test_an_offer_comes_back_over_the_wire_and_asks_the_same(offer: Offer) -> None:
    back = wire.offer_of(wire.offer(offer))
    assert back == offer
    assert completed(back, back.options[0]) == completed(offer, offer.options[0])
