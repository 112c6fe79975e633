"""Requests as commands at a tournament: a row for each method, of who may send it and what it does.

Whether a command makes sense is for `domain.tournament` to say. What is answered is told by the
entries that it added, so that a repeat is answered alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from kifu.v1 import tournament_service_pb2 as pb
from msgspec.structs import replace

from domain.engine import timekeeping
from domain.engine.rulebook import Rulebook
from domain.tournament import progress
from domain.tournament import record as ev
from domain.tournament.acts import calls, checks, clocks, lists, penalties, players, results, rounds
from domain.tournament.pairing.bracket import Undecided
from domain.tournament.record import Entry
from domain.tournament.state import Stage
from domain.tournament.tournament import Sender, Tournament
from domain.words.phrases import Phrase, message_of, phrase
from service import wire
from service.api.calls import requests
from service.api.calls.errors import malformed
from service.api.reading import LABELS
from service.api.tournaments.rights import ENTERING, OFFICIALS
from service.identity import Role
from service.store import delay

#: Carries a command out.
Act = Callable[[Tournament, Sender], Any]
#: How many tables, players, and so on, a request names at most.
MOST = 2 * checks.PLAYERS
#: What is carried over to the matches of a round.
OPEN, BEGIN, CLOCK, RESULT = "open", "begin", "clock", "result"


class Row(NamedTuple):
    """A method: how its request becomes a command, who may send it, and what follows.

    `answers` has what its response says beside what was recorded. `carries`: what of it concerns
    matches.
    """

    act: Callable[[Any, Rulebook], Act]
    roles: tuple[str, ...] = OFFICIALS
    answers: Callable[[Sequence[Entry]], dict[str, Any]] = lambda entries: {}
    carries: str = ""


# -- what requests say -----------------------------------------------------------------------------


def format_of(message: Any, rules: Rulebook) -> ev.Format:
    """A format that a game can be played by."""
    format_: ev.Format = wire.format_of(message)
    evidence = format_.policy.replay_evidence or "none"
    policy = replace(format_.policy, replay_evidence=evidence)
    if not message.HasField("points"):
        format_ = replace(format_, points=ev.Format("").points)
    if len(format_.prints) > requests.CARDS or len(format_.options) > LABELS:
        raise malformed("format", phrase("names too many cards or options"))
    for word in (format_.mode, format_.chance, *format_.options, *format_.tiebreaks):
        requests.short(word, "format")
    for fault in timekeeping.faults(policy, rules.manifest):
        raise malformed("format", fault)
    try:
        delay.parse(policy.delay)
        rules.admit(format_.prints)
        rules.settle(format_.options)
    except (ValueError, delay.BadDelay) as error:
        raise malformed("format", message_of(error)) from None
    return replace(format_, policy=policy, best_of=format_.best_of or 1)


def _several(numbers: Sequence[Any], field: str) -> list[Any]:
    if len(numbers) > MOST:
        raise malformed(field, phrase("must be at most {most}", most=MOST))
    return [*numbers]


def _why(request: Any) -> str:
    return requests.short(request.why, "why", checks.TEXT)


def _outcome(request: Any) -> ev.Outcome:
    if not request.HasField("outcome"):
        raise malformed("outcome", "is missing")
    found: ev.Outcome = wire.outcome_of(request.outcome)
    return replace(found, how=requests.short(found.how, "outcome") or ev.PLAYED)


# -- players and lists -----------------------------------------------------------------------------


def _change_format(r: pb.ChangeFormatRequest, rules: Rulebook) -> Act:
    format_, why = format_of(r.format, rules), _why(r)
    return lambda t, by: players.change_format(t, by, r.name, format_, why)


def _enter(r: pb.EnterPlayersRequest, _: Rulebook) -> Act:
    people = [(one.name, one.key) for one in _several(r.players, "players")]
    if not people:
        raise malformed("players", "are missing")
    return lambda t, by: players.enter(t, by, people)


def _hand_in(r: pb.HandInListRequest, rules: Rulebook) -> Act:
    if not r.HasField("deck"):
        raise malformed("deck", "is missing")
    found = requests.deck_of(r.deck, rules)
    deck = ev.Deck(found.name, {part: tuple(cards) for part, cards in found.parts.items()})
    return lambda t, by: lists.hand_in(t, by, r.player, deck, rules)


def _accept(r: pb.AcceptListsRequest, _: Rulebook) -> Act:
    numbers = _several(r.players, "players")
    return lambda t, by: lists.accept(t, by, numbers)


# -- rounds ----------------------------------------------------------------------------------------


def pair(r: pb.PairRoundRequest, seed: int) -> Act:
    """Pair a round: by the tables that are said, or else by the standings, drawing by a seed."""
    tables = [wire.pairing_of(one) for one in _several(r.tables, "tables")]
    if not tables and r.by == ev.GIVEN:
        raise malformed("tables", "are missing")

    def act(t: Tournament, by: Sender) -> Sequence[Phrase]:
        if tables:
            rounds.pair(t, by, tables, r.by or ev.GIVEN, r.seed)
            return ()
        rounds.next_number(t.state)
        if r.by not in ("", ev.SWISS, ev.ELIMINATION):
            raise malformed("by", "is no way to pair a round")
        try:
            found = progress.next_round(t.state, seed, r.by)
        except (progress.CannotPair, Undecided) as error:
            text, why = "the round can't be paired: {why}", message_of(error)
            raise checks.refused(text, checks.PAIRING, "CANNOT_PAIR", why=why) from None
        rounds.pair(t, by, found.tables, found.by, seed)
        return found.caveats

    return act


def _open(r: pb.OpenRoundRequest, _: Rulebook) -> Act:
    def act(t: Tournament, by: Sender) -> int:
        found = checks.round_of(t.state, r.round)
        if found.stage != Stage.OPENED:  # else what is missing is opened
            rounds.open_round(t, by, r.round)
        return found.number

    return act


def _start(r: pb.StartRoundRequest, _: Rulebook) -> Act:
    def act(t: Tournament, by: Sender) -> int:
        found = checks.round_of(t.state, r.round)
        if found.stage != Stage.STARTED:  # else what waits begins
            rounds.start(t, by, r.round)
        return found.number

    return act


def _pause(r: pb.PauseClockRequest, _: Rulebook) -> Act:
    tables, why = _several(r.tables, "tables"), _why(r)
    return lambda t, by: clocks.pause(t, by, r.round, tables, why).number


def _resume(r: pb.ResumeClockRequest, _: Rulebook) -> Act:
    tables = _several(r.tables, "tables")
    return lambda t, by: clocks.resume(t, by, r.round, tables).number


def _extend(r: pb.ExtendClockRequest, _: Rulebook) -> Act:
    tables, why = _several(r.tables, "tables"), _why(r)
    return lambda t, by: clocks.extend(t, by, r.seconds, r.round, tables, why).number


def _call_time(r: pb.CallRoundTimeRequest, _: Rulebook) -> Act:
    tables = _several(r.tables, "tables")
    return lambda t, by: clocks.call_time(t, by, r.round, tables).number


def _end(r: pb.EndRoundRequest, _: Rulebook) -> Act:
    return lambda t, by: rounds.end(t, by, r.round)


def _report(r: pb.ReportResultRequest, _: Rulebook) -> Act:
    outcome = _outcome(r)
    return lambda t, by: results.report(t, by, r.round, r.table, outcome)


def _correct(r: pb.CorrectTableResultRequest, _: Rulebook) -> Act:
    outcome, why = _outcome(r), _why(r)
    return lambda t, by: results.correct(t, by, r.round, r.table, outcome, why)


def _withdraw(r: pb.WithdrawResultRequest, _: Rulebook) -> Act:
    why = _why(r)
    return lambda t, by: results.withdraw(t, by, r.round, r.table, why)


# -- what responses say ----------------------------------------------------------------------------


def _numbers(entries: Sequence[Entry]) -> dict[str, Any]:
    return {"players": [getattr(entry.event, "player", 0) for entry in entries]}


def _of(field: str) -> Callable[[Sequence[Entry]], dict[str, Any]]:
    """A field of the first event is what the response says."""
    return lambda entries: {field: getattr(entries[0].event, field)} if entries else {}


#: The methods that change something, but for those that open and end a tournament.
ROWS: Mapping[str, Row] = {
    "ChangeFormat": Row(_change_format),
    "EnterPlayers": Row(_enter, answers=_numbers),
    "CorrectPlayer": Row(
        lambda r, _: lambda t, by: players.correct(t, by, r.player, r.name, r.key)
    ),
    "DropPlayer": Row(lambda r, _: lambda t, by: players.drop(t, by, r.player, _why(r))),
    "ReinstatePlayer": Row(lambda r, _: lambda t, by: players.reinstate(t, by, r.player, _why(r))),
    "HandInList": Row(_hand_in, answers=_of("faults")),
    "AcceptLists": Row(_accept, answers=_numbers),
    "ReopenList": Row(lambda r, _: lambda t, by: lists.reopen(t, by, r.player, _why(r))),
    "PublishLists": Row(lambda r, _: lists.publish),
    "NameOfficial": Row(
        lambda r, _: lambda t, by: players.name_official(t, by, r.name, r.role), (Role.ORGANISER,)
    ),
    "OpenRound": Row(_open, carries=OPEN),
    "StartRound": Row(_start, carries=BEGIN),
    "PauseClock": Row(_pause, carries=CLOCK),
    "ResumeClock": Row(_resume, carries=CLOCK),
    "ExtendClock": Row(_extend, carries=CLOCK),
    "CallRoundTime": Row(_call_time, carries=CLOCK),
    "EndRound": Row(_end, answers=_of("round")),
    "EndTournament": Row(lambda r, _: rounds.finish),
    "ReportResult": Row(_report, ENTERING),
    "CorrectTableResult": Row(_correct),
    "WithdrawResult": Row(_withdraw, carries=RESULT),
    "TakeCall": Row(lambda r, _: lambda t, by: calls.take(t, by, r.call)),
    "AnswerCall": Row(
        lambda r, _: lambda t, by: calls.answer(t, by, r.call, r.text, r.seconds), carries=CLOCK
    ),
    "PenalisePlayer": Row(
        lambda r, _: lambda t, by: penalties.penalise(t, by, r.player, r.kind, r.note, r.round),
        answers=lambda entries: {"entry": entries[0].seq},
    ),
    "WithdrawPenalty": Row(lambda r, _: lambda t, by: penalties.withdraw(t, by, r.entry, _why(r))),
    "NoteAsJudge": Row(lambda r, _: lambda t, by: penalties.note(t, by, r.text, r.table, r.player)),
}
