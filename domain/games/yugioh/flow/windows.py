"""Windows: when players may activate fast effects while no chain is being built.

The turn player is asked first (ygo:priority.turn.1), and two passes in a row close a window
(ygo:base.step.1). Who announces the next phase, or the end of the turn, has passed with that: then
his opponent alone is asked (`LAST`, ygo:priority.turn.3, ygo:priority.turn.4). What is activated
begins a chain, and with that the window is left (`chain`). The rules by which players may act are
listed step by step (`CITES`), in a Summon by the way it is made (`effects.summons.methods`); the
step after a window is in the chapter that opens it.
"""

from __future__ import annotations

from domain.games.kit.flow.window import Cites, Priority, Rules, Window, turn_rival
from domain.games.yugioh.effects.summons import methods
from domain.games.yugioh.effects.texts import follow_up
from domain.record.position import Position

_CLOSING = ("ygo:turn.window.1", "ygo:turn.window.3")
#: By which rules a window opens, by the step that it is.
CITES: dict[str, Cites] = {
    "draw/close": _CLOSING,
    "standby/close": _CLOSING,
    "main1/to-battle": _CLOSING,
    "main1/to-end": ("ygo:priority.turn.4", *_CLOSING),
    "main2/to-end": ("ygo:priority.turn.4", *_CLOSING),
    "main1/fast": ("ygo:base.step.2", "ygo:chain.window.1"),
    "main2/fast": ("ygo:base.step.2", "ygo:chain.window.1"),
    "battle": ("ygo:battle.phase.4",),
    "battle/fast": ("ygo:battle.phase.4", "ygo:base.step.2"),
    "battle/start": ("ygo:battle.start-step.1", "ygo:battle.phase.4"),
    "battle/response": ("ygo:battle.battle-step.5", "ygo:battle.phase.4"),
    "battle/close": ("ygo:battle.phase.4", "ygo:turn.window.1"),
    "battle/end": ("ygo:battle.end-step.1", "ygo:battle.phase.4"),
    "damage/1": ("ygo:battle.d1.2",),
    "damage/2": ("ygo:battle.d2.4",),
    "damage/3": ("ygo:battle.d3.2",),
    "damage/7": ("ygo:battle.d7.1",),
    "damage/8": ("ygo:battle.d8.1",),
    "damage/9": ("ygo:battle.d9.2",),
    "end/close": _CLOSING,
}


def rules(p: Position) -> Cites:
    """By which rules the window that is open lets players act."""
    return _of_summon(p) or CITES[p.step]


def _cause(p: Position, holds: Priority) -> Cites:
    rule = "ygo:priority.turn.1" if holds.seat == p.turn_seat else "ygo:priority.turn.2"
    return (*rules(p), rule)


def _of_summon(p: Position) -> Cites:
    """Those of the windows of a Summon, by the way in which it is made."""
    if p.step == "summon/negate":
        return methods.rules(p).window
    return methods.rules(p).answered if p.step == "summon/done" else ()


_RULES = Rules(cause=_cause, hands=("ygo:priority.turn.2",))
FAST = Window(kind="window", follow=follow_up, least=2, rules=_RULES)
LAST = Window(kind="window", follow=follow_up, least=2, first=turn_rival, closes=1, rules=_RULES)
