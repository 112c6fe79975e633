"""Queries of tournaments: one in its present state, a list, the record of one, a stream of it.

Everybody gets what is for him (`domain.tournament.views`). A viewer with a delay for matches has it
for the tournament (`late`).
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from functools import partial
from itertools import islice

from kifu.v1 import tournament_service_pb2 as pb
from msgspec.structs import replace

from domain.record.points import NoSuchPoint
from domain.record.proof.canonical import canonical
from domain.record.proof.chain import Head
from domain.record.views import OFFICIAL, PUBLIC
from domain.tournament import progress, proof, standings, views
from domain.tournament.folding import fold
from domain.tournament.record import Deck, Entry
from domain.tournament.state import State
from domain.words.phrases import phrase
from service import wire
from service.anchors.ledger import Ledger
from service.api.calls import pages
from service.api.calls.errors import malformed
from service.api.calls.languages import current
from service.api.calls.pages import Pages
from service.api.tournaments import rights
from service.api.tournaments.late import Late
from service.identity import Identity, Role
from service.live.access import AccessLog
from service.live.background import Made
from service.live.clock import Clock
from service.live.results import unlike_matches
from service.live.tournaments import Tournaments, tournament_of
from service.store import chains
from service.store.records import StoreError
from service.store.tables.tournaments import NoSuchTournament, key_of

#: The tie-break whose figures are for officials.
_PENALTIES = "penalties"
#: Of how many states of tournaments copies are kept, and of how many their standings.
MOST = 16
#: Messages of a stream carry at most so many entries.
BATCH = 128


class Queries:
    """The part of `kifu.v1.TournamentService` that changes nothing."""

    def __init__(self, tournaments: Tournaments, access: AccessLog, marks: Pages) -> None:
        self._tournaments, self._access, self._pages = tournaments, access, marks
        self._late = Late(tournaments, tournaments.in_thread)
        self._snapshots = OrderedDict[tuple[str, int], State]()
        self._standings = Made[pb.GetStandingsResponse](MOST)

    async def get_tournament(
        self, request: pb.GetTournamentRequest, who: Identity
    ) -> pb.GetTournamentResponse:
        found = await self.seen(request.event_id, who, with_lists=request.with_lists)
        answer = pb.GetTournamentResponse(
            event=wire.tournament(found), now=self._tournaments.clock()
        )
        answer.clock_jumped = self.jumped(found)
        if request.with_differing:
            answer.differing.extend(await self.differing(request.event_id, who))
        return answer

    async def seen(self, event: str, who: Identity, *, with_lists: bool = False) -> State:
        """A tournament as somebody sees it, which he may keep; without lists their names alone.

        Raises `Fault`, `NoSuchTournament`.
        """
        rights.own(who, event)
        state = await self._snapshot(event, who)
        if with_lists:
            await self._record_look(who, event, "lists")
        found = views.seen(state, rights.viewer(who, state))
        if with_lists:
            return found
        without = {n: replace(one, deck=Deck(one.deck.name)) for n, one in found.lists.items()}
        pools = {n: replace(one, cards=()) for n, one in found.pools.items()}
        return replace(found, lists=without, pools=pools)

    def jumped(self, s: State) -> int:
        """By how much the clock was set since the last round began, in milliseconds."""
        clock, last = self._tournaments.clock, s.round
        if not isinstance(clock, Clock) or last is None or not last.started:
            return 0
        return clock.jumped(last.started)

    async def differing(self, event: str, who: Identity) -> list[pb.TableDiffers]:
        """The tables whose results are not what their matches say, which he may know of."""
        s = await self._snapshot(event, who)
        records, in_thread = self._tournaments.records, self._tournaments.in_thread
        found = await in_thread(unlike_matches, records, s)
        matches = [s.match(one.round, one.table) for one in found]
        shown = await self._late.matches_shown(who, matches)
        return [
            pb.TableDiffers(round=one.round, table=one.table, text=current().say(one.why))
            for one, match in zip(found, matches, strict=True)
            if match in shown
        ]

    async def list_tournaments(
        self, request: pb.ListTournamentsRequest, who: Identity
    ) -> pb.ListTournamentsResponse:
        size, scope = pages.size(request.page_size, 50, 200), ("events", who.event or who.match)
        before = self._pages.read(request.page_token, scope, tuple[int, str])
        found = await self._tournaments.opened()
        if who.role != Role.ORGANISER:
            mine = who.event or tournament_of(who.match)
            found = [one for one in found if one[1] == mine]
        if before is not None:
            found = [one for one in found if one < before]
        response = pb.ListTournamentsResponse()
        for _, id_ in found[:size]:
            try:
                response.events.append(_summary(await self._state(id_, who)))
            except NoSuchTournament:  # it is not to be seen yet
                continue
            except StoreError as error:
                response.events.add(event_id=id_, broken=str(error))
        if len(found) > size:
            response.next_page_token = self._pages.token(scope, found[size - 1])
        return response

    async def list_tournament_entries(
        self, request: pb.ListTournamentEntriesRequest, who: Identity
    ) -> pb.ListTournamentEntriesResponse:
        rights.own(who, request.event_id)
        id_, size = request.event_id, pages.size(request.page_size, 200, 1000)
        scope = ("entries of", id_, who.role, who.match or who.event, request.after)
        after = self._pages.read(request.page_token, scope, int) or max(request.after, 0)
        log = await self._late.log(id_, who)
        await self._record_look(who, id_, "entries")
        state = fold(log) if who.delay else await self._tournaments.state(id_)
        page, viewer = log[after : after + size + 1], rights.viewer(who, state)

        def message(entry: Entry) -> object:
            return wire.tournament_entry(views.redact(entry, state, viewer))

        sent = pages.up_to_limit(page[:size], message)  # type: ignore[type-var]
        more = len(page) > len(sent)
        token = self._pages.token(scope, page[len(sent) - 1].seq) if more else ""
        return pb.ListTournamentEntriesResponse(entries=sent, next_page_token=token)  # type: ignore[arg-type]

    async def get_standings(
        self, request: pb.GetStandingsRequest, who: Identity
    ) -> pb.GetStandingsResponse:
        rights.own(who, request.event_id)
        s = await self._snapshot(request.event_id, who)
        official = rights.viewer(who, s).official
        key = s.id, s.seq, official, current().tag
        work = partial(standings_for, s, official=official)
        return await self._standings.of(key, lambda: self._tournaments.in_thread(work))

    async def watch_tournament(
        self, request: pb.WatchTournamentRequest, who: Identity
    ) -> AsyncIterator[bytes]:
        rights.own(who, request.event_id)
        if request.after < 0:
            raise malformed("after", "must not be negative")
        await self._tournaments.state(request.event_id)
        await self._record_look(who, request.event_id, "stream")
        async for entries in self._tournaments.watch(request.event_id, request.after):
            while entries:
                log = await self._late.log(request.event_id, who) if who.delay else entries
                upto = log[-1].seq if log else 0
                some = [one for one in entries[:BATCH] if one.seq <= upto]
                if not some:
                    await asyncio.sleep(self._late.wait(who, entries[0]))
                    continue
                entries = entries[len(some) :]
                if request.brief:
                    message = pb.WatchTournamentResponse()
                    message.entries.add(seq=some[-1].seq)
                    yield message.SerializeToString()
                    continue
                state = await self._state(request.event_id, who)
                view = partial(views.redact, s=state, viewer=rights.viewer(who, state))
                sent = [wire.tournament_entry(view(one)) for one in some]
                yield pb.WatchTournamentResponse(entries=sent).SerializeToString()

    async def get_tournament_proof(
        self, request: pb.GetTournamentProofRequest, who: Identity
    ) -> pb.GetTournamentProofResponse:
        rights.own(who, request.event_id)
        if request.after_seq < 0 or request.until_seq < 0:
            raise malformed("after_seq", "must not be negative")
        log = await self._late.log(request.event_id, who)
        log = log[: request.until_seq or len(log)]
        if not log or request.after_seq >= len(log):
            raise NoSuchPoint(phrase("there is no entry {n}", n=request.after_seq + 1))
        official = rights.viewer(who, fold(log)).official and not request.public
        if official:
            await self._record_look(who, request.event_id, "entries")
        viewer = OFFICIAL if official else PUBLIC
        return await self._tournaments.in_thread(self._proof, request, log, viewer)

    def _proof(
        self, request: pb.GetTournamentProofRequest, log: Sequence[Entry], viewer: int
    ) -> pb.GetTournamentProofResponse:
        records, key = self._tournaments.records, key_of(request.event_id)
        chain = chains.find(records, key)
        if chain is None or chain.head.since > len(log):
            raise chains.Unchained(request.event_id)
        since = chain.head.since
        hashes = proof.links(proof.genesis(request.event_id, since), log, chain.secret)
        answer = pb.GetTournamentProofResponse(
            head=wire.head(Head(len(log), hashes[-1], since)),
            viewer=viewer,
            anchor=Ledger(records).anchor(key, len(log)),
        )
        opens = proof.opened(log, viewer, chain.secret)
        shown = zip(proof.copies(log, viewer), opens, strict=True)
        for entry, opened in islice(shown, request.after_seq, None):
            answer.entries.append(canonical(entry))
            answer.openings.append(opened)
            if answer.ByteSize() > pages.ROOM:
                break
        return answer

    async def _record_look(self, who: Identity, event: str, what: str) -> None:
        """Write down that an official or organiser reads lists that are for their players."""
        if who.role in rights.OFFICIALS and not who.match:
            await self._access.add(who, event, what, "official")

    async def _snapshot(self, id_: str, who: Identity) -> State:
        """The same, once for all who know of as much: it stays as it is, and is not changed."""
        log = await self._late.log(id_, who) if who.delay else ()
        found = None if log else await self._state(id_, who)
        key = id_, found.seq if found is not None else log[-1].seq
        if key not in self._snapshots:
            self._snapshots[key] = fold(log) if found is None else views.snapshot(found)
            while len(self._snapshots) > MOST:
                self._snapshots.popitem(last=False)
        return self._snapshots[key]

    async def _state(self, id_: str, who: Identity) -> State:
        """A tournament as somebody may know of it by now; `NoSuchTournament` if he may not."""
        if not who.delay:
            return await self._tournaments.state(id_)
        log = await self._late.log(id_, who)
        if not log:
            raise NoSuchTournament(id_)
        return fold(log)


def _summary(s: State) -> pb.TournamentSummary:
    last = s.round
    return pb.TournamentSummary(
        event_id=s.id,
        name=s.name,
        game=s.format.game,
        at=s.at,
        players=sum(not one.dropped for one in s.players.values()),
        round=last.number if last is not None else 0,
        stage=last.stage if last is not None else "",
        ended=s.ended,
    )


def standings_for(s: State, *, official: bool) -> pb.GetStandingsResponse:
    """The standings of a tournament, as an official may know them or anybody else."""
    names = s.format.tiebreaks or standings.DEFAULT
    known_ = [name != _PENALTIES or official for name in names]
    response = pb.GetStandingsResponse()
    for name in names:
        found = standings.TIEBREAKS[name]
        label = current().say(found.label)
        response.tiebreaks.add(name=name, label=label, short=found.short)
    for place in progress.places(s):
        one, player = place.standing, s.players[place.standing.player]
        figures = [
            standings.written(name, figure) if known else ""
            for name, figure, known in zip(names, one.figures, known_, strict=True)
        ]
        won, drawn, lost = one.score.matches
        response.rows.add(
            rank=place.rank, player=player.number, name=player.name, dropped=player.dropped,
            points=one.score.points, won=won, drawn=drawn, lost=lost, byes=one.score.byes,
            figures=figures,
        )  # fmt: skip
    return response
