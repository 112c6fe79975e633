"""Lays out the zones of a board on a page: which are drawn how, and what is in front of what.

Cards whose faces all see are tiles; those of a hand are lower; those that are all alike to look at
(no figures, nothing with them) are chips. Piles show their top card and can be looked through.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from domain.record.position import NOBODY
from domain.telling.board.model import Side, Spot, Tile, Zone
from domain.words.phrases import Phrase

#: With more cards than so many a zone is drawn smaller, and smaller still.
CROWD, MANY = 6, 14
#: Places of a zone that are empty are drawn one by one up to so many.
ONE_BY_ONE = 8
#: Styles of zones that stand at the side.
ASIDE = ("stack", "pile", "counters")


class Laid(Struct, frozen=True, kw_only=True):
    """A zone on a page. `look` is how: `tiles`, `hand`, `chips`, `pile`, `stack`, `counters`.

    `groups` are its cards: of a zone that the players share, those of each. Of a pile that is the
    card on top; `rest` is looked through. `tally` counts how many lie which way.
    """

    zone: Zone
    look: str
    groups: tuple[tuple[Spot, ...], ...]
    rest: tuple[Tile, ...]
    tally: tuple[tuple[int, str], ...]
    classes: str


class LaidSide(Struct, frozen=True, kw_only=True):
    """A player's part of a page: `lines` lay out cards, `rail` are piles, stacks, counters."""

    side: Side
    lines: tuple[tuple[Laid, ...], ...]
    rail: tuple[Laid, ...]


def laid_side(side: Side, way: int) -> LaidSide:
    """A side; `way` -1: turned round, the front comes last."""
    lines, rail = _lines(side), [_laid_row(row, aside=True) for row in side.rows]
    return LaidSide(
        side=side,
        lines=tuple(row for row in lines[::way] if row),
        rail=tuple(zone for row in rail[::way] for zone in row),
    )


def _lines(side: Side) -> list[tuple[Laid, ...]]:
    """The zones that lay out their cards: the front, what is behind it, the hand."""
    found: list[tuple[Laid, ...]] = []
    behind: tuple[Laid, ...] = ()
    for row in (_laid_row(row, aside=False) for row in side.rows):
        if any(_alone(one) for one in row):
            found += [behind, row]
            behind = ()
        else:
            behind += row
    return [*found, behind]


def _alone(laid: Laid) -> bool:
    """Whether nothing but what is in its own row stands next to a zone."""
    return laid.look == "hand" or laid.zone.front or laid.zone.counted


def _laid_row(zones: Iterable[Zone], *, aside: bool) -> tuple[Laid, ...]:
    return tuple(
        _laid(zone) for zone in zones
        if (zone.declared.style in ASIDE) == aside and _is_drawn(zone)
    )  # fmt: skip


def laid_shared(zones: Iterable[Zone], seats: Sequence[int], *, aside: bool) -> tuple[Laid, ...]:
    """The zones between the sides, which are in this order; `aside`: at its side."""
    return tuple(
        _laid(zone, seats) for zone in zones
        if (zone.declared.style in ASIDE) == aside and _is_drawn(zone)
    )  # fmt: skip


def _is_drawn(zone: Zone) -> bool:
    """Whether a zone is shown: one that holds nothing is where its place is fixed."""
    declared = zone.declared
    if zone.n or zone.counters:
        return True
    if declared.style in ASIDE:
        return not declared.shared
    fixed = zone.counted or declared.orients or declared.faces != "all"
    return bool(fixed) and declared.style != "passing"


def _laid(zone: Zone, seats: Sequence[int] = ()) -> Laid:
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
    groups = [tuple(spots)]
    if zone.declared.shared and not zone.declared.ordered:
        groups = [
            tuple(one for one in spots if one.tile is not None and one.tile.seat == seat)
            for seat in (*seats, NOBODY)
        ]
    return Laid(
        zone=zone,
        look=look,
        groups=tuple(group for group in groups if group),
        rest=tuple(rest),
        tally=_tally(tiles) if look in ("chips", "stack") else (),
        classes=" ".join(_classes(zone, bool(spots))),
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


def _classes(zone: Zone, apart: bool) -> Iterator[str]:
    if zone.counted:
        yield "slots"
    if zone.n > CROWD:
        yield "many" if zone.n > MANY else "crowd"
    if not zone.n and not zone.counted:
        yield "bare"
    if zone.declared.shared:
        yield "shared"
    if zone.front:
        yield "front"
    if apart:
        yield "apart"


def _tally(tiles: Iterable[Tile]) -> tuple[tuple[int, str], ...]:
    """How many lie which way."""
    lying = (Phrase(one.lies) if not isinstance(one.lies, Phrase) else one.lies
             for one in tiles if one.lies and one.turns)  # fmt: skip
    return tuple((n, lies) for lies, n in Tally[str](lying).items())
