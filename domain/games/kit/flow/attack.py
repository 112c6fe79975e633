"""An attack: the frame around it, what the position says of it, and its end.

How one is declared, whom it may be on, who may take it on himself and what damage it does is for a
game's own chapter, and so is when it breaks off.
"""

from __future__ import annotations

from domain.engine.table import Table
from domain.record.events import AttackEnded
from domain.record.position import Attack, Position
from domain.record.values import Ref

FRAME = "attack"


def begin(t: Table, attacker: Ref, target: Ref, *cites: str) -> None:
    """Open the frame in which everything about an attack happens."""
    t.open_frame(FRAME, *cites, attacker=attacker, target=target)


def attack_of(p: Position) -> Attack:
    """The attack in progress."""
    assert p.attack is not None
    return p.attack


def frame_of(p: Position) -> int:
    """The frame of the attack in progress."""
    return next(frame.id for frame in p.frames if frame.kind == FRAME)


def end(t: Table, outcome: str, *cites: str) -> None:
    """The attack is over; `outcome` is a word of the manifest: `fought`, `broken off`."""
    t.emit(AttackEnded(outcome), *cites)
    t.close_frame(frame_of(t.pos), *cites)
