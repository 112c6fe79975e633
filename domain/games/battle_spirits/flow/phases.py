"""From one phase to the next: what lasts for a phase is over as it ends (bs:7-1-1).

The phases themselves are in `turn` and `attack`.
"""

from __future__ import annotations

from domain.engine.rulebook import go
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.battle_spirits.effects.texts import follow_up
from domain.games.kit.flow.steps import Does

PHASE = "phase"


def end_phase(t: Table, *cites: str) -> Play:
    """End the effects that last for the present phase, also those that this sets off."""
    while t.expire(PHASE, *cites):
        yield from follow_up(t)


def to(step: str, *cites: str) -> Does:
    """The phase ends, and the next one begins with this step."""

    def on(t: Table) -> Play:
        yield from end_phase(t, *cites)
        go(t, step, *cites)

    return on
