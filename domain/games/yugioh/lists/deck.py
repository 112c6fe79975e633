"""The rules for building a Main, an Extra and a Side Deck (ygo:base.deck.1 to ygo:base.deck.4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from domain.engine.rulebook import DeckFault
from domain.games.kit.lists.decks import (
    out_of_size,
    pooled,
    strange_cards,
    strange_parts,
    too_many,
)
from domain.games.kit.lists.side import SideDeck
from domain.games.yugioh.lists.card import Card
from domain.games.yugioh.lists.cards import CATALOGUE
from domain.games.yugioh.lists.formats import Format, chosen
from domain.record.schema.listing import ListForm, ListHeading
from domain.record.values import Value
from domain.words.phrases import phrase

#: The parts of a list, their rules and their names.
PARTS = {
    "main": ("ygo:base.deck.1", phrase("a Main Deck")),
    "extra": ("ygo:base.deck.3", phrase("an Extra Deck")),
    "side": ("ygo:base.deck.4", phrase("a Side Deck")),
}
#: The lists of programs to play with.
YDK = ListForm(
    ".ydk",
    8,
    (
        ListHeading("#main", "main"),
        ListHeading("#extra", "extra"),
        ListHeading("!side", "side"),
    ),
)
Deck = Mapping[str, Sequence[str]]


def faults(
    deck: Deck, known: Mapping[str, Card], options: Mapping[str, Value] = {}
) -> list[DeckFault]:
    """Everything wrong with a list in a match with these options, by rule and card."""
    played = chosen(options)
    found = [*_parts(deck, played), *_cards(deck, known), *_copies(deck, known, played)]
    return pooled(found, deck, options)


def _parts(deck: Deck, played: Format) -> Iterator[DeckFault]:
    yield from strange_parts(deck, PARTS, "ygo:base.deck.1")
    sizes = {"main": played.main, "extra": played.extra, "side": played.side}
    for part, (rule, what) in PARTS.items():
        yield from out_of_size(what, len(deck.get(part, ())), sizes[part], rule, part)


def _cards(deck: Deck, known: Mapping[str, Card]) -> Iterator[DeckFault]:
    """Cards that nobody knows, Tokens, and those in the wrong one of the two decks."""
    yield from strange_cards(chain.from_iterable(deck.values()), known, "ygo:base.deck.1")
    for part, cards in deck.items():
        for id_ in dict.fromkeys(cards):
            card = known.get(id_)
            if card is None:
                continue
            if card.token:
                text = phrase("{card} is a Token, which no deck has", card=card.name)
                yield DeckFault("ygo:base.token.1", id_, text)
            elif part == "main" and card.extra:
                text = phrase("{card} belongs in the Extra Deck", card=card.name)
                yield DeckFault("ygo:base.deck.3", id_, text)
            elif part == "extra" and not card.extra:
                text = phrase("{card} does not belong in an Extra Deck", card=card.name)
                yield DeckFault("ygo:base.deck.3", id_, text)


def _copies(deck: Deck, known: Mapping[str, Card], played: Format) -> Iterator[DeckFault]:
    """Too many by one name in all parts; a card of several names counts for each."""
    named: dict[str, list[str]] = {}
    for id_ in chain.from_iterable(deck.values()):
        for name in known[id_].called() if id_ in known else ():
            named.setdefault(name, []).append(id_)
    for name, ids in named.items():
        most = played.copies_of(name)
        if most == 0:
            text = phrase("{card} is forbidden ({by!r})", card=name, by=played.limits)
            yield DeckFault("ygo:base.deck.2", ids[0], text)
        elif len(ids) > most:
            yield too_many(ids[0], name, len(ids), most, "ygo:base.deck.2")


#: Between the games of a series cards are exchanged one for one.
SIDE = SideDeck(CATALOGUE.known, faults, ("ygo:base.deck.4",))
