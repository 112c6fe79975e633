"""Attacking, blocking and passing: what forbids each, and their rows in the table of acts.

What carries them out is in `declare`, what a text asks to be given first in `charges`. Who has the
right to act in a Flash timing is in `flow.flash`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from domain.effects.constant.calculator import (
    barring,
    numbers,
    numeric,
    permitting,
    texts,
)
from domain.engine.rulebook import Refusal
from domain.engine.table import Table
from domain.games.battle_spirits.choices import charges
from domain.games.battle_spirits.choices.declare import OBEYED, declare_attack, declare_block
from domain.games.battle_spirits.choices.legal import nothing_resolves, priority
from domain.games.battle_spirits.effects import figures
from domain.games.battle_spirits.effects.battle import fights
from domain.games.battle_spirits.effects.texts import TERMS
from domain.games.battle_spirits.flow.flash import RULES
from domain.games.battle_spirits.lists.words import MUST_ATTACK, MUST_BLOCK
from domain.games.battle_spirits.manifest import REFRESHED
from domain.games.kit.choices.legality import Check, asked, refuse
from domain.games.kit.choices.rows import Asking, Row
from domain.record.decisions import Act
from domain.record.position import Modifier, Position

# -- with which cards ------------------------------------------------------------------------------


def own_spirits(asking: Asking) -> Iterable[int]:
    """The Spirits of one's own."""
    return figures.spirits(asking.p, asking.seat)


def no_card(asking: Asking) -> Iterator[int]:
    """None: the act is offered where nothing forbids it."""
    yield 0


# -- which Spirit ----------------------------------------------------------------------------------


def own_spirit(rule: str) -> Check:
    """A Spirit on one's own Field that is not on its way out (bs:3-2-3, reading:bs/9)."""

    def check(t: Table, seat: int, act: Act) -> Refusal | None:
        p = t.pos
        if not isinstance(act.card, int) or act.card not in p.zone("field", seat):
            return refuse("that is no Spirit on your Field", rule)
        if not figures.is_spirit(p, act.card):
            return refuse("only Spirits attack and block", "bs:3-2-3", rule)
        if not fights(p, act.card):
            return refuse("it is on its way off the Field", "bs:10-2-2-4", "reading:bs/9", rule)
        return None

    return check


def _by_text(found: Iterable[Modifier]) -> Refusal | None:
    by = texts(found)
    return refuse("a text forbids it", *by, "bs:1-4-1") if by else None


def _bound(p: Position, number: int, key: str) -> list[Modifier]:
    """The texts in force by which a Spirit has to attack, or to block."""
    if not p.modifiers:
        return []
    found = numeric(TERMS, p, number, {key})
    return found if numbers({}, [one.change for one in found]).get(key) else []


def _bound_before(
    t: Table, seat: int, act: Act, has_to: Callable[[Table, int, int], list[Modifier]], text: str
) -> Refusal | None:
    """While some Spirits have to, and can, nothing is done but by one of those (bs:9-1-2-2)."""
    bound = {n: found for n in figures.spirits(t.pos, seat) if (found := has_to(t, seat, n))}
    if not bound or act.card in bound:
        return None
    return refuse(text, *texts(one for found in bound.values() for one in found), "bs:9-1-2-2")


# -- attacking -------------------------------------------------------------------------------------


def in_attack_phase(t: Table, seat: int, act: Act) -> Refusal | None:
    """The turn player attacks in his Attack Phase, and not while a battle is going on (bs:8-1)."""
    p = t.pos
    if p.attack is not None:
        return refuse("a battle is going on", "bs:8-1")
    if seat == p.turn_seat and p.step == "attack":
        return None
    if seat == p.turn_seat and p.turn == 1:
        return refuse("the first turn of the first player has no Attack Phase", "bs:7-7-2")
    return refuse("the turn player attacks, in his Attack Phase", "bs:7-7-1")


def attacker(t: Table, seat: int, act: Act) -> Refusal | None:
    """A refreshed Spirit that no text keeps from attacking."""
    p = t.pos
    assert isinstance(act.card, int)
    if p.cards[act.card].orient != REFRESHED:
        return refuse("it is exhausted", "bs:8-1-1-1")
    return _by_text(barring(TERMS, p, act.card, "attack"))


def has_to_attack(t: Table, seat: int, number: int) -> list[Modifier]:
    """The texts by which a Spirit that can attack has to, and has not yet.

    One that would have to be paid for can't be made to.
    """
    p = t.pos
    obeyed = p.mark(number, OBEYED)
    since = obeyed if isinstance(obeyed, int) else 0
    found = [one for one in _bound(p, number, MUST_ATTACK) if _id(p, one) >= since]
    able = found and fights(p, number) and not charges.charge(p, number, "attack").parts
    return found if able and attacker(t, seat, Act("attack", number)) is None else []


def _id(p: Position, modifier: Modifier) -> int:
    return next(key for key, one in p.modifiers.items() if one is modifier)


def others_attack_first(t: Table, seat: int, act: Act) -> Refusal | None:
    """While a Spirit has to attack, no other does, and the phase goes on (bs:9-1-2-2)."""
    p = t.pos
    if not p.modifiers or seat != p.turn_seat or p.step != "attack" or p.attack is not None:
        return None
    return _bound_before(t, seat, act, has_to_attack, "a Spirit has to attack first")


# -- blocking --------------------------------------------------------------------------------------


def block_asked(t: Table, seat: int, act: Act) -> Refusal | None:
    """The attacked player blocks, once, between the Flash timings."""
    p, decision = t.pos, t.pos.decision
    rule = "bs:8-1-3-1"
    if p.attack is None:
        return refuse("nothing is attacking", rule)
    if seat == p.turn_seat:
        return refuse("only the attacked player blocks", rule)
    if p.step != "attack/block" or p.attack.defender or (decision and decision.kind != "block"):
        return refuse("something else is asked: {asked}", rule, asked=asked(t))
    return None


def still_attacked(t: Table, seat: int, act: Act) -> Refusal | None:
    """There is an attacker to block (reading:bs/4)."""
    attack = t.pos.attack
    if attack is not None and fights(t.pos, attack.attacker):
        return None
    return refuse("the attacker is gone: there is nothing to block", "reading:bs/4", "bs:1-4-2")


def blocker(t: Table, seat: int, act: Act) -> Refusal | None:
    """A refreshed Spirit that no text keeps from blocking this attacker.

    A text may let an exhausted one block; a heavily exhausted one is not exhausted (reading:bs/20).
    """
    p = t.pos
    assert isinstance(act.card, int)
    assert p.attack is not None
    number, against = act.card, p.attack.attacker
    match p.cards[number].orient:
        case "refreshed":
            pass
        case "exhausted":
            if not any(True for _ in permitting(TERMS, p, number, "block-exhausted", against)):
                return refuse("it is exhausted", "bs:8-1-3-1")
        case _:
            return refuse("it is heavily exhausted", "bs:8-1-3-1", "reading:bs/20")
    barred = barring(TERMS, p, number, "block", against)
    return _by_text([*barred, *barring(TERMS, p, against, "blocked", number)])


def has_to_block(t: Table, seat: int, number: int) -> list[Modifier]:
    """The texts by which a Spirit that can block has to; one to be paid for can't be made to."""
    p = t.pos
    found = _bound(p, number, MUST_BLOCK)
    able = found and fights(p, number) and not charges.charge(p, number, "block").parts
    return found if able and blocker(t, seat, Act("block", number)) is None else []


def others_block_first(t: Table, seat: int, act: Act) -> Refusal | None:
    """While a Spirit has to block that can, no other does, and the attack is blocked."""
    p = t.pos
    if not p.modifiers or still_attacked(t, seat, act) is not None:
        return None
    return _bound_before(t, seat, act, has_to_block, "a Spirit has to block")


# -- Flash timings ---------------------------------------------------------------------------------


def passing(t: Table, seat: int, act: Act) -> Refusal | None:
    """Passing is for whoever has the right to act in a Flash timing."""
    if t.pos.step not in RULES:
        return refuse("passing belongs to a Flash timing", "bs:8-1-2-1")
    return priority(t, seat, act)


def _pass_rules(t: Table, seat: int, act: Act) -> tuple[str, ...]:
    return (RULES[t.pos.step],)


# -- the rows --------------------------------------------------------------------------------------

ROWS = (
    Row(
        name="attack", label="attacks with {card}", at=("attack",), cards=own_spirits,
        picks=charges.picks("attack"), together=partial(charges.together, "attack"),
        parts=(charges.PAY, charges.EXHAUST),
        when=(nothing_resolves, in_attack_phase),
        checks=(own_spirit("bs:8-1-1-1"), attacker, others_attack_first),
        allows=("bs:8-1-1-1", "bs:7-7-3-2"), do=declare_attack,
    ),
    Row(
        name="block", label="blocks with {card}", at=("block",), cards=own_spirits,
        picks=charges.picks("block"), together=partial(charges.together, "block"),
        parts=(charges.PAY, charges.EXHAUST),
        when=(nothing_resolves, block_asked, still_attacked),
        checks=(own_spirit("bs:8-1-3-1"), blocker, others_block_first),
        allows=("bs:8-1-3-1",), do=declare_block,
    ),
    Row(
        name="no-block", label="no block", at=("block",), cards=no_card, passes=True,
        when=(nothing_resolves, block_asked, others_block_first), allows=("bs:8-1-3-1",),
    ),
    Row(
        name="pass", label="passes", at=("flash",), passes=True,
        when=(nothing_resolves, passing), allows=_pass_rules,
    ),
)  # fmt: skip
