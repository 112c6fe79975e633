"""Chapter 2: what a card is, and the numbers in force on it.

`ASKED` is what a text may ask of a card beside figures; `figures` derives AP, HP, Lv, keywords and
whether a Unit is a Link Unit, from the print, its Pilot and the modifiers. Prints are those of the
match (`stock`), which may bring cards of its own. How printed facts are stored is in `cards`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from domain.effects.constant.calculator import counting
from domain.effects.select import Terms, contains, passes
from domain.games.gundam.editions import settings
from domain.games.gundam.lists.cards import CATALOGUE, ELSEWHERE, Card
from domain.games.kit.effects import texts
from domain.games.kit.effects.texts import Asked, Named
from domain.record.position import Position, seat_of, zone_of
from domain.record.values import Fact, Value


class Stock(texts.Stock[Card]):
    """The cards that a match knows, and what is worked out from their prints."""

    def __init__(self, cards: Mapping[str, Card]) -> None:
        super().__init__(cards, Card(id="", name="?", type="resource"))
        self.with_pilot = lru_cache(maxsize=4096)(self._with_pilot)
        self.at_work = lru_cache(maxsize=4096)(self._at_work)
        self.apart = frozenset(
            name
            for name, card in self.cards.items()
            if any(effect.own or effect.zone for effect in card.effects)
        )
        self.unmodified = lru_cache(maxsize=4096)(self._unmodified)

    def _with_pilot(self, card: str, pilot: str) -> tuple[Named, ...]:
        """A Unit's own, and all that its Pilot lends it: not Burst, not command effects."""
        return self.effects(card) + tuple(
            (ref, effect)
            for ref, effect in self.effects(pilot)
            if effect.on != "burst" and effect.kind != "command"
        )

    def _at_work(self, card: str, pilot: str, role: str, zone: str) -> tuple[Named, ...]:
        """Those that work where a card lies, and what its Pilot lends it (1.9: 3-3-9).

        Texts that are a Pilot's own, or name a place, are not lent.
        """
        there = self.working(card, zone if zone in ELSEWHERE else "")
        return (
            *(one for one in there if not role or one[1].own),
            *(
                (ref, effect)
                for ref, effect in self.with_pilot("", pilot)
                if not (effect.own or effect.zone)
            ),
        )

    def _unmodified(self, card: str, pilot: str, part: bool) -> dict[str, int]:
        """A card's print with that of its Pilot (2-6-3, 2-7-3), and whether the two link."""
        print_ = self.cards.get(card, self.unknown)
        below = self.cards.get(pilot, self.unknown)
        sums: dict[str, int] = {
            "ap": print_.ap, "hp": print_.hp, "lv": print_.lv, **print_.keywords
        }  # fmt: skip
        sums["ap"] += below.ap
        sums["hp"] += below.hp
        if self.links(card, pilot, part):
            sums["linked"] = True
        return sums

    def links(self, unit: str, pilot: str, part: bool) -> bool:
        """Whether a Pilot meets a Unit's link condition (2-11-3); by `part` of a name."""
        condition, rider = self.cards.get(unit, self.unknown).link, self.cards.get(pilot)
        if condition is None or rider is None:
            return False
        return all(
            (contains if key.endswith("-has") or (part and key == "name") else passes)(
                printed(rider, key, "pilot"), test
            )
            for key, test in condition.items()
        )


#: Where a player's texts are at work: Units and Bases on the field (9-1-2; Bases by 2-10-3).
PLACES = (("battle/0", "base/0"), ("battle/1", "base/1"))

stock = texts.Stocks(CATALOGUE, Stock)
facts = stock.facts


def pilot_of(p: Position, unit: int) -> int:
    """The Pilot under a Unit, 0 if there is none (6-5-2-3-3: at most one)."""
    attached = p.card(unit).attached
    return attached[0] if attached else 0


def damage(p: Position, number: int) -> int:
    """Damage counters on a card (4-5-1-1)."""
    return p.card(number).counters.get("damage", 0)


def remaining(p: Position, number: int) -> int:
    """The rest of a card's HP (4-5-1)."""
    card = p.card(number)
    return card.stat("hp", facts(p, number).hp) - card.counters.get("damage", 0)


def _unless_token(key: str) -> Asked:
    """A figure that tokens have not: it reads as 0 of them (2-8-3, 2-9-3)."""
    return lambda p, number, card, print_: 0 if card.token else card.stat(key, getattr(print_, key))


def _of_print(key: str) -> Asked:
    return lambda p, number, card, print_: printed(print_, key, card.role)


def shield_area(p: Position, seat: int) -> int:
    """The target of damage to a Shield Area: the Base, else the top shield (11-1-2-3); 0: none."""
    for zone in ("base", "shield"):
        cards = p.zone(zone, seat)
        if cards:
            return cards[-1]
    return 0


#: The frame of a battle that a text has begun (`battle`).
BATTLE = "battle"


def battling(p: Position) -> tuple[Fact, ...]:
    """The attacker and the present target, of a text's battle or of the attack (1.9: 5-22-1).

    In an attack on a player that is his Base, or else his top shield.
    """
    for frame in reversed(p.frames):
        if frame.kind == BATTLE:
            return frame.facts["attacker"], frame.facts["target"]
    if p.attack is None:
        return ()
    target = p.attack.target
    return p.attack.attacker, target if isinstance(target, int) else shield_area(p, seat_of(target))


#: What a text may ask of a card that is no figure in force and not printed under that name.
ASKED: Mapping[str, Asked] = {
    **{key: _unless_token(key) for key in ("lv", "cost")},
    **{key: _of_print(key) for key in ("name", "name-has", "trait")},
    "type": lambda p, number, card, print_: (
        "pilot"
        if card.role == "pilot" and not settings(p).pilots_are_commands
        else printed(print_, "type", card.role)
    ),
    "hp": lambda p, number, card, print_: remaining(p, number),
    "paired": lambda p, number, card, print_: bool(card.attached),
    "battling": lambda p, number, card, print_: number in battling(p),
}


def printed(print_: Card, key: str, role: str) -> object:
    """An attribute that nothing in play changes, of a card in a role."""
    match key:
        case "type":
            # 2-3-5-4-1-1: a Command stacked as Pilot is meant by "Pilot" too
            return (print_.type, "pilot") if role == "pilot" else print_.type
        case "name" | "name-has":
            return print_.called(role)
        case "trait":
            return print_.traits
        case _:
            return getattr(print_, key, None)


def text_effects(p: Position, number: int) -> Sequence[Named]:
    """The effects of a card, its Pilot's included (2-3-4-4), each with its name."""
    card, known = p.cards.get(number) or p.departed[number], stock(p)
    if known.apart and settings(p).pilots_keep_texts:
        pilot = p.card(card.attached[0]).id if card.attached else ""
        return known.at_work(card.id, pilot, card.role, zone_of(card.place))
    if not card.attached:
        return known.effects(card.id)
    return known.with_pilot(card.id, p.card(card.attached[0]).id)


def apart(p: Position, seat: int) -> Iterator[int]:
    """A player's Pilots and cards of other places with texts at work there (1.9: 3-3-9)."""
    known = stock(p)
    if known.apart and settings(p).pilots_keep_texts:
        pilots = (n for unit in p.zone("battle", seat) for n in p.cards[unit].attached)
        there = (*pilots, *(n for zone in ELSEWHERE for n in p.zone(zone, seat)))
        yield from (n for n in there if p.cards[n].id in known.apart and text_effects(p, n))


def printed_effects(p: Position, card: str) -> Sequence[Named]:
    """The effects printed on a card of the match, each with its name."""
    return stock(p).effects(card)


def own_effects(p: Position, number: int) -> Sequence[Named]:
    """The effects printed on a card that lies anywhere, without those of a Pilot."""
    return stock(p).effects(p.card(number).id)


# -- numbers in force ------------------------------------------------------------------------------


def figures(terms: Terms, p: Position) -> Iterator[tuple[int, Mapping[str, Value]]]:
    """All derived numbers of the cards on the field.

    Print, Pilot and modifiers together (9-1-5-5), and the keywords in force. What is added up may
    be below zero, and reads as 0 then (1-3-6).
    """
    known, cards, among = stock(p), p.cards, counting(p)
    part = settings(p).links_by_part
    for place in (*PLACES[0], *PLACES[1]):
        for number in p.zones.get(place, ()):
            card = cards[number]
            pilot = cards[card.attached[0]].id if card.attached else ""
            sums = known.unmodified(card.id, pilot, part)
            # 11-1-1-4 and its like; 11-1-4-2, 11-1-5-4, 11-1-6-2
            acting = among and texts.in_force(terms, p, number, sums, _ALWAYS, among)
            yield number, acting or sums


_ALWAYS = ("ap", "hp", "lv")


def linked(p: Position, unit: int) -> bool:
    """Whether a Unit is a Link Unit (2-11-3)."""
    pilot = pilot_of(p, unit)
    part = settings(p).links_by_part
    return bool(pilot) and stock(p).links(p.card(unit).id, p.card(pilot).id, part)
