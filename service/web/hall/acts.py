"""The acts of the hall's forms: the request of each, and what to confirm first.

The sentences are those that a terminal asks with (`domain.telling.tournament_consequences`); what
may be refused is left to the API. Acts on players, lists and officials are in `people`.

`meanwhile` says what others did of what concerns an act, so that of two organisers who do the same
the second is asked whether he still wants to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kifu.v1 import tournament_service_pb2 as pb
from msgspec.structs import replace

from domain.engine.rulebook import Refused
from domain.telling import tournament
from domain.telling import tournament_consequences as consequences
from domain.telling.names import countdown
from domain.text import brought, outcomes
from domain.tournament import progress
from domain.tournament import record as ev
from domain.tournament.acts import rows
from domain.tournament.acts.penalties import proposed
from domain.tournament.state import Stage, State
from domain.words.phrases import Phrase, joined, message_of, phrase
from service import wire
from service.api.calls.errors import malformed
from service.web.hall import late, meanwhile, people
from service.web.hall.asked import Act, Asked, plain
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
    "penalise": ((ev.PlayerPenalised,), "player"),
    "late": ((ev.PlayerPenalised, ev.PlayerCheckedIn), "player"),
    **dict.fromkeys(("bar", "unbar"), ((ev.PlayerBarred,), "name")),
    **dict.fromkeys(("drop", "reinstate"), ((ev.PlayerDropped, ev.PlayerReinstated), "player")),
    **dict.fromkeys(("hand-in", "accept", "reopen"), (_LIST, "player")),
    **dict.fromkeys(("close-lists", "open-lists"), ((ev.ListsClosed,), "")),
    **dict.fromkeys(("close-pools", "open-pools"), ((ev.PoolsClosed,), "")),
    **dict.fromkeys(("pods", "pods-late"), ((ev.PodsDrawn,), "")),
    "pool": ((ev.PoolRegistered, *_LIST), "player"),
    "draw": ((ev.DecksDrawn,), ""),
    "checked": ((ev.DeckChecked, ev.PlayerPenalised), "player"),
    **dict.fromkeys(("name", "dismiss"), ((ev.OfficialNamed,), "name")),
}


async def prepared(name: str, asked: Asked) -> Prepared:
    """The command that a form means; raises `Fault`."""
    if name not in ACTS:
        raise malformed("act", phrase("is not one of the hall's"))
    found = await ACTS[name](asked)
    return found if name not in CONCERNS else await _with_news(name, asked, found)


async def _with_news(name: str, asked: Asked, found: Prepared) -> Prepared:
    """The command with what was done meanwhile that concerns it."""
    seen, (kinds, field) = asked.form.number("seen", 0), CONCERNS[name]
    about = asked.form.text(field)
    news = await meanwhile.news(asked.site, asked.visitor, asked.state, seen, kinds, field, about)
    return replace(found, news=news)


# -- rounds ----------------------------------------------------------------------------------------


async def _pair(a: Asked) -> Prepared:
    act, last = a.act(rows.PairRound), a.state.round
    if last is None or last.stage != Stage.PAIRED:
        return a.prepared(act, phrase("The round is paired."))
    warning = phrase(
        "Round {n} will be paired again; its present pairings are discarded.", n=last.number
    )
    return a.prepared(act, phrase("The round is paired again."), warning)


async def _open(a: Asked) -> Prepared:
    act, now = a.act(rows.OpenRound), a.round
    if now.stage != Stage.PAIRED:
        return a.prepared(act, phrase("The missing matches are opened."))
    done = phrase("Round {n} is open.", n=now.number)
    parts = [consequences.round_opens(now), _brought(a.state)]
    return a.prepared(act, done, joined("\n", [part for part in parts if part]))


def _brought(s: State) -> Phrase:
    """The cards that the matches of a round bring, unless those of one before brought the same."""
    formats = [one.format for one in s.rounds if one.stage != Stage.PAIRED and one.format]
    if formats and formats[-1].prints == s.format.prints:
        return Phrase("")
    return brought.asked(s.format.game, s.format.prints if s.format.mode else ())


async def _start(a: Asked) -> Prepared:
    act, now = a.act(rows.StartRound), a.round
    way = phrase("“Enter” in its row asks for it; the desk of the match takes it, too.")
    states = tournament.begun("{tables}", way)
    if now.stage == Stage.STARTED:
        done = phrase("Round {n} is being played.", n=now.number)
        return replace(a.prepared(act, done), states=states)
    done = phrase("Round {n} has started.", n=now.number)
    found = a.prepared(act, done, consequences.round_starts(a.state, now))
    return replace(found, states={one: states[one] for one in ("ready", "waiting")})


async def _end(a: Asked) -> Prepared:
    act, now = a.act(rows.EndRound), a.round
    found = await a.ask(wire.event_request(a.state.id, a.act(rows.EndRound, preview=True)))
    warning = "" if found.missing else consequences.round_ends(a.state, now, [*found.calls])
    return a.prepared(act, phrase("Round {n} has ended.", n=now.number), warning)


async def _finish(a: Asked) -> Prepared:
    found = await a.ask(wire.event_request(a.state.id, rows.EndTournament(preview=True)))
    warning = "" if found.going_on else consequences.tournament_ends(a.state, [*found.calls])
    done = phrase("{event} has ended.", event=a.state.name)
    return a.prepared(rows.EndTournament(), done, warning)


# -- clocks ----------------------------------------------------------------------------------------


async def _extend(a: Asked) -> Prepared:
    seconds = a.form.seconds("minutes")
    if not seconds:
        raise malformed("minutes", phrase("are missing"))
    act, time = a.act(rows.ExtendClock), countdown(abs(seconds) * 1000)
    if seconds < 0:
        warning = phrase("{whose}: {time} are taken away.", whose=a.whose, time=time)
        done = phrase("{whose}: {time} less.", whose=a.whose, time=time)
        return a.prepared(act, done, warning)
    return a.prepared(act, phrase("{whose}: {time} more.", whose=a.whose, time=time))


async def _time(a: Asked) -> Prepared:
    warning = consequences.time_called(a.state, a.round, a.tables)
    done = phrase("{whose}: time is called.", whose=a.whose)
    return a.prepared(a.act(rows.CallRoundTime), done, warning)


# -- results ---------------------------------------------------------------------------------------


def _outcome(a: Asked) -> ev.Outcome:
    """The result that was typed, as on a command line; raises `Fault`."""
    n = a.form.number("table")
    place = a.round.tables.get(n)
    if place is None:
        raise malformed("table", phrase("is not one of the round's"))
    best_of = (a.round.format or a.state.format).best_of
    who = a.form.text("winner")
    winner = {"first": place.first, "second": place.second, "nobody": 0}.get(who)
    try:
        table = ev.Table(n, place.first, place.second)
        return outcomes.read(a.form.needed("result"), table, best_of, winner=winner)
    except outcomes.BadOutcome as error:
        raise malformed("result", message_of(error)) from None


def _result_done(a: Asked, outcome: ev.Outcome) -> str:
    who = a.state.players.get(outcome.winner)
    values = {"n": a.form.number("table"), "result": outcomes.write(outcome)}
    if who is None:
        return phrase("Table {n}: {result}, nobody won.", **values)
    return phrase("Table {n}: {result}, {player} won.", **values, player=who.name)


async def _result(a: Asked) -> Prepared:
    place = a.round.tables.get(a.form.number("table"))
    if place is not None and place.result is not None and a.form.text("why"):
        return await _correct(a)
    outcome = _outcome(a)
    return a.prepared(a.act(rows.ReportResult, outcome=outcome), _result_done(a, outcome))


async def _correct(a: Asked) -> Prepared:
    outcome = _outcome(a)
    table = a.form.number("table")
    warning = consequences.result_corrected(a.round.tables[table], outcome)
    more = consequences.revised(a.state, a.round, table, outcome)
    warning = joined(" ", [one for one in (warning, more) if one])
    act = a.act(rows.CorrectTableResult, outcome=outcome)
    return a.prepared(act, _result_done(a, outcome), warning)


# -- what judges do --------------------------------------------------------------------------------


async def _take(a: Asked) -> Prepared:
    act, call = a.act(rows.TakeCall), a.state.calls.get(a.form.number("call"))
    warning = ""
    if call is not None and call.taken_by and call.taken_by != a.visitor.who.subject:
        warning = phrase("{who} goes there already.", who=call.taken_by)
    return a.prepared(act, phrase("The call is yours."), warning)


async def _answer(a: Asked) -> Prepared:
    call, seconds = a.form.number("call"), a.form.seconds("minutes")
    done = phrase("Call {n} is settled.", n=call)
    if seconds:
        time = countdown(seconds * 1000)
        done = phrase("Call {n} is settled; the table has {time} more.", n=call, time=time)
    return a.prepared(a.act(rows.AnswerCall), done)


async def _late(a: Asked) -> Prepared:
    found, last = late.infraction(a.state), a.state.round
    if found is None or last is None:
        raise malformed("infraction", phrase("the event says nothing of coming late"))
    return await _given(a, found.name, last.number)


async def _penalise(a: Asked) -> Prepared:
    return await _given(a, a.form.text("infraction"), a.form.number("round", 0))


async def _given(a: Asked, infraction: str, round_: int) -> Prepared:
    """A penalty for an infraction as is usual, or another; for none the one that is named."""
    kind, done, warning = await _proposed(a, infraction)
    act = a.act(rows.PenalisePlayer, kind=kind, infraction=infraction, round=round_)
    return a.prepared(act, done, warning)


async def _checked(a: Asked) -> Prepared:
    """How a deck was, and what its fault costs."""
    _, name = a.player
    done = phrase("How the deck of {player} was is written down.", player=name)
    infraction = a.form.text("infraction")
    if not infraction:
        return a.prepared(a.act(rows.ReportDeckCheck, kind=""), done)
    kind, given, warning = await _proposed(a, infraction)
    act = a.act(rows.ReportDeckCheck, kind=kind)
    return a.prepared(act, joined(" ", [done, given]), warning)


async def _proposed(a: Asked, infraction: str) -> tuple[str, Phrase, Phrase]:
    """The penalty that is meant, that it was given, and what is asked first."""
    number, name = a.player
    made, kind = None, a.form.text("kind")
    if infraction:
        now = (await a.ask(pb.GetTournamentRequest(event_id=a.state.id))).now
        try:
            made = proposed(a.state, number, infraction, now)
        except Refused as error:
            raise malformed("infraction", error.refusal.text) from None
        kind = kind or made.kind
    if not kind:
        raise malformed("kind", phrase("is missing"))
    found = a.state.format.policy.penalty(kind)
    label = found.label if found is not None and found.label else kind
    warning = consequences.penalised(a.state, number, kind, infraction, made)
    return kind, phrase("{penalty} for {player}.", penalty=label, player=name), warning


ACTS: Mapping[str, Act] = {
    "pair": _pair, "open": _open, "start": _start, "end": _end, "finish": _finish,
    "pause": plain(rows.PauseClock, phrase("{whose}: stands still.")),
    "resume": plain(rows.ResumeClock, phrase("{whose}: goes on.")),
    "extend": _extend, "time": _time,
    "result": _result, "correct": _correct,
    "withdraw": plain(
        rows.WithdrawResult, phrase("Table {n} has no result."),
        phrase("The result of table {n} is taken back: it has none then."),
    ),
    **people.ACTS,
    "call": plain(rows.RaiseCall, phrase("A judge is called to table {n}.")),
    "take": _take, "answer": _answer, "penalise": _penalise, "late": _late,
    "checked": _checked,
    "appeal": plain(rows.RaiseAppeal, phrase("The appeal is recorded.")),
    "answer-appeal": plain(rows.AnswerAppeal, phrase("The appeal is answered.")),
    "unpenalise": plain(
        rows.WithdrawPenalty, phrase("The penalty is withdrawn."),
        phrase("The penalty is withdrawn; what it led to in a match stays."),
    ),
    "note": plain(rows.NoteAsJudge, phrase("It was written down.")),
}  # fmt: skip


def penalties(s: State) -> Sequence[tuple[str, str]]:
    """The penalties of the event's scheme: their names, and what people call them."""
    return [(one.name, one.called) for one in s.format.policy.scheme]


def planned(s: State) -> int:
    """How many rounds are planned, if known."""
    return progress.planned(s) if s.players else 0
