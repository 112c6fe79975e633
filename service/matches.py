"""The servicer of matches (match_service.proto): opening, playing, reading, following them.

It checks what a request says and what its sender may do, and leaves the rest to `live` (commands
and streams) and `history` (looking back). Errors become statuses in `calls`.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from hashlib import sha256
from typing import Any, TypeVar

from grpc import StatusCode
from kifu.v1 import match_service_pb2 as pb
from kifu.v1.values_pb2 import Label

from domain import events as ev
from domain.decisions import Act
from domain.events import CHANCE, RULES, Entry
from domain.match import Deck, Match, Opening, Refused, Stale
from domain.position import Decision
from domain.rulebook import Rulebook
from domain.verify import verify
from domain.views import OFFICIAL, PUBLIC, redact
from service import identity, listing, pages, wire
from service.errors import Fault, forbidden, malformed
from service.history import NOW, Decided, Point
from service.identity import Identity, Keys
from service.listing import Listed
from service.live import Matches, Recent
from service.logs import say
from service.store import Conflict

T = TypeVar("T")

#: Letters of match ids: none that are read for another.
_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
_ID = 5
#: How much of anything a request may bring.
NAME, LABELS, CARDS, PICKS, TEXT = 80, 16, 400, 400, 8000
#: Messages of a stream carry at most so many entries.
BATCH = 128


class MatchServicer:
    """Answers `kifu.v1.MatchService`."""

    def __init__(self, matches: Matches, keys: Keys, days: float) -> None:
        """`days` is how long the tokens last that opening a match hands out."""
        self._matches = matches
        self._records, self._history = matches.records, matches.history
        self._keys, self._days = keys, days
        self._verifying = asyncio.Semaphore(1)  # it is work for a whole core

    # -- commands --------------------------------------------------------------------------------

    async def open_match(self, request: pb.OpenMatchRequest, who: Identity) -> pb.OpenMatchResponse:
        if who.role != identity.ORGANISER:
            raise forbidden("an organiser")
        rules = self._matches.rulebook(request.game)
        opening = _opening(request, rules, self._matches.clock())
        seed = request.seed if request.HasField("seed") else None
        for attempt in range(8):
            match = _match_id(who, request.request_id, attempt)
            try:
                await self._matches.open(match, request.game, opening, seed)
            except Conflict:
                if not await asyncio.to_thread(self._opened_by, match, request.request_id):
                    continue  # an id that happened to be taken
            else:
                say(logging.INFO, "match opened", match=match, game=request.game)
            listed = await asyncio.to_thread(listing.find, self._records, match)
            return pb.OpenMatchResponse(
                match=self._summary(listed), tokens=self.grants(match, len(opening.seats))
            )
        raise Fault(StatusCode.UNAVAILABLE, "NO_FREE_ID", "No free match id was found; try again.")

    async def choose(self, request: pb.ChooseRequest, who: Identity) -> pb.ChooseResponse:
        seat, match = self._seat(who, request.match_id), request.match_id
        act, ticket, n = _act(request), _ticket(request.request_id), request.decision

        def command(m: Match, now: int) -> None:
            m.choose(seat, n, act, now, ticket)

        try:
            entries = await self._matches.command(match, command)
        except (Stale, Refused):
            first = await asyncio.to_thread(self._answered, match, seat, n, ticket)
            if first is None:
                raise
            entries = first
        return pb.ChooseResponse(**_outcome(entries, seat, request.with_offers))

    async def interject(self, request: pb.InterjectRequest, who: Identity) -> pb.InterjectResponse:
        seat, match = self._seat(who, request.match_id), request.match_id
        act, ticket = _act(request), _ticket(request.request_id)
        picks = act.picks[0] if act.picks else ()

        def command(m: Match, now: int) -> None:
            m.interject(seat, act.kind, now, act.card, picks, ticket)

        def before() -> None:
            if found := self._interjected(match, seat, ticket):
                raise _Repeated(found)

        try:
            entries = await self._matches.command(match, command, before if ticket else None)
        except _Repeated as repeated:
            entries = repeated.entries
        return pb.InterjectResponse(**_outcome(entries, seat, request.with_offers))

    async def explain_refusal(
        self, request: pb.ExplainRefusalRequest, who: Identity
    ) -> pb.ExplainRefusalResponse:
        seat, act = self._seat(who, request.match_id), _act(request)
        refusal = await self._matches.look(request.match_id, lambda m: m.why_not(seat, act))
        if refusal is None:
            return pb.ExplainRefusalResponse(allowed=True)
        return pb.ExplainRefusalResponse(
            reason=refusal.fault, text=refusal.text, rules=refusal.rules
        )

    def grants(self, match: str, seats: int) -> list[pb.TokenGrant]:
        """New tokens for the official, the seats and the public of a match."""
        found = []
        for person in identity.of_match(match, seats):
            token, lasting = self._keys.issue(person, self._days)
            grant = pb.TokenGrant(role=person.role, token=token)
            grant.expire_time.FromSeconds(lasting.expires)
            if person.seat >= 0:
                grant.seat = person.seat
            found.append(grant)
        return found

    # -- repeats ---------------------------------------------------------------------------------

    def _opened_by(self, match: str, ticket: str) -> bool:
        """Whether a match was opened by the request of that name."""
        opened = listing.find(self._records, match).heading
        return bool(ticket) and opened.ticket.value == ticket

    def _answered(self, match: str, seat: int, n: int, ticket: str) -> list[Entry] | None:
        """What the command of that name led to, if it is how the seat answered decision `n`."""
        if not ticket or n < 1:
            return None
        for decided in self._history.decisions(match, OFFICIAL, n, 1):
            side = decided.sides.get(seat)
            if side is not None and side.seq:
                entries = self._consequences(match, side.seq)
                event = entries[0].event
                if isinstance(event, ev.DecisionMade) and event.ticket.value == ticket:
                    return entries
        return None

    def _interjected(self, match: str, seat: int, ticket: str) -> list[Entry] | None:
        for entry in self._records.tagged(match, _INTERJECTED):
            event = entry.event
            assert isinstance(event, ev.Interjected)
            if event.seat == seat and event.ticket.value == ticket:
                return self._consequences(match, entry.seq)
        return None

    def _consequences(self, match: str, seq: int) -> list[Entry]:
        """A command's entries: its input, and what follows up to the next one."""
        found: list[Entry] = []
        for entry in self._history.after(match, seq - 1):
            if found and entry.by not in (RULES, CHANCE):
                break
            found.append(entry)
        return found

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

    def _seat(self, who: Identity, match: str) -> int:
        """The seat whose token this is."""
        if who.role != identity.SEAT:
            raise forbidden("a seat of the match")
        _own(who, match)
        return who.seat

    def _listed(self, who: Identity, match: str) -> Listed:
        _own(who, match)
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


class _Repeated(Exception):
    """The command was carried out before; these entries are what it led to."""

    def __init__(self, entries: list[Entry]) -> None:
        super().__init__()
        self.entries = entries


_INTERJECTED = next(tag for tag, cls in ev.TYPES.items() if cls is ev.Interjected)


def _own(who: Identity, match: str) -> None:
    if not match:
        raise malformed("match_id", "is missing")
    if not who.may_see(match):
        raise Fault(
            StatusCode.PERMISSION_DENIED, "MATCH_FOREIGN", "The token is for another match."
        )


# -- what requests say ---------------------------------------------------------------------------


def _match_id(who: Identity, ticket: str, attempt: int) -> str:
    """A new id; always the same for the same request of the same sender."""
    if not ticket:
        return "".join(secrets.choice(_LETTERS) for _ in range(_ID))
    number = int.from_bytes(sha256(f"{who.subject}\n{attempt}\n{ticket}".encode()).digest()[:8])
    found = ""
    for _ in range(_ID):
        number, at = divmod(number, len(_LETTERS))
        found += _LETTERS[at]
    return found


def _ticket(text: str) -> str:
    return _short(text, "request_id", 64)


def _short(text: str, field: str, most: int = NAME) -> str:
    if len(text) > most:
        raise malformed(field, f"must be at most {most} characters")
    if not text.isprintable():
        raise malformed(field, "must be printable")
    return text


def _opening(request: pb.OpenMatchRequest, rules: Rulebook, now: int) -> Opening:
    if len(request.labels) > LABELS or len(request.options) > LABELS:
        raise malformed("labels", f"and options must be at most {LABELS}")
    options = {}
    for fact in request.options:
        kind = fact.value.WhichOneof("kind")
        if not fact.key or kind is None:
            raise malformed("options", "need a name and a value each")
        value = getattr(fact.value, kind)
        options[_short(fact.key, "options")] = (
            _short(value, "options") if isinstance(value, str) else value
        )
    if request.HasField("seed"):
        options["seeded"] = True
    labels = {}
    for label in request.labels:
        if not label.name:
            raise malformed("labels", "need a name each")
        labels[_short(label.name, "labels")] = _short(label.value, "labels")
    return Opening(
        seats=tuple(_short(name, "seats") for name in request.seats),
        decks=tuple(_deck(choice, rules) for choice in request.decks),
        at=now,
        best_of=request.best_of or 1,
        labels=labels,
        options=options,
        ticket=_ticket(request.request_id),
    )


def _deck(choice: pb.DeckChoice, rules: Rulebook) -> Deck:
    name = _short(choice.name, "decks")
    if not choice.parts:
        if name not in rules.decks:
            known = ", ".join(rules.decks)
            raise malformed("decks", f"there is no ready-made deck {name!r}; there are: {known}")
        return Deck(name, rules.decks[name])
    if len(choice.parts) > LABELS or sum(len(part.cards) for part in choice.parts) > CARDS:
        raise malformed("decks", f"must be at most {CARDS} cards in {LABELS} parts")
    parts: dict[str, list[str]] = {}
    for part in choice.parts:
        if part.part in parts:
            raise malformed("decks", f"part {part.part!r} is there twice")
        parts[_short(part.part, "decks")] = [_short(card, "decks") for card in part.cards]
    return Deck(name, parts)


def _act(request: Any) -> Act:
    if not request.HasField("act") or not request.act.kind:
        raise malformed("act", "is missing")
    message = request.act
    if len(message.picks) > LABELS or sum(len(part.refs) for part in message.picks) > PICKS:
        raise malformed("act", f"must be at most {PICKS} picks in {LABELS} parts")
    act = wire.act_of(message)
    for word in (act.kind, act.effect, str(act.card)):
        _short(word, "act")
    if any(len(ref) > TEXT for part in act.picks for ref in part if isinstance(ref, str)):
        raise malformed("act", f"must have no text of more than {TEXT} characters")
    assert isinstance(act, Act)
    return act


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


def _outcome(entries: Sequence[Entry], seat: int, with_offers: bool) -> dict[str, Any]:
    """A command's answer, from the entries that it added, as the seat sees them."""
    found: dict[str, Any] = {"first_seq": entries[0].seq, "last_seq": entries[-1].seq}
    decision: Decision | None = None
    for entry in entries:
        event = entry.event
        if type(event) is ev.DecisionOpened:
            decision = Decision(
                event.n, list(event.seats), event.kind, event.about, entry.seq, entry.time, {}
            )
        elif type(event) is ev.OptionsOffered and decision is not None and with_offers:
            offer = redact(entry, seat).event.offer  # type: ignore[union-attr]
            decision.offers[event.seat], decision.audience = offer.value, offer.to
        elif type(event) in (ev.GameEnded, ev.MatchEnded):
            decision = None
    if decision is not None:
        found["next"] = wire.decision(decision)
    return found


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
