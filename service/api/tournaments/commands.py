"""Commands at a tournament: a method for each row of its acts, opening one, previews, calls.

A command is carried out and saved first, then carried over to the matches that it concerns
(`service.live.carrying`), table by table; both go on if the caller gives up. One that is repeated
under its request id is answered by what the first one added, and what may have been left out of
carrying it over is made up for.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Sequence
from functools import partial
from typing import Any

from google.protobuf.message_factory import GetMessageClass
from grpc import StatusCode
from kifu.v1 import tournament_service_pb2 as pb
from msgspec.structs import replace

from domain.engine.rulebook import Rulebook
from domain.record.interventions import Penalty, Ruling
from domain.tournament.acts import appeals, calls, checks, lists, pools, rounds, rows
from domain.tournament.acts.carrying import carry_out
from domain.tournament.acts.rows import EventAct
from domain.tournament.record import SCOREKEEPER, Entry, RoundPaired
from domain.tournament.state import Round, Stage, State, match_id
from domain.tournament.tournament import Sender, Tournament
from service import identity, wire
from service.api.calls import requests
from service.api.calls.errors import Fault, malformed, organisers_only
from service.api.calls.guard import method_name
from service.api.calls.languages import current
from service.api.calls.pages import Pages
from service.api.matches import granted, new_id
from service.api.tournaments import acts, rights
from service.api.tournaments.acts import format_of
from service.api.tournaments.queries import Queries
from service.credentials.issuing import Tokens
from service.credentials.tokens import Filter, lines
from service.identity import Identity, Role
from service.live.carrying import Carrying, Report
from service.live.following import Following
from service.live.matches import Matches
from service.live.tournaments import Tournaments
from service.store.records import Conflict
from service.telemetry.logs import log_event

#: Tokens of an event that are looked through at most.
TOKENS = 100_000
#: Letters of an id: one fewer than a match has, so that no match has it.
ID = 4


class TournamentServicer(Queries):
    """Answers `kifu.v1.TournamentService`."""

    def __init__(
        self,
        tournaments: Tournaments,
        carrying: Carrying,
        following: Following,
        matches: Matches,
        tokens: Tokens,
        pages: Pages,
    ) -> None:
        super().__init__(tournaments, matches.access, pages)
        self._carrying, self._following = carrying, following
        self._matches, self._tokens = matches, tokens
        for name, act in rows.ROWS.items():
            if not hasattr(self, method_name(name)):
                setattr(self, method_name(name), partial(self._answer, act))

    async def open_tournament(
        self, request: pb.OpenTournamentRequest, who: Identity
    ) -> pb.OpenTournamentResponse:
        organisers_only(who)
        if not request.HasField("format"):
            raise malformed("format", "is missing")
        rules = self._matches.chosen(request.format.game)
        format_, ticket = format_of(request.format, rules), requests.ticket_of(request).hashed()
        by = Sender(who.subject, self._matches.clock(), str(ticket))
        for attempt in range(8):
            id_ = new_id(who, ticket.name, attempt, ID)
            try:
                entries = await self._tournaments.open(
                    id_, lambda id_: Tournament.open(by, id_, request.name, format_)
                )
            except Conflict:
                entries = (await self._tournaments.log(id_))[:1]
                if not entries or not ticket.repeats(entries[0].ticket):
                    continue  # an id that happened to be taken
            log_event(logging.INFO, "event opened", id=id_, game=format_.game)
            people = identity.of_event(id_, format_.policy.delay)
            tokens = [granted(*one) for one in await self._tokens.issue(people, who.subject)]
            return pb.OpenTournamentResponse(
                event_id=id_, tokens=tokens, recorded=_recorded(entries)
            )
        raise Fault(StatusCode.UNAVAILABLE, "NO_FREE_ID", "No free event id was found; try again.")

    async def pair_round(self, request: pb.PairRoundRequest, who: Identity) -> pb.PairRoundResponse:
        rights.require(who, request.event_id, rights.OFFICIALS)
        wanted, _ = await self._meant(rows.PairRound, request)
        act = partial(acts.pair, wanted=wanted, seed=request.seed or secrets.randbits(acts.SEED))
        entries, caveats = await self._run(request, who, act, in_thread=True)
        paired = entries[0].event
        assert isinstance(paired, RoundPaired)
        return pb.PairRoundResponse(
            round=paired.round,
            recorded=_recorded(entries),
            tables=map(wire.pairing, paired.tables),
            by=paired.by,
            caveats=[current().say(one) for one in caveats or ()],
        )

    async def name_official(
        self, request: pb.NameOfficialRequest, who: Identity
    ) -> pb.NameOfficialResponse:
        return await self._matches.background.finish(self._named(request, who))

    async def _named(self, request: pb.NameOfficialRequest, who: Identity) -> Any:
        """Name an official; what the same was before lets him in no more."""
        answer: pb.NameOfficialResponse = await self._answer(rows.NameOfficial, request, who)
        former = Filter(event=request.event_id)
        run, records = self._matches.lanes.run, self._matches.records
        issued = await run(lines, records, former, 0, TOKENS, unlimited=True)
        mine = [
            one.who.id
            for one in issued
            if not one.revoked and (one.who.subject, one.who.match) == (request.name, "")
        ]
        if mine:
            await self._tokens.revoke(mine, who.subject)
        if request.role:
            role = Role.SCOREKEEPER if request.role == SCOREKEEPER else Role.OFFICIAL
            person = Identity(role, request.name, event=request.event_id)
            ((token, lasting),) = await self._tokens.issue([person], who.subject)
            state = await self._tournaments.state(request.event_id)
            if state.officials.get(request.name) == request.role:
                answer.token.CopyFrom(granted(token, lasting))
            else:  # it was taken away meanwhile, with the tokens that there were
                await self._tokens.revoke([lasting.id], who.subject)
        return answer

    async def hand_in_list(
        self, request: pb.HandInListRequest, who: Identity
    ) -> pb.HandInListResponse:
        entries = await self._of_his_own(rows.HandInList, request, who)
        answers = acts.ANSWERS[rows.HandInList](entries)
        return pb.HandInListResponse(recorded=_recorded(entries), **answers)

    async def register_pool(
        self, request: pb.RegisterPoolRequest, who: Identity
    ) -> pb.RegisterPoolResponse:
        entries = await self._of_his_own(rows.RegisterPool, request, who)
        return pb.RegisterPoolResponse(recorded=_recorded(entries))

    async def _of_his_own(
        self, row: type[EventAct], request: Any, who: Identity
    ) -> Sequence[Entry]:
        """Have an act carried out that is an official's, or, as long as it is open, a player's."""
        rights.own(who, request.event_id)
        wanted, rules = await self._meant(row, request)

        def act(t: Tournament, by: Sender) -> Any:
            own = rights.handing_in(who, t.state, wanted.player)
            if isinstance(wanted, rows.HandInList):
                return lists.hand_in(t, by, wanted.player, wanted.deck, rules, own)
            return pools.register(t, by, wanted.player, wanted.pool, rules, own)

        entries, _ = await self._run(request, who, act)
        return entries

    async def raise_call(self, request: pb.RaiseCallRequest, who: Identity) -> pb.RaiseCallResponse:
        rights.own(who, request.event_id)
        text = requests.short(request.text, "text", 2000)

        def act(t: Tournament, by: Sender) -> int:
            player = rights.caller(who, t.state, request.table, request.player)
            return calls.raise_call(t, by, request.table, player, text)

        entries, _ = await self._run(request, who, act)
        answers = acts.ANSWERS[rows.RaiseCall](entries)
        return pb.RaiseCallResponse(recorded=_recorded(entries), **answers)

    async def raise_appeal(
        self, request: pb.RaiseAppealRequest, who: Identity
    ) -> pb.RaiseAppealResponse:
        rights.own(who, request.event_id)
        text = requests.short(request.text, "text", 2000)

        def is_ruling(match: str) -> bool:
            found = self._matches.records.entries(match, request.seq - 1, request.seq)
            return any(isinstance(one.event, Ruling | Penalty) for one in found)

        state = await self._tournaments.state(request.event_id)
        call = state.calls.get(request.call)
        rights.caller(who, state, request.table if call is None else call.table, request.player)
        if request.seq and state.round is not None:
            match = state.match(state.round.number, request.table)
            if not await self._tournaments.in_thread(is_ruling, match):
                wrong = "entry {n} of its match is no ruling"
                raise checks.by_manual(
                    state, wrong, checks.CALL, "appeal", "NO_RULING", n=request.seq
                )

        def act(t: Tournament, by: Sender) -> int:
            table = appeals.table_of(t.state, request.call, request.table)
            player = rights.caller(who, t.state, table, request.player)
            return appeals.appeal(t, by, text, request.call, table, request.seq, player)

        entries, _ = await self._run(request, who, act)
        answers = acts.ANSWERS[rows.RaiseAppeal](entries)
        return pb.RaiseAppealResponse(recorded=_recorded(entries), **answers)

    async def end_round(self, request: pb.EndRoundRequest, who: Identity) -> pb.EndRoundResponse:
        open_calls = [one.number for one in (await self._seen(request, who)).calls.values()
                      if not one.answered]  # fmt: skip
        if not request.preview:
            found = await self._answer(rows.EndRound, request, who)
            found.calls.extend(open_calls)
            return found  # type: ignore[no-any-return]
        s = await self._seen(request, who)
        round_ = rounds.to_end(s, request.round)
        return pb.EndRoundResponse(round=round_.number, missing=round_.missing, calls=open_calls)

    async def end_tournament(
        self, request: pb.EndTournamentRequest, who: Identity
    ) -> pb.EndTournamentResponse:
        s = await self._seen(request, who)
        found = pb.EndTournamentResponse(
            calls=[one.number for one in s.calls.values() if not one.answered]
        )
        if request.preview:
            last = s.round
            if last is not None and last.stage in (Stage.OPENED, Stage.STARTED):
                found.going_on = last.number
                found.missing.extend(last.missing)
            return found
        ended = await self._answer(rows.EndTournament, request, who)
        found.recorded.CopyFrom(ended.recorded)
        return found

    # -- carrying commands out -------------------------------------------------------------------

    async def _seen(self, request: Any, who: Identity) -> State:
        rights.require(who, request.event_id, rights.OFFICIALS)
        return await self._tournaments.state(request.event_id)

    async def _answer(self, act: type[EventAct], request: Any, who: Identity) -> Any:
        """Carry an act out, and what of it concerns matches."""
        id_ = request.event_id
        rights.own(who, id_)
        himself = act.who == rows.PLAYERS or (act.who == rows.HIMSELF and _is_player(who))
        if not himself:
            rights.require(who, id_, _ROLES[act.who])
        elif act.who == rows.PLAYERS:
            rights.himself(who, await self._tournaments.state(id_), request.player)
        wanted, rules = await self._meant(act, request)

        def carry(t: Tournament, by: Sender) -> Any:
            if himself:
                player = rights.himself(who, t.state, wanted.player)
                return carry_out(t, by, replace(wanted, player=player), rules)
            return carry_out(t, by, wanted, rules)

        run = partial(self._run, request, who, carry)
        response = _RESPONSES[request.DESCRIPTOR.name]
        if act.carries in ("", rows.RESULT, rows.STOP):
            entries, _ = await run()
            if act.carries == rows.STOP:
                await self._tournaments.carried(id_, lambda: self._carrying.stop(id_, who.subject))
            elif act.carries:  # the result of its match counts again
                self._following.look(match_id(id_, _round_of(entries, None), request.table))
            answers = acts.ANSWERS[act](entries) if act in acts.ANSWERS else {}
            return response(recorded=_recorded(entries), **answers)

        async def carried() -> Any:
            entries, found = await run()
            number = _round_of(entries, found)
            reports = await self._carry(act.carries, id_, number, entries, who.subject)
            rest: dict[str, Any] = acts.ANSWERS[act](entries) if act in acts.ANSWERS else {}
            if act.carries in (rows.OPEN, rows.BEGIN):
                rest["round"] = number
            return response(recorded=_recorded(entries), tables=map(_report, reports), **rest)

        return await self._tournaments.carried(id_, carried)

    async def _meant(self, act: type[EventAct], request: Any) -> tuple[Any, Rulebook]:
        """The act that a request asks for, and the rulebook that it is read by."""
        form = getattr(request, "format", None)  # which may be of another game
        state = await self._tournaments.state(request.event_id)
        rules = self._matches.rulebook(state.format.game)
        if form is not None and form.game != rules.manifest.name:
            rules = self._matches.chosen(form.game)
        return acts.meant(act, request, rules), rules

    async def _run(
        self, request: Any, who: Identity, act: Any, *, in_thread: bool = False
    ) -> tuple[Sequence[Entry], Any]:
        ticket = requests.ticket_of(request).hashed()
        organises = who.role == Role.ORGANISER
        by = Sender(who.subject, self._matches.clock(), str(ticket), organises)
        run = self._tournaments.command
        return await run(request.event_id, by, ticket, act, in_thread=in_thread)

    async def _carry(
        self, what: str, id_: str, number: int, entries: Sequence[Entry], who: str
    ) -> list[Report]:
        if what == rows.OPEN:
            return await self._carrying.open(id_, number)
        if what == rows.BEGIN:
            return await self._carrying.begin(id_, number, who)
        if what == rows.LOSS:
            return await self._carrying.penalties(id_, getattr(entries[0].event, "player", 0), who)
        timed: list[Any] = [one.event for one in entries if hasattr(one.event, "tables")]
        if not timed:  # a call that was answered without giving time
            return []
        return await self._carrying.clocks(id_, number, timed[0].tables, who)


def _round_of(entries: Sequence[Entry], found: Round | int | None) -> int:
    """The round that a command was about: as it says, or the first time, as its entries do."""
    if found is not None:
        return found.number if isinstance(found, Round) else found
    return next((n for one in entries if (n := getattr(one.event, "round", 0))), 0)


def _recorded(entries: Sequence[Entry]) -> pb.TournamentRecorded:
    first, last = (entries[0].seq, entries[-1].seq) if entries else (0, 0)
    return pb.TournamentRecorded(first_seq=first, last_seq=last)


def _report(report: Report) -> pb.TableReport:
    return pb.TableReport(
        table=report.table,
        match_id=report.match,
        state=report.state,
        reason=report.reason,
        text=current().say(report.text),
    )


def _is_player(who: Identity) -> bool:
    return who.role == Role.SEAT or who.player > 0


#: Who may do what for the event, by what its row says.
_ROLES = {
    rows.HIMSELF: rights.OFFICIALS,
    rows.ORGANISERS: (Role.ORGANISER,),
    rows.OFFICIALS: rights.OFFICIALS,
    rows.ENTERING: rights.ENTERING,
}
_RESPONSES = {
    method.input_type.name: GetMessageClass(method.output_type)
    for method in pb.DESCRIPTOR.services_by_name["TournamentService"].methods
}
