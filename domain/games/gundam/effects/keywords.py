"""11-1: the keyword effects that do something of their own: Repair, Breach, Support.

Blocker and High-Maneuver act in the Block Step, First Strike in the Damage Step (`flow.attack`);
what the keywords of 11-2 mean is spread over the chapters that they time.
"""

from __future__ import annotations

from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.gundam.editions import settings
from domain.games.gundam.effects import figures
from domain.games.gundam.effects.damage import deal
from domain.games.gundam.effects.texts import TERMS, rest
from domain.record.decisions import Act
from domain.record.position import Pending, zone_of
from domain.record.values import Change


def repair(t: Table, act: Pending) -> Play:
    """11-1-1-2: recover that much; without damage it does not activate (11-1-1-3, not in 1.9)."""
    unit = act.source
    assert isinstance(unit, int)
    here = t.pos.present(unit)
    if here and not figures.damage(t.pos, unit) and not settings(t.pos).idle_repair:
        t.end_act(act.id, "void", "gcg:11-1-1-3", "gcg:9-2-1")
        return
    t.resolve(act.id, "gcg:9-3-1-3", *(() if here else ("gcg:9-1-6-4",)))
    if here:
        recover(t, unit, t.pos.cards[unit].stat("repair"), "gcg:11-1-1-2")
    else:
        t.not_done("recover", unit, "gone", "gcg:1-3-2")
    t.end_act(act.id, "resolved", "gcg:9-3-1-4")
    yield from TERMS.settle(t)


def recover(t: Table, card: int, n: int, *cites: str) -> int:
    """4-6: take damage counters off, as many as there are; an undamaged card can't recover."""
    hurt = figures.damage(t.pos, card)
    if not hurt:
        base = zone_of(t.pos.cards[card].place) == "base"
        rules = ("gcg:4-6-3", *(("reading:gcg/21",) if base else ()))
        t.not_done("recover", card, "no damage", *rules, asked=n)
        return 0
    rule = "gcg:4-6-2" if n > hurt else "gcg:4-6-1"
    return t.counters("damage", min(n, hurt), *cites, rule, src=card)


def breach(t: Table, act: Pending) -> Play:
    """11-1-2-2: effect damage to the Shield Area of the destroyed Unit's owner."""
    unit = act.source
    assert isinstance(unit, int)
    owner = t.pos.mark(unit, f"breached:{act.id}")
    target = figures.shield_area(t.pos, owner if isinstance(owner, int) else t.pos.rival(act.seat))
    if not target:
        t.end_act(act.id, "void", "gcg:11-1-2-5")
        return
    t.resolve(act.id, "gcg:9-3-1-3")
    n = t.pos.card(unit).stat("breach")
    deal(t, unit, target, n, "effect", "gcg:11-1-2-2", "gcg:11-1-2-3", "gcg:4-5-3")
    yield from TERMS.settle(t)
    t.end_act(act.id, "resolved", "gcg:9-3-1-4")


def support(t: Table, seat: int, act: Act) -> Play:
    """11-1-3: rest this Unit; another friendly one gets that much AP during this turn."""
    unit, (friend,) = act.card, act.picks[0]
    assert isinstance(unit, int)
    assert isinstance(friend, int)
    n = t.pos.cards[unit].stat("support")
    with t.running.use(unit):
        rest(t, [unit], "gcg:11-1-3-1")
    number = t.declare("support", unit, seat, "gcg:11-1-3-1", targets=(friend,))
    t.resolve(number, "gcg:9-3-1-3")
    t.modify(unit, (friend,), Change("ap", "add", n), "turn", "gcg:11-1-3-2")
    yield from TERMS.settle(t)
    t.end_act(number, "resolved", "gcg:9-3-1-4")


KEYWORDS = {"repair": repair, "breach": breach}
