"""Claims: the players of a table say what its result is, each by himself.

Once both say the same it is the table's result (`results`), by both of them. If they differ, a
judge is called, unless a call of the table waits already. A claim may be changed or taken back as
long as the table has no result; an official's entry ends both. Where matches are recorded nobody
claims anything: there the match has the result.
"""

from __future__ import annotations

from domain.tournament import record as ev
from domain.tournament.acts import calls, checks, results
from domain.tournament.acts.checks import RESULT
from domain.tournament.state import Round, Seating, Stage, State
from domain.tournament.tournament import Sender, Tournament
from domain.words.phrases import phrase

#: What players may say of how it came about: anything else is ruled.
HOWS = (ev.PLAYED, ev.CONCEDED, ev.AGREED)


def claim(t: Tournament, by: Sender, player: int, outcome: ev.Outcome, round_: int = 0) -> None:
    """Have a player say what the result of his table is."""
    s = t.state
    found, place = _place(s, player, round_)
    if outcome.how not in HOWS or outcome.both_lost:
        text = "players report a result as {ways}; what else there is an official enters"
        raise checks.refused(text, RESULT, "BAD_RESULT", ways=", ".join(HOWS))
    results.possible(s, found, place, outcome)
    if place.claim(player) == outcome:
        raise checks.refused("that is what you have reported", RESULT, "SAME_RESULT")
    t.emit(by, ev.ResultClaimed(found.number, place.number, player, outcome))
    if place.disputed:
        _call(t, by, found, place, player)
    elif len(place.claims) == len(place.players):
        results.report(t, by, found.number, place.number, outcome, both=True)


def withdraw(t: Tournament, by: Sender, player: int, round_: int = 0) -> None:
    """Take back what a player said, as long as the table has no result."""
    found, place = _place(t.state, player, round_)
    if place.claim(player) is None:
        raise checks.refused("you have reported no result", RESULT, "RESULT_MISSING")
    t.emit(by, ev.ClaimWithdrawn(found.number, place.number, player))


def claimable(s: State, round_: Round, place: Seating) -> bool:
    """Whether the players of a table may say what its result is."""
    played = round_.stage in (Stage.OPENED, Stage.STARTED)
    return played and place.second > 0 and not (s.ended or (round_.format or s.format).mode)


def _place(s: State, player: int, round_: int) -> tuple[Round, Seating]:
    """The round and the table of a player who may claim something there; raises `Refused`."""
    found = checks.round_of(s, round_, RESULT)
    checks.stage(found, (Stage.OPENED, Stage.STARTED), RESULT)
    name = checks.player(s, player, RESULT).name
    place = found.of(player)
    if place is None:
        text = "{name} is not in round {n}"
        raise checks.refused(text, RESULT, "NO_SUCH_TABLE", name=name, n=found.number)
    if place.second and not claimable(s, found, place):
        raise checks.refused("the match has the result", RESULT, "RESULT_RECORDED")
    return found, place


def _call(t: Tournament, by: Sender, round_: Round, place: Seating, player: int) -> None:
    """Call a judge to a table whose players say different things, if none is called yet."""
    here = (round_.number, place.number)
    if any((one.round, one.table) == here and not one.answered for one in t.state.calls.values()):
        return
    first, second = (f"{one.outcome.first}-{one.outcome.second}" for one in place.claims)
    text = phrase("They report different results: {first}; {second}", first=first, second=second)
    calls.raise_call(t, by, place.number, player, str(text))
