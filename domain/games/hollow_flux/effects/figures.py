"""The facts of a card, and the numbers in force on it.

`facts` is what a card counts as: its print, one of the match's (`stock`), or the definition that an
effect gave to a card lying face down (hf:face.def.1). `ASKED` is what a text may ask of it,
`text_effects` what it has to say, `figures` what is derived: power, classes and keywords, from the
print, the set cards on it and the modifiers. Power is never below 0 (hf:destroy.zero.1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Literal, cast

from domain.effects.constant.calculator import CONSTANT, barred, numbers, numeric
from domain.effects.instructions.cards import Ready
from domain.effects.language.vocabulary import Condition, Effect
from domain.effects.select import Terms
from domain.engine.signals import identified
from domain.games.hollow_flux.flow.guard import MARK
from domain.games.hollow_flux.lists.cards import AMOUNTS, CATALOGUE, SWITCHES, Card, kinds
from domain.games.kit.effects import texts
from domain.games.kit.effects.texts import Asked, Named
from domain.record.position import Card as Object
from domain.record.position import Modifier, Position
from domain.record.values import Value

#: Keywords that stand for a text of their own, in the form of card texts; cited by their rules.
VIGILANCE = Effect(
    kind="triggered",
    name="vigilance",
    on="active-end",
    when=[Condition(turn="theirs"), Condition(this={"orient": "asleep"})],
    do=[Ready()],
)
PIERCE = Effect(kind="triggered", name="pierce", on="pierced")
KEYWORDS = {"keyword/vigilance": VIGILANCE, "keyword/pierce": PIERCE}


class Stock(texts.Stock[Card]):
    """The cards that a match knows, and what is worked out from their prints."""

    def __init__(self, cards: Mapping[str, Card]) -> None:
        super().__init__(cards, Card(id="", name="?", type="command"))
        self.own_texts = lru_cache(maxsize=1024)(self._own_texts)
        self.texts = lru_cache(maxsize=4096)(self._texts)

    def _own_texts(self, card: str) -> tuple[Named, ...]:
        """The texts that a set card keeps to itself (hf:field.set.2)."""
        return tuple((ref, effect) for ref, effect in self.effects(card) if effect.own)

    def _texts(self, card: str, riders: tuple[str, ...], vigilant: bool) -> tuple[Named, ...]:
        """A card's texts that work on the battlefield, and those that its riders lend it."""
        found = [(ref, effect) for ref, effect in self.effects(card) if _at_work(effect)]
        if vigilant:
            found.append(("keyword/vigilance", VIGILANCE))
        for rider in riders:
            lent = self.effects(rider)
            found += [(ref, effect) for ref, effect in lent if _at_work(effect) and not effect.own]
        return tuple(found)


stock = texts.Stocks(CATALOGUE, Stock)


def facts(p: Position, number: int) -> Card:
    """The facts of a card; raises `NameRequired` if nobody has named it."""
    found = print_of(p, p.cards.get(number) or p.departed[number])
    if not found.id and found is stock(p).unknown:
        identified(p, (number,))
    return found


def print_of(p: Position, card: Object) -> Card:
    """The same, of the card itself."""
    if card.defined and not card.up:
        return _defined(tuple(sorted(card.defined.items())))
    known = stock(p)
    return known.cards.get(card.id, known.unknown)


@lru_cache(maxsize=64)
def _defined(figures: tuple[tuple[str, Value], ...]) -> Card:
    facts = dict(figures)
    kind = cast(Literal["character", "set"], facts.get("type", "character"))
    classes = str(facts.get("classes") or "")
    power = facts.get("power", 0)
    assert isinstance(power, int)
    return Card(
        id="",
        name=str(facts.get("name", "")),
        type=kind,
        power=power,
        classes=tuple(filter(None, classes.split(", "))),
    )


def is_character(p: Position, number: int) -> bool:
    """Whether it is a character: only on the battlefield (hf:card.char.3), and not as a rider."""
    card = p.cards.get(number)
    if card is None or card.place != "battlefield" or card.host:
        return False
    return facts(p, number).type == "character"


def is_world(p: Position, number: int) -> bool:
    """Whether it is a world set on the battlefield."""
    card = p.cards.get(number)
    return card is not None and card.place == "battlefield" and facts(p, number).type == "world"


def worlds(p: Position, seat: int) -> list[int]:
    """A player's world sets, of those that somebody has named."""
    return [
        number
        for number in p.zone("battlefield")
        if p.cards[number].controller == seat and print_of(p, p.cards[number]).type == "world"
    ]


def characters(p: Position, seat: int) -> list[int]:
    """A player's characters, in the order they lie."""
    return [
        number
        for number in p.zone("battlefield")
        if p.cards[number].controller == seat and facts(p, number).type == "character"
    ]


def classes(p: Position, number: int) -> tuple[str, ...]:
    """The classes a card has, those of the set cards on it included (hf:card.set.5)."""
    own = facts(p, number).classes
    if number in p.cards and is_character(p, number):
        own += tuple(name for rider in p.cards[number].attached for name in facts(p, rider).classes)
    return tuple(dict.fromkeys(own))


def _lies(p: Position, number: int, card: Object, print_: Card) -> str:
    """How a card lies: set on a host, as that does (hf:card.set.2)."""
    host = p.cards.get(card.host) if card.host else None
    return host.orient if host is not None else card.orient


def _keyword(key: str) -> Asked:
    return lambda p, number, card, print_: card.stats.get(key, print_.keywords.get(key))


#: What a text may ask of a card that is no figure in force and not printed under that name.
ASKED: Mapping[str, Asked] = {
    **{key: _keyword(key) for key in (*AMOUNTS, *SWITCHES)},
    "type": lambda p, number, card, print_: kinds(print_),
    "sets": lambda p, number, card, print_: len(card.attached),
    "class": lambda p, number, card, print_: classes(p, number),
    "orient": _lies,
}


# -- texts -----------------------------------------------------------------------------------------


def printed_effects(p: Position, card: str) -> tuple[Named, ...]:
    """The effects printed on a card of the match."""
    return stock(p).effects(card)


def _at_work(effect: Effect) -> bool:
    """Whether a text works on the battlefield (hf:card.char.4); damage triggers and sky don't."""
    return not effect.zone and effect.on != "damage-trigger" and effect.kind != "command"


def text_effects(p: Position, number: int) -> tuple[Named, ...]:
    """The texts that a card on the battlefield has, or had: its own and what its riders lend it."""
    card = p.cards.get(number) or p.departed[number]
    print_ = print_of(p, card)
    if revealed := p.mark(number, MARK):  # for one of its texts: it has no other to say there
        return tuple(one for one in stock(p).effects(print_.id) if one[0] == revealed)
    if card.host:
        return stock(p).own_texts(print_.id)
    riders: tuple[str, ...] = ()
    if card.attached and print_.type == "character":
        riders = tuple(facts(p, rider).id for rider in card.attached if rider in p.cards)
    return stock(p).texts(print_.id, riders, bool(card.stats.get("vigilance")))


# -- numbers in force ------------------------------------------------------------------------------


def figures(terms: Terms, p: Position) -> Iterator[tuple[int, Mapping[str, Value]]]:
    """All derived numbers of the characters on the battlefield."""
    for number in p.zones.get("battlefield", ()):
        print_ = print_of(p, p.cards[number])
        if print_.type == "character":
            yield number, _sums(terms, p, number, print_)


def _sums(terms: Terms, p: Position, number: int, print_: Card) -> dict[str, Value]:
    card = p.cards[number]
    sums: dict[str, int] = {"power": print_.power, **print_.keywords}
    for rider in card.attached:  # hf:card.set.4, card.set.5
        lent = facts(p, rider)
        sums["power"] += lent.power
        for key, value in lent.keywords.items():
            sums[key] = sums.get(key, 0) + value
    acting = numeric(terms, p, number, _FIGURES)
    sums = numbers(sums, [m.change for m in acting if not _unmoved(terms, p, number, m)])
    values: dict[str, Value] = {key: int(n) for key, n in sums.items() if n > 0 and key in AMOUNTS}
    values |= {key: True for key in SWITCHES if sums.get(key)}
    values["power"] = max(int(sums.get("power", 0)), 0)
    if card.attached and (gained := classes(p, number)) != print_.classes:
        values["classes"] = ", ".join(gained)
    return values


_FIGURES = frozenset({"power", *AMOUNTS, *SWITCHES})


def _unmoved(terms: Terms, p: Position, number: int, modifier: Modifier) -> bool:
    """Whether a constant text can't reach this card; others were stopped when carried out."""
    source = modifier.source
    if modifier.until != CONSTANT or not isinstance(source, int) or source == number:
        return False
    return immune(terms, p, number, source, ability=True)


def immune(terms: Terms, p: Position, number: int, source: int, ability: bool) -> bool:
    """Whether a card is not affected by what another does, by an ability or some other effect."""
    if source == number or not source:
        return False
    if barred(terms, p, number, "effects", source):
        return True
    return ability and barred(terms, p, number, "abilities", source)


def damage(card: Object) -> int:
    """The damage a character has taken and not healed."""
    return card.counters.get("damage", 0)
