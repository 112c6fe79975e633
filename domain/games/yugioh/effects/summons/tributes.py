"""Tributes: which monsters a player may give, which he must, and for how many one of them counts.

As a rule they are his own, whichever way they lie, and each is one (ygo:summon.tribute.1,
ygo:summon.tribute.3). Texts let a monster be two for some Summons (`forbid` and `allow` of the acts
below), keep one from being Tributed for a Summon, or lend a player one of his opponent's, which he
must then Tribute before any other. What is asked of a choice comes as `Limits` of its part.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from domain.effects.constant.calculator import barred, barring, permitting, texts
from domain.effects.select import fits
from domain.engine.signals import identified
from domain.games.yugioh.effects import figures, rules
from domain.games.yugioh.effects.field.zones import room
from domain.games.yugioh.effects.summons.makings import first_of_all, zones
from domain.games.yugioh.effects.texts import TERMS
from domain.record.decisions import Limits, Offer, Option, Part, Sum
from domain.record.fitting.fit import feasible
from domain.record.position import Position

#: What texts forbid or allow: to be Tributed, for a Summon; to be two of the Tributes of one.
TRIBUTE, TWO = rules.TRIBUTE, "two-tributes"
#: More of them no text asks for.
MOST = 3


class Tributes(NamedTuple):
    """The Tributes: out of which monsters, how many at least and at the most."""

    pool: tuple[int, ...]
    low: int
    high: int
    limits: Limits | None = None

    def possible(self) -> bool:
        """Whether that can be done at all."""
        part = Part(TRIBUTE, 0, self.low, self.high, self.limits)
        option = Option("", 0, (part,))
        return feasible(Offer((option,), (self.pool,)), option)


def lent(p: Position, seat: int) -> dict[int, list[str]]:
    """The monsters that a player must Tribute before any other, and the texts that say so."""
    return rules.lent(TERMS, p, seat)


def for_summon(p: Position, seat: int, number: int, needed: int) -> Tributes:
    """The Tributes for a Summon, or a Set, of a monster of the hand.

    One that nobody has named may be two: that is known once it is (`counted_by`).
    """
    must = lent(p, seat)
    own = [n for n in figures.monsters(p, seat) if not barred(TERMS, p, n, TRIBUTE)]
    pool = tuple(dict.fromkeys((*own, *must)))
    if not needed:
        return Tributes(pool, 0, 0)
    worth = tuple(1 + bool(not p.cards[n].id or _twice(p, n, number)) for n in pool)
    sums = first_of_all(pool, must, needed)
    if room(p, "monster", seat) < 1:
        sums.append(zones(p, seat, [pool]))
    twice = any(one > 1 for one in worth)
    weights = (worth, needed, 2 * needed) if twice else ((), 0, 0)
    return Tributes(pool, (needed + twice) // (1 + twice), needed, _limits(sums, *weights))


def for_unknown(p: Position, seat: int) -> Tributes:
    """The Tributes for a Set of a card that nobody has named: as many as its player gives."""
    own = [n for n in figures.monsters(p, seat) if not barred(TERMS, p, n, TRIBUTE)]
    pool = tuple(dict.fromkeys((*own, *lent(p, seat))))
    full = room(p, "monster", seat) < 1
    sums = [zones(p, seat, [pool])] if full else []
    return Tributes(pool, int(full), min(MOST, len(pool)), _limits(sums))


def barriers(p: Position, seat: int) -> list[str]:
    """The texts that have a say in what a player may Tribute for a Summon."""
    kept = [
        text for n in figures.monsters(p, seat) for text in texts(barring(TERMS, p, n, TRIBUTE))
    ]
    return list(dict.fromkeys((*kept, *texts(rules.lending(p, seat)))))


def for_cost(p: Position, seat: int, pool: Sequence[int], n: int, at: int = 0) -> Tributes:
    """The Tributes of a cost, out of what fits it; `at` is which part of the act it is."""
    sums = first_of_all(tuple(pool), lent(p, seat), n, at)
    return Tributes(tuple(pool), n, n, _limits(sums))


def lent_by(p: Position, seat: int, given: Sequence[int]) -> list[str]:
    """The texts that lend what is given."""
    must = lent(p, seat)
    return [text for n in given for text in must.get(n, ())]


def counted_by(p: Position, seat: int, given: Sequence[int], number: int, needed: int) -> list[str]:
    """The texts by which these are the Tributes for a monster: lent ones, one that counts twice.

    Raises `NameRequired` where it hangs on one that nobody has named.
    """
    found = lent_by(p, seat, given)
    if len(given) < needed:
        identified(p, given)
        found += [text for n in given for text in _twice(p, n, number)]
    return list(dict.fromkeys(found))


def _twice(p: Position, number: int, summoned: int) -> list[str]:
    """The texts by which a monster counts as two Tributes for another; of a face-down one its own.

    That is no effect of a monster on the field, but a rule about it (reading:ygo/A37).
    """
    found = texts(permitting(TERMS, p, number, TWO, summoned))
    if found or p.cards[number].up:
        return found
    own = [
        f"card:{ref}"
        for ref, effect in figures.stock(p).effects(p.cards[number].id)
        for clause in effect.do
        if (clause.do, clause.key) == ("allow", TWO) and clause.against is not None
        and fits(TERMS, p, summoned, clause.against.match)
    ]  # fmt: skip
    return ["reading:ygo/A37", *own] if own else []


def _limits(
    sums: Sequence[Sum], weights: tuple[int, ...] = (), least: int = 0, most: int = 0
) -> Limits | None:
    if sums:
        return Limits(weights=weights, least=least, most=most, sums=tuple(sums))
    return Limits(weights=weights, least=least, most=most) if weights else None
