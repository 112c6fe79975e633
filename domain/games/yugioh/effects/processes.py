"""What the rules do by themselves, at once: who has no Life Points left has lost.

Nothing is destroyed behind the back of an effect that is being carried out.
"""

from __future__ import annotations

from domain.engine.signals import Over, Play
from domain.engine.table import Table
from domain.games.kit.effects import processes, standing
from domain.games.yugioh.effects.figures import print_of
from domain.games.yugioh.effects.places import leave
from domain.games.yugioh.effects.texts import TERMS
from domain.record.events import SeatLost
from domain.record.position import Position

#: The sub-timings of the Damage Step before which monsters that destroy themselves do not.
_BATTLE = frozenset({"damage/1", "damage/2", "damage/3", "damage/4"})


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
    """Equip Cards without their monster are destroyed by rule (ygo:base.spell.4)."""
    p = t.pos
    loose = [
        number
        for seat in (0, 1)
        for number in p.zones.get(f"spell/{seat}", ())
        if p.cards[number].up
        and "equip" in print_of(p, number).kind
        and number not in p.links
        and not _waits(p, number)
    ]
    if loose:
        leave(t, loose, "grave", "rule", "ygo:base.spell.4", "ygo:base.destroy.1")
    if not _busy(p) and (yield from standing.carry_out(t, TERMS)):
        t.touched = True


def _busy(p: Position) -> bool:
    """Whether what destroys itself has to wait: for an effect, for a battle (ygo:battle.d6.2)."""
    resolving = any(act.resolving for act in p.pending.values())
    back = [frame.facts.get("back") for frame in p.frames]
    return resolving or any(str(step) in _BATTLE for step in (p.step, *back))


def _waits(p: Position, number: int) -> bool:
    """Whether a card was activated and its turn has not come, or is over in this moment."""
    return any(act.source == number for act in p.pending.values())


def settle(t: Table) -> Play:
    """What the rules do by themselves."""
    yield from processes.settle(t, TERMS, _do, fall)
