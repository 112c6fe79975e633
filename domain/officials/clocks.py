"""What officials do about the time of a match.

That the round's time is over is an official's word (`call_time`); what is still played then, and
who is ahead at last, is in `engine.overtime`. Which clocks there are is in `engine.clocks`; setting
one, and pausing, is at the officials' `desk`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from domain.engine import overtime
from domain.engine.rulebook import Refusal, Refused
from domain.engine.series import WHOLE_MATCH
from domain.engine.table import Table
from domain.officials.frame import Official, frame
from domain.record.events import Value
from domain.record.interventions import ClockSet, Paused, TimeCalled
from domain.record.policy import MATCH_LOSS
from domain.record.position import Position

if TYPE_CHECKING:
    from domain.engine.match import Match


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
        facts |= {"loses": seat, "loss": WHOLE_MATCH if effect == MATCH_LOSS else overtime.WHY}
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
