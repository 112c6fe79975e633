"""Rounds: paired, opened, started, ended; and the end of it all.

One round goes on at a time: the next is paired once this one has ended, which needs a result of
every table. The forms do not enforce it: if there is no such result an official enters one. A round
may be paired again until it is opened.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from domain.tournament import record as ev
from domain.tournament.acts import checks
from domain.tournament.acts.checks import PAIRING, ROUND
from domain.tournament.state import Round, Stage, State
from domain.tournament.tournament import Sender, Tournament

_BYS = (ev.SWISS, ev.ELIMINATION, ev.GIVEN, ev.PLAY_OFF)


def next_number(s: State) -> int:
    """The round that may be paired now: a new one, or one that is not opened; raises `Refused`."""
    checks.going_on(s, PAIRING)
    last = s.round
    if last is not None and last.stage in (Stage.OPENED, Stage.STARTED):
        text = "round {n} has not ended"
        raise checks.refused(text, PAIRING, "ROUND_NOT_ENDED", n=last.number)
    _complete(s.rounds if last is None or last.stage == Stage.ENDED else s.rounds[:-1])
    repairs = last is not None and last.stage == Stage.PAIRED
    return len(s.rounds) + (not repairs)


def pair(
    t: Tournament,
    by: Sender,
    tables: Sequence[ev.Table],
    how: str = ev.GIVEN,
    seed: int = 0,
) -> int:
    """Say who plays whom in the next round, or again in one that is not opened; its number.

    Who is at no table does not play in it.
    """
    s = t.state
    number = next_number(s)
    if how not in _BYS:
        text = "pairings are one of {ways}"
        raise checks.refused(text, PAIRING, "BAD_PAIRING", ways=", ".join(_BYS))
    if number > checks.ROUNDS:
        text = "there are at most {n} rounds"
        raise checks.refused(text, PAIRING, "TOO_MANY_ROUNDS", n=checks.ROUNDS)
    _seatable(s, tables)
    t.emit(by, ev.RoundPaired(number, tuple(tables), how, seed))
    return number


def _seatable(s: State, tables: Sequence[ev.Table]) -> None:
    """Make sure that these tables can be a round's."""
    if not tables:
        raise checks.refused("a round has a table", PAIRING, "BAD_PAIRING")
    twice = [n for n, count in Counter(one.number for one in tables).items() if count > 1 or n < 1]
    if twice:
        text = "tables are numbered from 1, each once; not so: {tables}"
        raise checks.refused(text, PAIRING, "BAD_PAIRING", tables=checks.numbers(twice))
    if max(one.number for one in tables) > 2 * checks.PLAYERS:
        text = "tables have numbers up to {n}"
        raise checks.refused(text, PAIRING, "BAD_PAIRING", n=2 * checks.PLAYERS)
    seated = [
        n for one in tables for n in ((one.first, one.second) if one.second else (one.first,))
    ]
    for n in seated:
        checks.player(s, n, PAIRING)
    repairs = [n for n, count in Counter(seated).items() if count > 1]
    if repairs:
        text = "nobody plays at two places in a round: {names}"
        raise checks.refused_for(text, PAIRING, "PLAYER_TWICE", checks.names(s, repairs))
    _none_dropped(s, seated, PAIRING)


def _none_dropped(s: State, players: Iterable[int], rule: str) -> None:
    gone = [n for n in players if s.players[n].dropped]
    if gone:
        text = "who has dropped is not paired: {names}"
        raise checks.refused_for(text, rule, "PLAYER_DROPPED", checks.names(s, gone))


def open_round(t: Tournament, by: Sender, round_: int = 0) -> Round:
    """Open a round that is paired. Who has a bye has his result at once.

    Where matches are recorded, everybody who plays one needs a list that is accepted.
    """
    s = t.state
    checks.going_on(s, ROUND)
    found = checks.round_of(s, round_)
    if found.stage == Stage.OPENED:
        raise checks.refused("round {n} is open already", ROUND, "ROUND_OPENED", n=found.number)
    checks.stage(found, [Stage.PAIRED])
    _complete(s.rounds[:-1])
    seated = [one for table in found.tables.values() for one in table.players]
    _none_dropped(s, seated, ROUND)
    playing = [one for table in found.tables.values() if table.second for one in table.players]
    listless = [one for one in playing if not s.players[one].accepted]
    if s.format.mode and listless:
        text = "no list is accepted of {names}"
        raise checks.refused_for(text, ROUND, "LIST_MISSING", checks.names(s, listless))
    _within_pods(s, found)
    t.emit(by, ev.RoundOpened(found.number))
    wins = (found.format or s.format).best_of // 2 + 1
    for table in found.tables.values():
        if not table.second:
            bye = ev.Outcome(wins, 0, 0, table.first, ev.BYE)
            t.emit(by, ev.ResultReported(found.number, table.number, bye))
    return found


def _within_pods(s: State, round_: Round) -> None:
    """Make sure that a round that was paired within pods is of the present ones."""
    if not s.format.pools.within or round_.by != ev.SWISS:
        return
    across = [
        n
        for n, table in sorted(round_.tables.items())
        if len({s.pod(player) for player in table.players}) > 1
    ]
    if across:
        text = "tables of round {n} are no longer of one pod, so pair it again: {tables}"
        values = {"n": round_.number, "tables": checks.numbers(across)}
        raise checks.refused(text, ROUND, "PODS_CROSSED", **values)


def start(t: Tournament, by: Sender, round_: int = 0) -> Round:
    """Have a round that is open be played: its clocks run from now on."""
    s = t.state
    checks.going_on(s, ROUND)
    found = checks.round_of(s, round_)
    checks.stage(found, [Stage.OPENED])
    assert found.format is not None
    t.emit(by, ev.RoundStarted(found.number, found.format.seconds))
    return found


def to_end(s: State, round_: int = 0) -> Round:
    """The round of that number, if it is being played; it may lack results."""
    found = checks.round_of(s, round_)
    checks.stage(found, [Stage.STARTED])
    return found


def end(t: Tournament, by: Sender, round_: int = 0) -> Round:
    """End a round, so that the next may be paired."""
    checks.going_on(t.state, ROUND)
    found = to_end(t.state, round_)
    _complete([found])
    _decided(found)
    t.emit(by, ev.RoundEnded(found.number))
    return found


def finishable(s: State) -> None:
    """Make sure that the tournament can end: no round goes on, and all have all their results.

    A round that is paired and not opened is not played.
    """
    checks.going_on(s)
    last = s.round
    if last is not None and last.stage in (Stage.OPENED, Stage.STARTED):
        text = "round {n} has not ended"
        raise checks.refused(text, ROUND, "ROUND_NOT_ENDED", n=last.number)
    _complete([one for one in s.rounds if one.stage == Stage.ENDED])


def finish(t: Tournament, by: Sender) -> None:
    """End the tournament; results may still be corrected."""
    finishable(t.state)
    t.emit(by, ev.TournamentEnded())


def _complete(rounds: Iterable[Round]) -> None:
    """Make sure that every table of these rounds has its result."""
    for one in rounds:
        if one.missing:
            text = "round {n} lacks the result of table {tables}"
            tables = checks.numbers(one.missing)
            raise checks.refused(text, ROUND, "RESULTS_MISSING", n=one.number, tables=tables)


def _decided(round_: Round) -> None:
    """Make sure that no table of an elimination is drawn: nobody could go on from it."""
    outcomes = [(n, one.outcome) for n, one in sorted(round_.tables.items()) if one.outcome]
    drawn = [n for n, outcome in outcomes if outcome.is_draw]
    if drawn and round_.by == ev.ELIMINATION:
        raise checks.undecided(ROUND, drawn)
