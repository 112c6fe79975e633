"""What is on offer at a decision: every candidate that no rule objects to.

Candidates come from the hand, the guard deck and the battlefield; whether one may be done is asked
of `legal`. Pools are shared between options, since most are paid with the same energy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domain.engine.signals import unknown
from domain.engine.table import Table
from domain.games.hollow_flux import figures
from domain.games.hollow_flux.figures import facts
from domain.games.hollow_flux.legal import attack_targets, forbidden
from domain.games.hollow_flux.play import aims_of, cost_pool, hosts, payable, picked_costs
from domain.record.decisions import Act, Offer, Option, Part
from domain.record.events import Ref

Pools = list[tuple[Ref, ...]]


def main_offer(t: Table, seat: int) -> Offer:
    """What the turn player may do in his main phase, and ending it."""
    pools: Pools = [payable(t.pos, seat)]
    options = [*_plays(t, seat, pools), *_abilities(t, seat, pools), *_attacks(t, seat, pools)]
    return Offer((*options, Option("end")), tuple(pools))


def window_offer(t: Table, seat: int) -> Offer:
    """What the holder of a window may do (hf:inter.act.1, inter.act.2), and doing nothing."""
    pools: Pools = [payable(t.pos, seat)]
    options = [*_plays(t, seat, pools), *_abilities(t, seat, pools)]
    return Offer((*options, Option("pass")), tuple(pools) if options else ())


def defence_offer(t: Table, seat: int) -> Offer:
    """The characters that may defend, and not defending."""
    defenders = [
        Option("defend", number)
        for number in figures.characters(t.pos, seat)
        if forbidden(t, seat, Act("defend", number)) is None
    ]
    return Offer((*defenders, Option("no-defence")))


def _plays(t: Table, seat: int, pools: Pools) -> Iterator[Option]:
    p = t.pos
    for card in (*p.zone("hand", seat), *p.zone("guard", seat)):
        if unknown(p, card):
            yield Option("unknown", card)
            continue
        print_ = facts(p, card)
        if print_.cost > len(pools[0]):
            continue  # most cards, most of the time: not worth all the questions
        pay = (Part("pay", 0, print_.cost, print_.cost),) if print_.cost else ()
        if print_.type == "command":
            for ref, effect in figures.printed_effects(p, print_.id):
                if effect.kind == "command" and _may(t, seat, Act("play", card, effect=ref)):
                    aims = aims_of(t, seat, card, ref, effect)
                    yield Option("play", card, (*_targets(aims, pools), *pay), ref)
        elif _may(t, seat, Act("play", card)):
            set_ = print_.type == "set"
            on = (Part("host", _pool(pools, hosts(p, seat, print_.host))),) if set_ else ()
            yield Option("play", card, (*on, *pay))


def _abilities(t: Table, seat: int, pools: Pools) -> Iterator[Option]:
    p = t.pos
    for card in p.zone("battlefield"):
        if p.cards[card].controller != seat:
            continue
        for ref, effect in figures.text_effects(p, card):
            if effect.kind != "activated" or not _may(t, seat, Act("activate", card, effect=ref)):
                continue
            parts = list(_targets(aims_of(t, seat, card, ref, effect), pools))
            for cost in picked_costs(effect):
                pool = cost_pool(p, seat, cost, card)
                low, high = (0, len(pool)) if cost.x else (cost.n, cost.n)
                parts.append(Part(cost.do, _pool(pools, pool), low, high))
            yield Option("activate", card, tuple(parts), ref)


def _attacks(t: Table, seat: int, pools: Pools) -> Iterator[Option]:
    targets = tuple(attack_targets(t, seat))
    for card in figures.characters(t.pos, seat):
        if _may(t, seat, Act("attack", card)):
            yield Option("attack", card, (Part("target", _pool(pools, targets)),))


def _may(t: Table, seat: int, act: Act) -> bool:
    return forbidden(t, seat, act) is None


def _targets(aims: Sequence[tuple[Part, list[int]]], pools: Pools) -> Iterator[Part]:
    for part, pool in aims:
        yield Part(part.name, _pool(pools, tuple(pool)), part.low, part.high)


def _pool(pools: Pools, members: tuple[Ref, ...]) -> int:
    if members not in pools:
        pools.append(members)
    return pools.index(members)
