"""The servicer of matches: queries. Streams are in `watching`, commands in `matches`.

It checks the request, what the sender may see and how late (`delay`), and reads from `history`
(positions, decisions) and `listing` (finding matches).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

from google.protobuf.message import Message
from grpc import StatusCode
from kifu.v1 import match_service_pb2 as pb
from msgspec.structs import replace

from domain.engine.checks import chance, hindsight
from domain.engine.checks.verify import verify
from domain.officials.checks import TEXT
from domain.record.decisions import Act
from domain.record.points import NOW, NoSuchPoint, Point
from domain.record.position import Position
from domain.record.schema import tallies
from domain.record.views import OFFICIAL, PUBLIC, redact
from domain.words.phrases import message_of, phrase
from service import wire
from service.api.answers import decision_message, explained, progress
from service.api.calls import pages
from service.api.calls.errors import Fault, forbidden, malformed, may_see
from service.api.calls.languages import current
from service.api.calls.pages import Pages
from service.api.looks import Looks
from service.api.recall import Recall
from service.api.summaries import STATES, summary
from service.identity import Identity, Role
from service.live.matches import Matches
from service.store import chains, delay
from service.store.delay import Delay
from service.store.derived import checks, listing
from service.store.derived.listing import Listed
from service.store.derived.searching import Wanted, search
from service.store.records import LAST, NoSuchMatch, StoreError

M = TypeVar("M", bound=Message)

#: How many labels a request may bring.
LABELS = 16
#: Roles that see how many follow a match.
_RUNNING = (Role.ORGANISER, Role.OFFICIAL, Role.SCOREKEEPER)


class Viewing(NamedTuple):
    """The rights of a request: whose view, entries up to which, with which delay."""

    viewer: int
    upto: int
    delay: Delay


class Reading:
    """Answers the queries of `kifu.v1.MatchService`."""

    def __init__(self, matches: Matches, marks: Pages) -> None:
        self._pages = marks
        self._matches, self._in_thread = matches, matches.lanes.run
        self._records, self._history = matches.records, matches.history
        self.looks, self._recall = Looks(matches), Recall()

    # -- reading ---------------------------------------------------------------------------------

    async def get_match(self, request: pb.GetMatchRequest, who: Identity) -> pb.GetMatchResponse:
        def read() -> pb.GetMatchResponse:
            listed = self._listed(who, request.match_id)
            upto = self._upto(listed, _delay(who))
            found = summary(self._history, listed, upto)
            pos = self._history.position(listed.id, PUBLIC, upto=upto)
            if found.state == pb.MATCH_STATE_LIVE:
                found.decision = pos.decision.n if pos.decision is not None else 0
            found.policy.CopyFrom(wire.policy(listed.heading.policy))
            found.prints.extend(pos.heading.prints)
            found.broken = self._matches.heads.fault(listed.id)
            return pb.GetMatchResponse(match=found)

        response = await self._in_thread(read)
        await self.add_head(response.match)
        return response

    async def add_head(self, found: pb.Match) -> None:
        """Add to what is known about a match its head, after the last of its entries."""
        head = None if found.broken else await self._matches.heads.at(found.id, found.entries)
        if head is not None:
            found.head.CopyFrom(wire.head(head))

    async def list_matches(
        self, request: pb.ListMatchesRequest, who: Identity
    ) -> pb.ListMatchesResponse:
        labels = {label.name: label.value for label in request.labels}
        if len(labels) > LABELS:
            raise malformed("labels", phrase("must be at most {labels}", labels=LABELS))
        state, of = STATES.get(request.state), request.fork_of
        forks = request.with_forks or bool(of)
        mine, event = who.match or who.event, request.event_id or ("" if of else who.event)
        scope = ("matches", sorted(labels.items()), request.game, state, forks, mine, event, of)
        if of:
            own(who, of)
            if who.role not in (Role.ORGANISER, Role.OFFICIAL):
                raise forbidden("an official of the match")
        before = self._pages.read(request.page_token, scope, tuple[int, str])
        size = pages.size(request.page_size, 50, 200)

        def read() -> pb.ListMatchesResponse:
            if who.role != Role.ORGANISER and not who.event and not of:
                return pb.ListMatchesResponse(matches=self._own_match(who, request))
            now = None if who.delay else state  # viewers with a delay find it as they see it
            wanted = Wanted(labels, request.game, now, event, forks, of)
            if of:  # a fork is filed where its match is
                heading = listing.find(self._records, of).heading
                wanted = replace(wanted, labels={**heading.labels, **labels}, game=heading.game)
            some, after = search(self._records, wanted, before, size)
            found = [one for one in some if of or who.may_see(one.id)]
            token = self._pages.token(scope, after) if after is not None else ""
            with_progress = request.with_progress
            seen = [
                one
                for each in found
                if (one := self._seen_late(who, each, with_progress)) is not None
            ]
            if who.delay and request.state:
                seen = [one for one in seen if one.state == request.state]
            return pb.ListMatchesResponse(matches=seen, next_page_token=token)

        return await self._in_thread(read)

    def _seen_late(self, who: Identity, listed: Listed, with_progress: bool) -> pb.Match | None:
        """A match in short as somebody may know of it by now; None if he may not at all.

        `with_progress`: with how far it is.
        """
        late = _delay(who)
        try:
            upto = self._upto(listed, late) if late else LAST
        except NoSuchMatch:
            return None
        found = summary(self._history, listed, upto)
        if with_progress:
            with suppress(StoreError):  # what can't be read is listed all the same
                pos, opened = (
                    self._history.position(listed.id, PUBLIC, upto=upto),
                    listed.heading.at,
                )
                now = pos.time if late else self._matches.clock() - opened
                found.progress.CopyFrom(progress(pos, opened, now))
                if who.role in _RUNNING:
                    found.progress.followers = self._matches.streams.audience[listed.id]
        return found

    def _own_match(self, who: Identity, request: pb.ListMatchesRequest) -> list[pb.Match]:
        """The match that a token is for, if it fits."""
        listed = self._listed(who, who.match)
        found = self._seen_late(who, listed, request.with_progress)
        if found is None:
            return []
        fits = (
            {label.name: label.value for label in request.labels}.items()
            <= listed.heading.labels.items()
            and request.game in ("", found.game)
            and request.state in (pb.MATCH_STATE_UNSPECIFIED, found.state)
        )
        return [found] if fits else []

    async def get_position(
        self, request: pb.GetPositionRequest, who: Identity
    ) -> pb.GetPositionResponse:
        point = _point(request.at, "at")

        await self.record_look(who, request)

        def read() -> pb.GetPositionResponse:
            viewer, upto, _ = self.viewing(who, request)
            found = self._history.position(request.match_id, viewer, point, upto)
            return pb.GetPositionResponse(
                position=wire.clamped(wire.table, found),
                tallies=wire.tally_values(self.tallies(found)),
            )

        return await self._settled(who, request, read, request.at)

    async def list_decisions(
        self, request: pb.ListDecisionsRequest, who: Identity
    ) -> pb.ListDecisionsResponse:
        if request.start < 0:
            raise malformed("start", "must not be negative")
        size = pages.size(request.page_size, 50, 200)

        await self.record_look(who, request)

        def read() -> pb.ListDecisionsResponse:
            viewer, upto, _ = self.viewing(who, request)
            match, active = request.match_id, request.active
            scope = ("decisions", match, viewer, request.start, active)
            start = self._pages.read(request.page_token, scope, int) or request.start or 1
            found = self._history.decisions(match, viewer, start, size + 1, upto, active=active)
            sent, token = self._pages.page(
                scope,
                found,
                size,
                lambda one: decision_message(one, request.with_offers),
                lambda one: one.n,
            )
            return pb.ListDecisionsResponse(decisions=sent, next_page_token=token)

        return await self._in_thread(read)

    async def get_decision(
        self, request: pb.GetDecisionRequest, who: Identity
    ) -> pb.GetDecisionResponse:
        if request.decision < 0:
            raise malformed("decision", "must not be negative")

        await self.record_look(who, request)

        def read() -> tuple[pb.GetDecisionResponse, bool]:
            viewer, upto, _ = self.viewing(who, request)
            n = request.decision
            if not n:
                decision = self._history.position(request.match_id, viewer, upto=upto).decision
                if decision is None:
                    return pb.GetDecisionResponse(), False
                n = decision.n
            found = self._history.decisions(request.match_id, viewer, n, 1, upto)
            if not found:
                text = phrase("There is no decision {n}.", n=n)
                raise Fault(StatusCode.NOT_FOUND, "POINT_UNKNOWN", text)
            is_open = not found[0].settled and not found[0].abandoned
            return pb.GetDecisionResponse(decision=decision_message(found[0], True)), is_open

        response, is_open = await self._in_thread(read)
        if is_open and who.role == Role.SEAT:
            acts = await self._matches.query(
                request.match_id, lambda m: m.rules.open_acts(m.pos, who.seat)
            )
            response.open_acts.extend(map(wire.act, acts))
        return response

    async def explain_past(
        self,
        request: pb.ExplainRefusalRequest,
        who: Identity,
        seat: int,
        act: Act,
        names: Mapping[int, str],
    ) -> pb.ExplainRefusalResponse:
        """Why a seat could not do something at a past decision; uses only what the sender saw.

        `names` say which cards the unseen ones of a real table are, for a viewer of everything.
        """
        if request.decision < 0:
            raise malformed("decision", "must not be negative")
        await self.record_look(who, request)

        def read() -> pb.ExplainRefusalResponse:
            viewer, upto, _ = self.viewing(who, request)
            match, n = request.match_id, request.decision
            if names and viewer != OFFICIAL:
                raise forbidden("a viewer of the whole record")
            rules = self._matches.rulebook(self._listed(who, match).heading.game)
            if not 0 <= seat < rules.manifest.seats:
                raise malformed("seat", "is no seat of this match")
            if hindsight.sees_all(viewer, seat):
                base, line = self._history.leading_to(match, n, upto)
                recorded = hindsight.recorded_with(base, line)
                refusal = hindsight.resumed(rules, line, seat, act, base, names)
            else:
                pos = self._history.position(match, viewer, Point(decision=n), upto)
                recorded = pos.heading.digests
                refusal = hindsight.as_seen(rules, pos, viewer, seat, act)
            unverified = hindsight.unverified(recorded, rules)
            return explained(refusal, unverified)

        return await self._in_thread(read)

    async def list_events(
        self, request: pb.ListEventsRequest, who: Identity
    ) -> pb.ListEventsResponse:
        start, end = _point(request.start, "start"), _point(request.end, "end")
        size = pages.size(request.page_size, 200, 1000)

        await self.record_look(who, request)

        def read() -> pb.ListEventsResponse:
            viewer, upto, _ = self.viewing(who, request)
            match = request.match_id
            scope = ("events", match, viewer, repr(start), repr(end))
            first = self._pages.read(request.page_token, scope, int)
            if first is None:
                first = self._history.first(match, start, upto)
            last = self._history.last(match, end, upto)
            found = self._records.entries(match, first - 1, last, size + 1)
            sent, token = self._pages.page(
                scope,
                found,
                size,
                lambda one: wire.entry_or_unreadable(redact(one, viewer)),
                lambda one: one.seq,
            )
            return pb.ListEventsResponse(entries=sent, next_page_token=token)

        return await self._settled(who, request, read, request.end)

    async def verify_match(
        self, request: pb.VerifyMatchRequest, who: Identity
    ) -> pb.VerifyMatchResponse:
        language = current()

        def read() -> pb.VerifyMatchResponse:
            listed = self._listed(who, request.match_id)
            late = _delay(who)
            upto = self._upto(listed, late)
            if late and summary(self._history, listed, upto).state != pb.MATCH_STATE_ENDED:
                text = "The record can be verified once its end is released."
                raise Fault(StatusCode.FAILED_PRECONDITION, "RECORD_DELAYED", text)
            rules = self._matches.rulebooks.get(listed.heading.game)
            log = self._records.entries(listed.id, until=upto)
            try:
                verdict = verify(log, rules)
            except (LookupError, ValueError, TypeError, AttributeError):
                self._matches.history.audit(listed.id, upto)  # whether it is the record that fails
                raise
            wrong, found = checks.faults(self._records, listed.id, upto), chance.audit(log)
            for fault in wrong[:1]:
                self._records.report_damage(listed.id, fault)
            broken = self._matches.heads.fault(listed.id, accepting=False)
            head = chains.head(self._records, listed.id, upto) if not broken else None
            return pb.VerifyMatchResponse(
                head=wire.head(head) if head is not None else None,
                broken=language.say(broken),
                verdict=pb.Verdict.Value(f"VERDICT_{verdict.kind.upper()}"),
                seq=verdict.seq,
                reason=language.say(verdict.reason),
                entries=verdict.entries,
                decisions=verdict.decisions,
                derived=map(language.say, wrong),
                chance=found.verdict if found.source else "",
                chance_reason=language.say(found.text) if found.source else "",
            )

        return await self._matches.lanes.run_long(read)

    async def get_proof(self, request: pb.GetProofRequest, who: Identity) -> pb.GetProofResponse:
        if request.after_seq < 0 or request.until_seq < 0:
            raise malformed("after_seq", "must not be negative")
        size = pages.size(request.page_size, 1000, 1000)
        if not request.after_seq or request.until_seq != request.after_seq:  # not a head alone
            await self.record_look(who, request)

        def read() -> pb.GetProofResponse:
            viewer, upto, _ = self.viewing(who, request)
            match, after = request.match_id, request.after_seq
            with self._records.reading():
                last = min(upto, request.until_seq or LAST, self._records.last(match))
                if after > last:
                    raise NoSuchPoint(phrase("there is no entry {n}", n=after))
                found = chains.proof(self._records, match, viewer, after, min(last, after + size))
            if found.since > last:  # it was chained later than all that he may know of
                raise chains.Unchained(match)
            return pb.GetProofResponse(
                match_id=match,
                layout=found.layout,
                before=wire.head(found.before),
                openings=found.openings,
                head=wire.head(found.head),
                last_seq=last,
            )

        return await self._in_thread(read)

    async def _settled(
        self, who: Identity, request: Message, read: Callable[[], M], upto: pb.Point
    ) -> M:
        """The result of a read in a thread; for points that no longer change, from memory.

        That is, while the database is gone. What is new by now nobody can say then.
        """
        if self._records.shared and upto.WhichOneof("at") in ("decision", "seq"):
            return await self._recall.of(who, request, lambda: self._in_thread(read))
        return await self._in_thread(read)

    def tallies(self, pos: Position) -> dict[str, tuple[int, ...]]:
        """The tallies of a position for overlays; none if its game is not installed."""
        rules = self._matches.rulebooks.get(pos.heading.game)
        return tallies.values(rules.tallies, pos) if rules is not None else {}

    # -- who may do what -------------------------------------------------------------------------

    def _listed(self, who: Identity, match: str) -> Listed:
        own(who, match)
        try:
            return listing.find(self._records, match)
        except NoSuchMatch:
            if not (who.event and who.delay):
                raise
            raise delay.NotReleased(match) from None  # which matches an event has is seen late, too

    def visible(self, who: Identity, match: str) -> int:
        """How many entries of a match somebody may know of by now."""
        return self._upto(self._listed(who, match), _delay(who))

    def _upto(self, listed: Listed, late: Delay) -> int:
        """How many entries a match has for who sees it so late; `NotReleased` if it has none."""
        upto = delay.released(self._history, listed, late, self._matches.clock()).upto
        if not upto:
            raise delay.NotReleased(listed.id)
        return upto

    def viewing(self, who: Identity, request: Any) -> Viewing:
        """The view of a match for a request: what its token allows, or less if it asks for less.

        A viewer to whom nothing is released yet gets that refusal first: otherwise other refusals
        would reveal that there is such a match.
        """
        listed = self._listed(who, request.match_id)
        late = _delay(who, request.view.delay)
        upto = self._upto(listed, late)
        return Viewing(self._viewer(who, request, listed), upto, late)

    async def record_look(self, who: Identity, request: Any) -> None:
        """Record that an official looks at hidden information: in the match, or beside it."""

        def viewing() -> tuple[int, bool]:
            listed = self._listed(who, request.match_id)
            entry = not listed.ended and listed.heading.policy.replay_evidence != "none"
            return self._viewer(who, request, listed), entry

        if who.viewer == OFFICIAL:
            viewer, entry = await self._in_thread(viewing)
            why = request.view.why
            if len(why) > TEXT:
                raise malformed("view", phrase("a text has at most {text} characters", text=TEXT))
            await self.looks.record(who, request, viewer, why, entry=entry)

    def _viewer(self, who: Identity, request: Any, listed: Listed) -> int:
        asked = request.view.WhichOneof("of")
        if asked is None or (asked == "public" and not request.view.public):
            return who.viewer
        viewer = PUBLIC if asked == "public" else request.view.seat
        if asked == "seat" and not 0 <= viewer < len(listed.heading.seats):
            raise malformed("view", "is no seat of this match")
        if viewer not in (PUBLIC, who.viewer) and who.viewer != OFFICIAL:
            raise forbidden("an official of the match, or the seat itself")
        return viewer


def _delay(who: Identity, asked: str = "") -> Delay:
    """The delay of a token, or else the one that the request asks for."""
    try:
        return delay.parse(who.delay or asked)
    except delay.BadDelay as error:
        raise malformed("view", message_of(error)) from None


def own(who: Identity, match: str) -> None:
    """Refuse a caller without rights in a match."""
    if not match:
        raise malformed("match_id", "is missing")
    may_see(who, match)


# -- requests ------------------------------------------------------------------------------------


def _point(message: pb.Point, field: str) -> Point:
    kind = message.WhichOneof("at")
    if kind is None:
        return NOW
    value = getattr(message, kind)
    if value < (0 if kind == "time" else 1):
        raise malformed(field, "lies before the match")
    return Point(**{kind: value})
