"""Entries of an event's record in words: a sentence for each kind of event, by its fields.

The sentences before something ends are in `tournament_consequences`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from domain.text import outcomes
from domain.tournament import record as ev
from domain.tournament.state import Stage, State
from domain.words.phrases import Phrase, joined, labelled, phrase

#: How far a round has come.
STAGES = {
    Stage.PAIRED: phrase("paired"),
    Stage.OPENED: phrase("open, not started"),
    Stage.STARTED: phrase("being played"),
    Stage.ENDED: phrase("over"),
}

#: What people call officials, by what the event says that they are.
ROLES = {
    ev.HEAD_JUDGE: phrase("head judge"),
    ev.JUDGE: phrase("judge"),
    ev.SCOREKEEPER: phrase("scorekeeper"),
}


def sentence(event: ev.AnyEvent, s: State) -> Phrase:
    """An event as a sentence, with the present names of the players."""
    return _SENTENCES[type(event)](event, s)


def _name(s: State, player: int) -> str:
    return s.players[player].name if player in s.players else phrase("player {n}", n=player)


def _with(text: Phrase, more: str) -> Phrase:
    """A sentence with what somebody wrote to it, if he did."""
    return labelled(text, more) if more else text


def _about(say: Callable[[str], Phrase]) -> Callable[[Any, State], Phrase]:
    """A sentence about a player, with the reason if one was given."""
    return lambda e, s: _with(say(_name(s, e.player)), getattr(e, "why", ""))


def _clock(say: Callable[[Any, Phrase], Phrase]) -> Callable[[Any, State], Phrase]:
    return lambda e, s: _with(say(e, _whose(e)), getattr(e, "why", ""))


def _whose(e: Any) -> Phrase:
    tables = ", ".join(map(str, e.tables))
    if not tables:
        return phrase("round {n}", n=e.round)
    if len(e.tables) == 1:
        return phrase("table {tables} of round {n}", tables=tables, n=e.round)
    return phrase("tables {tables} of round {n}", tables=tables, n=e.round)


def _several(e: Any) -> bool:
    return len(e.tables) > 1


def _paused(e: Any, whose: Phrase) -> Phrase:
    if _several(e):
        return phrase("{tables} stand still", tables=whose)
    return phrase("{tables} stands still", tables=whose)


def _resumed(e: Any, whose: Phrase) -> Phrase:
    return phrase("{tables} go on", tables=whose) if _several(e) else phrase(
        "{tables} goes on", tables=whose)  # fmt: skip


def _called_time(e: Any, whose: Phrase) -> Phrase:
    if _several(e):
        return phrase("{tables} are out of time", tables=whose)
    return phrase("{tables} is out of time", tables=whose)


def _extended(e: Any, whose: Phrase) -> Phrase:
    time = f"{abs(e.seconds) // 60}:{abs(e.seconds) % 60:02}"
    more = phrase("{time} more", time=time)
    if e.seconds < 0:
        more = phrase("{time} less", time=time)
    if _several(e):
        return phrase("{tables} have {more}", tables=whose, more=more)
    return phrase("{tables} has {more}", tables=whose, more=more)


def _paired(e: Any, s: State) -> Phrase:
    if not e.tables:  # they are not for the reader yet
        return phrase("round {n} is paired ({by})", n=e.round, by=e.by)
    if len(e.tables) == 1:
        return phrase("round {n} is paired ({by}): 1 table", n=e.round, by=e.by)
    return phrase(
        "round {n} is paired ({by}): {tables} tables", n=e.round, by=e.by, tables=len(e.tables)
    )


def _result(say: Callable[[Any], Phrase]) -> Callable[[Any, State], Phrase]:
    def sentence(e: Any, s: State) -> Phrase:
        text = phrase("{table}: {result}", table=say(e), result=outcomes.write(e.outcome))
        if e.outcome.winner:
            text = phrase("{text}, {player} won", text=text, player=_name(s, e.outcome.winner))
        if e.seq:
            text = phrase("{text} (entry {n} of its match)", text=text, n=e.seq)
        return _with(text, getattr(e, "why", ""))

    return sentence


def _answered(e: Any, s: State) -> Phrase:
    text = phrase("call {n} is settled", n=e.call)
    if e.seconds:
        given = f"{e.seconds // 60}:{e.seconds % 60:02}"
        text = phrase("call {n} is settled, {time} given", n=e.call, time=given)
    return _with(text, e.text)


def _called(e: Any, s: State) -> Phrase:
    text = phrase("call {n}: a judge to table {table}", n=e.call, table=e.table)
    if e.player:
        text = phrase("{text} by {player}", text=text, player=_name(s, e.player))
    return _with(text, e.text)


def _penalised(e: Any, s: State) -> Phrase:
    text = labelled(_name(s, e.player), e.kind)
    if e.match:
        text = phrase("{text}, match {match}", text=text, match=e.match)
    elif e.round:
        text = phrase("{text}, round {n}", text=text, n=e.round)
    return _with(text, e.note)


def _noted(e: Any, s: State) -> Phrase:
    about = [phrase("table {n}", n=e.table)] if e.table else []
    about += [phrase("{player}", player=_name(s, e.player))] if e.player else []
    if not about:
        return labelled(phrase("note"), e.text)
    return labelled(phrase("note about {about}", about=joined(", ", about)), e.text)


def _handed_in(e: Any, s: State) -> Phrase:
    text = phrase("{player} hands in a list", player=_name(s, e.player))
    if e.deck.name:
        text = phrase("{text} {name}", text=text, name=e.deck.name)
    if len(e.faults) == 1:
        return phrase("{text}, 1 fault", text=text)
    return phrase("{text}, {n} faults", text=text, n=len(e.faults)) if e.faults else text


def _named(e: Any, s: State) -> Phrase:
    if not e.role:
        return phrase("{name} is no official any more", name=e.name)
    return phrase("{name} is {role}", name=e.name, role=ROLES.get(e.role, e.role))


_SENTENCES: Mapping[type[Any], Callable[[Any, State], Phrase]] = {
    ev.TournamentOpened: lambda e, s: phrase(
        "{event} is opened: {game}", event=e.name, game=e.format.game
    ),
    ev.FormatChanged: lambda e, s: _with(phrase("the format is changed"), e.why),
    ev.PlayerEntered: lambda e, s: phrase("player {n} is entered: {name}", n=e.player, name=e.name),
    ev.PlayerCorrected: lambda e, s: phrase("player {n} is {name}", n=e.player, name=e.name),
    ev.PlayerDropped: _about(lambda who: phrase("{player} drops", player=who)),
    ev.PlayerReinstated: _about(lambda who: phrase("{player} plays on", player=who)),
    ev.ListHandedIn: _handed_in,
    ev.ListAccepted: _about(lambda who: phrase("{player} has his list accepted", player=who)),
    ev.ListReopened: _about(lambda who: phrase("{player} may hand in a new list", player=who)),
    ev.ListsPublished: lambda e, s: phrase("the lists are published"),
    ev.OfficialNamed: _named,
    ev.RoundPaired: _paired,
    ev.RoundOpened: lambda e, s: phrase("round {n} is opened", n=e.round),
    ev.RoundStarted: lambda e, s: phrase("round {n} starts", n=e.round),
    ev.ClockPaused: _clock(_paused),
    ev.ClockResumed: _clock(_resumed),
    ev.ClockExtended: _clock(_extended),
    ev.TimeCalled: _clock(_called_time),
    ev.ResultReported: _result(
        lambda e: phrase("round {n}, table {table}", n=e.round, table=e.table)
    ),
    ev.ResultCorrected: _result(
        lambda e: phrase("round {n}, table {table} corrected", n=e.round, table=e.table)
    ),
    ev.ResultWithdrawn: lambda e, s: _with(
        phrase("round {n}, table {table} has no result", n=e.round, table=e.table), e.why
    ),
    ev.RoundEnded: lambda e, s: phrase("round {n} ends", n=e.round),
    ev.TournamentEnded: lambda e, s: phrase("the event ends"),
    ev.CallRaised: _called,
    ev.CallTaken: lambda e, s: phrase("call {n} is taken", n=e.call),
    ev.CallAnswered: _answered,
    ev.PlayerPenalised: _penalised,
    ev.PenaltyWithdrawn: lambda e, s: _with(
        phrase("the penalty of entry {n} is withdrawn", n=e.entry), e.why
    ),
    ev.JudgeNoted: _noted,
}
