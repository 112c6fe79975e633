"""Texts that work once a turn: each on its own object, noted on it with the turn."""

from __future__ import annotations

from domain.engine.table import Table
from domain.record.position import Position
from domain.record.values import Ref


def used(p: Position, source: Ref, ref: str) -> bool:
    """Whether a text has done so in this turn."""
    return p.mark(source, f"used:{ref}") == p.turn


def use(t: Table, source: Ref, ref: str, *cites: str) -> None:
    """It does so now; the text is cited after the rules."""
    t.mark(source, f"used:{ref}", t.pos.turn, *cites, f"card:{ref}")
