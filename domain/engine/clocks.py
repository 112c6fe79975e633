"""The clocks of a match: which there are, and when it is too late to act.

Nothing in the domain reads a clock: `now` always is what a command brought, in milliseconds since
the match was opened. An event's policy says which clocks there are (`start` starts them as a match
is opened); the fold charges a seat's clock with its answers, and pauses stop them all. What a clock
shows is `Position.left`. What officials do about time is in `officials.clocks`.
"""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine import overtime
from domain.engine.rulebook import Refusal
from domain.engine.table import Table
from domain.record.events import BY_OFFICIAL
from domain.record.interventions import ClockSet
from domain.record.manifest import Manifest
from domain.record.policy import Policy
from domain.record.policy import faults as policy_faults
from domain.record.position import Position

ROUND = "round"


def faults(policy: Policy, manifest: Manifest) -> Iterator[str]:
    """Everything wrong with a policy for matches of this game."""
    yield from policy_faults(policy)
    yield from overtime.faults(policy, manifest)


def start(t: Table) -> None:
    """Start the clocks of the policy, as the match is opened."""
    clocks = t.pos.heading.policy.clocks
    if clocks.round:
        t.emit(ClockSet(ROUND, clocks.round, True), "policy:clocks.round", by=BY_OFFICIAL)
    for seat in range(t.manifest.seats) if clocks.seat else ():
        event = ClockSet(f"seat/{seat}", clocks.seat, True)
        t.emit(event, "policy:clocks.seat", by=BY_OFFICIAL)


def too_late(p: Position, now: int) -> Refusal | None:
    """Why no seat may act any more: the minutes after time was called are over as well.

    At a real table nothing is too late: what was done in time may be entered after it. Nor is
    anything in a fork, which is nobody's match.
    """
    if p.heading.mode == "table" or p.heading.fork:
        return None
    if p.paused >= 0:
        now = min(now, p.paused)
    if not p.deadline or now <= p.deadline:
        return None
    rules = ("house:time", "policy:end.ms")
    return Refusal(rules, "time is over; an official ends the game", "TIME_OVER")
