"""Which acts are indistinguishable: with cards of one name and state in one place."""

from __future__ import annotations

from collections.abc import Hashable

from domain.record.decisions import Act
from domain.record.position import Position
from domain.record.values import Ref
from domain.telling.book import Book


def likeness(book: Book, pos: Position, act: Act) -> Hashable:
    """The same text for acts that nobody can tell apart, without the numbers of their cards."""

    def card(ref: Ref) -> Hashable:
        found = pos.cards.get(ref) if isinstance(ref, int) else None
        if found is None or not found.id or found.attached or found.counters or found.marks:
            return ref
        zone = book.manifest.zone(found.place)
        if zone.ordered or (zone.faces == "all" and found.stats):  # which of them is seen
            return ref
        return found.id, found.place, found.up, found.orient

    picks = tuple(tuple(map(card, part)) for part in act.picks)
    return act.kind, card(act.card), picks, act.effect
