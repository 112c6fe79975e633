"""Links from the names of cards in a text to what they say."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from urllib.parse import quote

from markupsafe import Markup, escape

from domain.telling.book import Book, brought
from domain.words.tables import Language

#: A name that is shorter is too likely to be another word.
SHORTEST = 2


def address(game: str, card: str) -> str:
    """Where a card of the catalogue is."""
    return f"/cards/{quote(game, safe='@')}/{quote(card, safe='')}"


def own_address(match: str, card: str) -> str:
    """Where a card is that a match brought."""
    return f"/m/{match}/card/{quote(card, safe='')}"


def own_cards(match: str, prints: Iterable[str]) -> Mapping[str, str]:
    """Where the cards are that a match brought, by their names."""
    return {card.name: own_address(match, card.id) for card in brought(prints)}


def linked(
    game: str, book: Book, language: Language, own: Mapping[str, str] = MappingProxyType({})
) -> Callable[[str], Markup]:
    """What puts links into texts of a language: the `own` cards of a match, then the book's."""
    names = {language.say(book.name(card)): address(game, card) for card in reversed([*book.cards])}
    of_game = _linking(tuple(sorted(names.items())), escape)
    return _linking(tuple(sorted(own.items())), of_game) if own else of_game


@lru_cache(maxsize=64)
def _linking(
    addresses: tuple[tuple[str, str], ...], otherwise: Callable[[str], Markup]
) -> Callable[[str], Markup]:
    where: Mapping[str, str] = dict(addresses)
    longest = sorted((name for name in where if len(name) >= SHORTEST), key=len, reverse=True)
    # Japanese and Chinese have no spaces between words: only plain letters go on with a word
    named = re.compile(rf"(?<![0-9A-Za-z_])({'|'.join(map(re.escape, longest))})(?![0-9A-Za-z_])")

    def put(text: str) -> Markup:
        found = Markup()
        for at, piece in enumerate(named.split(text) if longest else [text]):
            if at % 2:
                found += Markup('<a class="card" href="{}">{}</a>').format(where[piece], piece)
            else:
                found += otherwise(piece)
        return found

    return put
