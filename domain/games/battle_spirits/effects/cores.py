"""Cores: where they are, and moving them from one place to another.

A place is a zone that holds cores (`reserve/0`, `life/0`, `trash/0`), a card on the Field by its
number, or nowhere: the Void (bs:4-8-1). The Soul Core of a player counts as a core wherever a
number of cores is asked for (reading:bs/26); where it matters which core moves, `SOUL` represents
it among places that cores are picked from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from domain.engine.table import Table
from domain.games.battle_spirits.manifest import CORE, CORES, SOUL
from domain.record.position import Card, Position, zone_of
from domain.record.values import Ref

VOID: Ref = ""


class Held(NamedTuple):
    """The cores in a place: how many plain ones, and how many Soul Cores among them (0 or 1)."""

    plain: int
    soul: int

    @property
    def all(self) -> int:
        """How many cores that is."""
        return self.plain + self.soul


def held(p: Position, place: Ref) -> Held:
    """The cores in a place."""
    there = p.counted(place)
    return Held(there.get(CORE, 0), there.get(SOUL, 0))


def count(p: Position, place: Ref) -> int:
    """How many cores are in a place, the Soul Core among them."""
    there = p.counted(place)
    return there.get(CORE, 0) + there.get(SOUL, 0)


def on_card(card: Card) -> int:
    """How many cores are on a card, the Soul Core among them."""
    return card.counters.get(CORE, 0) + card.counters.get(SOUL, 0)


def within_reach(p: Position, seat: int) -> int:
    """How many cores are in the places that a player pays from (`sources`)."""
    own = sum(on_card(p.cards[number]) for number in p.zone("field", seat))
    return count(p, reserve(seat)) + own


def reserve(seat: int) -> str:
    """A player's Reserve."""
    return f"reserve/{seat}"


def life(seat: int) -> str:
    """A player's Life."""
    return f"life/{seat}"


def trash(seat: int) -> str:
    """A player's Trash, of whose two parts one holds cores (bs:4-4-1)."""
    return f"trash/{seat}"


def sources(p: Position, seat: int) -> tuple[Ref, ...]:
    """The places that a player pays from and places from: Reserve, own cards on the Field."""
    return (reserve(seat), *p.zone("field", seat))


def soul_place(p: Position, seat: int) -> Ref | None:
    """Where among those places the Soul Core is; None: elsewhere."""
    if p.counters(reserve(seat), SOUL):
        return reserve(seat)
    return next((n for n in p.zone("field", seat) if p.cards[n].counters.get(SOUL)), None)


def move(t: Table, n: int, src: Ref, dst: Ref, *cites: str, kind: str = CORE) -> int:
    """Move up to `n` cores of a kind; how many were.

    None moves to where it is (bs:1-4-2-2), nor onto a card that is not on the Field, even by an
    official.
    """
    if src == dst:
        return 0
    if isinstance(dst, int) and not _lies_there(t.pos, dst):
        t.not_done("cores", dst, "impossible", "bs:1-4-2", *cites, asked=n)
        return 0
    return t.counters(kind, n, *cites, src=src, dst=dst)


def _lies_there(p: Position, card: int) -> bool:
    """Whether a card is on the Field still, also where something has come in between."""
    return p.present(card) and zone_of(p.cards[card].place) == "field"


def move_all(t: Table, src: Ref, dst: Ref, *cites: str) -> int:
    """Move all cores of a place at one moment, the Soul Core too (reading:bs/26); how many."""
    with t.at_once():
        return sum(move(t, t.pos.counters(src, kind), src, dst, *cites, kind=kind)
                   for kind in CORES)  # fmt: skip


def picked(p: Position, seat: int, picks: Iterable[Ref]) -> Iterator[tuple[Ref, str, int]]:
    """Places and kinds of the cores that were picked (`SOUL` for the Soul Core), and how many.

    A card that has left the Field meanwhile has left its cores in its owner's Reserve.
    """
    counts: dict[Ref, int] = {}
    for ref in picks:
        counts[ref] = counts.get(ref, 0) + 1
    found: dict[tuple[Ref, str], int] = {}
    for ref, n in counts.items():
        place, kind = (ref, CORE) if ref != SOUL else (soul_place(p, seat), SOUL)
        if place is None:
            continue
        if isinstance(place, int) and not p.present(place):
            place = reserve(seat)
        found[place, kind] = found.get((place, kind), 0) + n
    yield from ((place, kind, n) for (place, kind), n in found.items())


def move_picked(t: Table, seat: int, picks: Iterable[Ref], dst: Ref, *cites: str) -> int:
    """Move the cores that were picked to one place, at one moment; how many were."""
    with t.at_once():
        return sum(
            move(t, n, place, dst, *cites, kind=kind)
            for place, kind, n in [*picked(t.pos, seat, picks)]
        )


def caps(p: Position, seat: int, pool: Iterable[Ref]) -> tuple[int, ...]:
    """How many cores may be picked of each member of a pool of places and `SOUL`."""
    soul = soul_place(p, seat) is not None
    return tuple(int(soul) if ref == SOUL else p.counters(ref, CORE) for ref in pool)


def totals(p: Position) -> Mapping[str, int]:
    """How many cores of each kind there are in all places but the Void."""
    found = dict.fromkeys(CORES, 0)
    for holder in (*p.holders.values(), *(card.counters for card in p.cards.values())):
        for kind in CORES:
            found[kind] += holder.get(kind, 0)
    return found
