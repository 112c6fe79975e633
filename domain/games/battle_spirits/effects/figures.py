"""The facts of a card, and the numbers in force on it: Lv, BP, symbols, True Release.

`facts` is what is printed on a card (`stock` finds it for a match). `level` says which Lv so many
cores make; `figures` is everything that is derived for the cards on the Field: it is recorded each
moment, and a figure that is not recorded is as it is printed. A card without enough cores for its
Lv1 has no Lv of its own and keeps its figures as it leaves (bs:10-2-2-3): it disappears at once
(`processes`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from domain.effects.constant.calculator import counting, numbers, numeric
from domain.effects.language.vocabulary import Effect
from domain.effects.select import Terms
from domain.games.battle_spirits.effects import cores
from domain.games.battle_spirits.lists.card import Card
from domain.games.battle_spirits.lists.cards import CATALOGUE
from domain.games.battle_spirits.lists.formats import chosen
from domain.games.battle_spirits.manifest import COLORS, SOUL
from domain.games.kit.effects import texts
from domain.games.kit.effects.texts import Asked
from domain.record.position import Card as Object
from domain.record.position import Modifier, Position
from domain.record.values import Change, Ref, Value

#: The figures that texts may change, as they are summed up.
SUMS = frozenset({"bp", "lv1", "cost", *COLORS})
_LV1 = frozenset({"lv1"})
DISAPPEARED = "disappeared"


class Stock(texts.Stock[Card]):
    """The cards that a match knows, and what is worked out from their prints."""

    def __init__(self, cards: Mapping[str, Card]) -> None:
        super().__init__(cards, Card(id="", name="?", type="magic"))
        #: those with a text that waits for something where they lie in the Trash
        self.elsewhere = frozenset(
            name
            for name, card in cards.items()
            if any(one.kind == "triggered" and one.zone for one in card.effects)
        )
        #: those that may have more symbols while a certain card is played
        self.priced = frozenset(
            name
            for name, card in cards.items()
            if any(one.kind == "constant" and about_playing(one) for one in card.effects)
        )
        self.as_printed = lru_cache(maxsize=4096)(self._as_printed)

    def _as_printed(
        self, card: str, n: int, soul: bool, ex_on_field: bool
    ) -> Mapping[str, Value] | None:
        """All numbers of a card with so many cores that no text changes; None: too few for Lv1."""
        print_ = self.cards[card]
        now = level(print_, n, soul)
        there = symbols(print_, ex_on_field)
        return _numbers(print_, now, print_.levels[0].cores, there, ()) if now else None


def about_playing(effect: Effect) -> bool:
    """Whether a text asks which card its player is about to play."""
    conditions = (*effect.when, *(one for clause in effect.do for one in clause.when))
    return any(one.playing is not None for one in conditions)


stock = texts.Stocks(CATALOGUE, Stock)
facts = stock.facts


def on_field(p: Position, number: object) -> bool:
    """Whether it is a card on the Field, be it on its way out (reading:bs/9)."""
    card = p.cards.get(number) if isinstance(number, int) else None
    return card is not None and card.place.startswith("field/")


def is_spirit(p: Position, number: object) -> bool:
    """Whether it is a Spirit: a Spirit card on the Field (bs:3-2-1)."""
    return isinstance(number, int) and on_field(p, number) and facts(p, number).type == "spirit"


def spirits(p: Position, seat: int) -> list[int]:
    """A player's Spirits, in the order they lie."""
    return [number for number in p.zone("field", seat) if is_spirit(p, number)]


# -- Lv --------------------------------------------------------------------------------------------


def level(print_: Card, n: int, soul: bool, lv1: int | None = None) -> int:
    """The Lv that so many cores make (bs:2-8-3), the Soul Core counted; 0: too few for Lv1.

    The Soul Core alone makes Lv2 of a card with True Release (bs:12-2-1-1-2) that has the cores to
    stay (reading:bs/17). `lv1` is the cost of Lv1 where a text has changed it.
    """
    reached = 0
    for at, one in enumerate(print_.levels, 1):
        needed = one.cores if at > 1 or lv1 is None else lv1
        if needed <= n:
            reached = at
        elif at == 1:
            return 0
    return max(reached, 2) if reached and soul and print_.true_release else reached


def lv1_cost(
    terms: Terms, p: Position, number: int, among: Sequence[Modifier] | None = None
) -> int:
    """How many cores a card needs to stay on the Field, or to be placed there with.

    `among`: what `counting` has found, where several cards are asked for.
    """
    changing = numeric(terms, p, number, _LV1, among) if p.modifiers else ()
    return _lv1(facts(p, number), changing)


def _lv1(print_: Card, changing: Sequence[Modifier]) -> int:
    printed = print_.levels[0].cores if print_.levels else 0
    if not changing:
        return printed
    return max(numbers({"lv1": printed}, [one.change for one in changing])["lv1"], 0)


def lacking(
    terms: Terms, p: Position, number: int, among: Sequence[Modifier] | None = None
) -> bool:
    """Whether a card on the Field has fewer cores than its Lv1 takes (bs:3-2-5-4, 3-3-3-3)."""
    return cores.on_card(p.cards[number]) < lv1_cost(terms, p, number, among)


def raised_by(terms: Terms, p: Position, number: int) -> Ref | None:
    """The latest increase of the Lv1 cost of a card that has the cores for the printed one."""
    print_ = facts(p, number)
    if cores.count(p, number) < print_.levels[0].cores:
        return None
    changing = numeric(terms, p, number, _LV1)
    return changing[-1].source if changing else None


# -- numbers in force ------------------------------------------------------------------------------


def figures(terms: Terms, p: Position) -> Iterator[tuple[int, Mapping[str, Value]]]:
    """All derived numbers of the cards on the Field."""
    among, known, ex_on_field = counting(p), stock(p), chosen(p.heading.options).ex_on_field
    for seat in (0, 1):
        for number in p.zones.get(f"field/{seat}", ()):
            acting = numeric(terms, p, number, SUMS, among) if among else ()
            card, found = p.cards[number], None
            if not acting and card.departing != DISAPPEARED and card.id in known.cards:
                soul = bool(card.counters.get(SOUL))
                found = known.as_printed(card.id, cores.on_card(card), soul, ex_on_field)
            yield number, found or _changed(p, number, acting, ex_on_field)


def _changed(
    p: Position, number: int, acting: Sequence[Modifier], ex_on_field: bool
) -> Mapping[str, Value]:
    """The numbers of a card that texts change, or that goes: then it keeps its Lv."""
    card, print_, had = p.cards[number], facts(p, number), cores.held(p, number)
    lv1 = _lv1(print_, [one for one in acting if one.change.key == "lv1"])
    now = level(print_, had.all, bool(had.soul), lv1)
    if not now or card.departing == DISAPPEARED:  # it goes, or will at once
        now = card.stat("level", 1)
    changes = [one.change for one in acting if one.change.key != "lv1"]
    return _numbers(print_, now, lv1, symbols(print_, ex_on_field), changes)


def _numbers(
    print_: Card, now: int, lv1: int, symbols: Mapping[str, int], changes: Sequence[Change]
) -> Mapping[str, Value]:
    """The numbers of a card at a Lv, once texts have changed what is printed."""
    printed = {**symbols, "cost": print_.cost}
    if print_.type == "spirit":
        printed["bp"] = print_.levels[now - 1].bp
    sums = numbers(printed, changes)
    found: dict[str, Value] = {"level": now}
    if print_.type == "spirit":
        found["bp"] = max(sums["bp"], 0)
    there = {color: sums[color] for color in COLORS if sums.get(color, 0) > 0}
    found |= {"symbols": sum(there.values()), **there}
    if print_.true_release and now >= 2:
        found["true-release"] = True
    if max(sums["cost"], 0) != print_.cost:
        found["cost"] = max(sums["cost"], 0)
    if lv1 != print_.levels[0].cores:
        found["lv1"] = lv1
    return found


def symbols(print_: Card, ex_on_field: bool) -> dict[str, int]:
    """A card's printed symbols, by color; an EX symbol is one (reading:bs/6), by the format."""
    found = dict(print_.symbols)
    if ex_on_field:
        for color, n in print_.ex.items():
            found[color] = found.get(color, 0) + n
    return found


def symbols_of(p: Position, number: int) -> dict[str, int]:
    """The symbols that a card on the Field has now, by color."""
    card = p.cards[number]
    return {color: n for color in COLORS if color in card.stats and (n := card.stat(color))}


# -- what texts ask --------------------------------------------------------------------------------


def _symbol(key: str) -> Asked:
    """Symbols in force, of a color or all; those that are printed of a card without figures."""

    def ask(p: Position, number: int, card: Object, print_: Card) -> object:
        if card.stats:
            return card.stats.get(key)
        printed = symbols(print_, chosen(p.heading.options).ex_on_field)
        return sum(printed.values()) if key == "symbols" else printed.get(key, 0)

    return ask


def _disappeared(p: Position, number: int, card: Object, print_: Card) -> bool:
    going = p.departures.get(number)
    return going is not None and going.cause == DISAPPEARED


#: What a text may ask of a card that is no figure in force and not printed under that name.
ASKED: Mapping[str, Asked] = {
    **{key: _symbol(key) for key in ("symbols", *COLORS)},
    **dict.fromkeys(("name", "name-has"), lambda p, number, card, print_: print_.called()),
    "color": lambda p, number, card, print_: print_.colors,
    "family": lambda p, number, card, print_: print_.families,
    "ex": lambda p, number, card, print_: bool(print_.ex),
    "blocking": lambda p, number, card, print_: (
        p.attack is not None and p.attack.defender == number
    ),
    "cores": lambda p, number, card, print_: cores.on_card(card),
    "soul": lambda p, number, card, print_: bool(card.counters.get(SOUL)),
    "disappeared": _disappeared,
    "true-release": lambda p, number, card, print_: bool(card.stats.get("true-release")),
}
