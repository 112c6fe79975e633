"""The veil: detects that code reads what is hidden from a viewer in his position.

What a rulebook says of a seat's act may rest on all that this seat sees. Asked about another
viewer's position it would take what is missing there for what is not there, and say so. Under the
veil it can't: it is stopped (`Unseen`) as soon as it reads which card lies face down, goes through
a hand, or looks at options that are hidden from the viewer. How many cards there are, all may know.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from domain.record.position import Position
from domain.record.schema.manifest import Manifest


class Unseen(Exception):
    """The viewer does not see what the answer rests on."""


class VeiledZone:
    """Cards that the viewer can't tell apart, by their number alone."""

    def __init__(self, numbers: list[int]) -> None:
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self._numbers)

    def __contains__(self, number: object) -> bool:
        """Whether a card that the viewer can tell from all others is among them."""
        if not number:
            raise Unseen
        return number in self._numbers

    def __iter__(self) -> Iterator[int]:
        raise Unseen

    def __getitem__(self, at: Any) -> Any:
        raise Unseen

    def __getattr__(self, name: str) -> Any:
        raise Unseen


class VeiledCard:
    """A card that the viewer can follow, but of which he can't say which it is."""

    def __init__(self, card: Any) -> None:
        object.__setattr__(self, "_card", card)

    def __getattr__(self, name: str) -> Any:
        if name == "id":
            raise Unseen
        return getattr(self._card, name)

    def __setattr__(self, name: str, value: object) -> None:
        raise Unseen


class VeiledOffers(dict[int, Any]):
    """The offers of seats, with those that the viewer may not know left out."""

    def get(self, seat: int, default: Any = None) -> Any:
        """The offer of a seat, if the viewer may know it."""
        found = super().get(seat, default)
        if found is None and seat in self:
            raise Unseen
        return found

    def __getitem__(self, seat: int) -> Any:
        return self.get(seat)


def veil(pos: Position, manifest: Manifest, seat: int) -> None:
    """Put the veil over a viewer's position, for questions about what a seat may do. O(cards)."""
    bit = 1 << seat
    hidden: dict[str, Any] = {
        place: VeiledZone(numbers)
        for place, numbers in pos.zones.items()
        if 0 in numbers and manifest.follow(place) & bit
    }
    pos.zones.update(hidden)
    cards: dict[int, Any] = {
        number: VeiledCard(card)
        for number, card in pos.cards.items()
        if not card.id and card.seen & bit
    }
    pos.cards.update(cards)
    if pos.decision is not None:
        pos.decision.offers = VeiledOffers(pos.decision.offers)
