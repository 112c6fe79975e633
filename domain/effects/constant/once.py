"""Texts that work once: a turn, each on its own object; or all cards of a name together.

It is noted with the turn, on the object, or on the player for all that have the name.
"""

from __future__ import annotations

from domain.engine.table import Table
from domain.record.position import NOBODY, Position
from domain.record.values import Ref


def used(p: Position, source: Ref, ref: str, limit: str = "turn", seat: int = NOBODY) -> bool:
    """Whether a text has done so in this turn, or in this game if its limit is that."""
    turn = p.mark(_holder(source, limit, seat), f"used:{ref}")
    return turn is not None if limit == "game" else turn == p.turn


def use(
    t: Table, source: Ref, ref: str, *cites: str, limit: str = "turn", seat: int = NOBODY
) -> None:
    """It does so now; the text is cited after the rules."""
    t.mark(_holder(source, limit, seat), f"used:{ref}", t.pos.turn, *cites, f"card:{ref}")


def _holder(source: Ref, limit: str, seat: int) -> Ref:
    return source if limit in ("", "turn") else f"seat/{seat}"
