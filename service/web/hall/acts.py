"""What the hall's forms do: for each act the request that it becomes, and what is asked first.

The sentences are those that a terminal asks with (`domain.telling.tournament_consequences`); what
may be refused is left to the API. Acts on players, lists and officials are in `people`.

`news` says which entries of the event's record concern an act, so that of two organisers who do the
same the second is asked whether he still wants to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from google.protobuf.message import Message
from kifu.v1 import tournament_service_pb2 as pb

from domain.telling import tournament_consequences as consequences
from domain.telling.names import countdown
from domain.telling.tournament import sentence
from domain.text import outcomes
from domain.tournament import progress
from domain.tournament import record as ev
from domain.tournament.state import Stage, State
from domain.words.phrases import phrase
from service import wire
from service.api.calls.errors import malformed
from service.web.hall import people
from service.web.hall.asked import Act, Asked
from service.web.hall.prepared import Prepared

#: Events that concern what is done to a round, or to its clocks.
_ROUND: tuple[type, ...] = (ev.RoundPaired, ev.RoundOpened, ev.RoundStarted, ev.RoundEnded,
                            ev.TournamentEnded)  # fmt: skip
_CLOCK: tuple[type, ...] = (ev.ClockPaused, ev.ClockResumed, ev.ClockExtended, ev.TimeCalled)
_RESULT: tuple[type, ...] = (ev.ResultReported, ev.ResultCorrected, ev.ResultWithdrawn)
_LIST: tuple[type, ...] = (ev.ListHandedIn, ev.ListAccepted, ev.ListReopened)
_CALL: tuple[type, ...] = (ev.CallTaken, ev.CallAnswered)
#: Which events concern an act, by a field that both have; empty: all of these kinds do.
CONCERNS: Mapping[str, tuple[tuple[type, ...], str]] = {
    **dict.fromkeys(("pair", "open", "start", "end", "finish"), (_ROUND, "")),
    **dict.fromkeys(("pause", "resume", "extend", "time"), ((*_ROUND, *_CLOCK), "")),
    **dict.fromkeys(("result", "correct", "withdraw"), (_RESULT, "table")),
    **dict.fromkeys(("take", "answer"), (_CALL, "call")),
    **dict.fromkeys(("drop", "reinstate"), ((ev.PlayerDropped, ev.PlayerReinstated), "player")),
    **dict.fromkeys(("hand-in", "accept", "reopen"), (_LIST, "player")),
    **dict.fromkeys(("name", "dismiss"), ((ev.OfficialNamed,), "name")),
}


async def prepared(name: str, asked: Asked) -> Prepared:
    """The command that a form means; raises `Fault`."""
    if name not in ACTS:
        raise malformed("act", phrase("is none of the hall's"))
    found = await ACTS[name](asked)
    return found if name not in CONCERNS else await _with_news(name, asked, found)


async def _with_news(name: str, asked: Asked, found: Prepared) -> Prepared:
    """The command with what was done meanwhile that concerns it."""
    seen, (kinds, field) = asked.form.number("seen", 0), CONCERNS[name]
    if not 0 < seen < asked.state.seq:
        return found
    request = pb.ListTournamentEntriesRequest(event_id=asked.state.id, after=seen)
    entries = [wire.tournament_entry_of(one) for one in (await asked.ask(request)).entries]
    about = asked.form.text(field)
    news = tuple(
        phrase("{what} ({who})", what=sentence(one.event, asked.state), who=one.by)
        for one in entries
        if isinstance(one.event, kinds) and (not field or str(getattr(one.event, field)) == about)
    )
    return Prepared(found.request, found.warning, found.done, news)


# -- rounds ----------------------------------------------------------------------------------------


async def _pair(a: Asked) -> Prepared:
    request, last = pb.PairRoundRequest(event_id=a.state.id, by=a.form.text("by")), a.state.round
    if last is None or last.stage != Stage.PAIRED:
        return Prepared(request, "", phrase("The round is paired."))
    warning = phrase("Round {n} is paired anew: its pairings so far are dropped.", n=last.number)
    return Prepared(request, warning, phrase("The round is paired anew."))


async def _open(a: Asked) -> Prepared:
    now = a.round
    request = pb.OpenRoundRequest(event_id=a.state.id, round=now.number)
    if now.stage != Stage.PAIRED:
        return Prepared(request, "", phrase("What was missing is opened."))
    warning = consequences.round_opens(now)
    return Prepared(request, warning, phrase("Round {n} is open.", n=now.number))


async def _start(a: Asked) -> Prepared:
    now = a.round
    request = pb.StartRoundRequest(event_id=a.state.id, round=now.number)
    done = phrase("Round {n} has started.", n=now.number)
    if now.stage == Stage.STARTED:
        return Prepared(request, "", phrase("What still waited has begun."))
    return Prepared(request, consequences.round_starts(a.state, now), done)


async def _end(a: Asked) -> Prepared:
    now = a.round
    request = pb.EndRoundRequest(event_id=a.state.id, round=now.number)
    preview = pb.EndRoundRequest(event_id=a.state.id, round=now.number, preview=True)
    found = await a.ask(preview)
    warning = "" if found.missing else consequences.round_ends(a.state, now, [*found.calls])
    return Prepared(request, warning, phrase("Round {n} has ended.", n=now.number))


async def _finish(a: Asked) -> Prepared:
    found = await a.ask(pb.EndTournamentRequest(event_id=a.state.id, preview=True))
    warning = "" if found.going_on else consequences.tournament_ends(a.state, [*found.calls])
    done = phrase("{event} has ended.", event=a.state.name)
    return Prepared(pb.EndTournamentRequest(event_id=a.state.id), warning, done)


# -- clocks ----------------------------------------------------------------------------------------


async def _pause(a: Asked) -> Prepared:
    fields: dict[str, Any] = {
        "round": a.round.number, "tables": a.tables, "why": a.form.text("why"),
    }  # fmt: skip
    request = pb.PauseClockRequest(event_id=a.state.id, **fields)
    return Prepared(request, "", phrase("{whose}: stands still.", whose=_whose(a)))


async def _resume(a: Asked) -> Prepared:
    request = pb.ResumeClockRequest(event_id=a.state.id, round=a.round.number, tables=a.tables)
    return Prepared(request, "", phrase("{whose}: goes on.", whose=_whose(a)))


async def _extend(a: Asked) -> Prepared:
    seconds = a.form.seconds("minutes")
    if not seconds:
        raise malformed("minutes", phrase("are missing"))
    fields: dict[str, Any] = {
        "round": a.round.number, "tables": a.tables, "why": a.form.text("why"),
    }  # fmt: skip
    request = pb.ExtendClockRequest(event_id=a.state.id, seconds=seconds, **fields)
    time = countdown(abs(seconds) * 1000)
    if seconds < 0:
        warning = phrase("{whose}: {time} are taken away.", whose=_whose(a), time=time)
        return Prepared(
            request, warning, phrase("{whose}: {time} less.", whose=_whose(a), time=time)
        )
    return Prepared(request, "", phrase("{whose}: {time} more.", whose=_whose(a), time=time))


async def _time(a: Asked) -> Prepared:
    tables = a.tables
    request = pb.CallRoundTimeRequest(event_id=a.state.id, round=a.round.number, tables=tables)
    warning = consequences.time_called(a.state, a.round, tables)
    return Prepared(request, warning, phrase("{whose}: time is called.", whose=_whose(a)))


def _whose(a: Asked) -> str:
    tables = a.tables
    if not tables:
        return phrase("All tables of round {n}", n=a.round.number)
    if len(tables) == 1:
        return phrase("Table {n}", n=tables[0])
    return phrase("Tables {tables}", tables=", ".join(map(str, tables)))


# -- results ---------------------------------------------------------------------------------------


def _outcome(a: Asked) -> ev.Outcome:
    """The result that was typed, as on a command line; raises `Fault`."""
    n = a.form.number("table")
    place = a.round.tables.get(n)
    if place is None:
        raise malformed("table", phrase("is none of the round's"))
    best_of = (a.round.format or a.state.format).best_of
    who = a.form.text("winner")
    winner = {"first": place.first, "second": place.second, "nobody": 0}.get(who)
    try:
        table = ev.Table(n, place.first, place.second)
        return outcomes.read(a.form.needed("result"), table, best_of, winner=winner)
    except outcomes.BadOutcome as error:
        raise malformed("result", str(error)) from None


def _result_done(a: Asked, outcome: ev.Outcome) -> str:
    who = a.state.players.get(outcome.winner)
    values = {"n": a.form.number("table"), "result": outcomes.write(outcome)}
    if who is None:
        return phrase("Table {n}: {result}, nobody won.", **values)
    return phrase("Table {n}: {result}, {player} won.", **values, player=who.name)


async def _result(a: Asked) -> Prepared:
    outcome, table = _outcome(a), a.form.number("table")
    place = a.round.tables[table]
    fields: dict[str, Any] = {"round": a.round.number, "table": table}
    sent, done = wire.outcome(outcome), _result_done(a, outcome)
    if place.result is not None and a.form.text("why"):
        why = a.form.text("why")
        request: Message = pb.CorrectTableResultRequest(
            event_id=a.state.id, outcome=sent, why=why, **fields
        )
        return Prepared(request, consequences.result_corrected(place, outcome), done)
    return Prepared(pb.ReportResultRequest(event_id=a.state.id, outcome=sent, **fields), "", done)


async def _correct(a: Asked) -> Prepared:
    outcome, table = _outcome(a), a.form.number("table")
    request = pb.CorrectTableResultRequest(
        event_id=a.state.id, round=a.round.number, table=table, outcome=wire.outcome(outcome),
        why=a.form.needed("why"),
    )  # fmt: skip
    place = a.round.tables[table]
    return Prepared(
        request, consequences.result_corrected(place, outcome), _result_done(a, outcome)
    )


async def _withdraw(a: Asked) -> Prepared:
    table = a.form.number("table")
    request = pb.WithdrawResultRequest(
        event_id=a.state.id, round=a.round.number, table=table, why=a.form.needed("why")
    )
    warning = phrase("The result of table {n} is taken back: it has none then.", n=table)
    return Prepared(request, warning, phrase("Table {n} has no result.", n=table))


# -- what judges do --------------------------------------------------------------------------------


async def _call(a: Asked) -> Prepared:
    table = a.form.number("table")
    request = pb.RaiseCallRequest(
        event_id=a.state.id,
        table=table,
        text=a.form.text("text"),
        player=a.form.number("player", 0),
    )
    return Prepared(request, "", phrase("A judge is called to table {n}.", n=table))


async def _take(a: Asked) -> Prepared:
    call = a.state.calls.get(a.form.number("call"))
    request = pb.TakeCallRequest(event_id=a.state.id, call=a.form.number("call"))
    if call is not None and call.taken_by and call.taken_by != a.visitor.who.subject:
        return Prepared(request, phrase("{who} goes there already.", who=call.taken_by),
                        phrase("The call is yours."))  # fmt: skip
    return Prepared(request, "", phrase("The call is yours."))


async def _answer(a: Asked) -> Prepared:
    call, seconds = a.form.number("call"), a.form.seconds("minutes")
    request = pb.AnswerCallRequest(
        event_id=a.state.id, call=call, text=a.form.text("text"), seconds=seconds
    )
    done = phrase("Call {n} is settled.", n=call)
    if seconds:
        time = countdown(seconds * 1000)
        done = phrase("Call {n} is settled; the table has {time} more.", n=call, time=time)
    return Prepared(request, "", done)


async def _penalise(a: Asked) -> Prepared:
    number, name = a.player
    kind = a.form.needed("kind")
    request = pb.PenalisePlayerRequest(
        event_id=a.state.id, player=number, kind=kind, note=a.form.text("note"),
        round=a.form.number("round", 0),
    )  # fmt: skip
    found = a.state.format.policy.penalty(kind)
    label = found.label if found is not None and found.label else kind
    values = {"penalty": label, "player": name}
    warning = phrase(
        "{penalty} for {player}, beside his matches: it costs nothing there.", **values
    )
    return Prepared(request, warning, phrase("{penalty} for {player}.", **values))


async def _unpenalise(a: Asked) -> Prepared:
    entry = a.form.number("entry")
    request = pb.WithdrawPenaltyRequest(event_id=a.state.id, entry=entry, why=a.form.needed("why"))
    warning = phrase("The penalty is withdrawn; what it led to in a match stays.")
    return Prepared(request, warning, phrase("The penalty is withdrawn."))


async def _note(a: Asked) -> Prepared:
    request = pb.NoteAsJudgeRequest(
        event_id=a.state.id, text=a.form.needed("text"), table=a.form.number("table", 0),
        player=a.form.number("player", 0),
    )  # fmt: skip
    return Prepared(request, "", phrase("It was written down."))


ACTS: Mapping[str, Act] = {
    "pair": _pair, "open": _open, "start": _start, "end": _end, "finish": _finish,
    "pause": _pause, "resume": _resume, "extend": _extend, "time": _time,
    "result": _result, "correct": _correct, "withdraw": _withdraw,
    **people.ACTS,
    "call": _call, "take": _take, "answer": _answer,
    "penalise": _penalise, "unpenalise": _unpenalise, "note": _note,
}  # fmt: skip


def penalties(s: State) -> Sequence[tuple[str, str]]:
    """The penalties of the event's scheme: their names, and what people call them."""
    return [(one.name, one.label or one.name) for one in s.format.policy.scheme]


def planned(s: State) -> int:
    """How many rounds are planned, as far as can be said."""
    return progress.planned(s) if s.players else 0
