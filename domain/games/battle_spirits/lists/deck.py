"""The rules for building a deck (bs:6-1-1 and its parts, bs:1-1-1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from domain.engine.rulebook import DeckFault
from domain.games.battle_spirits.lists.card import Card
from domain.games.battle_spirits.lists.formats import Format, chosen
from domain.games.kit.lists.decks import (
    MAIN,
    pooled,
    strange_cards,
    strange_parts,
    too_many,
    wrong_size,
)
from domain.record.values import Value
from domain.words.phrases import phrase

Deck = Mapping[str, Sequence[str]]


def faults(
    deck: Deck, known: Mapping[str, Card], options: Mapping[str, Value] = {}
) -> list[DeckFault]:
    """Everything wrong with a list in a match with these options, by rule and card."""
    played = chosen(options)
    listed = deck.get(MAIN, ())
    found = list(strange_parts(deck, (MAIN,), "bs:6-1-1"))
    if len(listed) < played.cards:
        least = f">={played.cards}"
        found.append(wrong_size(phrase("a deck"), len(listed), least, "bs:6-1-1", MAIN))
    found += strange_cards(listed, known, "bs:6-1-1-1")
    there = [known[id_] for id_ in listed if id_ in known]
    found += [*_outside(there, played), *_copies(there, played)]
    return pooled(found, deck, options)


def _outside(cards: Sequence[Card], played: Format) -> Iterator[DeckFault]:
    """Cards whose newest block icon is not in the format (bs:2-13-1-4)."""
    if played.icons == "any":
        return
    for id_, card in {card.id: card for card in cards}.items():
        if not card.icon.isalpha():
            text = phrase(
                "{card} has the block icon {icon!r}: a letter is needed",
                card=card.name,
                icon=card.icon,
            )
            yield DeckFault("bs:2-13-1-2-1", id_, text)


def _copies(cards: Sequence[Card], played: Format) -> Iterator[DeckFault]:
    """Too many by one name; each identifier is counted apart (bs:6-1-1-2-1).

    A card counts under each of its names (bs:2-1-3); its identifier stands behind the printed one.
    """
    numbers = Counter(name for card in cards for name in _counted(card))
    first = {name: card for card in reversed(cards) for name in _counted(card)}
    for (name, identifier), n in numbers.items():
        called = f"{name} [{identifier}]" if identifier else name
        card, most = first[name, identifier].id, played.copies_of(called)
        if most == 0:
            yield DeckFault("bs:6-1-1-2-2", card, phrase("{card} is banned", card=called))
        elif n > most:
            yield too_many(card, called, n, most, _rule(identifier, most, played))


def _counted(card: Card) -> dict[tuple[str, str], None]:
    """The names that a card counts under, with what tells them apart, each once."""
    return dict.fromkeys(((card.name, card.identifier), *((name, "") for name in card.names)))


def _rule(identifier: str, most: int, played: Format) -> str:
    if most < played.copies:
        return "bs:6-1-1-2-2"
    return "bs:6-1-1-2-1" if identifier else "bs:6-1-1-2"
