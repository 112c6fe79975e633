"""Which cards of a seat's list an unknown card may be, and which a few foreign letters name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from domain.engine import naming
from domain.record.position import Position
from domain.scorekeeping.suggestions import fuzzy
from domain.telling.book import Book
from domain.text.foreign import folded, own_names


def cards(
    book: Book, pos: Position, seat: int, but: Iterable[str] = (), number: int = 0
) -> dict[str, str]:
    """The cards of a list of which copies are left, by id: how each is called.

    Those that `number` may be, if it is given. Those of `but` count as seen. Cards that share a
    name are distinguished by their id. What was brought to the match since may be in any list.
    """
    copies = naming.remaining(pos, seat, number)
    copies.subtract(but)
    names = {card: book.name(card) for card, n in copies.items() if n > 0}
    names |= {card: book.name(card) for card in pos.heading.added}
    return _apart(names)


def unlisted(book: Book, pos: Position, seat: int, but: Iterable[str] = ()) -> dict[str, str]:
    """The cards of which a seat's list has no copy left, or never had one: how each is called."""
    left = cards(book, pos, seat, but)
    names = {card: one.name for card, one in book.cards.items() if card not in left}
    return _apart(names)


def in_english(book: Book, pos: Position, seat: int, letters: str) -> str:
    """The one card of a list or the table whose name in another language such letters begin.

    Empty if there is none, or several.
    """
    there = [book.name(card.id) for card in pos.cards.values() if card.id]
    names, own = {*there, *cards(book, pos, seat).values()}, own_names(book.manifest.name)
    every = [(one, name) for name in names for one in own.get(name, ())]
    found = fuzzy.ranked(folded(letters), every, lambda pair: pair[0])
    best = {name for score, (_, name) in found if score == found[0][0]}
    return best.pop() if len(best) == 1 else ""


def _apart(names: dict[str, str]) -> dict[str, str]:
    same = Counter(names.values())
    return {card: f"{name} ({card})" if same[name] > 1 else name for card, name in names.items()}
