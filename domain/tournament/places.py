"""The tables that an entry of a tournament is about while their matches are played.

Viewers with a delay must not learn of a penalty, a call or a stopped clock earlier from the
tournament. Results are none of these, nor what is done to all tables of a round at once.
"""

from __future__ import annotations

from domain.tournament import record as ev
from domain.tournament.state import Penalty, State, place_of

#: A round and a table of it, by number.
Place = tuple[int, int]


def tables_of(entry: ev.Entry, s: State) -> list[Place]:
    """The tables that an entry is about; `s` is the tournament by then."""
    match entry.event:
        case ev.ClockPaused() | ev.ClockResumed() | ev.ClockExtended() | ev.TimeCalled() as event:
            return [(event.round, table) for table in event.tables]
        case ev.CallRaised() | ev.CallTaken() | ev.CallAnswered() as event:
            call = s.calls[event.call]
            return [(call.round, call.table)]
        case ev.AppealRaised() | ev.AppealAnswered() as event:
            appeal = s.appeals[event.appeal]
            return [(appeal.round, appeal.table)]
        case ev.ResultClaimed(number, table) | ev.ClaimWithdrawn(number, table):
            return [(number, table)]
        case ev.PlayerPenalised():
            return _penalised(s, s.penalties[entry.seq])
        case ev.PenaltyWithdrawn(seq) | ev.PenaltyCarried(seq):
            return _penalised(s, s.penalties[seq])
        case ev.JudgeNoted(_, table, player):
            number = s.round.number if s.round is not None else 0
            return [(number, table)] if table else _seat(s, number, player)
    return []


def _penalised(s: State, one: Penalty) -> list[Place]:
    place = place_of(one.match)
    if place is not None:
        return [place[1:]]
    return _seat(s, one.round or len(s.rounds), one.player)


def _seat(s: State, number: int, player: int) -> list[Place]:
    """Where a player sits in a round."""
    if not 1 <= number <= len(s.rounds):
        return []
    table = s.rounds[number - 1].of(player)
    return [(number, table.number)] if table is not None else []
