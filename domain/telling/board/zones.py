"""Describes zones: which stand where by the manifest, and what lies in their places.

The rows of a side and what lies between the sides are worked out in `Layout` alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from msgspec import Struct

from domain.record.schema import manifest
from domain.record.schema.manifest import Manifest, Slots
from domain.telling.board.model import Spot, Zone
from domain.telling.board.tiles import Tiles
from domain.words.phrases import Phrase, phrase


class Layout(Struct, frozen=True):
    """Which zones a board has: the `rows` of a side, from the middle outward, and the `shared`.

    `front` is the row nearest to the middle.
    """

    rows: tuple[tuple[manifest.Zone, ...], ...]
    shared: tuple[manifest.Zone, ...]
    front: int

    @classmethod
    def of(cls, declared: Manifest) -> Layout:
        """The layout that a manifest gives by the rows of its zones."""
        zones = [zone for zone in declared.zones if zone.row >= 0]
        own = [zone for zone in zones if not zone.shared]
        levels = sorted({zone.row for zone in own})
        return cls(
            tuple(tuple(zone for zone in own if zone.row == one) for one in levels),
            tuple(zone for zone in zones if zone.shared),
            min((zone.row for zone in zones), default=0),
        )


class Zones:
    """The zones of one position."""

    def __init__(self, tiles: Tiles) -> None:
        self._tiles, self._pos = tiles, tiles.pos
        self.layout = Layout.of(tiles.book.manifest)
        #: The zones whose places are counted, by name.
        self._slots: Mapping[str, Slots] = {
            slots.zone: slots for slots in tiles.book.manifest.slots
        }

    def rows(self, seat: int) -> tuple[tuple[Zone, ...], ...]:
        """The rows of a seat's side, from the middle outward."""
        return tuple(
            tuple(self._zone(zone, f"{zone.name}/{seat}") for zone in row)
            for row in self.layout.rows
        )

    def shared(self) -> tuple[Zone, ...]:
        """The zones between the sides."""
        return tuple(self._zone(zone, zone.name) for zone in self.layout.shared)

    def _zone(self, zone: manifest.Zone, place: str) -> Zone:
        numbers = self._pos.zone(place)
        return Zone(
            declared=zone,
            place=place,
            label=zone.label,
            whose=self._tiles.place(place),
            counted=zone.name in self._slots,
            front=zone.row == self.layout.front,
            n=len(numbers),
            unknown=numbers.count(0),
            counters=self._tiles.counters(self._pos.holders.get(place, {})),
            spots=tuple(self._spots(zone, place)),
        )

    def _spots(self, zone: manifest.Zone, place: str) -> Iterator[Spot]:
        """The cards of a zone; by its places, if it has some."""
        slots, numbers = self._slots.get(zone.name), self._pos.zone(place)
        tiles = {n: self._tiles.tile(n, shared=zone.shared) for n in numbers}
        if slots is None:
            yield from (Spot(tile=tiles[number]) for number in numbers)
            return
        at = {number: self._pos.mark(number, slots.mark) for number in numbers if number}
        held, counted = self._held(slots, place), range(1, slots.n + 1)
        for taken, some in groupby(counted, lambda n: n in (*at.values(), *held)):
            places = [*some]
            if not taken:
                yield Spot(places[0], places[-1])
                continue
            for n in places:
                lying = [Spot(n, n, tiles[number]) for number in at if at[number] == n]
                yield from lying or [Spot(n, n, text=held[n])]
        yield from (Spot(tile=tiles[n]) for n in numbers if at.get(n) not in counted)

    def _held(self, slots: Slots, place: str) -> dict[int, Phrase]:
        """The places held by cards that lie elsewhere, and the note on each."""
        if not slots.elsewhere:
            return {}
        seat = place.rpartition("/")[2]
        found = {
            number: self._pos.mark(number, slots.elsewhere)
            for other in self._slots if other != slots.zone
            for number in self._pos.zones.get(f"{other}/{seat}", ()) if number
        }  # fmt: skip
        return {
            at: phrase("held for {card}", card=self._tiles.card(number))
            for number, at in found.items() if isinstance(at, int)
        }  # fmt: skip
