"""Charges of a text before a Spirit attacks or blocks: cores, or other Spirits' rest.

A text that lets a Spirit attack, or block, only if its player first pays or exhausts something is a
part of that act: it is offered where it can be given, and nobody need give it. The Spirit itself
keeps the cores that it takes to stay.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from domain.effects.constant.calculator import applies, texts
from domain.engine.rulebook import Refusal
from domain.engine.table import Table
from domain.games.battle_spirits.choices import prices
from domain.games.battle_spirits.effects import cores, figures
from domain.games.battle_spirits.effects.battle import fights
from domain.games.battle_spirits.effects.texts import TERMS
from domain.games.battle_spirits.manifest import EXHAUSTED, REFRESHED, SOUL
from domain.games.kit.choices.legality import refuse
from domain.games.kit.choices.rows import Asking, Pick
from domain.record.decisions import Act, Limits, Misfit, Part, Sum, Supply, Term
from domain.record.position import Position
from domain.record.values import Ref

#: What can be asked for, which are the parts of the act, and that the Spirit is to stay.
PAY, EXHAUST, STAYS = "pay", "exhaust", "stays"
_PARTS = {"core": PAY, "exhaust": EXHAUST}


class Charge(NamedTuple):
    """So many cores and other Spirits, by these texts."""

    cores: int
    others: int
    texts: tuple[str, ...]

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts that the act has for it, in order."""
        return (*((PAY,) if self.cores else ()), *((EXHAUST,) if self.others else ()))


NOTHING = Charge(0, 0, ())


def charge(p: Position, number: int, kind: str) -> Charge:
    """The charges of an act of a Spirit, `attack` or `block`."""
    found = [
        one
        for one in p.modifiers.values()
        if one.change.op == "charge" and one.change.key == kind and applies(TERMS, p, one, number)
    ]
    if not found:
        return NOTHING
    sums = {PAY: 0, EXHAUST: 0}
    for one in found:
        what, _, n = str(one.change.value).partition(" ")
        sums[_PARTS[what]] += int(n)
    return Charge(sums[PAY], sums[EXHAUST], tuple(texts(found)))


def others(p: Position, seat: int, number: int) -> tuple[int, ...]:
    """The other Spirits of a seat that can be exhausted."""
    own = figures.spirits(p, seat)
    return tuple(n for n in own if n != number and fights(p, n) and p.cards[n].orient == REFRESHED)


# -- the parts -------------------------------------------------------------------------------------


def _parts(kind: str, asking: Asking, card: int, text: str) -> Iterator[Part]:
    due = charge(asking.p, card, kind)
    if due.cores:
        pool = prices.pool(asking.p, asking.seat)
        yield asking.part(PAY, pool, due.cores, limits=Limits(cap=due.cores))
    if due.others:
        yield asking.part(EXHAUST, others(asking.p, asking.seat, card), due.others)


def together(kind: str, asking: Asking, card: int, text: str) -> Limits:
    """As much is given as is asked for, and the Spirit keeps what it takes to stay."""
    p, seat = asking.p, asking.seat
    due, sums, supplies = charge(p, card, kind), list[Sum](), list[Supply]()
    if due.cores:
        pool = prices.pool(p, seat)
        soul = cores.soul_place(p, seat)
        own = tuple(int(ref == card or (ref == SOUL and soul == card)) for ref in pool)
        spare = cores.count(p, card) - figures.lv1_cost(TERMS, p, card)
        sums.append(Sum(PAY, (Term(0),), due.cores, due.cores))
        sums.append(Sum(STAYS, (Term(0, own),), 0, max(spare, 0)))
        supplies.append(Supply((0,), asking.pool(pool), cores.caps(p, seat, pool)))
    if due.others:
        sums.append(Sum(EXHAUST, (Term(int(due.cores > 0)),), due.others, due.others))
    return Limits(sums=tuple(sums), supplies=tuple(supplies))


def _why(kind: str, text: str, t: Table, seat: int, act: Act, misfit: Misfit) -> Refusal:
    assert isinstance(act.card, int)
    due = charge(t.pos, act.card, kind)
    return refuse(text, *due.texts, "bs:1-4-1", fault="BAD_PICKS")


def picks(kind: str) -> tuple[Pick, ...]:
    """The parts of an attack, or of a block, that is charged, and the sentences for bad picks."""
    pay = "as many cores of your Reserve and of your cards on the Field as a text asks for"
    exhaust = "as many other refreshed Spirits of yours as a text asks for"
    stays = "the Spirit itself keeps the cores that it takes to stay"
    return (
        Pick(PAY, parts=partial(_parts, kind), why=partial(_why, kind, pay)),
        Pick(EXHAUST, why=partial(_why, kind, exhaust)),
        Pick(STAYS, why=partial(_why, kind, stays)),
    )


# -- carrying it out -------------------------------------------------------------------------------


def give(t: Table, seat: int, act: Act) -> None:
    """Pay and exhaust the charges of the act, at one moment."""
    assert isinstance(act.card, int)
    due = charge(t.pos, act.card, act.kind)
    picked: dict[str, tuple[Ref, ...]] = dict(zip(due.parts, act.picks, strict=False))
    cites = ("bs:1-4-1", *due.texts)
    with t.at_once():
        cores.move_picked(t, seat, picked.get(PAY, ()), cores.trash(seat), "bs:4-4-1", *cites)
        tired = [number for number in picked.get(EXHAUST, ()) if isinstance(number, int)]
        t.turn(tired, "bs:5-15-1", *cites, orient=EXHAUSTED)
