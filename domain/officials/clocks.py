"""The clocks of a match, and what officials do about its time.

Nothing in the domain reads a clock: `now` always is what a command brought, in milliseconds since
the match was opened. An event's policy says which clocks there are (`start` starts them as a match
is opened); the fold charges a seat's clock with its answers, and pauses stop them all. What a clock
shows is `Position.left`. Setting one, and pausing, is at the officials' `desk`.

That the round's time is over is an official's word (`call_time`); what is still played then, and
who is ahead at last, is in `overtime`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from domain.engine import overtime
from domain.engine.rulebook import Refusal, Refused
from domain.engine.table import Table
from domain.officials.frame import MATCH_LOSS, Official, frame
from domain.record.events import OFFICIAL, ClockSet, Paused, TimeCalled, Value
from domain.record.manifest import Manifest
from domain.record.policy import MATCH_LOSS as WHOLE
from domain.record.policy import Policy
from domain.record.policy import faults as policy_faults
from domain.record.position import Position

if TYPE_CHECKING:
    from domain.engine.match import Match

ROUND = "round"


def faults(policy: Policy, manifest: Manifest) -> Iterator[str]:
    """Everything wrong with a policy for matches of this game."""
    yield from policy_faults(policy)
    yield from overtime.faults(policy, manifest)


def start(t: Table) -> None:
    """Start the clocks of the policy, as the match is opened."""
    clocks = t.pos.heading.policy.clocks
    if clocks.round:
        t.emit(ClockSet(ROUND, clocks.round, True), "policy:clocks.round", by=OFFICIAL)
    for seat in range(t.manifest.seats) if clocks.seat else ():
        event = ClockSet(f"seat/{seat}", clocks.seat, True)
        t.emit(event, "policy:clocks.seat", by=OFFICIAL)


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


# -- officials -------------------------------------------------------------------------------------


def call_time(match: Match, by: Official) -> None:
    """The round's time is over: what the policy says of it begins."""
    _live(match, "house:time")
    if match.pos.called:
        raise _no("house:time", "time has been called already", "TIME_CALLED")
    end = match.pos.heading.policy.end
    turns = end.turns if end.turns or not end.ms else -1
    with frame(match, by, "time") as cites:
        match.table.emit(TimeCalled(turns, end.ms), "policy:end", *cites)


def decide(match: Match, by: Official) -> None:
    """The game ends here and now, by the tie-breaks, and the match with it."""
    _live(match, "house:time")
    if not match.pos.called:
        raise _no("house:time", "time has not been called", "TIME_NOT_CALLED")
    with frame(match, by, "time", decides=True):
        pass


def flag(match: Match, by: Official, seat: int) -> None:
    """A seat's clock has run out: what the policy says of that follows; maybe nothing."""
    _live(match, "house:clock")
    clock, p = f"seat/{seat}", match.pos
    if clock not in p.clocks:
        raise _no("house:clock", f"there is no clock {clock}", "NO_SUCH_CLOCK")
    left = p.left(clock, max(by.now, p.time))
    if left > 0:
        raise _no("house:clock", f"there are {left / 1000:.1f} s left on it", "TIME_LEFT")
    effect = p.heading.policy.clocks.flag
    facts: dict[str, Value] = {"rule": "policy:clocks.flag"}
    if effect:
        facts |= {"loses": seat, "loss": MATCH_LOSS if effect == WHOLE else overtime.WHY}
    with frame(match, by, "clock", **facts) as cites:
        match.table.emit(ClockSet(clock, left, False), "policy:clocks.flag", *cites)


def restore(t: Table, before: Position, *cites: str) -> None:
    """Time does not go back with a match: what stood before it was rewound stands again."""
    p, now = t.pos, t.now
    if before.paused < 0 <= p.paused:
        t.emit(Paused(False, ""), *cites)
    for name, clock in before.clocks.items():
        left, as_was = before.left(name, now), p.clocks.get(name)
        if as_was is None or (left, clock.running) != (p.left(name, now), as_was.running):
            t.emit(ClockSet(name, left, clock.running), *cites)
    if before.called and not p.called:
        ms = before.deadline - now if before.deadline else 0
        t.emit(TimeCalled(before.extra, ms), *cites)
    if p.paused < 0 <= before.paused:
        t.emit(Paused(True, ""), *cites)


def _live(match: Match, rule: str) -> None:
    if match.pos.over:
        raise _no(rule, "the match is over", "MATCH_OVER")


def _no(rule: str, text: str, fault: str) -> Refused:
    return Refused(Refusal((rule, "house:official"), text, fault))
