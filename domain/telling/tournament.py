"""Entries of an event's record in words: a sentence for each kind of event, by its fields.

The sentences before something ends are in `tournament_consequences`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from domain.telling.names import countdown
from domain.text import outcomes
from domain.tournament import record as ev
from domain.tournament.state import Penalty, Round, Stage, State
from domain.words.phrases import Phrase, joined, labelled, phrase

#: How far a round has come.
STAGES = {
    Stage.PAIRED: phrase("paired"),
    Stage.OPENED: phrase("open, not started"),
    Stage.STARTED: phrase("being played"),
    Stage.ENDED: phrase("over"),
}

#: What became of a game that something went wrong in.
GAMES = {
    ev.REPAIRED: phrase("put right"),
    ev.IRREPARABLE: phrase("beyond repair"),
    ev.ACCEPTED: phrase("played on as it is"),
}

#: What people call officials, by what the event says that they are.
ROLES = {
    ev.HEAD_JUDGE: phrase("head judge"),
    ev.JUDGE: phrase("judge"),
    ev.SCOREKEEPER: phrase("scorekeeper"),
}


#: How a round is paired.
_BY = {
    ev.SWISS: phrase("swiss"),
    ev.ELIMINATION: phrase("elimination"),
    ev.GIVEN: phrase("given"),
    ev.PLAY_OFF: phrase("play-off"),
}

#: Rounds of an elimination, by how many matches they have at most.
_ELIMINATION = {1: phrase("final"), 2: phrase("semifinals"), 4: phrase("quarterfinals")}


def round_name(round_: Round, planned: int = 0) -> Phrase:
    """What people call a round; of so many `planned` Swiss rounds, if that is known (not 0)."""
    if round_.by == ev.PLAY_OFF:
        return phrase("play-off")
    if round_.by != ev.ELIMINATION:
        text = "round {n} of {of}" if planned >= round_.number else "round {n}"
        return phrase(text, n=round_.number, of=planned)
    most = 1 << (max(round_.tables, default=1) - 1).bit_length()
    return _ELIMINATION.get(most) or phrase("round of {n}", n=2 * most)


def sentence(event: ev.AnyEvent, s: State) -> Phrase:
    """An event as a sentence, with the present names of the players."""
    return _SENTENCES[type(event)](event, s)


def begun(tables: str, way: str) -> Mapping[str, Phrase]:
    """What became of the matches of tables when their round was started, by the reported state.

    `way`: how it is stated who won the roll.
    """
    return {
        "begun": phrase("Table {tables}: the match has begun.", tables=tables),
        "ready": phrase(
            "Table {tables}: not begun; who won the roll is missing. {way}", tables=tables, way=way
        ),
        "waiting": phrase(
            "Table {tables}: not begun; a player has yet to give his seed.", tables=tables
        ),
    }


def clock_jumped(ms: int) -> Phrase:
    """That the clock of a server was set while a round was played; empty: it was not."""
    time = countdown(abs(ms))
    if not ms:
        return Phrase("")
    if ms < 0:
        text = "The server's clock was set back by {time}: the clocks of tables went on as before."
        return phrase(text, time=time)
    text = "The server's clock was set forward by {time}: tables may have had less time than shown."
    return phrase(text, time=time)


def _name(s: State, player: int) -> str:
    return s.players[player].name if player in s.players else phrase("player {n}", n=player)


def _with(text: Phrase, more: str) -> Phrase:
    """A sentence with what somebody wrote to it, if he did."""
    return labelled(text, more) if more else text


def _about(say: Callable[[str], Phrase]) -> Callable[[Any, State], Phrase]:
    """A sentence about a player, with the reason if one was given."""
    return lambda e, s: _with(say(_name(s, e.player)), getattr(e, "why", ""))


def _checked_in(e: Any, s: State) -> Phrase:
    if not e.player:  # it is not for the reader
        return phrase("a player checks in")
    if not e.present:
        return phrase("{player} is not here", player=_name(s, e.player))
    if e.identified:
        return phrase("{player} is here, identity document seen", player=_name(s, e.player))
    return phrase("{player} is here", player=_name(s, e.player))


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
    by = _BY.get(e.by) or Phrase(e.by)
    if not e.tables:  # they are not for the reader yet
        return phrase("round {n} is paired ({by})", n=e.round, by=by)
    if len(e.tables) == 1:
        return phrase("round {n} is paired ({by}): 1 table", n=e.round, by=by)
    return phrase(
        "round {n} is paired ({by}): {tables} tables", n=e.round, by=by, tables=len(e.tables)
    )


def _result(say: Callable[[Any], Phrase]) -> Callable[[Any, State], Phrase]:
    def sentence(e: Any, s: State) -> Phrase:
        text = phrase("{table}: {result}", table=say(e), result=outcomes.write(e.outcome))
        if e.outcome.winner:
            text = phrase("{text}, {player} won", text=text, player=_name(s, e.outcome.winner))
        if getattr(e, "both", False):
            text = phrase("{text} (by both players)", text=text)
        if e.seq:
            text = phrase("{text} (entry {n} of its match)", text=text, n=e.seq)
        return _with(text, getattr(e, "why", ""))

    return sentence


def _claimed(e: Any, s: State) -> Phrase:
    if not e.player:  # it is not for the reader
        return phrase("a player reports a result")
    values = {"player": _name(s, e.player), "table": e.table, "result": outcomes.write(e.outcome)}
    if e.outcome.winner:
        text = "{player} reports for table {table}: {result}, {winner} won"
        return phrase(text, **values, winner=_name(s, e.outcome.winner))
    return phrase("{player} reports for table {table}: {result}", **values)


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
    kind = s.format.policy.penalty(e.kind)
    text = labelled(_name(s, e.player), e.kind if kind is None else kind.called)
    if e.infraction:
        text = phrase("{text}, for {infraction}", text=text, infraction=infraction(s, e.infraction))
    if e.match:
        text = phrase("{text}, match {match}", text=text, match=e.match)
    elif e.round:
        text = phrase("{text}, round {n}", text=text, n=e.round)
    if e.game_state:
        text = phrase("{text} (the game: {state})", text=text, state=GAMES[e.game_state])
    return _with(text, e.note)


def given_for(s: State, one: Penalty) -> str:
    """A penalty as the event's scheme calls it, and what it is for, if that has a name."""
    kind, found = s.format.policy.penalty(one.kind), s.format.infraction(one.infraction)
    label = kind.called if kind is not None else one.kind
    if found is None:
        return label
    what = found.label or found.name
    return phrase("{penalty} ({infraction})", penalty=label, infraction=what)


def infraction(s: State, name: str) -> str:
    """What people read of an infraction: its label, and the section that says so."""
    found = s.format.infraction(name)
    if found is None:
        return name
    label = found.label or found.name
    return f"{label} ({found.rule})" if found.rule else label


def _carried(e: Any, s: State) -> Phrase:
    if not e.entry:  # for officials only
        return phrase("a penalty is recorded in a match")
    return phrase("the penalty of entry {n} falls on match {match}", n=e.entry, match=e.match)


def _barred(e: Any, s: State) -> Phrase:
    if not e.name:  # for officials only
        return phrase("a change of who is barred")
    if e.barred:
        return _with(phrase("{name} is barred", name=e.name), e.why)
    return _with(phrase("{name} is barred no longer", name=e.name), e.why)


def _appeals(e: Any, s: State) -> Phrase:
    text = phrase("appeal {n}, table {table}, against the ruling of entry {seq}",
                  n=e.appeal, table=e.table, seq=e.seq)  # fmt: skip
    if e.call:
        text = phrase("appeal {n}, table {table}, against how call {call} was settled",
                      n=e.appeal, table=e.table, call=e.call)  # fmt: skip
    if e.player:
        text = phrase("{text} by {player}", text=text, player=_name(s, e.player))
    return _with(text, e.text)


def _appeal_answered(e: Any, s: State) -> Phrase:
    text = phrase("appeal {n}: the ruling stands", n=e.appeal)
    if e.overturned:
        text = phrase("appeal {n}: the ruling does not stand", n=e.appeal)
    return _with(text, e.text)


def _noted(e: Any, s: State) -> Phrase:
    about = [phrase("table {n}", n=e.table)] if e.table else []
    about += [phrase("{player}", player=_name(s, e.player))] if e.player else []
    if not about:
        return labelled(phrase("note"), e.text)
    return labelled(phrase("note about {about}", about=joined(", ", about)), e.text)


def _drawn(e: Any, s: State) -> Phrase:
    names = joined(", ", [_name(s, player) for player in e.players])
    if e.cut:
        return phrase("decks to be checked before the elimination: {names}", names=names)
    return phrase("decks to be checked: {names}", names=names)


def _checked(e: Any, s: State) -> Phrase:
    if not e.fault:
        return phrase("the deck of {player} is as his list", player=_name(s, e.player))
    return labelled(phrase("a fault in the deck of {player}", player=_name(s, e.player)), e.fault)


def _handed_in(e: Any, s: State) -> Phrase:
    text = phrase("{player} hands in a list", player=_name(s, e.player))
    if e.deck.name:
        text = phrase("{text} {name}", text=text, name=e.deck.name)
    if len(e.faults) == 1:
        return phrase("{text}, 1 fault", text=text)
    return phrase("{text}, {n} faults", text=text, n=len(e.faults)) if e.faults else text


def _registered(e: Any, s: State) -> Phrase:
    if not e.cards:  # they are not for the reader
        return phrase("the pool of {player} is registered", player=_name(s, e.player))
    return phrase(
        "the pool of {player} is registered: {n} cards", player=_name(s, e.player), n=len(e.cards)
    )


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
    ev.PlayerCheckedIn: _checked_in,
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
    ev.ResultClaimed: _claimed,
    ev.ClaimWithdrawn: lambda e, s: (
        phrase("{player} takes back the result that he reported", player=_name(s, e.player))
        if e.player
        else phrase("a player takes back the result that he reported")
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
    ev.ListsClosed: lambda e, s: (
        phrase("players hand in no more lists")
        if e.closed
        else phrase("players may hand in lists once more")
    ),
    ev.PodsDrawn: lambda e, s: (
        phrase("all players sit in one pod")
        if len(e.pods) == 1
        else phrase("{n} pods are drawn", n=len(e.pods))
    ),
    ev.PoolRegistered: _registered,
    ev.PoolsClosed: lambda e, s: (
        phrase("players register no more pools")
        if e.closed
        else phrase("players may register pools once more")
    ),
    ev.DecksDrawn: _drawn,
    ev.DeckChecked: _checked,
    ev.PenaltyCarried: _carried,
    ev.PlayerBarred: _barred,
    ev.AppealRaised: _appeals,
    ev.AppealAnswered: _appeal_answered,
}
