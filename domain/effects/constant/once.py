"""Texts that work once, or twice: a turn, each on its own object; or all cards of a name together.

It is noted with the turn, on the object, or on the player for all that have the name.
"""

from __future__ import annotations

from domain.engine.table import Table
from domain.record.position import NOBODY, Position
from domain.record.values import Ref

#: What is added to the mark of a text that works twice, as it does so again.
_AGAIN = " again"


def used(p: Position, source: Ref, ref: str, limit: str = "turn", seat: int = NOBODY) -> bool:
    """Whether a text has done so in this turn, or in this game, as often as its limit says."""
    turn = p.mark(_holder(source, limit, seat), f"used:{ref}{_AGAIN if limit == 'twice' else ''}")
    return turn is not None if limit == "game" else turn == p.turn


def use(
    t: Table, source: Ref, ref: str, *cites: str, limit: str = "turn", seat: int = NOBODY
) -> None:
    """It does so now; the text is cited after the rules."""
    again = _AGAIN if limit == "twice" and used(t.pos, source, ref) else ""
    t.mark(_holder(source, limit, seat), f"used:{ref}{again}", t.pos.turn, *cites, f"card:{ref}")


def _holder(source: Ref, limit: str, seat: int) -> Ref:
    return source if limit in ("", "turn", "twice") else f"seat/{seat}"
