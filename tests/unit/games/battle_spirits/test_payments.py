"""Cores in random matches: none is lost, and a payment is legal just where counting says so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

import pytest

from domain.engine.match import Match
from domain.games import rulebook
from domain.games.battle_spirits.effects import cores
from domain.games.battle_spirits.effects.figures import facts
from domain.games.battle_spirits.manifest import CORES, SOUL
from domain.record import events as ev
from domain.record.decisions import Misfit, Offer, Option
from domain.record.fitting.fit import completed, feasible, fit
from domain.record.folding.fold import fold
from domain.record.position import Position
from domain.record.values import Ref
from tests.playouts import Setup, answer, begin

RULES = rulebook("battle_spirits")
DECKS = [("RSD01", "RSD04"), ("RSD02", "RSD06"), ("RSD05", "RSD03")]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_only_the_void_gives_and_takes_cores(seed: int) -> None:
    setup = Setup(seed, DECKS[seed % 3], bot="aimless")
    match, p = begin(setup), Position()
    log = match.collect()
    while (decision := match.pos.decision) is not None and decision.n < 250:
        seat = decision.seats[0]
        offer = decision.offers[seat]
        assert offer is not None
        match.choose(seat, decision.n, answer(setup, decision.n, offer), match.pos.time + 1)
        log += match.collect()
    for entry in log:
        was = cores.totals(p)
        fold(p, entry)
        event, now = entry.event, cores.totals(p)
        if isinstance(event, ev.CountersMoved) and event.kind in CORES:
            was = {
                **was,
                event.kind: was[event.kind] + event.n * ((not event.src) - (not event.dst)),
            }
        assert now == was, entry
        assert now[SOUL] in (0, 1, 2)
    for seat in (0, 1):  # a card that has left has left its cores
        assert not any(
            p.cards[n].counters for zone in ("hand", "deck", "trash", "exile")
            for n in p.zone(zone, seat)
        )  # fmt: skip


def plays(seed: int) -> Iterator[tuple[Match, int, Offer, Option]]:
    """Offers of random matches in which something can be summoned or deployed."""
    setup = Setup(seed, DECKS[seed % 3])
    match = begin(setup)
    while (decision := match.pos.decision) is not None and decision.n < 120:
        seat = decision.seats[0]
        offer = decision.offers[seat]
        assert offer is not None
        for option in offer.options:
            assert feasible(offer, option), option
            if option.kind in ("summon", "deploy"):
                yield match, seat, offer, option
        match.choose(seat, decision.n, answer(setup, decision.n, offer), match.pos.time + 1)


def counted(p: Position, seat: int, option: Option, picks: Sequence[Sequence[Ref]]) -> bool:
    """Whether a payment and a placement are what the rules ask for, worked out by hand."""
    card = option.card
    assert isinstance(card, int)
    print_ = facts(p, card)
    there: Counter[str] = Counter()
    for number in p.zone("field", seat):
        stats = p.cards[number].stats
        there.update({color: p.cards[number].stat(color) for color in print_.reduction})
        assert stats
    pay, place, exiled = picks[0], picks[1], len(picks[2]) if len(picks) > 2 else 0
    met = sum(min(n, there[color]) for color, n in print_.reduction.items())
    met = min(met + exiled, sum(print_.reduction.values()))
    used = Counter([*pay, *place])
    held = all(n <= _held(p, seat, ref) for ref, n in used.items())
    price = max(print_.cost - met, 0)
    return held and len(pay) == price and len(place) >= print_.levels[0].cores


def _held(p: Position, seat: int, ref: Ref) -> int:
    if ref != SOUL:
        return p.counters(ref, "core")
    places: list[Ref] = [f"reserve/{seat}", *p.zone("field", seat)]
    return sum(p.counters(place, SOUL) for place in places)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_payment_is_taken_just_where_it_adds_up(seed: int) -> None:
    rng, taken = Random(seed), Counter[bool]()
    for match, seat, offer, option in plays(seed):
        p = match.pos
        if any(effect.kind == "constant" and any(one.playing for one in effect.when)
               for n in p.zone("field", seat) for effect in facts(p, n).effects):  # fmt: skip
            continue  # symbols that are there for this play alone
        picks = [[*picked] for picked in completed(offer, option, None, rng)]
        pool = offer.pools[option.parts[0].pool]
        for _ in range(rng.randrange(3)):  # one core more, fewer, or from elsewhere
            part = picks[rng.randrange(2)]
            if part and rng.random() < 0.6:
                part.pop(rng.randrange(len(part)))
            if rng.random() < 0.7:
                part.append(rng.choice(pool))
        act = option.act(tuple(map(tuple, picks)))
        try:
            fits = bool(fit(offer, act))
        except Misfit:
            fits = False
        assert fits == counted(p, seat, option, picks), act
        assert (match.why_not(seat, act) is None) == fits, act
        taken[fits] += 1
    assert taken[True] > 10
    assert taken[False] > 10
