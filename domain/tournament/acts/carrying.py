"""Carries out the acts at an event (`rows`).

A function is given what an act says by name, so it has a parameter for each field (`round_` for
`round`), and the rulebook, if it takes one. A missing parameter is an error at import. What needs
more than the event and what was sent is paired or called by the service itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from domain.engine.rulebook import Rulebook
from domain.tournament.acts import (
    appeals,
    calls,
    checks,
    claims,
    clocks,
    decks,
    lists,
    penalties,
    players,
    pods,
    pools,
    results,
    rounds,
    rows,
)
from domain.tournament.acts.rows import EventAct
from domain.tournament.state import Stage
from domain.tournament.tournament import Sender, Tournament
from domain.words.fields import parameters

#: Fields that are not for what carries an act out.
_SENT = {"request_id", "preview"}


def carry_out(t: Tournament, by: Sender, act: EventAct, rules: Rulebook) -> Any:
    """Do what an act says; what its function returns. Raises `Refused`."""
    does, takes = _DOES[type(act)]
    given = {name: getattr(act, field) for name, field in takes.items() if field != "rules"}
    if "rules" in takes:
        given["rules"] = rules
    return does(t, by, **given)


def _open(t: Tournament, by: Sender, round_: int) -> int:
    """Open a round; of one that is open what is missing is opened."""
    found = checks.round_of(t.state, round_)
    if found.stage != Stage.OPENED:
        rounds.open_round(t, by, round_)
    return found.number


def _start(t: Tournament, by: Sender, round_: int) -> int:
    """Start a round; in one that is being played what waits begins."""
    found = checks.round_of(t.state, round_)
    if found.stage != Stage.STARTED:
        rounds.start(t, by, round_)
    return found.number


_FUNCTIONS: Mapping[type[EventAct], Callable[..., Any]] = {
    rows.ChangeFormat: players.change_format,
    rows.EnterPlayers: players.enter,
    rows.CorrectPlayer: players.correct,
    rows.DropPlayer: players.drop,
    rows.ReinstatePlayer: players.reinstate,
    rows.BarPlayer: players.bar,
    rows.CheckIn: players.check_in,
    rows.HandInList: lists.hand_in,
    rows.AcceptLists: lists.accept,
    rows.ReopenList: lists.reopen,
    rows.PublishLists: lists.publish,
    rows.CloseLists: lists.close,
    rows.DrawPods: pods.draw,
    rows.RegisterPool: pools.register,
    rows.ClosePools: pools.close,
    rows.NameOfficial: players.name_official,
    rows.OpenRound: _open,
    rows.StartRound: _start,
    rows.PauseClock: clocks.pause,
    rows.ResumeClock: clocks.resume,
    rows.ExtendClock: clocks.extend,
    rows.CallRoundTime: clocks.call_time,
    rows.EndRound: rounds.end,
    rows.EndTournament: rounds.finish,
    rows.ReportResult: results.report,
    rows.CorrectTableResult: results.correct,
    rows.WithdrawResult: results.withdraw,
    rows.ClaimResult: claims.claim,
    rows.WithdrawClaim: claims.withdraw,
    rows.RaiseCall: calls.raise_call,
    rows.TakeCall: calls.take,
    rows.AnswerCall: calls.answer,
    rows.RaiseAppeal: appeals.appeal,
    rows.AnswerAppeal: appeals.answer,
    rows.PenalisePlayer: penalties.penalise,
    rows.WithdrawPenalty: penalties.withdraw,
    rows.NoteAsJudge: penalties.note,
    rows.DrawDecks: decks.draw,
    rows.ReportDeckCheck: decks.check,
}


_DOES = {act: (does, parameters(act, does, _SENT, ("rules",))) for act, does in _FUNCTIONS.items()}
if missing := {*rows.ROWS.values()} - {*_DOES, rows.PairRound}:
    raise TypeError(f"nothing carries out {sorted(one.__name__ for one in missing)}")
