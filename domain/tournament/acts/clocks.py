"""The clock of a round: pause, resume, extend, call time.

Each table has its own, which all start with the round. An act is about the tables that are named,
or all; if it would change none of them it is refused.
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.tournament import record as ev
from domain.tournament.acts import checks
from domain.tournament.acts.checks import CLOCK
from domain.tournament.folding import clocks
from domain.tournament.state import Round, Stage, State
from domain.tournament.tournament import Sender, Tournament


def pause(
    t: Tournament, by: Sender, round_: int = 0, tables: Sequence[int] = (), why: str = ""
) -> Round:
    """Let clocks stand still."""
    found = _ticking(t.state, round_, tables, why)
    if not any(clock.running for _, clock in clocks(found, tables)):
        raise checks.refused("the clocks are paused already", CLOCK, "CLOCK_PAUSED")
    t.emit(by, ev.ClockPaused(found.number, tuple(tables), why))
    return found


def resume(t: Tournament, by: Sender, round_: int = 0, tables: Sequence[int] = ()) -> Round:
    """Let clocks go on."""
    found = _ticking(t.state, round_, tables)
    if all(clock.running for _, clock in clocks(found, tables)):
        raise checks.refused("the clocks are running", CLOCK, "CLOCK_RUNS")
    t.emit(by, ev.ClockResumed(found.number, tuple(tables)))
    return found


def extend(
    t: Tournament,
    by: Sender,
    seconds: int,
    round_: int = 0,
    tables: Sequence[int] = (),
    why: str = "",
) -> Round:
    """Give so many seconds more, or take some."""
    found = _ticking(t.state, round_, tables, why)
    if not seconds or abs(seconds) > checks.LONGEST:
        raise checks.refused("time is given, or taken, up to a day", CLOCK, "BAD_TIME")
    if not found.seconds:
        raise checks.refused("round {n} has no clock", CLOCK, "NO_CLOCK", n=found.number)
    if all(clock.called for _, clock in clocks(found, tables)):
        raise checks.refused("time has been called already", CLOCK, "TIME_CALLED")
    t.emit(by, ev.ClockExtended(found.number, seconds, tuple(tables), why))
    return found


def call_time(t: Tournament, by: Sender, round_: int = 0, tables: Sequence[int] = ()) -> Round:
    """Call time, for those that are not done."""
    found = _ticking(t.state, round_, tables)
    going_on = [clock for table, clock in clocks(found, tables) if table.result is None]
    if all(clock.called for clock in going_on):
        text = "time has been called already, or nobody plays on"
        raise checks.refused(text, CLOCK, "TIME_CALLED")
    t.emit(by, ev.TimeCalled(found.number, tuple(tables)))
    return found


def _ticking(s: State, round_: int, tables: Sequence[int], why: str = "") -> Round:
    """The round whose clocks are meant."""
    found = checks.round_of(s, round_, CLOCK)
    checks.stage(found, [Stage.STARTED], CLOCK)
    checks.worded(why, CLOCK, needed=False)
    for table in tables:
        if not checks.table(found, table, CLOCK).second:
            raise checks.refused("table {n} is a bye", CLOCK, "NO_CLOCK", n=table)
    return found
