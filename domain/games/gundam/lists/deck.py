"""5-1: what a deck and a Resource Deck may be made of, and what an event's list takes from that.

Which list of banned and restricted cards a match is played by, and whether with a sideboard, is in
`formats` (house:limited, house:sideboard).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from random import Random

from domain.engine.rulebook import DeckFault
from domain.games.gundam.lists.cards import CATALOGUE, Card
from domain.games.gundam.lists.formats import FORMATS, Format, chosen
from domain.games.kit.lists.decks import (
    drawn,
    pooled,
    strange_cards,
    strange_parts,
    too_many,
    wrong_size,
)
from domain.games.kit.lists.limits import barred, bars, called, day_of, limited, starters
from domain.games.kit.lists.side import SideDeck
from domain.record.values import Value
from domain.words.phrases import phrase

SIZES = {"main": 50, "resource": 10}
NAMED = {
    "main": phrase("a deck"),
    "resource": phrase("a Resource Deck"),
    "side": phrase("a sideboard"),
}
COPIES, COLORS = 4, 2
#: The part of a list that names prepared tokens, and how many of a number there may be.
TOKENS, PREPARED = "tokens", 6
PLAYABLE = ("unit", "pilot", "command", "base")


#: What a Resource Deck drawn at random is made of.
RESOURCE = "R-001"
#: How many cards of a drawn deck share a trait, at least, if there are so many.
KINDRED = 20
#: The rules of whatever an event's list forbids, of cards that are not out yet, and of sideboards.
LIMITED, RELEASED, ASIDE = "house:limited", "house:released", "house:sideboard"
SIDEBOARD = "side"


def faults(
    deck: Mapping[str, Sequence[str]],
    cards: Mapping[str, Card],
    options: Mapping[str, Value] = {},
    tokens: bool = False,
) -> list[DeckFault]:
    """Everything wrong with a list of these cards, in a match with these options (5-2-1-1).

    `tokens`: whether those that are prepared may be listed, too (1.9: 5-17-4).
    """
    played = chosen(options)
    played_with = {part: deck.get(part, ()) for part in ("main", SIDEBOARD)}
    found = [
        *_parts(deck, played, (TOKENS,) if tokens else ()),
        *_main([*chain.from_iterable(played_with.values())], cards),
        *_resources(deck.get("resource", ()), cards),
        *(_tokens(deck.get(TOKENS, ()), cards) if tokens else ()),
        *limited(deck, cards, played.in_force(), _sold(played), LIMITED),
        *barred(
            played_with,
            bars(played.barred),
            day_of(played.date),
            partial(called, cards=cards),
            RELEASED,
        ),
    ]
    return pooled(found, deck, options)


def _sold(played: Format) -> Mapping[str, Mapping[str, Sequence[str]]]:
    """The decks that are sold as they are: those of the catalogue, and the event's own."""
    return {**CATALOGUE.decks, **starters(played.starters)}


def random_deck(rng: Random, cards: Mapping[str, Card]) -> tuple[str, dict[str, tuple[str, ...]]]:
    """A deck of one or two colors that the newest list allows; many of its cards share a trait.

    It is called by its colors.
    """
    entries = [*FORMATS.named.values()][-1].in_force()
    counted = [(entry.numbers(cards), entry.copies) for entry in entries]
    groups = [entry.numbers(cards) for entry in entries if entry.apart]
    able = [card for card in cards.values() if card.type in PLAYABLE and not card.token]
    colors = rng.sample(sorted({card.color for card in able}), rng.choice((1, 2, 2, 2)))
    pool = [card for card in able if card.color in colors]
    trait = rng.choice(sorted({trait for card in pool for trait in card.traits}))

    def most(card: str) -> int:
        return min(n for ids, n in (*counted, ([card], COPIES)) if n is not None and card in ids)

    kindred = drawn(rng, [card.id for card in pool if trait in card.traits], KINDRED, most, groups)
    apart = [group for group in groups if not {*group}.isdisjoint(kindred)]
    barred = {*kindred, *(card for group in apart for card in group)}
    others = [card.id for card in pool if card.id not in barred]
    main = kindred + drawn(rng, others, SIZES["main"] - len(kindred), most, groups)
    parts = {"main": main, "resource": (RESOURCE,) * SIZES["resource"]}
    return "-".join(sorted({cards[card].color for card in main})), parts


def _parts(
    deck: Mapping[str, Sequence[str]], played: Format, more: Sequence[str]
) -> Iterator[DeckFault]:
    """Parts that there are not, and those of another size."""
    aside = {SIDEBOARD: played.side} if played.side else {}
    yield from strange_parts(deck, (*SIZES, *aside, *more), "gcg:5-1-1")
    for part, size in {**SIZES, **aside}.items():
        n = len(deck.get(part, ()))
        if n != size and (n or part != SIDEBOARD):  # nobody has to have one
            rule = ASIDE if part in aside else "gcg:5-1-1"
            yield wrong_size(NAMED[part], n, size, rule, part)


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


#: Between the games of a series cards are exchanged one for one.
SIDE = SideDeck(CATALOGUE.known, partial(faults, tokens=True), ("gcg:5-2-1-1",))
