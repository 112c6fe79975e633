"""Entries of an event's record in words: a sentence for each kind of event, by its fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from domain.tournament import record as ev
from domain.tournament.state import State
from replay_cli.tournament.reading import outcomes


def told(event: ev.AnyEvent, s: State) -> str:
    """What an event says, with the players by the names that they have now."""
    return _SENTENCES[type(event)](event, s)


def _name(s: State, player: int) -> str:
    return s.players[player].name if player in s.players else f"player {player}"


def _about(text: str) -> Callable[[Any, State], str]:
    """A sentence about a player, with the reason if one was given."""
    return lambda e, s: f"{_name(s, e.player)} {text}{_why(e)}"


def _of_round(text: str) -> Callable[[Any, State], str]:
    return lambda e, s: f"round {e.round} {text}"


def _clock(of_one: str, of_many: str) -> Callable[[Any, State], str]:
    return lambda e, s: f"{_whose(e)} {of_many if len(e.tables) > 1 else of_one}{_why(e)}"


def _whose(e: Any) -> str:
    tables = ", ".join(map(str, e.tables))
    several = "s" if len(e.tables) > 1 else ""
    return f"table{several} {tables} of round {e.round}" if tables else f"round {e.round}"


def _why(e: Any) -> str:
    why = getattr(e, "why", "")
    return f": {why}" if why else ""


def _paired(e: Any, s: State) -> str:
    tables = f"{len(e.tables)} table{'s' * (len(e.tables) != 1)}"
    return f"round {e.round} is paired ({e.by}): {tables}"


def _extended(e: Any, s: State) -> str:
    more = "more" if e.seconds >= 0 else "less"
    has = "have" if len(e.tables) > 1 else "has"
    return f"{_whose(e)} {has} {abs(e.seconds) // 60}:{abs(e.seconds) % 60:02} {more}{_why(e)}"


def _result(text: str) -> Callable[[Any, State], str]:
    def sentence(e: Any, s: State) -> str:
        won = f", {_name(s, e.outcome.winner)} won" if e.outcome.winner else ""
        source = f" (entry {e.seq} of its match)" if e.seq else ""
        said = outcomes.write(e.outcome)
        return f"round {e.round}, table {e.table}{text}: {said}{won}{source}{_why(e)}"

    return sentence


def _answered(e: Any, s: State) -> str:
    given = f", {e.seconds // 60}:{e.seconds % 60:02} given" if e.seconds else ""
    return f"call {e.call} is settled{given}" + (f": {e.text}" if e.text else "")


def _called(e: Any, s: State) -> str:
    who = f" by {_name(s, e.player)}" if e.player else ""
    return f"call {e.call}: a judge to table {e.table}{who}" + (f": {e.text}" if e.text else "")


def _penalised(e: Any, s: State) -> str:
    place = f", match {e.match}" if e.match else f", round {e.round}" if e.round else ""
    return f"{_name(s, e.player)}: {e.kind}{place}" + (f": {e.note}" if e.note else "")


def _noted(e: Any, s: State) -> str:
    about = [f"table {e.table}"] * bool(e.table) + [_name(s, e.player)] * bool(e.player)
    return f"note{' about ' if about else ''}{', '.join(about)}: {e.text}"


def _handed_in(e: Any, s: State) -> str:
    several = "s" * (len(e.faults) != 1)
    faults = f", {len(e.faults)} fault{several}" if e.faults else ""
    name = f" {e.deck.name}" if e.deck.name else ""
    return f"{_name(s, e.player)} hands in a list{name}{faults}"


_SENTENCES: Mapping[type[Any], Callable[[Any, State], str]] = {
    ev.TournamentOpened: lambda e, s: f"{e.name} is opened: {e.format.game}",
    ev.FormatChanged: lambda e, s: f"the format is changed{_why(e)}",
    ev.PlayerEntered: lambda e, s: f"player {e.player} is entered: {e.name}",
    ev.PlayerCorrected: lambda e, s: f"player {e.player} is {e.name}",
    ev.PlayerDropped: _about("drops"),
    ev.PlayerReinstated: _about("plays on"),
    ev.ListHandedIn: _handed_in,
    ev.ListAccepted: _about("has his list accepted"),
    ev.ListReopened: _about("may hand in his list anew"),
    ev.ListsPublished: lambda e, s: "the lists are published",
    ev.OfficialNamed: lambda e, s: f"{e.name} is {e.role or 'no official any more'}",
    ev.RoundPaired: _paired,
    ev.RoundOpened: _of_round("is opened"),
    ev.RoundStarted: _of_round("starts"),
    ev.ClockPaused: _clock("stands still", "stand still"),
    ev.ClockResumed: _clock("goes on", "go on"),
    ev.ClockExtended: _extended,
    ev.TimeCalled: _clock("is out of time", "are out of time"),
    ev.ResultReported: _result(""),
    ev.ResultCorrected: _result(" corrected"),
    ev.ResultWithdrawn: lambda e, s: f"round {e.round}, table {e.table} has no result{_why(e)}",
    ev.RoundEnded: _of_round("ends"),
    ev.TournamentEnded: lambda e, s: "the event ends",
    ev.CallRaised: _called,
    ev.CallTaken: lambda e, s: f"call {e.call} is taken",
    ev.CallAnswered: _answered,
    ev.PlayerPenalised: _penalised,
    ev.PenaltyWithdrawn: lambda e, s: f"the penalty of entry {e.entry} is withdrawn{_why(e)}",
    ev.JudgeNoted: _noted,
}
