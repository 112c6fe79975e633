"""Penalties of players across rounds, and notes of officials.

What a penalty costs in a match is in the record of the match. One that is recorded here alone
costs nothing by itself: an official corrects the result that it changes.
"""

from __future__ import annotations

from domain.tournament import record as ev
from domain.tournament.acts import checks
from domain.tournament.acts.checks import PENALTY
from domain.tournament.tournament import Sender, Tournament


def penalise(
    t: Tournament,
    by: Sender,
    player: int,
    kind: str,
    note: str,
    round_: int = 0,
    match: str = "",
    seq: int = 0,
) -> int:
    """Penalise a player by the policy's scheme; the entry that records it.

    What was recorded in a match (its entry `seq`) went by the match's own.
    """
    s = t.state
    checks.player(s, player, PENALTY)
    checks.worded(note, PENALTY, needed=not match)
    scheme = s.format.policy
    if round_:
        scheme = (checks.round_of(s, round_, PENALTY).format or s.format).policy
    if not match and scheme.penalty(kind) is None:
        names = ", ".join(known.name for known in scheme.scheme)
        text = "there is no penalty {kind!r}; there are: {names}"
        raise checks.refused(text, PENALTY, "NO_SUCH_PENALTY", kind=kind, names=names)
    return t.emit(by, ev.PlayerPenalised(player, kind, note, round_, match, seq)).seq


def withdraw(t: Tournament, by: Sender, entry: int, why: str) -> None:
    """Say that a penalty was a mistake; `entry` is the one that recorded it."""
    found = t.state.penalties.get(entry)
    checks.worded(why, PENALTY)
    if found is None:
        raise checks.refused("entry {n} is no penalty", PENALTY, "NO_SUCH_PENALTY", n=entry)
    if found.withdrawn:
        raise checks.refused("it was withdrawn already", PENALTY, "PENALTY_WITHDRAWN")
    t.emit(by, ev.PenaltyWithdrawn(entry, why))


def note(t: Tournament, by: Sender, text: str, table: int = 0, player: int = 0) -> int:
    """Write something down for officials; the entry that has it."""
    s = t.state
    checks.worded(text, PENALTY)
    if player:
        checks.player(s, player, PENALTY)
    if table:
        checks.table(checks.round_of(s, 0, PENALTY), table, PENALTY)
    return t.emit(by, ev.JudgeNoted(text, table, player)).seq
