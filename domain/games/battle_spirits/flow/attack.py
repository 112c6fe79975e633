"""The Attack Phase (bs:7-7): the turn player attacks, or ends the phase."""

from __future__ import annotations

from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.battle_spirits.choices.acts import ACTS
from domain.games.battle_spirits.effects.texts import follow_up
from domain.games.kit.flow.steps import Stage


def attack_act(t: Table) -> Play:
    """One act of the Attack Phase (bs:7-7-3-2)."""
    yield from ACTS.ask(t, t.pos.turn_seat, "attack", "bs:7-7-3-2")
    yield from follow_up(t)


#: The steps of the Attack Phase, for the table of the turn.
STAGES = {
    "attack/start": Stage(begins="attack-start", then="attack", cites=("bs:7-7-3-2",)),
    "attack": Stage(attack_act, "second-main", ("bs:7-8-1", "bs:7-1-1"), ends="attack-end",
                    round=True),
}  # fmt: skip
