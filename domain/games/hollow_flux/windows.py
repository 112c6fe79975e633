"""Whose window it is, and what waits: questions to the position. Windows open in `interruption`."""

from __future__ import annotations

from domain.record.position import Frame, Pending, Position


def frame_of(p: Position) -> Frame:
    """The interruption in progress."""
    return next(frame for frame in reversed(p.frames) if frame.kind == "interruption")


def latest(p: Position) -> Pending:
    """The act that was declared last and waits."""
    return list(p.declared())[-1]


def passed(p: Position) -> bool:
    """Whether nothing was done in the window before this one."""
    return bool(p.mark(f"frame/{frame_of(p).id}", "passes"))


def holder(p: Position) -> int:
    """Whose window it is: his who did not declare the latest act, and after a pass his who did."""
    seat = latest(p).seat
    return seat if passed(p) else p.rival(seat)
