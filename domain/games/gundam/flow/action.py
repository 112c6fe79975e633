"""Chapter 8: the Action Step, of an attack and of the End Phase.

The non-turn player acts first, then strictly in turn, each time one of a Command, an
Activate･Action effect or a pass (`choices.timing`); every act is carried out wholly before the
right to act goes on.
"""

from __future__ import annotations

from functools import partial

from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.gundam.choices.acts import ACTS
from domain.games.gundam.choices.timing import ACTION


def action_step(t: Table) -> Play:
    """Go on until both pass in succession (8-5)."""
    yield from ACTION.ask_until_closed(t, partial(ACTS.offer, "action"), ACTS.carry_out)
