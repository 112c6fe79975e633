"""Links from the names of cards in a text to what they say."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from urllib.parse import quote

from markupsafe import Markup, escape

from domain.telling.book import Book

#: A name that is shorter is too likely to be another word.
SHORTEST = 2


def address(game: str, card: str) -> str:
    """Where a card of the catalogue is."""
    return f"/cards/{quote(game, safe='@')}/{quote(card, safe='')}"


def linked(game: str, book: Book) -> Callable[[str], Markup]:
    """What puts links into texts in the language of a book."""
    names = {card.name: card.id for card in reversed([*book.cards.values()])}
    return _linking(game, tuple(sorted(names.items())))


@lru_cache(maxsize=16)
def _linking(game: str, names: tuple[tuple[str, str], ...]) -> Callable[[str], Markup]:
    ids: Mapping[str, str] = dict(names)
    longest = sorted((name for name in ids if len(name) >= SHORTEST), key=len, reverse=True)
    named = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, longest))})(?!\w)")

    def put(text: str) -> Markup:
        found = Markup()
        for at, piece in enumerate(named.split(text)):
            if at % 2:
                where = address(game, ids[piece])
                found += Markup('<a class="card" href="{}">{}</a>').format(where, piece)
            else:
                found += escape(piece)
        return found

    return put
