"""The two Flash timings of a battle: who may act, and when each is over (bs:8-1-2, 8-1-4).

The attacked player is first; one effect or a pass each in turn, and two passes in a row close it.
Every effect is carried out wholly before the right to act goes on. A timing lies in a frame of its
own and asks in a step that comes round, so that play can be taken up at any answer.
"""

from __future__ import annotations

from domain.engine.table import Table
from domain.games.battle_spirits.effects.texts import follow_up
from domain.games.kit.flow.window import Rules, Window, turn_rival

KIND = "flash"


def _timing(step: str, rule: str) -> Window:
    rules = Rules(
        cause=lambda p, holds: (rule,),
        opens=(rule,), hands=(rule,), reopens=(rule,), passes=(rule,), closes=(rule,), ends=(rule,),
    )  # fmt: skip
    return Window(kind=KIND, frame=KIND, step=step, first=turn_rival, follow=follow_up, rules=rules)


#: The rule of each Flash timing, by its step: before the block, and after it.
RULES = {"attack/flash-1": "bs:8-1-2-1", "attack/flash-2": "bs:8-1-4-1"}
TIMINGS = {step: _timing(step, rule) for step, rule in RULES.items()}


def timing(t: Table) -> Window:
    """The Flash timing of the present step; its frame is opened where it has not begun."""
    window = TIMINGS[t.pos.step]
    if all(frame.kind != KIND for frame in t.pos.frames):
        window.begin(t, RULES[t.pos.step])
    return window
