"""Requests for acts at an event, and the parts of responses besides the recorded entries.

The acts are rows (`domain.tournament.acts.rows`); what carries them out makes sure that they make
sense. Here the size of a request is checked, and what it says is completed by its game's rulebook.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kifu.v1 import tournament_service_pb2 as pb
from msgspec.structs import replace

from domain.engine.rulebook import Rulebook
from domain.tournament import progress
from domain.tournament import record as ev
from domain.tournament.acts import checks, pools, rounds, rows
from domain.tournament.acts.rows import EventAct
from domain.tournament.pairing.bracket import Undecided
from domain.tournament.record import Entry
from domain.tournament.state import State
from domain.tournament.tournament import Sender, Tournament
from domain.words.fields import Kind, typed
from domain.words.phrases import Phrase, joined, message_of, phrase
from service import wire
from service.api.calls import requests
from service.api.calls.errors import malformed
from service.api.reading import LABELS

#: How many tables, players, and so on, a request names at most.
MOST = 2 * checks.PLAYERS
#: Bits of a seed that the service draws.
SEED = 48


def meant(act: type[EventAct], request: Any, rules: Rulebook) -> EventAct:
    """The act that a request asks for; raises `Fault`."""
    for name, one in typed(act).items():
        if one.field.kind == Kind.TEXT:
            requests.short(getattr(request, name), name, checks.TEXT)
        elif one.field.kind in (Kind.TABLES, Kind.PLAYERS):
            requests.few(request, name, MOST)
    wanted: EventAct = wire.event_act(request)
    if act in _WHOLE:
        wanted = replace(wanted, **_WHOLE[act](request, rules))
    return wanted


def _format(request: pb.ChangeFormatRequest, rules: Rulebook) -> dict[str, Any]:
    return {"format": format_of(request.format, rules)}


def format_of(message: Any, rules: Rulebook) -> ev.Format:
    """A format that a game can be played by."""
    format_: ev.Format = wire.format_of(message)
    policy = requests.policy_of(message.policy, rules, "format")
    if not message.HasField("points"):
        format_ = replace(format_, points=ev.Format("").points)
    if len(format_.prints) > requests.CARDS or len(format_.options) > LABELS:
        raise malformed("format", phrase("names too many cards or options"))
    for word in (format_.mode, format_.chance, *format_.options, *format_.tiebreaks):
        requests.short(word, "format")
    try:
        rules.admit(format_.prints)
        rules.settle(pools.options(format_))
        if any(one.first == ev.SEED for one in format_.stages):
            rules.settle({**format_.options, "first": "seat 0"})
    except ValueError as error:
        raise malformed("format", message_of(error)) from None
    stages = tuple(replace(one, best_of=one.best_of or 1) for one in format_.stages)
    for one in stages:
        requests.playable(replace(policy, end=one.end, together=one.together), rules, "format")
    return replace(
        format_,
        game=rules.manifest.game,
        policy=policy,
        best_of=format_.best_of or 1,
        stages=stages,
    )


def _players(request: pb.EnterPlayersRequest, _: Rulebook) -> dict[str, Any]:
    requests.few(request, "players", MOST)
    if not request.players:
        raise malformed("players", phrase("are missing"))
    return {}


def _cards(field: str) -> Callable[[Any, Rulebook], dict[str, Any]]:
    """A list of cards in a field."""

    def read(request: Any, rules: Rulebook) -> dict[str, Any]:
        if not request.HasField(field):
            raise malformed(field, "is missing")
        found = requests.deck_of(getattr(request, field), rules)
        parts = {part: tuple(cards) for part, cards in found.parts.items()}
        return {field: ev.Deck(found.name, parts)}

    return read


def _outcome(request: Any, _: Rulebook) -> dict[str, Any]:
    if not request.HasField("outcome"):
        raise malformed("outcome", "is missing")
    found: ev.Outcome = wire.outcome_of(request.outcome)
    how = requests.short(found.how, "outcome") or ev.PLAYED
    return {"outcome": replace(found, how=how)}


def _tables(request: pb.PairRoundRequest, _: Rulebook) -> dict[str, Any]:
    requests.few(request, "tables", MOST)
    if not request.tables and request.by == ev.GIVEN:
        raise malformed("tables", "are missing")
    return {}


def _seed(request: pb.DrawDecksRequest | pb.DrawPodsRequest, _: Rulebook) -> dict[str, Any]:
    return {"seed": request.seed or secrets.randbits(SEED)}


#: What of an act is checked, or made whole, by the rulebook.
_WHOLE: Mapping[type[EventAct], Callable[[Any, Rulebook], dict[str, Any]]] = {
    rows.ChangeFormat: _format,
    rows.EnterPlayers: _players,
    rows.HandInList: _cards("deck"),
    rows.RegisterPool: _cards("pool"),
    rows.DrawPods: _seed,
    rows.PairRound: _tables,
    rows.DrawDecks: _seed,
    rows.ReportResult: _outcome,
    rows.ClaimResult: _outcome,
    rows.CorrectTableResult: _outcome,
}


def pair(t: Tournament, by: Sender, wanted: rows.PairRound, seed: int) -> Sequence[Phrase]:
    """Pair a round: by the tables that are named, or else by the standings, drawing by a seed."""
    if wanted.tables:
        rounds.pair(t, by, wanted.tables, wanted.by or ev.GIVEN, wanted.seed)
        return _absent(t.state)
    rounds.next_number(t.state)
    if wanted.by not in ("", ev.SWISS, ev.ELIMINATION, ev.PLAY_OFF):
        raise malformed("by", "is no way to pair a round")
    try:
        found = progress.next_round(t.state, seed, wanted.by)
    except (progress.CannotPair, Undecided) as error:
        text, why = "the round can't be paired: {why}", message_of(error)
        raise checks.refused(text, checks.PAIRING, "CANNOT_PAIR", why=why) from None
    rounds.pair(t, by, found.tables, found.by, seed)
    return *found.caveats, *_absent(t.state)


def _absent(s: State) -> Sequence[Phrase]:
    """A caveat where somebody is paired who has not checked in, if anybody has."""
    here = {*progress.absent(s)}
    assert s.round is not None
    names = [s.players[n].name for one in s.round.tables.values() for n in one.players if n in here]
    if not names:
        return ()
    more = len(names) - checks.FEW
    if more <= 0:
        return (phrase("not checked in: {names}", names=joined(", ", names)),)
    some = joined(", ", names[: checks.FEW])
    return (phrase("not checked in: {names} and {n} more", names=some, n=more),)


# -- what is answered ------------------------------------------------------------------------------


def _numbers(entries: Sequence[Entry]) -> dict[str, Any]:
    return {"players": [getattr(entry.event, "player", 0) for entry in entries]}


def _of(field: str) -> Callable[[Sequence[Entry]], dict[str, Any]]:
    """A field of the first event is what the response says."""
    return lambda entries: {field: getattr(entries[0].event, field)} if entries else {}


#: The parts of a response besides the recorded entries: they follow from the entries, so that a
#: repeat gets the same answer.
ANSWERS: Mapping[type[EventAct], Callable[[Sequence[Entry]], dict[str, Any]]] = {
    rows.EnterPlayers: _numbers,
    rows.AcceptLists: _numbers,
    rows.HandInList: _of("faults"),
    rows.EndRound: _of("round"),
    rows.RaiseCall: _of("call"),
    rows.RaiseAppeal: _of("appeal"),
    rows.DrawDecks: _of("players"),
    rows.PenalisePlayer: lambda entries: {"entry": entries[0].seq},
    rows.ReportDeckCheck: lambda entries: {"entry": entries[0].seq if entries[1:] else 0},
}
