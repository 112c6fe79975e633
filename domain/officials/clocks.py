"""The time of a match: pauses, clocks, calling time, deciding by time.

Which clocks there are, when a seat is too late, what is still played once time is called and who is
ahead at last is in `engine.timekeeping`.
"""

from __future__ import annotations

from msgspec.structs import replace

from domain.engine import timekeeping
from domain.engine.match import Match
from domain.engine.series import BY_TIME, WHOLE_MATCH
from domain.engine.table import Table
from domain.officials import checks
from domain.officials.frame import Official, frame
from domain.record.interventions import ClockSet, Paused, TimeCalled
from domain.record.position import Position
from domain.record.schema.policy import MATCH_LOSS
from domain.record.values import Value
from domain.words.phrases import phrase

#: How much a clock may show, in milliseconds.
WEEK = 7 * 86_400_000
#: The setting that says how long is played after time was called.
MINUTES = "policy:end.ms"


def call_time(match: Match, by: Official) -> None:
    """The round's time is over: what the policy says of it begins."""
    checks.going_on(match, "house:time")
    checks.begun(match)
    if match.pos.called:
        raise checks.refused("time has been called already", "house:time", "TIME_CALLED")
    p, facts = match.pos, dict[str, Value]()
    if timekeeping.ends_at_once(p):
        facts["decides"] = True
    with frame(match, by, "time", **facts) as cites:
        called = TimeCalled(timekeeping.extra_turns(p), p.heading.policy.end.ms)
        match.table.emit(called, *p.heading.policy.end.cites("policy:end"), *cites)


def decide(match: Match, by: Official) -> None:
    """The game ends here and now, by the tie-breaks, and the match with it."""
    checks.going_on(match, "house:time")
    checks.begun(match)
    if not match.pos.called:
        raise checks.refused("time has not been called", "house:time", "TIME_NOT_CALLED")
    with frame(match, by, "time", decides=True):
        pass


def run_out(match: Match, by: Official) -> None:
    """The minutes after time was called are over: the game ends, at that time, by the tie-breaks.

    Raises `Refused` if they are not (`timekeeping.runs_out`).
    """
    due = timekeeping.runs_out(match.pos)
    if due is None or due > by.now:
        raise checks.refused("time is not over", "house:time", "TIME_LEFT")
    rules = match.pos.heading.policy.end.cites(MINUTES)
    with frame(match, replace(by, now=due), "time", 0, rules, decides=True, rule=MINUTES):
        pass


def give_minutes(match: Match, by: Official, ms: int) -> None:
    """Move the end of the minutes after time was called, by milliseconds, if they run."""
    p = match.pos
    checks.going_on(match, "house:clock")
    if not p.deadline:
        raise checks.refused("no minutes run", "house:clock", "NO_SUCH_CLOCK")
    now = max(by.now, p.time) if p.paused < 0 else p.paused
    if (left := p.deadline - now + ms) <= 0:
        raise checks.refused("time is over", "house:time", "TIME_OVER")
    with frame(match, by, "clock") as cites:
        match.table.emit(TimeCalled(p.extra, left), MINUTES, *cites)


def flag(match: Match, by: Official, seat: int) -> None:
    """A seat's clock has run out: what the policy says of that follows; maybe nothing."""
    checks.going_on(match, "house:clock")
    checks.begun(match)
    clock, p = f"seat/{seat}", match.pos
    if clock not in p.clocks:
        raise checks.refused(
            phrase("there is no clock {clock}", clock=clock), "house:clock", "NO_SUCH_CLOCK"
        )
    left = p.left(clock, max(by.now, p.time))
    if left > 0:
        raise checks.refused(
            phrase("there are {n:.1f} s left on it", n=left / 1000), "house:clock", "TIME_LEFT"
        )
    effect = p.heading.policy.clocks.flag
    facts: dict[str, Value] = {"rule": "policy:clocks.flag"}
    if effect:
        facts |= {"loses": seat, "loss": WHOLE_MATCH if effect == MATCH_LOSS else BY_TIME}
    with frame(match, by, "clock", **facts) as cites:
        match.table.emit(ClockSet(clock, left, False), "policy:clocks.flag", *cites)


def pause(match: Match, by: Official) -> None:
    """Let the match stand still: no seat may act, no clock runs."""
    checks.going_on(match, "house:pause")
    checks.begun(match)
    if match.pos.paused >= 0:
        raise checks.refused("the match is standing still already", "house:pause", "PAUSED_ALREADY")
    with frame(match, by, "pause") as cites:
        match.table.emit(Paused(True, by.why), *cites)


def go_on(match: Match, by: Official) -> None:
    """Let a match that stands still go on."""
    checks.going_on(match, "house:pause")
    checks.begun(match)
    if match.pos.paused < 0:
        raise checks.refused("the match is not standing still", "house:pause", "NOT_PAUSED")
    with frame(match, by, "pause") as cites:
        match.table.emit(Paused(False, by.why), *cites)


def set_clock(
    match: Match, by: Official, clock: str, left: int | None = None, running: bool | None = None
) -> None:
    """Set a clock of the match (`round`, `seat/0`), start it or stop it.

    `left` is in milliseconds; None leaves a clock as it is.
    """
    rule, p = "house:clock", match.pos
    checks.going_on(match, rule)
    checks.begun(match)
    if clock not in p.clocks:
        names = ", ".join(p.clocks) or phrase("none")
        raise checks.refused(
            phrase("there is no clock {clock!r}; there are: {names}", clock=clock, names=names),
            rule,
            "NO_SUCH_CLOCK",
        )
    shows = max(p.left(clock, max(by.now, p.time)), 0) if left is None else left
    if not 0 <= shows <= WEEK:
        raise checks.refused("a clock shows from nothing to a week", rule, "BAD_TIME")
    runs = p.clocks[clock].running if running is None else running
    with frame(match, by, "clock") as cites:
        match.table.emit(ClockSet(clock, shows, runs), *cites)


def extend(match: Match, by: Official, clock: str, ms: int) -> None:
    """Give more time on a clock, in milliseconds; once time was called, of the round's minutes."""
    p = match.pos
    minutes = clock == timekeeping.ROUND and p.deadline
    if (clock in p.clocks or minutes) and not 0 < ms <= WEEK:
        raise checks.refused(
            "an extension is more than nothing, and at most a week", "house:clock", "BAD_TIME"
        )
    if minutes:
        over = max(max(by.now, p.time) - p.deadline, 0) if p.paused < 0 else 0
        give_minutes(match, by, over + ms)
        return
    left = p.left(clock, max(by.now, p.time)) if clock in p.clocks else 0
    set_clock(match, by, clock, min(max(left, 0) + ms, WEEK))


def restore(t: Table, before: Position, *cites: str, gone: bool = False) -> None:
    """Time does not go back with a match: what stood before it was rewound stands again.

    `gone`: minutes that are over are not. They would end the match at once, and whoever took it
    back says how it goes on.
    """
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
    if gone and p.deadline and p.paused < 0 and p.deadline <= now:
        t.emit(TimeCalled(p.extra, 0), *cites)
    if p.paused < 0 <= before.paused:
        t.emit(Paused(True, ""), *cites)
