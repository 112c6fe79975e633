"""Which cards of a seat's list an unknown card may be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from domain.engine import naming
from domain.record.position import Position
from replay_cli.drawing.book import Book


def cards(
    book: Book, pos: Position, seat: int, but: Iterable[str] = (), number: int = 0
) -> dict[str, str]:
    """The cards of a list of which copies are left, by id: how each is called.

    Those that `number` may be, if it is given. Those of `but` count as seen. Cards that share a
    name are told apart by their id.
    """
    copies = naming.remaining(pos, seat, number)
    copies.subtract(but)
    names = {card: book.name(card) for card, n in copies.items() if n > 0}
    same = Counter(names.values())
    return {card: f"{name} ({card})" if same[name] > 1 else name for card, name in names.items()}
