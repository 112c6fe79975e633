"""What is on offer at a decision: every candidate that no rule objects to.

Candidates come from the hand, the field and the targets there are; whether one may be done is asked
of `legal`. Pools are shared between options, since most are paid from the same resources.
"""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.signals import unknown
from domain.engine.table import Table
from domain.games.gundam import figures
from domain.games.gundam.figures import facts
from domain.games.gundam.legal import attack_targets, forbidden, price
from domain.games.gundam.play import payable
from domain.record.decisions import Act, Offer, Option, Part
from domain.record.events import Ref


def main_offer(t: Table, seat: int) -> Offer:
    """Everything the turn player may do in the Main Phase, and ending it."""
    p = t.pos
    resources = payable(p, seat)
    pools: list[tuple[Ref, ...]] = [resources]
    options = list(_plays(t, seat, pools))
    options += _activations(t, seat, "main", pools)
    options += _supports(t, seat, pools)
    options += _attacks(t, seat, pools)
    return Offer((*options, Option("end")), tuple(pools))


def action_offer(t: Table, seat: int) -> Offer:
    """What the player with priority may do in an Action Step (8-3, 8-4)."""
    pools: list[tuple[Ref, ...]] = [payable(t.pos, seat)]
    options = [option for option in _plays(t, seat, pools) if option.kind in ("command", "unknown")]
    options += _activations(t, seat, "action", pools)
    return Offer((*options, Option("pass")), tuple(pools))


def block_offer(t: Table, seat: int) -> Offer:
    """The Blockers that may be activated, and not blocking (7-4-1, 7-4-4)."""
    blockers = [
        Option("block", unit)
        for unit in t.pos.zone("battle", seat)
        if forbidden(t, seat, Act("block", unit)) is None
    ]
    return Offer((*blockers, Option("no-block")))


def _plays(t: Table, seat: int, pools: list[tuple[Ref, ...]]) -> Iterator[Option]:
    p = t.pos
    there, active = len(p.zone("resource", seat)), len(pools[0])
    for card in p.zone("hand", seat):
        if unknown(p, card):
            yield Option("unknown", card)
            continue
        print_ = facts(p, card)
        if print_.lv > there or print_.cost > active:
            continue  # most cards, most of the time: not worth all the questions
        pay = Part("pay", 0, print_.cost, print_.cost)
        if print_.type in ("unit", "base"):
            if forbidden(t, seat, Act("deploy", card)) is None:
                yield Option("deploy", card, (pay,))
            continue
        if forbidden(t, seat, Act("pair", card)) is None:
            hosts = tuple(u for u in p.zone("battle", seat) if not p.cards[u].attached)
            yield Option("pair", card, (Part("host", _pool(pools, hosts)), pay))
        for ref, effect in figures.printed_effects(p, print_.id):
            act = Act("command", card, effect=ref)
            if effect.kind == "command" and forbidden(t, seat, act) is None:
                yield Option("command", card, (pay,), ref)


def _activations(
    t: Table, seat: int, timing: str, pools: list[tuple[Ref, ...]]
) -> Iterator[Option]:
    p = t.pos
    for zone in ("battle", "base"):
        for card in p.zone(zone, seat):
            for ref, effect in figures.text_effects(p, card):
                if effect.kind != "activated" or timing not in effect.at:
                    continue
                if forbidden(t, seat, Act("activate", card, effect=ref)) is None:
                    n = price(effect)
                    yield Option("activate", card, (Part("pay", 0, n, n),) if n else (), ref)


def _supports(t: Table, seat: int, pools: list[tuple[Ref, ...]]) -> Iterator[Option]:
    p = t.pos
    for unit in p.zone("battle", seat):
        act = Act("support", unit)
        if p.cards[unit].stats.get("support") and forbidden(t, seat, act) is None:
            friends = tuple(other for other in p.zone("battle", seat) if other != unit)
            yield Option("support", unit, (Part("support", _pool(pools, friends)),))


def _attacks(t: Table, seat: int, pools: list[tuple[Ref, ...]]) -> Iterator[Option]:
    p = t.pos
    for unit in p.zone("battle", seat):
        if forbidden(t, seat, Act("attack", unit)) is None:
            targets = tuple(attack_targets(t, seat, unit))
            if targets:
                yield Option("attack", unit, (Part("target", _pool(pools, targets)),))


def _pool(pools: list[tuple[Ref, ...]], members: tuple[Ref, ...]) -> int:
    if members not in pools:
        pools.append(members)
    return pools.index(members)
