"""The guard deck while damage is under way: which of its cards may still be used or counted.

Cards picked for damage stay in the guard deck until their turn comes (reading:hf/A10), out of reach
of everything that goes on meanwhile. Which ones they are is for nobody else to see, so they lie on
top of it and only their number is noted; a card that was revealed for its damage trigger lies open,
and is noted itself, with the text it was revealed for. How damage is dealt is in `damage`.
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.engine.table import Table
from domain.record.position import Position

MARK, RULE = "committed", "reading:hf/A10"


def free_guard(p: Position, seat: int) -> list[int]:
    """Guard cards that are not set aside for damage under way."""
    guard = p.zone("guard", seat)
    below = guard[: len(guard) - _number_set_aside(p, seat)]
    return [number for number in below if not (number and p.mark(number, MARK))]


def _number_set_aside(p: Position, seat: int) -> int:
    n = p.mark(f"seat/{seat}", MARK)
    return n if isinstance(n, int) else 0


def set_aside(t: Table, seat: int, cards: Sequence[int]) -> None:
    """Lay picked cards on top of the guard deck, below those that were set aside before."""
    if not cards:
        return
    place, before = f"guard/{seat}", _number_set_aside(t.pos, seat)
    guard = t.pos.zone(place)
    split = len(guard) - before
    below = [number for number in guard[:split] if number not in cards]
    t.order(place, [*below, *cards, *guard[split:]], MARK, RULE)
    t.mark(f"seat/{seat}", MARK, before + len(cards), RULE)


def release_set_aside(t: Table, seat: int, cards: Sequence[int]) -> None:
    """The procedure is over: these are again cards like any others."""
    t.mark(f"seat/{seat}", MARK, _number_set_aside(t.pos, seat) - len(cards) or None, RULE)
