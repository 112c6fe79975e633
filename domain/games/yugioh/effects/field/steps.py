"""The present step and phase of the turn, under anything in between: a chain, a Summon.

Each of those notes in its frame where play goes on once it is over.
"""

from __future__ import annotations

from domain.record.position import Position


def base(p: Position) -> str:
    """The present step of the turn, under anything that came in between."""
    for frame in p.frames:
        back = frame.facts.get("back")
        if isinstance(back, str):
            return back
    return p.step


def phase(p: Position) -> str:
    """The phase that is going on: `main1`, `battle`."""
    step = base(p).partition("/")[0]
    return "battle" if step == "damage" else step
