"""The price of a play, and the parts of its one decision (bs:11-1 to 11-3).

The price is the cost, less one for each reduction symbol that is satisfied: by cards exiled for
Succession, then by symbols on the own Field, each once, as many as can be. It is paid from the
Reserve and from own cards on the Field, exactly; what a Spirit or Nexus is placed with comes from
the same places, from what the payment leaves there. What carries a play out is in `play`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from domain.effects.conditions import all_hold
from domain.effects.constant.calculator import numbers, numeric
from domain.effects.constant.silence import in_force
from domain.effects.select import Running, members, works
from domain.games.battle_spirits.effects import cores, figures
from domain.games.battle_spirits.effects.figures import about_playing, facts, stock
from domain.games.battle_spirits.effects.texts import TERMS
from domain.games.battle_spirits.lists.formats import chosen
from domain.games.battle_spirits.manifest import COLORS, SOUL
from domain.games.kit.choices.rows import Asking
from domain.record.decisions import Limits, Matching, Part, Sum, Supply, Term
from domain.record.fitting.solver import Total
from domain.record.position import Position
from domain.record.values import Ref

EXILE, PAY, PLACE, PRICE = "exile", "pay", "place", "price"
#: What a payment has to be, and what a card is placed with.
EXACT = "its price, exactly: its cost, less one for each reduction symbol that is met"
LEAST = "as many cores as its lowest Lv takes, or more"


class Price(NamedTuple):
    """The price of a card: its `cost`, and the symbols that may reduce it, as masks of colors.

    `wanted` are its reduction symbols, `there` the symbols on the Field.
    """

    cost: int
    wanted: tuple[int, ...]
    there: tuple[int, ...]

    def met(self, exiled: Sequence[int] = ()) -> int:
        """How many reduction symbols are satisfied, each symbol counting once."""
        if not exiled:  # of no color there are more than are wanted
            return len(self.there)
        return Total({}, 0, 0, self.wanted).matched([*exiled, *self.there])

    def due(self, exiled: Sequence[int] = ()) -> int:
        """The price, after these symbols were exiled for Succession."""
        return self.cost - min(self.cost, self.met(exiled))


def price(p: Position, seat: int, card: int) -> Price:
    """The price for a seat to play a card of its hand."""
    wanted, there = facts(p, card).reduction, symbols(p, seat, card)
    met = tuple((color, min(n, wanted.get(color, 0))) for color, n in there.items())
    return Price(cost(p, card), _masks(tuple(wanted.items())), _masks(met))


def cost(p: Position, card: int) -> int:
    """The cost of a card of a hand, before anything is taken off it."""
    printed, changing = facts(p, card).cost, p.modifiers and numeric(TERMS, p, card, {"cost"})
    if not changing:
        return printed
    return max(numbers({"cost": printed}, [one.change for one in changing])["cost"], 0)


#: Each color as a mask.
MASKS = {color: 1 << at for at, color in enumerate(COLORS)}


@lru_cache(maxsize=1024)
def _masks(counts: tuple[tuple[str, int], ...]) -> tuple[int, ...]:
    """Symbols of so many colors, each as a mask."""
    return tuple(mask for color, n in counts for mask in (MASKS[color],) * n)


def exiled_as(p: Position, card: int) -> int:
    """The symbol that a card counts as which is exiled for Succession (reading:bs/18)."""
    any_color = chosen(p.heading.options).succession == "any"
    ex = facts(p, card).ex
    return sum(mask for color, mask in MASKS.items() if any_color or color in ex)


def symbols(p: Position, seat: int, card: int) -> dict[str, int]:
    """The symbols on a seat's Field, by color, as it plays a card.

    Some cards have more of them as the price of a certain card is worked out.
    """
    found: dict[str, int] = {}
    field = p.zone("field", seat)
    if not field:
        return found
    for number in field:
        for color, n in figures.symbols_of(p, number).items():
            found[color] = found.get(color, 0) + n
    for color, n in _while_played(p, seat, card):
        found[color] = max(found.get(color, 0) + n, 0)
    return found


def _while_played(p: Position, seat: int, card: int) -> Iterator[tuple[str, int]]:
    """How many symbols of a color more constant texts give while this card is played."""
    priced = stock(p).priced
    for number in [n for n in p.zone("field", seat) if p.cards[n].id in priced]:
        for ref, effect in in_force(TERMS, p, number):
            if effect.kind != "constant" or effect.on or not about_playing(effect):
                continue
            run = Running(0, ref, effect, number, seat, 0)
            run.playing = card
            if not works(TERMS, p, number, effect) or not all_hold(TERMS, p, effect.when, run):
                continue
            for clause in effect.do:
                symbols_too = clause.do == "modify" and clause.key in COLORS
                if symbols_too and all_hold(TERMS, p, clause.when, run):
                    to = [number] if clause.to is None else members(TERMS, p, clause.to, run)
                    more = sum(one in p.zone("field", seat) for one in to)
                    yield clause.key, more * run.amount(clause)


def exilable(p: Position, seat: int, card: int) -> tuple[int, ...]:
    """The cards with an EX symbol that Succession may exile from the Trash (bs:12-2-1-3-1)."""
    print_ = facts(p, card)
    if not (print_.succession and print_.reduction):
        return ()
    any_color = chosen(p.heading.options).succession == "any"
    return tuple(
        number
        for number in p.zone("trash", seat)
        for ex in (facts(p, number).ex,)
        if ex and (any_color or ex.keys() & print_.reduction.keys())
    )


def pool(p: Position, seat: int) -> tuple[Ref, ...]:
    """The places from which a seat pays, the usual first: its Reserve, those with spare cores.

    The Soul Core stands apart from the place that it is in.
    """
    soul = cores.soul_place(p, seat)
    field = sorted(p.zone("field", seat), key=lambda n: figures.lv1_cost(TERMS, p, n) > 0)
    first: tuple[Ref, ...] = (cores.reserve(seat),)
    if soul is None:
        return (*first, *field)
    return (*first, SOUL, *field) if soul == first[0] else (*first, *field, SOUL)


# -- the parts -------------------------------------------------------------------------------------


def names(p: Position, seat: int, card: int, placed: bool) -> tuple[str, ...]:
    """The parts that a play has, in order."""
    return _names(exilable(p, seat, card), placed)


def _names(exilable: Sequence[int], placed: bool) -> tuple[str, ...]:
    exile = (EXILE,) if exilable else ()
    return (PAY, PLACE, *exile) if placed else (PAY, *exile)


def paid(asking: Asking, card: int, text: str) -> Iterator[Part]:
    """The part for paying."""
    yield _drawn(asking, PAY, asking.once(price, card).due())


def placed(asking: Asking, card: int, text: str) -> Iterator[Part]:
    """The part for the first cores of the card."""
    yield _drawn(asking, PLACE, asking.once(cores.within_reach))


def exiled(asking: Asking, card: int, text: str) -> Iterator[Part]:
    """The part for exiling for Succession, if the card has it and there is something."""
    cards = asking.once(exilable, card)
    if cards:
        wanted = asking.once(price, card).wanted
        yield asking.part(EXILE, cards, 0, min(len(wanted), len(cards)))


def _drawn(asking: Asking, name: str, most: int) -> Part:
    return asking.part(name, asking.pools[0], 0, most, Limits(cap=max(most, 1)))


def together(asking: Asking, card: int, placed: bool) -> Limits:
    """The price is paid exactly, what is placed is at least the Lv1 cost, from what there is."""
    p, exile = asking.p, asking.once(exilable, card)
    at = {name: n for n, name in enumerate(_names(exile, placed))}
    costs, sums = asking.once(price, card), list[Sum]()
    sums.append(_price(p, costs, at, exile))
    if placed:
        least = figures.lv1_cost(TERMS, p, card)
        sums.append(
            Sum(PLACE, (Term(at[PLACE]),), least, max(asking.once(cores.within_reach), least))
        )
    drawn = tuple(at[name] for name in (PAY, PLACE) if name in at)
    caps = asking.once(cores.caps, asking.pools[0])
    return Limits(sums=tuple(sums), supplies=(Supply(drawn, 0, caps),))


def _price(p: Position, costs: Price, at: Mapping[str, int], exile: Sequence[int]) -> Sum:
    """Payment and reduction add up to the cost; each exiled card meets one symbol."""
    pays = (Term(at[PAY]),)
    if EXILE not in at:
        return Sum(PRICE, pays, costs.due(), costs.due())
    brought = tuple(exiled_as(p, card) for card in exile)
    meets = Matching(costs.wanted, costs.there, (Term(at[EXILE], brought),))
    if costs.cost < len(costs.wanted):  # no more is taken off than it costs
        slots, met = (1,) * costs.cost, (1,) * costs.met()
        meets = Matching(slots, met, (Term(at[EXILE]),))
    return Sum(PRICE, pays, costs.cost, costs.cost, meets)
