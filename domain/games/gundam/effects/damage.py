"""4-5: damage is dealt, less what texts let through or take off it, and kept on cards as counters.

That a card without HP is destroyed is a rule process (`processes`); that a fight deals damage is in
`battle`.
"""

from __future__ import annotations

from domain.effects.constant.calculator import (
    CONSTANT,
    barring,
    diverting,
    reducing,
    texts,
)
from domain.effects.constant.once import use, used
from domain.engine.table import Table
from domain.games.gundam.effects.texts import ON_FIELD, TERMS
from domain.record.events import DamageDealt
from domain.record.position import Modifier, Position, zone_of
from domain.record.values import NEXT, Value

#: What texts call damage of a kind: all damage, and that kind of it.
_CALLED = {"battle": ("damage", "battle-damage"), "effect": ("damage", "effect-damage")}

#: Why a text that forbids damage prevails: over the book, over a text.
_OVER = {"battle": ("gcg:1-3-1",), "effect": ("gcg:1-3-3",)}


def deal(t: Table, source: int, target: int | str, n: int, kind: str, *cites: str) -> bool:
    """Deal damage; whether any was dealt. Destruction follows when the rules settle.

    A player who takes battle damage has no Shield Area left and meets a condition of defeat;
    effect damage to a player is recorded and does nothing (reading:gcg/20). Texts may have another
    card take it (1.9: 10-1-9-1-1), and reduce what a card receives, before it does (1.9: 5-21).
    """
    if n <= 0:
        t.not_done("damage", target, "impossible", "gcg:4-5-4", asked=n)
        return False
    if isinstance(target, int):
        target, instead = _diverted(t, source, target, n, kind)
        n, less = _let_through(t, source, target, n, kind)
        if n <= 0:
            return False
        cites += (*instead, *less)
    t.emit(DamageDealt(source, target, n, kind), *cites)
    if isinstance(target, int):
        keeps = {"battle": "gcg:7-6-3-2-1", "base": "gcg:7-6-2-3-1"}
        zone = zone_of(t.pos.cards[target].place)
        by = (keeps[zone],) if kind == "battle" and zone in keeps else ()
        t.counters("damage", n, *by, "gcg:4-5-1-1", dst=target)
    elif kind == "battle":
        t.mark(target, "hit", True, "gcg:1-2-2-1")
    return True


def _diverted(t: Table, source: int, target: int, n: int, kind: str) -> tuple[int, tuple[str, ...]]:
    """The card that takes damage instead, and by what rules; each text has it go on once.

    Of several texts the one that began first does (reading:gcg@1.9/40).
    """
    p, cites, done = t.pos, tuple[str, ...](), list[Modifier]()
    while p.modifiers:
        fitting = [
            one
            for act in _CALLED[kind]
            for one in diverting(TERMS, p, target, act, source)
            if one not in done and _takes_it(p, one.change.value, target)
        ]
        one = next((one for one in p.modifiers.values() if one in fitting), None)
        if one is None:
            break
        several = ("reading:gcg@1.9/40",) if done or len(fitting) > 1 else ()
        done.append(one)
        rules = ("gcg:9-1-9-1", "gcg:9-1-9-1-1", *several, *texts([one]))
        t.not_done("damage", target, "replaced", *rules, asked=n)
        cites = rules
        assert isinstance(one.change.value, int)
        target = one.change.value
    return target, cites


def _takes_it(p: Position, number: Value, target: int) -> bool:
    """Whether a card that is to take the damage of another one lies there to take it."""
    if not isinstance(number, int) or number == target or not p.present(number):
        return False
    return zone_of(p.cards[number].place) in ON_FIELD


def _let_through(
    t: Table, source: int, target: int, n: int, kind: str
) -> tuple[int, tuple[str, ...]]:
    """How much of some damage a card receives, and by what rules it is less; 0: none.

    What it can't receive up to a number is compared with what is left (reading:gcg@1.9/41).
    """
    if not t.pos.modifiers:
        return n, ()
    if _barred(t, source, target, n, kind, *_OVER[kind]):
        return 0, ()
    left, less = n, list[Modifier]()
    for one in _reductions(t.pos, source, target, kind):
        if left > 0:
            left -= int(one.change.value or 0)
            less.append(one)
            _use_up(t, one)
    cites = tuple(texts(less))
    if left <= 0:
        zero = ("gcg@1.9:5-21-2-1", "gcg@1.9:5-21-2")
        t.not_done("damage", target, "impossible", *zero, *cites, asked=n)
        return 0, ()
    if less and _barred(t, source, target, left, kind, "gcg:1-3-3", "reading:gcg@1.9/41"):
        return 0, ()
    return left, ("gcg@1.9:5-21-1", *cites) if less else ()


def _barred(t: Table, source: int, target: int, n: int, kind: str, *cites: str) -> bool:
    """Whether a text keeps a card from receiving so much damage; it is recorded then."""
    bars = [
        bar
        for act in _CALLED[kind]
        for bar in barring(TERMS, t.pos, target, act, source)
        if bar.change.value is True or n <= int(bar.change.value or 0)
    ]
    if bars:
        t.not_done("damage", target, "forbidden", *cites, *texts(bars), asked=n)
    return bool(bars)


def _reductions(p: Position, source: int, target: int, kind: str) -> list[Modifier]:
    """What reduces damage to a card; what is used up by that comes last (reading:gcg@1.9/41)."""
    found = [one for act in _CALLED[kind] for one in reducing(TERMS, p, target, act, source)]
    open_ = [one for one in found if not _limited(p, one) or not used(p, one.source, _ref(one))]
    return sorted(open_, key=lambda one: one.change.op == NEXT or _limited(p, one))


def _limited(p: Position, one: Modifier) -> bool:
    """Whether a constant text says that it works once a turn."""
    return one.until == CONSTANT and TERMS.effect(p, _ref(one)).limit == "turn"


def _ref(one: Modifier) -> str:
    return one.text.removeprefix("card:")


def _use_up(t: Table, one: Modifier) -> None:
    """What was for the next damage alone is over, what works once a turn has done so."""
    if one.change.op == NEXT:
        number = next(key for key, other in t.pos.modifiers.items() if other is one)
        t.end_modifiers([number], "spent", "gcg@1.9:5-21-1", one.text)
    elif _limited(t.pos, one):
        use(t, one.source, _ref(one), "gcg:11-2-12-1")
