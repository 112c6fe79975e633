"""Appeals to the head judge: against how a call was settled, or a ruling in a match.

A call is raised, taken and settled in `calls`; whether the entry of a match is a ruling is for the
service to look at.
"""

from __future__ import annotations

from domain.tournament import record as ev
from domain.tournament.acts import checks, clocks
from domain.tournament.acts.checks import CALL
from domain.tournament.acts.penalties import by_head_judge
from domain.tournament.state import Appeal, Stage, State
from domain.tournament.tournament import Sender, Tournament


def appeal(
    t: Tournament,
    by: Sender,
    text: str = "",
    call: int = 0,
    table: int = 0,
    seq: int = 0,
    player: int = 0,
) -> int:
    """Appeal against how `call` was settled, or the ruling of entry `seq` of a table's match.

    The number of the appeal. There is one at a time against one thing.
    """
    s = t.state
    checks.worded(text, CALL, needed=False)
    found = checks.round_of(s, 0, CALL)
    checks.stage(found, [Stage.OPENED, Stage.STARTED], CALL)
    table = table_of(s, call, table)
    if bool(call) == bool(seq):
        raise checks.refused("name the call, or the ruling, that it is against", CALL, "NO_RULING")
    place = checks.table(found, table, CALL)
    if player and player not in place.players:
        raise checks.refused("who appeals sits at the table", CALL, "NO_SUCH_PLAYER")
    same = [one for one in s.appeals.values() if (one.call, one.seq) == (call, seq)]
    if any(one.table == table and one.round == found.number for one in same):
        text = "there was an appeal against that: the head judge's word is the last"
        raise checks.by_manual(s, text, CALL, "appeal", "APPEALED")
    number = len(s.appeals) + 1
    t.emit(by, ev.AppealRaised(number, table, player, call, seq, text))
    return number


def table_of(s: State, call: int, table: int) -> int:
    """The table that an appeal is from: that of the call, if it is against one."""
    if not call:
        return table
    if call not in s.calls:
        raise checks.refused("there is no call {n}", CALL, "NO_SUCH_CALL", n=call)
    found = s.calls[call]
    if not found.answered:
        text = "call {n} is not settled: there is nothing to appeal against"
        raise checks.by_manual(s, text, CALL, "appeal", "NO_RULING", n=call)
    if s.round is None or found.round != s.round.number:
        text = "call {n} was in another round"
        raise checks.by_manual(s, text, CALL, "appeal", "NO_RULING", n=call)
    return found.table


def answer(
    t: Tournament,
    by: Sender,
    appeal: int,
    text: str = "",
    overturned: bool = False,
    seconds: int = 0,
) -> None:
    """The head judge's answer, and so many seconds for the table."""
    s = t.state
    found = _open(s, appeal)
    by_head_judge(s, by, CALL, "appeal")
    checks.worded(text, CALL, needed=overturned)
    if not 0 <= seconds <= checks.LONGEST:
        raise checks.refused("time is given up to a day", CALL, "BAD_TIME")
    if seconds:
        clocks.extend(t, by, seconds, found.round, (found.table,))
    t.emit(by, ev.AppealAnswered(appeal, overturned, text, seconds))


def _open(s: State, appeal: int) -> Appeal:
    if appeal not in s.appeals:
        raise checks.refused("there is no appeal {n}", CALL, "NO_SUCH_APPEAL", n=appeal)
    if s.appeals[appeal].answered:
        raise checks.refused("appeal {n} is answered", CALL, "APPEAL_ANSWERED", n=appeal)
    return s.appeals[appeal]
