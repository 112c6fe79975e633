"""Results: reported, corrected (also when all is over), withdrawn.

A result comes from the match of its table (`seq`, its entry that says so), or an official reports
it, or both of its players do (`claims`). A result entered by an official stands, even if the match
ends otherwise, until he withdraws it.
"""

from __future__ import annotations

from domain.tournament import record as ev
from domain.tournament.acts import checks
from domain.tournament.acts.checks import RESULT
from domain.tournament.state import Round, Seating, Stage, State
from domain.tournament.tournament import Sender, Tournament

_PLAYED = (Stage.OPENED, Stage.STARTED, Stage.ENDED)
_HOWS = (ev.PLAYED, ev.CONCEDED, ev.NO_SHOW, ev.BYE, ev.AGREED, ev.RULED)


def report(
    t: Tournament,
    by: Sender,
    round_: int,
    table: int,
    outcome: ev.Outcome,
    seq: int = 0,
    both: bool = False,
) -> None:
    """Report the result of a table that has none; `both`: its players say so (`claims`)."""
    found, place = _place(t.state, round_, table)
    possible(t.state, found, place, outcome, seq)
    t.emit(by, ev.ResultReported(found.number, table, outcome, seq, both))


def possible(s: State, round_: Round, place: Seating, outcome: ev.Outcome, seq: int = 0) -> None:
    """Make sure that a table has no result and can have this one; raises `Refused`."""
    if place.result is not None:
        text = "table {n} has a result: correct it, and say why"
        raise checks.refused(text, RESULT, "RESULT_THERE", n=place.number)
    sane(s, round_, place, outcome)
    _goes_on(round_, place, outcome, seq)


def correct(
    t: Tournament, by: Sender, round_: int, table: int, outcome: ev.Outcome, why: str, seq: int = 0
) -> None:
    """Correct the result of a table; the result before stays readable."""
    found, place = _place(t.state, round_, table)
    checks.worded(why, RESULT, needed=not seq)
    if place.result is None:
        raise checks.refused("table {n} has no result", RESULT, "RESULT_MISSING", n=table)
    if place.outcome == outcome and place.result.source == seq:
        raise checks.refused("that is its result already", RESULT, "SAME_RESULT")
    sane(t.state, found, place, outcome)
    _goes_on(found, place, outcome, seq)
    t.emit(by, ev.ResultCorrected(found.number, table, outcome, why, seq))


def withdraw(t: Tournament, by: Sender, round_: int, table: int, why: str, seq: int = 0) -> None:
    """Say that a table has no result after all.

    In a round that has ended only the table's match can lose its end; an official corrects.
    """
    found, place = _place(t.state, round_, table)
    checks.worded(why, RESULT, needed=not seq)
    if place.result is None:
        raise checks.refused("table {n} has no result", RESULT, "RESULT_MISSING", n=table)
    if not seq and found.stage == Stage.ENDED:
        checks.stage(found, (Stage.OPENED, Stage.STARTED), RESULT)
    if not place.second:
        raise checks.refused("a bye has its result", RESULT, "BAD_RESULT")
    t.emit(by, ev.ResultWithdrawn(found.number, table, why, seq))


def give_up(t: Tournament, by: Sender, player: int, how: str) -> None:
    """The table of a player in the round that goes on is lost to him, if it has no result yet."""
    s = t.state
    found = s.round
    place = found.of(player) if found is not None else None
    if found is None or place is None or found.stage not in (Stage.OPENED, Stage.STARTED):
        return
    if place.second and place.result is None:
        wins = (found.format or s.format).best_of // 2 + 1
        first, winner = (0, place.second) if player == place.first else (wins, place.first)
        outcome = ev.Outcome(first, wins - first, 0, winner, how)
        t.emit(by, ev.ResultReported(found.number, place.number, outcome))


def sane(s: State, round_: Round, place: Seating, o: ev.Outcome) -> None:
    """Make sure that a result is possible; raises `Refused`."""
    best_of = (round_.format or s.format).best_of
    wins = best_of // 2 + 1
    if o.how not in _HOWS:
        raise _bad("a result is one of {ways}", ways=", ".join(_HOWS))
    if min(o.first, o.second, o.drawn) < 0 or max(o.first, o.second) > wins or o.drawn > best_of:
        raise _bad("in a best of {n} nobody wins more than {wins}", n=best_of, wins=wins)
    if o.first + o.second > best_of:
        raise _bad("a best of {n} has no more games", n=best_of)
    if o.winner and o.winner not in place.players:
        raise _bad("who has won sat at the table, or nobody has")
    if o.both_lost and o.winner:
        raise _bad("if both have lost, nobody has won")
    if (o.how == ev.BYE) != (not place.second) and not (not place.second and o.how == ev.RULED):
        raise _bad("a bye is for who plays nobody, and for him alone")
    ahead = place.first if o.first > o.second else place.second if o.second > o.first else 0
    if o.how in (ev.PLAYED, ev.BYE) and o.winner != ahead:
        raise _bad("who has won more games has won; else it was no play that decided")


def _goes_on(round_: Round, place: Seating, o: ev.Outcome, seq: int) -> None:
    """Make sure that somebody goes on from a table of an elimination, if an official says so.

    A match may end drawn all the same: then an official corrects its result.
    """
    if round_.by == ev.ELIMINATION and not seq and o.is_draw:
        raise checks.undecided(RESULT, [place.number])


def _place(s: State, round_: int, table: int) -> tuple[Round, Seating]:
    found = checks.round_of(s, round_, RESULT)
    checks.stage(found, _PLAYED, RESULT)
    return found, checks.table(found, table, RESULT)


def _bad(text: str, **values: object) -> Exception:
    return checks.refused(text, RESULT, "BAD_RESULT", **values)
