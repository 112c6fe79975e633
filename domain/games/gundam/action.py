"""Chapter 8: the Action Step, of an attack and of the End Phase.

The non-turn player acts first, then strictly in turn, each time one of a Command, an
Activate･Action effect or a pass; every act is carried out wholly before the right to act goes on.
"""

from __future__ import annotations

from functools import partial

from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.gundam.acts import ACTS
from domain.games.gundam.effects import resolve_triggers


def action_step(t: Table) -> Play:
    """Go on until both pass in succession (8-5)."""
    held, passes = t.pos.mark("match", "priority"), 0
    seat = held if isinstance(held, int) else t.pos.rival(t.pos.turn_seat)
    while passes < 2:
        rule = "gcg:8-3" if seat != t.pos.turn_seat else "gcg:8-4"
        act = yield from t.ask(seat, "action", partial(ACTS.offer, "action", t, seat), rule)
        t.mark("match", "priority", None, "gcg:8-4-1", "gcg:8-4-2")
        if act.kind == "pass":
            passes += 1
        else:
            passes = 0
            yield from ACTS.carry_out(t, seat, act)
            yield from resolve_triggers(t)
        seat = t.pos.rival(seat)  # 8-4-1, 8-4-2
