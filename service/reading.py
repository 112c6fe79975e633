"""The reading half of the servicer of matches: looking at them, listing and following them.

It checks what a request says and what its sender may see, and leaves the rest to `history` (looking
back), `listing` (finding matches) and `live` (streams). Commands are in `matches`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

from grpc import StatusCode
from kifu.v1 import match_service_pb2 as pb
from kifu.v1.values_pb2 import Label

from domain.verify import verify
from domain.views import OFFICIAL, PUBLIC, redact
from service import identity, listing, pages, wire
from service.errors import Fault, forbidden, malformed
from service.history import NOW, Decided, Point
from service.identity import Identity
from service.listing import Listed
from service.live import Matches, Recent

#: How many labels a request may bring.
LABELS = 16
#: Messages of a stream carry at most so many entries.
BATCH = 128


class Reading:
    """Answers the queries and streams of `kifu.v1.MatchService`."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches
        self._records, self._history = matches.records, matches.history
        self._verifying = asyncio.Semaphore(1)  # it is work for a whole core

    # -- reading ---------------------------------------------------------------------------------

    async def get_match(self, request: pb.GetMatchRequest, who: Identity) -> pb.GetMatchResponse:
        def read() -> pb.GetMatchResponse:
            listed = self._listed(who, request.match_id)
            found = self._summary(listed)
            if not listed.ended:
                decision = self._history.position(listed.id, PUBLIC).decision
                found.decision = decision.n if decision is not None else 0
            return pb.GetMatchResponse(match=found)

        return await asyncio.to_thread(read)

    async def list_matches(
        self, request: pb.ListMatchesRequest, who: Identity
    ) -> pb.ListMatchesResponse:
        labels = {label.name: label.value for label in request.labels}
        if len(labels) > LABELS:
            raise malformed("labels", f"must be at most {LABELS}")
        ended = {pb.MATCH_STATE_LIVE: False, pb.MATCH_STATE_ENDED: True}.get(request.state)
        scope = ("matches", sorted(labels.items()), request.game, ended, who.match)
        before = pages.left(request.page_token, scope, tuple[int, str])
        size = pages.size(request.page_size, 50, 200)

        def read() -> pb.ListMatchesResponse:
            if who.role == identity.ORGANISER:
                found = listing.search(self._records, labels, request.game, ended, before, size + 1)
            else:
                found = [listing.find(self._records, who.match)]
                found = [one for one in found if _fits(one, labels, request.game, ended)]
            token = ""
            if len(found) > size:
                found = found[:size]
                token = pages.token(scope, (found[-1].heading.at, found[-1].id))
            return pb.ListMatchesResponse(
                matches=[self._summary(one) for one in found], next_page_token=token
            )

        return await asyncio.to_thread(read)

    async def get_position(
        self, request: pb.GetPositionRequest, who: Identity
    ) -> pb.GetPositionResponse:
        point = _point(request.at, "at")

        def read() -> pb.GetPositionResponse:
            viewer = self._viewer(who, request)
            found = self._history.position(request.match_id, viewer, point)
            return pb.GetPositionResponse(position=wire.table(found))

        return await asyncio.to_thread(read)

    async def list_decisions(
        self, request: pb.ListDecisionsRequest, who: Identity
    ) -> pb.ListDecisionsResponse:
        if request.start < 0:
            raise malformed("start", "must not be negative")
        size = pages.size(request.page_size, 50, 200)

        def read() -> pb.ListDecisionsResponse:
            viewer = self._viewer(who, request)
            scope = ("decisions", request.match_id, viewer, request.start)
            start = pages.left(request.page_token, scope, int) or request.start or 1
            found = self._history.decisions(request.match_id, viewer, start, size + 1)
            token = pages.token(scope, found[size].n) if len(found) > size else ""
            return pb.ListDecisionsResponse(
                decisions=[_decided(one, request.with_offers) for one in found[:size]],
                next_page_token=token,
            )

        return await asyncio.to_thread(read)

    async def get_decision(
        self, request: pb.GetDecisionRequest, who: Identity
    ) -> pb.GetDecisionResponse:
        if request.decision < 0:
            raise malformed("decision", "must not be negative")

        def read() -> tuple[pb.GetDecisionResponse, bool]:
            viewer = self._viewer(who, request)
            n = request.decision
            if not n:
                decision = self._history.position(request.match_id, viewer).decision
                if decision is None:
                    return pb.GetDecisionResponse(), False
                n = decision.n
            found = self._history.decisions(request.match_id, viewer, n, 1)
            if not found:
                text = f"There is no decision {n}."
                raise Fault(StatusCode.NOT_FOUND, "POINT_UNKNOWN", text)
            return pb.GetDecisionResponse(decision=_decided(found[0], True)), not found[0].settled

        response, is_open = await asyncio.to_thread(read)
        if is_open and who.role == identity.SEAT:
            acts = await self._matches.look(
                request.match_id, lambda m: m.rules.standing(m.pos, who.seat)
            )
            response.standing.extend(map(wire.act, acts))
        return response

    async def list_events(
        self, request: pb.ListEventsRequest, who: Identity
    ) -> pb.ListEventsResponse:
        start, end = _point(request.start, "start"), _point(request.end, "end")
        size = pages.size(request.page_size, 200, 1000)

        def read() -> pb.ListEventsResponse:
            viewer, match = self._viewer(who, request), request.match_id
            scope = ("events", match, viewer, repr(start), repr(end))
            first = pages.left(request.page_token, scope, int)
            if first is None:
                first = self._history.first(match, start)
            last = None if end == NOW else self._history.position(match, OFFICIAL, end).seq
            found = self._records.entries(match, first - 1, last, size + 1)
            token = pages.token(scope, found[size].seq) if len(found) > size else ""
            return pb.ListEventsResponse(
                entries=[wire.entry(redact(one, viewer)) for one in found[:size]],
                next_page_token=token,
            )

        return await asyncio.to_thread(read)

    async def watch_events(
        self, request: pb.WatchEventsRequest, who: Identity
    ) -> AsyncIterator[pb.WatchEventsResponse]:
        if request.after_seq < 0:
            raise malformed("after_seq", "must not be negative")
        viewer = await asyncio.to_thread(self._viewer, who, request)
        async with aclosing(self._matches.watch(request.match_id, request.after_seq)) as stream:
            async for lines in stream:
                for at in range(0, len(lines), BATCH):
                    part = lines[at : at + BATCH]
                    yield pb.WatchEventsResponse(
                        entries=[_sent(line, viewer) for line in part], seq=part[-1].entry.seq
                    )

    async def verify_match(
        self, request: pb.VerifyMatchRequest, who: Identity
    ) -> pb.VerifyMatchResponse:
        def read() -> pb.VerifyMatchResponse:
            listed = self._listed(who, request.match_id)
            rules = self._matches.rulebooks.get(listed.heading.game)
            verdict = verify(self._records.entries(listed.id), rules)
            kind, seq, reason = verdict.kind, verdict.seq, verdict.reason
            if kind != "diverged" and (wrong := self._history.audit(listed.id)):
                kind, seq, reason = "diverged", wrong, "a stored snapshot is not what it should be"
            return pb.VerifyMatchResponse(
                verdict=pb.Verdict.Value(f"VERDICT_{kind.upper()}"),
                seq=seq,
                reason=reason,
                entries=verdict.entries,
                decisions=verdict.decisions,
            )

        async with self._verifying:
            return await asyncio.to_thread(read)

    # -- who may do what -------------------------------------------------------------------------

    def _listed(self, who: Identity, match: str) -> Listed:
        own(who, match)
        return listing.find(self._records, match)

    def _viewer(self, who: Identity, request: Any) -> int:
        """Through whose eyes a request looks: what its token entitles to, or less."""
        listed = self._listed(who, request.match_id)
        asked = request.view.WhichOneof("of")
        if asked is None or (asked == "public" and not request.view.public):
            return who.viewer
        viewer = PUBLIC if asked == "public" else request.view.seat
        if asked == "seat" and not 0 <= viewer < len(listed.heading.seats):
            raise malformed("view", "is no seat of this match")
        if viewer not in (PUBLIC, who.viewer) and who.viewer != OFFICIAL:
            raise forbidden("an official of the match, or the seat itself")
        return viewer

    def _summary(self, listed: Listed) -> pb.Match:
        heading = listed.heading
        found = pb.Match(
            id=listed.id,
            game=heading.game,
            engine=heading.engine,
            mode=heading.mode,
            best_of=heading.best_of,
            seats=heading.seats,
            labels=[Label(name=name, value=value) for name, value in heading.labels.items()],
            state=pb.MATCH_STATE_ENDED if listed.ended else pb.MATCH_STATE_LIVE,
            winner=listed.outcome.winner,
            score=listed.outcome.score,
            entries=self._records.last(listed.id),
        )
        found.open_time.FromMilliseconds(heading.at)
        return found


def own(who: Identity, match: str) -> None:
    """Refuse whoever has no business with a match."""
    if not match:
        raise malformed("match_id", "is missing")
    if not who.may_see(match):
        raise Fault(
            StatusCode.PERMISSION_DENIED, "MATCH_FOREIGN", "The token is for another match."
        )


# -- what requests say ---------------------------------------------------------------------------


def _point(message: pb.Point, field: str) -> Point:
    kind = message.WhichOneof("at")
    if kind is None:
        return NOW
    value = getattr(message, kind)
    if value < (0 if kind == "time" else 1):
        raise malformed(field, "lies before the match")
    return Point(**{kind: value})


def _fits(one: Listed, labels: dict[str, str], game: str, ended: bool | None) -> bool:
    heading = one.heading
    return (
        labels.items() <= heading.labels.items()
        and game in ("", heading.game)
        and ended in (None, one.ended)
    )


# -- what answers say ----------------------------------------------------------------------------


def _decided(decided: Decided, with_offers: bool) -> pb.DecisionRecord:
    found = pb.DecisionRecord(
        n=decided.n,
        kind=decided.kind,
        seq=decided.seq,
        time=decided.time,
        game=decided.game,
        turn=decided.turn,
        step=decided.step,
        cites=decided.cites,
        dropped=decided.dropped,
    )
    if decided.about != 0:
        found.about.CopyFrom(wire.ref(decided.about))
    for seat, side in decided.sides.items():
        one = found.seats.add(
            seat=seat, seq=side.seq, ms=side.ms, origin=side.origin, cites=side.cites
        )
        if side.offer is not None:
            one.options = len(side.offer.options)
            if with_offers:
                one.offer.CopyFrom(wire.offer(side.offer))
        if side.act is not None:
            one.act.CopyFrom(wire.act(side.act))
    return found


def _sent(line: Recent, viewer: int) -> Any:
    """An entry as a viewer sees it; streams of the same match share the work."""
    found = line.sent.get(viewer)
    if found is None:
        found = line.sent[viewer] = wire.entry(redact(line.entry, viewer))
    return found
