"""Lays out the zones of a position: which are drawn how, and what is in them.

Cards whose faces all see are tiles; those of a hand are lower; those that are all alike to look at
(no figures, nothing with them) are chips. Piles show their top card and can be looked through.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Iterator

from domain.record.position import NOBODY
from domain.record.schema.manifest import Zone
from domain.words.phrases import Phrase
from service.web.board.model import Shown, Slot, Tile
from service.web.board.tiles import Tiles

#: With more cards than so many a zone is drawn smaller, and smaller still.
CROWD, MANY = 6, 14
#: Places of a zone that are empty are drawn one by one up to so many.
ONE_BY_ONE = 8
#: Styles of zones that stand at the side.
ASIDE = ("stack", "pile", "counters")


class Zones:
    """The zones of one position."""

    def __init__(self, tiles: Tiles, near: int) -> None:
        self.near, self.tiles, self.table, self.pos = near, tiles, tiles.table, tiles.pos
        self.manifest = tiles.manifest
        self._front = min((zone.row for zone in self.manifest.zones if zone.row >= 0), default=0)

    def lines(self, seat: int, way: int) -> tuple[tuple[Shown, ...], ...]:
        """The zones of a seat that lay out their cards: the front, what is behind it, the hand.

        `way` -1: turned round, the front comes last.
        """
        found: list[tuple[Shown, ...]] = []
        behind: tuple[Shown, ...] = ()
        for row in (self._row(row.zones, seat, aside=False) for row in self.table.rows):
            if any(_alone(one) for one in row):
                found += [behind, row]
                behind = ()
            else:
                behind += row
        return tuple(row for row in [*found, behind][::way] if row)

    def rail(self, seat: int, way: int) -> tuple[Shown, ...]:
        """The zones of a seat that stand at the side."""
        rows = [self._row(row.zones, seat, aside=True) for row in self.table.rows]
        return tuple(zone for row in rows[::way] for zone in row)

    def _row(self, zones: Iterable[Zone], seat: int, *, aside: bool) -> tuple[Shown, ...]:
        some = (zone for zone in zones if (zone.style in ASIDE) == aside)
        shown = (self.zone(zone, f"{zone.name}/{seat}") for zone in some)
        return tuple(one for one in shown if one is not None)

    def shared(self, *, aside: bool = False) -> tuple[Shown, ...]:
        """What lies between the sides; `aside`: beside it."""
        some = (zone for zone in self.table.shared if (zone.style in ASIDE) == aside)
        shown = (self.zone(zone, zone.name) for zone in some)
        return tuple(one for one in shown if one is not None)

    def zone(self, zone: Zone, place: str) -> Shown | None:
        """A zone; None where nothing is drawn of it."""
        numbers, held = self.pos.zone(place), self.pos.holders.get(place, {})
        counted = zone.name in self.table.slots
        fixed = counted or zone.orients or zone.faces != "all" or zone.style in ASIDE
        if not numbers and not held and (zone.style == "passing" or not fixed):
            return None
        if zone.shared and not numbers and not held and zone.style in ASIDE:
            return None
        cards = [self.tiles.tile(n, shared=zone.shared) for n in numbers if n]
        look = self._look(zone, cards)
        laid: tuple[Tile | Slot, ...] = tuple(cards)
        rest: tuple[Tile, ...] = ()
        if counted:
            laid = tuple(self._slots(zone, place, {one.number: one for one in cards}))
        elif look == "pile":
            laid, rest = tuple(cards[-1:]), tuple(cards[-2::-1])
        elif look == "stack" and zone.follow != "all":
            laid, rest = (), tuple(cards[::-1])
        groups = self._by_seat(laid) if zone.shared and not zone.ordered else [laid]
        return Shown(
            place=place,
            label=zone.label,
            whose=self.table.place(place),
            look=look,
            n=len(numbers),
            counters=self.tiles.counters(held),
            groups=tuple(group for group in groups if group),
            rest=rest,
            unknown=numbers.count(0),
            tally=_tally(cards) if look in ("chips", "stack") else (),
            classes=" ".join(self._classes(zone, len(numbers), bool(laid))),
        )

    def _look(self, zone: Zone, cards: list[Tile]) -> str:
        if zone.style in ASIDE:
            return zone.style
        if zone.faces != "all":
            return "hand"
        plain = not any(one.figures or one.under or one.counters or one.down for one in cards)
        listed = zone.orients and not zone.shared and zone.name not in self.table.slots
        return "chips" if cards and plain and listed and zone.row > 0 else "tiles"

    def _classes(self, zone: Zone, n: int, apart: bool) -> Iterator[str]:
        if zone.name in self.table.slots:
            yield "slots"
        if n > CROWD:
            yield "many" if n > MANY else "crowd"
        if not n and zone.name not in self.table.slots:
            yield "bare"
        if zone.shared:
            yield "shared"
        if zone.row == self._front:
            yield "front"
        if apart:
            yield "apart"

    def _by_seat(self, cards: tuple[Tile | Slot, ...]) -> list[tuple[Tile | Slot, ...]]:
        """The cards of each side, in the order in which the sides stand."""
        seats = [*self.table.sides(self.near), NOBODY]
        return [tuple(one for one in cards if isinstance(one, Tile) and one.seat == seat)
                for seat in seats]  # fmt: skip

    def _slots(self, zone: Zone, place: str, cards: dict[int, Tile]) -> Iterator[Tile | Slot]:
        for first, last, what in self.table.places(zone, place):
            if isinstance(what, int):
                yield cards[what] if what else self.tiles.unknown()
            elif last - first < ONE_BY_ONE:
                yield from (Slot(n, n, what) for n in range(first, last + 1))
            else:
                yield Slot(first, last, what)


def _alone(zone: Shown) -> bool:
    """Whether nothing but what is in its own row stands beside a zone."""
    return zone.look == "hand" or not {"front", "slots"}.isdisjoint(zone.classes.split())


def _tally(cards: Iterable[Tile]) -> tuple[tuple[int, str], ...]:
    """How many lie which way."""
    return tuple((n, lies) for lies, n in Tally[str](_lies(cards)).items())


def _lies(cards: Iterable[Tile]) -> Iterator[str]:
    return (Phrase(one.lies) if not isinstance(one.lies, Phrase) else one.lies
            for one in cards if one.lies)  # fmt: skip
