"""Summons, from their declaration on: they may be negated, succeed, and are answered.

Normal, Tribute and Flip Summons pass through it, and those Special Summons that use no chain; a Set
comes in at the end. What is done as one is declared is in `choices.summon`.
"""

from __future__ import annotations

from domain.engine.rulebook import go
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.yugioh.choices.summon import summoned
from domain.games.yugioh.effects.places import leave
from domain.games.yugioh.effects.processes import settle
from domain.record.position import Frame, Position


def frame_of(p: Position) -> Frame:
    """The frame of the Summon that is going on."""
    return next(frame for frame in reversed(p.frames) if frame.kind == "summon")


def success(t: Table) -> Play:
    """It succeeds unless it was negated; only now is the monster on the field (reading A22)."""
    p = t.pos
    frame, number = frame_of(p), summoned(p)
    if not isinstance(number, int) or not number:
        finish(t)
        return
    card = p.cards[number]
    if frame.facts["method"] == "flip":
        with t.at_once():
            t.mark(number, "changed", p.turn, "ygo:flip.summon.3", "ygo:flip.summon.2")
    else:
        place = f"monster/{card.controller}"
        rules = ("ygo:summon.steps.5", "reading:ygo/A22")
        t.move([number], place, "succeeded", *rules, same=True, orient=card.orient, up=card.up)
    yield from settle(t)
    go(t, "summon/done", "ygo:summon.steps.6")


def negated(t: Table, *cites: str) -> int:
    """The Summon that is going on is negated, and its monster destroyed; whether there was one.

    It is destroyed neither on the field nor in the hand (ygo:summon.normal.4, ygo:flip.summon.7).
    """
    p = t.pos
    number = summoned(p)
    if not isinstance(number, int) or not number:
        return 0
    flip = frame_of(p).facts["method"] == "flip"
    rule = "ygo:flip.summon.7" if flip else "ygo:summon.normal.4"
    with t.at_once():
        if flip:
            card = p.cards[number]
            place = f"limbo/{card.controller}"
            t.move([number], place, "summon negated", rule, *cites, same=True,
                   orient=card.orient, up=card.up)  # fmt: skip
        leave(t, [number], "grave", "summon negated", rule, *cites)
    return 1


def finish(t: Table) -> None:
    """The Summon is over; the turn goes on where it began."""
    frame = frame_of(t.pos)
    back = frame.facts["back"]
    assert isinstance(back, str)
    t.close_frame(frame.id, "ygo:summon.steps.6")
    go(t, back, "ygo:main1.phase.2")
