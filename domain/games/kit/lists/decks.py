"""The faults of a list in any game: its parts, their sizes, unknown cards, copies."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from domain.effects.language.vocabulary import Test
from domain.engine.rulebook import DeckFault
from domain.words.phrases import Phrase, phrase


def strange_parts(parts: Iterable[str], known: Container[str], rule: str) -> Iterator[DeckFault]:
    """Parts that no deck of the game has."""
    for part in parts:
        if part not in known:
            yield DeckFault(rule, "", phrase("there is no part {part!r} of a deck", part=part))


def strange_cards(ids: Iterable[str], known: Container[str], rule: str) -> Iterator[DeckFault]:
    """Cards that the match does not know, each once."""
    for card in dict.fromkeys(ids):
        if card not in known:
            yield DeckFault(rule, card, phrase("no card is numbered {card!r}", card=card))


def wrong_size(what: Phrase, n: int, size: Test, rule: str) -> DeckFault:
    """A part has not as many cards as it must; `size` is a number or a comparison."""
    if isinstance(size, int):
        text = phrase("{what} has exactly {size} cards, not {n}", what=what, size=size, n=n)
    else:
        text = phrase("{what} has {size} cards, not {n}", what=what, size=size, n=n)
    return DeckFault(rule, "", text)


def out_of_size(what: Phrase, n: int, size: tuple[int, int], rule: str) -> Iterator[DeckFault]:
    """A part that has fewer cards than it must, or more than it may."""
    least, most = size
    if not least <= n <= most:
        sizes = phrase("{least} to {most}", least=least, most=most)
        text = phrase("{what} has {size} cards, not {n}", what=what, size=sizes, n=n)
        yield DeckFault(rule, "", text)


def too_many(card: str, name: str, n: int, most: int, rule: str) -> DeckFault:
    """More copies of a card than may be."""
    text = phrase("{n} copies of {name}; {most} are allowed", n=n, name=name, most=most)
    return DeckFault(rule, card, text)
