"""5-1: what a deck and a Resource Deck may be made of, and what an event's list takes from that.

Which list of banned and restricted cards a match is played by is in `formats` (house:limited).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from domain.engine.rulebook import DeckFault
from domain.games.gundam.lists.cards import CATALOGUE, Card
from domain.games.gundam.lists.formats import Limits, chosen, limited
from domain.games.kit.lists.decks import strange_cards, strange_parts, too_many, wrong_size
from domain.record.values import Value
from domain.words.phrases import phrase

SIZES = {"main": 50, "resource": 10}
NAMED = {"main": phrase("a deck"), "resource": phrase("a Resource Deck")}
COPIES, COLORS = 4, 2
#: The part of a list that names prepared tokens, and how many of a number there may be.
TOKENS, PREPARED = "tokens", 6
PLAYABLE = ("unit", "pilot", "command", "base")


#: The rule of whatever an event's list forbids.
LIMITED = "house:limited"


def faults(
    deck: Mapping[str, Sequence[str]],
    cards: Mapping[str, Card],
    options: Mapping[str, Value] = {},
    tokens: bool = False,
) -> list[DeckFault]:
    """Everything wrong with a list of these cards, in a match with these options (5-2-1-1).

    `tokens`: whether those that are prepared may be listed, too (1.9: 5-17-4).
    """
    main, resource = deck.get("main", ()), deck.get("resource", ())
    limits = limited(chosen(options).limits)
    return [
        *_parts(deck, (TOKENS,) if tokens else ()),
        *_main(main, cards),
        *_resources(resource, cards),
        *(_tokens(deck.get(TOKENS, ()), cards) if tokens else ()),
        *_limits(main, cards, limits),
    ]


def _parts(deck: Mapping[str, Sequence[str]], more: Sequence[str]) -> Iterator[DeckFault]:
    yield from strange_parts(deck, (*SIZES, *more), "gcg:5-1-1")
    for part, size in SIZES.items():
        n = len(deck.get(part, ()))
        if n != size:
            yield wrong_size(NAMED[part], n, size, "gcg:5-1-1")


def _main(ids: Sequence[str], cards: Mapping[str, Card]) -> Iterator[DeckFault]:
    colors = set()
    for card, n in Counter(ids).items():
        print_ = cards.get(card)
        if print_ is None:
            yield from strange_cards([card], cards, "gcg:2-3-2")
            continue
        if print_.token or print_.type not in PLAYABLE:
            text = phrase("{card} does not belong in a deck", card=print_.name)
            yield DeckFault("gcg:5-1-1-1", card, text)
            continue
        colors.add(print_.color)
        if n > COPIES:
            yield too_many(card, print_.name, n, COPIES, "gcg:5-1-1-3")
    if len(colors) > COLORS:
        named = ", ".join(sorted(colors))
        text = phrase("a deck has one or two colors, not {colors}", colors=named)
        yield DeckFault("gcg:5-1-1-2", "", text)


def _resources(ids: Sequence[str], cards: Mapping[str, Card]) -> Iterator[DeckFault]:
    for card in dict.fromkeys(ids):
        print_ = cards.get(card)
        if print_ is None or print_.type != "resource" or print_.token:
            yield DeckFault("gcg:5-1-1-4", card, phrase("{card} is no Resource card", card=card))


def _tokens(ids: Sequence[str], cards: Mapping[str, Card]) -> Iterator[DeckFault]:
    """Prepared tokens, at most six of a number; the deck need not name them (5-17-4-4)."""
    for card, n in Counter(ids).items():
        print_ = cards.get(card)
        if print_ is None or not print_.token:
            yield DeckFault("gcg@1.9:5-17-4", card, phrase("{card} is no token", card=card))
        elif n > PREPARED:
            yield too_many(card, print_.name, n, PREPARED, "gcg@1.9:5-17-4-1")


def _limits(ids: Sequence[str], cards: Mapping[str, Card], limits: Limits) -> Iterator[DeckFault]:
    """Banned and restricted cards, and those that may not be in one deck."""
    numbers = Counter(ids)
    if any(
        numbers == Counter(CATALOGUE.decks.get(name, {}).get("main", ()))
        for name in limits.unchanged
    ):
        return
    for card, most in limits.copies.items():
        n = numbers[card]
        if n and not most:
            yield DeckFault(LIMITED, card, phrase("{card} is banned", card=_called(card, cards)))
        elif n > most:
            yield too_many(card, _called(card, cards), n, most, LIMITED)
    for group in limits.apart:
        there = [card for card in group if numbers[card]]
        if len(there) > 1:
            named = ", ".join(f"{_called(card, cards)} ({card})" for card in there)
            text = phrase("of these a deck may have only one: {cards}", cards=named)
            yield DeckFault(LIMITED, there[1], text)


def _called(card: str, cards: Mapping[str, Card]) -> str:
    return cards[card].name if card in cards else card
