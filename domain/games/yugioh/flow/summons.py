"""Summons, from their declaration on: they may be negated, succeed, and are answered.

Normal, Tribute and Flip Summons pass through it, and those Special Summons that use no chain; a Set
comes in at the end. What is done as one is declared is in `choices.summons.summon`.
"""

from __future__ import annotations

from domain.engine.rulebook import go
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.yugioh.choices.summons.summoning import (
    decided_by,
    frame_of,
    in_place,
    summoned,
)
from domain.games.yugioh.effects import figures
from domain.games.yugioh.effects.attributes import arrived
from domain.games.yugioh.effects.processes import settle
from domain.games.yugioh.effects.summons import methods
from domain.games.yugioh.effects.summons.revival import lift
from domain.games.yugioh.effects.texts import TRIGGERS


def decided(t: Table) -> None:
    """Nobody has negated it."""
    go(t, "summon/success", *decided_by(t.pos))


def success(t: Table) -> Play:
    """It succeeds unless it was negated; only now is the monster on the field (reading:ygo/A22)."""
    p = t.pos
    number = summoned(p)
    if not number:
        finish(t, negated=True)
        return
    TRIGGERS.overtake(t, *methods.rules(p).succeeds)
    card = p.cards[number]
    if methods.method(p) == "flip":
        with t.at_once():
            arrived(t, number, "flip", "ygo:flip.summon.2")
            t.mark(number, "changed", p.turn, "ygo:flip.summon.3", "ygo:flip.summon.2")
    elif in_place(p):
        with t.at_once():
            arrived(t, number, "normal", *methods.rules(p).succeeds)
            figures.awake(t, number, *methods.rules(p).succeeds)
    else:
        place = f"monster/{card.controller}"
        rules = methods.rules(p).succeeds
        with t.at_once():
            arrived(t, number, methods.method(p), *rules)
            t.move([number], place, "succeeded", *rules, same=True, orient=card.orient, up=card.up)
            if methods.rules(p).proper:
                lift(t, number)
    yield from settle(t)
    go(t, "summon/done", *methods.rules(p).answered)


def finish(t: Table, negated: bool = False) -> None:
    """The Summon is over; the turn goes on where it began.

    After the chain that has `negated` it players may activate fast effects, as after any other.
    """
    frame = frame_of(t.pos)
    assert frame is not None
    back = frame.facts["back"]
    assert isinstance(back, str)
    rules = methods.rules(t.pos)
    t.close_frame(frame.id, *(rules.negated if negated else rules.answered))
    if negated:
        go(t, f"{back}/fast", "ygo:base.step.2")
    else:
        go(t, back, "ygo:main1.phase.2")
