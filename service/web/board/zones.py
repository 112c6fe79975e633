"""Lays out the zones of a board on a page: where each lies on the mat, and what is drawn of it.

A mat is a grid of ten columns and of as many units as its rows are high (`record.schema.looks`); a
game without one gets one made of the rows of its zones. The other side's is turned round. How large
cards are is worked out by styles, from the room of their zone and how many of them stand in one,
two or three lines (`_lines`). Piles show their top card and can be looked through.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import ceil

from msgspec import Struct

from domain.record.position import NOBODY
from domain.record.schema.looks import COLUMNS, Cell, cells
from domain.telling.board.model import Side, Spot, Tile, Zone
from domain.words.phrases import Phrase

#: Places of a zone that are empty are drawn one by one up to so many.
ONE_BY_ONE = 8
#: Styles of zones that stand at the side.
ASIDE = ("stack", "pile", "counters")
#: As wide as so many upright cards is one that lies turned.
TURNED = 1.4
#: More cards than these are not made room for in a line.
MOST = 24
#: How many columns are for what is only there in passing, and at the side of a mat that was made.
PASSING, RAIL = 2, 2
#: How high the front of a mat that was made is, and its other rows; and a hand that
#: nobody sees, or that is empty.
FRONT, ROW, UNSEEN, EMPTY = 4, 3, 2, 1


class Group(Struct, frozen=True):
    """Cards that lie together; `room` says how many of them stand in a line (`_lines`)."""

    spots: tuple[Spot, ...]
    room: str


class Laid(Struct, frozen=True, kw_only=True):
    """A zone on a page. `look` is how: `tiles`, `hand`, `chips`, `pile`, `stack`, `counters`.

    `groups` are its cards: of a zone that the players share, those of each. Of a pile that is the
    card on top; `rest` is looked through. `tally` counts how many lie which way. `backs` says how
    many cards that can't be told apart are drawn, `classes` also where it lies.
    """

    zone: Zone
    look: str
    groups: tuple[Group, ...]
    rest: tuple[Tile, ...]
    tally: tuple[tuple[int, str], ...]
    backs: int
    classes: str
    cell: Cell = Cell(1, 1, 1, 1)

    @property
    def room(self) -> str:
        """How many backs stand in a line; they lie upon each other."""
        n = ceil(1 + (self.backs - 1) * 0.4)
        return f"a{n} b{n} c{n}"


class LaidSide(Struct, frozen=True, kw_only=True):
    """A player's part of a page, `units` high."""

    side: Side
    zones: tuple[Laid, ...]
    units: int


def laid_side(side: Side, mat: Sequence[str], way: int) -> LaidSide:
    """A side; `way` -1: turned round."""
    found = {one.declared.name: one for row in side.rows for one in row}
    places, units = _placed(found, mat or _made(side.rows))
    zones = [(_turned(cell, units) if way < 0 else cell, found[name])
             for name, cell in places.items()]  # fmt: skip
    return LaidSide(
        side=side, zones=tuple(_laid(zone, cell) for cell, zone in zones[::way]), units=units
    )


def laid_shared(
    zones: Sequence[Zone], mat: Sequence[str], seats: Sequence[int]
) -> tuple[tuple[Laid, ...], int]:
    """The zones between the sides, which are in this order, and how high they are together."""
    if not zones:
        return (), 0
    found = {one.declared.name: one for one in zones}
    places, units = _placed(found, mat or _made([tuple(zones)]))
    return tuple(_laid(found[name], cell, seats) for name, cell in places.items()), units


# -- where zones lie -------------------------------------------------------------------------


def _placed(zones: Mapping[str, Zone], mat: Sequence[str]) -> tuple[Mapping[str, Cell], int]:
    """The cells of zones: what is there in passing takes some of the first one's room."""
    hands = ((n, _hand(zones, line.split()[1])) for n, line in enumerate(mat))
    found, units = cells(tuple(mat), {n: high for n, high in hands if high})
    found = {name: cell for name, cell in found.items() if name in zones}
    for name, zone in zones.items():
        if name not in found and zone.n and found:
            front = max(found, key=lambda one: found[one].wide * (found[one].y == 1))
            cell = found[front]
            wide = min(PASSING, cell.wide - 1)
            found[front] = cell._replace(wide=cell.wide - wide)
            found[name] = cell._replace(x=cell.x + cell.wide - wide, wide=wide)
    return found, units


def _hand(zones: Mapping[str, Zone], word: str) -> int:
    """How high a row is that begins with a hand of which no card is known; 0: it does not."""
    zone = zones.get(word.partition("*")[0])
    if zone is None or _look(zone) != "hand" or zone.tiles:
        return 0
    return UNSEEN if zone.n else EMPTY


def _made(rows: Sequence[tuple[Zone, ...]]) -> tuple[str, ...]:
    """A mat of the rows of zones: those of cards, and at their side those that stand aside."""
    shown = [[one for one in row if one.declared.style != "passing"] for row in rows]
    aside = [one.declared.name for row in shown for one in row if _is_aside(one)]
    named = [[one.declared.name for one in row if not _is_aside(one)] for row in shown]
    lines = [line for line in named if line] or [["."]]
    rail = [aside[n :: len(lines)] for n in range(len(lines))]
    found = []
    for n, (line, piles) in enumerate(zip(lines, rail, strict=True)):
        wide = COLUMNS - min(len(piles), RAIL)
        edges = pairwise(round(wide * k / len(line)) for k in range(len(line) + 1))
        words = [f"{name}*{b - a}" for name, (a, b) in zip(line, edges, strict=True)]
        found.append(" ".join([str(ROW if n else FRONT), *words, *piles[:RAIL]]))
    return tuple(found)


def _is_aside(zone: Zone) -> bool:
    return zone.declared.style in ASIDE


def _turned(cell: Cell, units: int) -> Cell:
    """Where a cell lies for who sits opposite."""
    return cell._replace(x=COLUMNS + 2 - cell.x - cell.wide, y=units + 2 - cell.y - cell.high)


# -- what is drawn of them -------------------------------------------------------------------


def _laid(zone: Zone, cell: Cell, seats: Sequence[int] = ()) -> Laid:
    """A zone; of one that is shared by these seats, the cards of each are together."""
    tiles, look = zone.tiles, _look(zone)
    spots = [one for one in zone.spots if one.tile is not None and one.tile.number]
    rest: list[Tile] = []
    if zone.counted:
        spots = [*_one_by_one(zone.spots)]
    elif look == "pile":
        spots, rest = spots[-1:], tiles[-2::-1]
    elif look == "stack" and zone.declared.follow != "all":
        spots, rest = [], tiles[::-1]
    groups = [spots]
    if zone.declared.shared and not zone.declared.ordered:
        groups = [
            [one for one in spots if one.tile is not None and one.tile.seat == seat]
            for seat in (*seats, NOBODY)
        ]
    return Laid(
        zone=zone,
        look=look,
        groups=tuple(Group(tuple(one), _room(one, zone, look)) for one in groups if one),
        rest=tuple(rest),
        tally=_tally(tiles) if look in ("chips", "stack") else (),
        backs=min(zone.unknown, 3 if look == "stack" and not zone.declared.orients else 10),
        classes=" ".join(_classes(zone, look, cell)),
        cell=cell,
    )


def _one_by_one(spots: Iterable[Spot]) -> Iterator[Spot]:
    """The places of a zone, with a few empty ones each by itself."""
    for one in spots:
        if one.tile is None and one.last - one.first < ONE_BY_ONE:
            yield from (Spot(n, n, text=one.text) for n in range(one.first, one.last + 1))
        else:
            yield one


def _look(zone: Zone) -> str:
    declared, tiles = zone.declared, zone.tiles
    if declared.style in ASIDE:
        return declared.style
    if declared.faces != "all":
        return "hand"
    listed = declared.orients and not declared.shared and not zone.counted and declared.row > 0
    return "chips" if tiles and listed and all(one.plain for one in tiles) else "tiles"


def _classes(zone: Zone, look: str, cell: Cell) -> Iterator[str]:
    yield f"x{cell.x} y{cell.y} w{cell.wide} h{cell.high}"
    if zone.counted:
        yield "slots"
    if not zone.n and not zone.counted:
        yield "bare"
    if zone.declared.shared:
        yield "shared"
    if zone.front:
        yield "front"
    if cell.wide == 1 or look in ASIDE:
        yield "aside"


def _room(spots: Sequence[Spot], zone: Zone, look: str) -> str:
    """How many upright cards each line is as wide as, if there is one line, or two, or three."""
    if zone.counted:
        n = ceil(len(spots) * (TURNED if zone.declared.orients else 1))
        return f"a{n} b{n} c{n}"
    if look == "stack":
        n = ceil(1 + (len(spots) - 1) * 0.4)
        return f"a{n} b{n} c{n}"
    widths = [TURNED if one.tile is not None and one.tile.turn else 1.0 for one in spots]
    return " ".join(
        f"{name}{_lines(widths, rows)}" for name, rows in (("a", 1), ("b", 2), ("c", 3))
    )


def _lines(widths: Sequence[float], rows: int) -> int:
    """The width of the least box in which cards stand in so many lines, one after the other."""
    least = max(ceil(sum(widths) / rows), ceil(max(widths, default=1)))
    return next(
        (n for n in range(least, MOST) if _wrapped(widths, n) <= rows), min(MOST, ceil(sum(widths)))
    )


def _wrapped(widths: Sequence[float], wide: float) -> int:
    """In how many lines cards stand in a box."""
    lines, left = 0, 0.0
    for one in widths:
        if one > left + 0.001:
            lines, left = lines + 1, wide
        left -= one
    return lines


def _tally(tiles: Iterable[Tile]) -> tuple[tuple[int, str], ...]:
    """How many lie which way."""
    lying = (Phrase(one.lies) if not isinstance(one.lies, Phrase) else one.lies
             for one in tiles if one.lies and one.turns)  # fmt: skip
    return tuple((n, lies) for lies, n in Tally[str](lying).items())
