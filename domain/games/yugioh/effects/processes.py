"""What the rules do by themselves, at once: who has no Life Points left has lost.

Nothing is destroyed behind the back of an effect that is being carried out.
"""

from __future__ import annotations

from domain.engine.signals import Over, Play
from domain.engine.table import Table
from domain.games.kit.effects import processes
from domain.games.yugioh.effects.texts import TERMS
from domain.record.events import SeatLost
from domain.record.position import Position

LIFE = 8000


def life(p: Position, seat: int) -> int:
    """A player's Life Points."""
    return p.counters(f"seat/{seat}", "life")


def hurt(t: Table, seat: int, n: int, *cites: str) -> int:
    """A player loses Life Points, not below 0; how many."""
    few = ("ygo:base.life.2",) if n > life(t.pos, seat) else ()
    return t.counters("life", n, *cites, *few, src=f"seat/{seat}")


def fall(t: Table) -> Play:
    """Whoever has no Life Points left loses at once, both of them together."""
    fallen = tuple(seat for seat in (0, 1) if not life(t.pos, seat))
    if fallen:
        t.emit(SeatLost(fallen, "life"), "ygo:base.loss.1")
        raise Over
    return
    yield


def _do(t: Table) -> Play:
    return
    yield


def settle(t: Table) -> Play:
    """What the rules do by themselves."""
    yield from processes.settle(t, TERMS, _do, fall)
