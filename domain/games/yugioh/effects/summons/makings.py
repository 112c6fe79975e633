"""The Materials of a monster, as parts of a choice, and their conditions (`Making`).

Fusion and Ritual Summons choose it as their effect is carried out, Synchro and Xyz Summons in one
act (`choices.summons.recipes`). Each line of a monster's `materials` is a part, and no card serves
twice. The Levels of Synchro Materials add up to the monster's own, those of Ritual Tributes meet
it; if no Monster Zone is free, one of the Materials must leave one (ygo:summon.zone.1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from domain.effects.language.vocabulary import Clause, Test, comparison
from domain.effects.select import Running, Terms, members
from domain.engine.signals import unknown
from domain.games.kit.choices.acts import bound
from domain.games.yugioh.effects import figures, rules
from domain.games.yugioh.effects.field.zones import holding, room
from domain.games.yugioh.lists.card import Card, Material
from domain.games.yugioh.manifest import ZONES_EACH
from domain.record.decisions import Limits, Offer, Option, Part, Sum, Supply, Term
from domain.record.fitting.fit import feasible
from domain.record.position import Position

#: As a rule one Tuner, and monsters that are none (ygo:synchro.steps.1).
TUNED = (Material(match={"tuner": True}), Material(n=">=1", match={"tuner": False}))
#: The names of the parts, line by line, so that each can be typed.
MATERIALS = ("material", *(f"material-{n}" for n in range(2, 11)))
#: What the sum of those is called that must be given first.
LENT = "lent"
#: What the sums of Levels and of Monster Zones are called.
LEVEL, ZONE = "level", "zone"
#: And of Materials of which no two may be alike.
DIFFERENT = "different"


class Line(NamedTuple):
    """A part of it: its name, what it is picked from, and how many."""

    name: str
    pool: tuple[int, ...]
    low: int
    high: int
    limits: Limits | None = None


class Making(NamedTuple):
    """The parts, what there is for all of them, and the sums that they have to meet."""

    lines: tuple[Line, ...]
    pool: tuple[int, ...]
    sums: tuple[Sum, ...]

    def joint(self, pool: int) -> Limits:
        """The conditions over parts; `pool` is the number of the available cards' pool."""
        supply = Supply(tuple(range(len(self.lines))), pool, (1,) * len(self.pool))
        return Limits(sums=self.sums, supplies=(supply,))

    def offer(self, kind: str) -> Offer:
        """It as the only option of an offer."""
        pools = [self.pool]
        parts: list[Part] = []
        for line in self.lines:
            if line.pool not in pools:
                pools.append(line.pool)
            at = pools.index(line.pool)
            parts.append(Part(line.name, at, line.low, line.high, line.limits))
        if parts:
            parts[-1] = bound(parts[-1], self.joint(0))
        return Offer((Option(kind, 0, tuple(parts)),), tuple(pools))

    def possible(self) -> bool:
        """Whether it can be met at all."""
        offer = self.offer("")
        return bool(self.lines) and feasible(offer, offer.options[0])


def listed(print_: Card) -> Sequence[Material]:
    """The lines of Materials of a monster of the Extra Deck; none if it is unknown."""
    return print_.materials or (TUNED if "synchro" in print_.kind else ())


def span(n: Test, most: int) -> tuple[int, int]:
    """How many Materials a line takes, at least and at the most, of so many that there are."""
    if isinstance(n, str) and (compared := comparison(n)) is not None:
        sign, figure = compared
        low, high = {
            ">=": (figure, most), ">": (figure + 1, most), "<=": (1, figure), "<": (1, figure - 1),
        }[sign]  # fmt: skip
        return low, max(low, high)
    assert isinstance(n, int)
    return n, n


def of_lines(terms: Terms, p: Position, seat: int, print_: Card, pool: Sequence[int]) -> Making:
    """The Materials of a monster by its own lines, from the cards available."""
    lines = [*lines_of(terms, p, print_, pool)]
    sums = []
    if "synchro" in print_.kind:
        worth = [Term(at, levels(p, line.pool)) for at, line in enumerate(lines)]
        sums.append(Sum(LEVEL, tuple(worth), print_.level, print_.level))
    for at, (line, serving) in enumerate(zip(listed(print_), lines, strict=True)):
        if line.different:
            sums += _apart(terms, p, at, serving.pool, line.different)
    return Making(tuple(lines), tuple(pool), (*sums, *_zone(p, seat, lines)))


def lines_of(terms: Terms, p: Position, print_: Card, pool: Sequence[int]) -> Iterator[Line]:
    """Its lines of Materials, each with those of the cards there are that serve for it."""
    synchro, names = "synchro" in print_.kind, iter(MATERIALS)
    for line in listed(print_):
        tuner = synchro and line.match.get("tuner") is True
        serve = tuple(n for n in pool if _serves(terms, p, n, line))
        name = "tuner" if tuner else next(names)
        yield Line(name, serve, *span(line.n, len(pool)))


def least(print_: Card) -> int:
    """How many cards the lines of a monster take together, at the least."""
    return sum(span(line.n, 0)[0] for line in listed(print_))


def too_few(terms: Terms, p: Position, print_: Card, pool: Sequence[int]) -> bool:
    """Whether there are fewer cards than its lines take together, or than one of them does."""
    if least(print_) > len(pool):
        return True
    return any(len(line.pool) < line.low for line in lines_of(terms, p, print_, pool))


def _apart(terms: Terms, p: Position, at: int, pool: Sequence[int], key: str) -> Iterator[Sum]:
    """Of those that have the same value of an attribute, one at the most serves for a line."""
    known = [n for n in pool if not unknown(p, n)]
    for value in sorted({str(getattr(figures.facts(p, n), key)) for n in known}):
        same = {n for n in known if figures.matches(terms, p, n, {key: value})}
        if len(same) > 1:
            yield Sum(DIFFERENT, (Term(at, tuple(int(n in same) for n in pool)),), 0, 1)


def _serves(terms: Terms, p: Position, number: int, line: Material) -> bool:
    """Whether a card serves for a line; one that nobody has named may be it.

    Its player knows what he has Set, and shows it (ygo:fusion.steps.2).
    """
    return unknown(p, number) or figures.matches(terms, p, number, line.match)


def of_tributes(p: Position, seat: int, level: int, exact: bool, pool: Sequence[int]) -> Making:
    """Monsters whose Levels add up to so much, none of them superfluous (reading:ygo/A20).

    One that nobody has named counts as if it were enough; what is picked has to be named.
    """
    worth = tuple(level if unknown(p, number) else level_of(p, number) for number in pool)
    most = level if exact else max(sum(worth), level)
    limits = Limits(weights=worth, least=level, most=most, minimal=True)
    lines = [Line("material", tuple(pool), 1, max(len(pool), 1), limits)]
    return Making(tuple(lines), tuple(pool), tuple(_zone(p, seat, lines)))


def of_clause(
    terms: Terms, p: Position, run: Running, clause: Clause, number: int, named: bool = False
) -> Making:
    """The Materials with which a clause makes this monster (ygo:fusion.choice.1).

    `named`: without what might be anything.
    """
    assert clause.using is not None
    pool = [n for n in members(terms, p, clause.using, run, guess=True) if n != number]
    tributed = clause.key == "ritual" and not clause.place
    lent = rules.lent(terms, p, run.seat) if tributed else {}
    pool += [n for n in lent if n not in pool and p.cards[n].up]  # of others nobody knows the Level
    if named:
        pool = [n for n in pool if not unknown(p, n)]
    print_ = figures.facts(p, number)
    if clause.key != "ritual":
        made = of_lines(terms, p, run.seat, print_, pool)
        return made if clause.do == "summon" else made._replace(sums=())  # that needs no zone
    made = of_tributes(p, run.seat, print_.level, clause.value == "exact", pool)
    return made._replace(sums=(*made.sums, *first_of_all(tuple(pool), lent, len(pool))))


def may_be_made(terms: Terms, p: Position, run: Running, clause: Clause, number: int) -> bool:
    """Whether a clause can summon this monster, as far as known.

    At a real table cards that nobody has named are trusted to be what it takes: it comes out when
    they are picked (ygo:fusion.choice.3).
    """
    made = of_clause(terms, p, run, clause, number)
    if any(unknown(p, n) for n in made.pool):
        made = made._replace(lines=tuple(line._replace(limits=None) for line in made.lines))
    return made.possible()


def may_be_lacking(terms: Terms, p: Position, run: Running, clause: Clause, number: int) -> bool:
    """Whether it might turn out that there is not what it takes: that hangs on unnamed cards."""
    made = of_clause(terms, p, run, clause, number)
    hangs = any(unknown(p, n) for n in made.pool)
    return hangs and not of_clause(terms, p, run, clause, number, named=True).possible()


def _zone(p: Position, seat: int, lines: Sequence[Line]) -> list[Sum]:
    """Where no Monster Zone is free: one is left by what is picked."""
    return [] if room(p, "monster", seat) > 0 else [zones(p, seat, [one.pool for one in lines])]


def first_of_all(
    pool: tuple[int, ...], must: Mapping[int, list[str]], n: int, at: int = 0
) -> list[Sum]:
    """The monsters that must be Tributed first: those that were lent, as many as fit."""
    weights = tuple(int(one in must) for one in pool)
    return [Sum(LENT, (Term(at, weights),), min(len(must), n), n)] if must else []


def zones(p: Position, seat: int, pools: Sequence[Sequence[int]]) -> Sum:
    """The Monster Zones that picks of these pools leave, with those that are free: one at least."""
    held = holding(p, "monster", seat)
    terms = [Term(at, tuple(int(n in held) for n in pool)) for at, pool in enumerate(pools)]
    return Sum(ZONE, tuple(terms), 1 - room(p, "monster", seat), ZONES_EACH)


def levels(p: Position, cards: Sequence[int]) -> tuple[int, ...]:
    """The Levels of some cards; 0 for those that have none (ygo:base.rank.1)."""
    return tuple(level_of(p, number) for number in cards)


def level_of(p: Position, number: int) -> int:
    """The Level of a card, also of a Set one; 0 if it has none, or nobody knows it."""
    if unknown(p, number):
        return 0
    with figures.TurnedUp(p, number):
        found = figures.attribute(p, number, "level")
    return found if isinstance(found, int) else 0
