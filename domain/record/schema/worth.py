"""What a position is worth to a seat, as weights that a game declares: what a look-ahead aims at.

They weigh what lies open to everybody and what can be counted (`tallies`), so a position is worth
the same in any viewer's eyes. Like tallies they are no part of the manifest or of a record.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import exp

from msgspec import Struct

from domain.record.position import Card, Position
from domain.record.schema.manifest import Manifest
from domain.record.schema.tallies import Tally


class Worth(Struct, frozen=True):
    """The weights of a game.

    `tallies` by name; `low` is lost where the tally `life` is down to 0, half of it at 1, a third
    at 2 and so on (with `unit` to one life). A card in one of these `zones` is worth `card`, with
    the weights of its `stats` and `counters`. A lead of `even` is worth odds of e to 1.
    """

    tallies: Mapping[str, float]
    zones: tuple[str, ...]
    card: float = 0.0
    stats: Mapping[str, float] = {}
    counters: Mapping[str, float] = {}
    low: float = 0.0
    unit: int = 1
    even: float = 1.0

    def lead(self, tallies: Sequence[Tally], p: Position, seat: int) -> float:
        """By how much a seat is ahead of the other."""
        return self._side(tallies, p, seat) - self._side(tallies, p, p.rival(seat))

    def chance(self, tallies: Sequence[Tally], p: Position, seat: int) -> float:
        """A rough guess of a seat's chance to win the present game, 0 to 1."""
        lead = self.lead(tallies, p, seat) / self.even
        return 1 / (1 + exp(-max(min(lead, 50.0), -50.0)))

    def _side(self, tallies: Sequence[Tally], p: Position, seat: int) -> float:
        total = 0.0
        for one in tallies:
            value = one.value(p, seat)
            total += value * self.tallies.get(one.name, 0.0)
            if one.name == "life" and self.low:
                total -= self.low / (max(value, 0) / self.unit + 1)
        return total + sum(self._card(card) for card in self._laid(p, seat))

    def _laid(self, p: Position, seat: int) -> Iterator[Card]:
        for card in p.cards.values():
            if card.controller == seat and card.place.partition("/")[0] in self.zones:
                yield card

    def _card(self, card: Card) -> float:
        worth = self.card
        for key, weight in self.stats.items():
            worth += weight * card.stat(key)
        for kind, n in card.counters.items():
            worth += self.counters.get(kind, 0.0) * n
        return worth


def faults(worth: Worth, tallies: Iterable[Tally], manifest: Manifest) -> Iterator[str]:
    """The words of the weights of a game that it does not declare."""
    names = {
        "tallies": ({one.name for one in tallies}, worth.tallies),
        "zones": ({zone.name for zone in manifest.zones}, worth.zones),
        "stats": ({*manifest.words("stats")}, worth.stats),
        "counters": ({*manifest.words("counters")}, worth.counters),
    }
    for kind, (declared, used) in names.items():
        yield from (f"{kind}: nothing is called {name}" for name in used if name not in declared)
