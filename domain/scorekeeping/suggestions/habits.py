"""Statistics of what was offered in this match, to rank suggestions.

No game is known here: which verbs go with cards of which zones and types, at which decisions, is
learned from the record. It affects ranking only; the service decides what is legal.
"""

from __future__ import annotations

from collections import Counter, defaultdict

from domain.record.decisions import Offer
from domain.record.position import Position, zone_of
from domain.telling.book import Book


class Habits:
    """The previous uses of verbs."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self._zones: dict[str, set[str]] = defaultdict(set)
        self._types: dict[str, Counter[str]] = defaultdict(Counter)
        self._last: dict[tuple[str, str], str] = {}  # where a verb was last used with a type

    def learn(self, kind: str, seat: int, offer: Offer, pos: Position) -> None:
        """Take in what was on offer to a seat at a decision of a kind."""
        for option in offer.options:
            if isinstance(option.card, int) and option.card in pos.cards:
                card = pos.cards[option.card]
                self._zones[option.kind].add(zone_of(card.place))
                self._named(option.kind, card.id)

    def named(self, verb: str, card: str, zone: str, kind: str) -> None:
        """Take in that a card was named with a verb at a decision of a kind, which was let pass."""
        self._zones[verb].add(zone)
        self._named(verb, card)
        found = self.book.cards.get(card)
        if found is not None:
            self._last[verb, found.type] = zone

    def _named(self, verb: str, card: str) -> None:
        found = self.book.cards.get(card)
        if found is not None:
            self._types[verb][found.type] += 1

    def in_the_open(self, verb: str) -> bool:
        """Whether a verb was only ever on offer for cards that lie where all see them."""
        zones = {zone.name: zone for zone in self.book.manifest.zones}
        return bool(self._zones.get(verb)) and all(
            zones[name].faces == "all" for name in self._zones[verb]
        )

    def from_zone(self, verb: str, zone: str) -> bool | None:
        """Whether a verb was on offer for cards of a zone, or done there; None: never anywhere."""
        zones = self._zones.get(verb)
        return zone in zones if zones else None

    def suits(self, verb: str, card: str) -> bool | None:
        """Whether a verb was used for cards of this one's type; None: no verb was."""
        found = self.book.cards.get(card)
        if found is None or not self.verbs(card):
            return None
        return found.type in self._types.get(verb, ())

    def usual_zone(self, verb: str, card: str) -> str:
        """The zone where a verb was last used for a card of this one's type; empty: nowhere."""
        found = self.book.cards.get(card)
        return self._last.get((verb, found.type), "") if found is not None else ""

    def verbs(self, card: str) -> list[str]:
        """The verbs that were used for cards of this one's type, the most usual first."""
        found = self.book.cards.get(card)
        if found is None:
            return []
        used = {verb: kinds[found.type] for verb, kinds in self._types.items()}
        return sorted((verb for verb, n in used.items() if n), key=lambda verb: -used[verb])
