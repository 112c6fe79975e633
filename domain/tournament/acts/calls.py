"""Calls for a judge: raised at a table, taken, answered."""

from __future__ import annotations

from domain.tournament import record as ev
from domain.tournament.acts import checks, clocks
from domain.tournament.acts.checks import CALL
from domain.tournament.state import Call, Stage, State
from domain.tournament.tournament import Sender, Tournament


def raise_call(t: Tournament, by: Sender, table: int, player: int = 0, text: str = "") -> int:
    """Call a judge to a table of the round that goes on; the number of the call."""
    s = t.state
    found = checks.round_of(s, 0, CALL)
    checks.stage(found, [Stage.OPENED, Stage.STARTED], CALL)
    checks.worded(text, CALL, needed=False)
    place = checks.table(found, table, CALL)
    if player and player not in place.players:
        raise checks.refused("who calls sits at the table", CALL, "NO_SUCH_PLAYER")
    number = len(s.calls) + 1
    t.emit(by, ev.CallRaised(number, table, player, text))
    return number


def take(t: Tournament, by: Sender, call: int) -> None:
    """Go there; also in the place of another."""
    found = _open(t.state, call)
    if found.taken_by == by.name:
        raise checks.refused("you have taken this call", CALL, "CALL_TAKEN")
    t.emit(by, ev.CallTaken(call))


def answer(t: Tournament, by: Sender, call: int, text: str = "", seconds: int = 0) -> None:
    """Settle a call, and give the table so many seconds for it."""
    found = _open(t.state, call)
    checks.worded(text, CALL, needed=False)
    if not 0 <= seconds <= checks.LONGEST:
        raise checks.refused("time is given up to a day", CALL, "BAD_TIME")
    if seconds:  # it can be refused, and is what the clock shows
        clocks.extend(t, by, seconds, found.round, (found.table,))
    t.emit(by, ev.CallAnswered(call, text, seconds))


def _open(s: State, call: int) -> Call:
    if call not in s.calls:
        raise checks.refused("there is no call {n}", CALL, "NO_SUCH_CALL", n=call)
    if s.calls[call].answered:
        raise checks.refused("call {n} is settled", CALL, "CALL_ANSWERED", n=call)
    return s.calls[call]
