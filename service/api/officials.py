"""The servicer of officials' acts (desk_service.proto): a method for each row of `officials.acts`.

How much a request may bring follows from the sorts of its fields, and who may send it from the row.
Whether an act makes sense is for `domain.officials` to say; `live` carries it out.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any

from google.protobuf.message_factory import GetMessageClass
from kifu.v1 import desk_service_pb2 as pb

from domain.engine.match import Match
from domain.engine.rulebook import Dice
from domain.officials import acts, rewind
from domain.officials.acts import OfficialAct, RecordPenalty
from domain.officials.carrying import Past, carry_out
from domain.officials.corrections import correcting
from domain.officials.frame import Official
from domain.record.entries import Entry
from domain.record.points import NOW, Point
from domain.record.values import BY_OFFICIAL, TABLE
from domain.record.views import OFFICIAL, PUBLIC
from domain.tournament.tournament import Sender
from domain.words.fields import RULES, SCORES, TEXT, Kind, typed
from service import wire
from service.api.calls import requests
from service.api.calls.errors import forbidden, malformed
from service.api.calls.guard import method_name
from service.api.calls.repeats import Repeated, Repeats
from service.api.matches import MatchServicer, inputs_of, passes_of, rolls_of
from service.api.reading import own
from service.identity import Identity, Role
from service.live.matches import Matches
from service.store import chains
from service.store.derived import listing
from service.store.records import ChainBroken, Records

OFFICIAL_ROLES = (Role.OFFICIAL, Role.ORGANISER)
ENTERING_ROLES = (*OFFICIAL_ROLES, Role.SCOREKEEPER)


class StoredPast(Past, frozen=True):
    """The past of a match that is stored; its entries are read one by one, unless it goes back."""

    records: Records
    match: str

    def entry(self, seq: int) -> Entry | None:
        """An entry, on any line."""
        found = self.records.entries(self.match, seq - 1, seq) if seq > 0 else []
        return found[0] if found else None

    def broken(self) -> str:
        """The fault of its chain; empty: none."""
        try:
            chains.check(self.records, self.match, accepting=True)
        except ChainBroken as error:
            return error.why
        return ""


# -- how much a request may bring ------------------------------------------------------------------


def _check(act: type[OfficialAct], request: Any, who: Identity) -> None:
    """Make sure that a request brings no more than it may; raises `Fault`."""
    for name, one in typed(act).items():
        check = _CHECKS.get(one.field.kind)
        if check is not None:
            check(request, name)
    if act in _OWN_CHECKS:
        _OWN_CHECKS[act](request, who)


def _text(request: Any, field: str) -> None:
    requests.short(getattr(request, field), field, TEXT)


def _name(request: Any, field: str) -> None:
    requests.short(getattr(request, field), field)


def _names(request: Any, field: str) -> None:
    requests.few(request, field, RULES)
    for one in getattr(request, field):
        requests.short(one, field)


def _seat(request: Any, field: str) -> None:
    optional = request.DESCRIPTOR.fields_by_name[field].has_presence
    if optional and request.HasField(field) and getattr(request, field) < 0:
        raise malformed(field, "must not be negative")


_CHECKS: Mapping[Kind, Callable[[Any, str], object]] = {
    Kind.TEXT: _text,
    Kind.NAME: _name,
    Kind.CLOCK: _name,
    Kind.PENALTY: _name,
    Kind.WAY: _name,
    Kind.RULES: _names,
    Kind.SEAT: _seat,
    Kind.SCORE: partial(requests.few, most=SCORES),
    Kind.PRINT: lambda request, field: requests.prints(request),
    Kind.FIX: partial(requests.few, most=correcting.MOST),
    Kind.ACT: lambda request, field: requests.act_of(request),
    Kind.ROLLS: lambda request, field: rolls_of(request),
}


def _clock(request: pb.SetClockRequest, _: Identity) -> None:
    if not (request.HasField("left") or request.HasField("running")):
        raise malformed("left", "and running are both missing")


def _play(request: pb.RecordIrregularityRequest, who: Identity) -> None:
    inputs_of(request, who)
    passes_of(request, who)


def _fixes(request: pb.CorrectPositionRequest, who: Identity) -> None:
    if who.role == Role.SCOREKEEPER and any(fix.verb != "name" for fix in request.fixes):
        raise forbidden("an official; a scorekeeper gives cards other names, and nothing else")


_OWN_CHECKS: Mapping[type[OfficialAct], Callable[[Any, Identity], None]] = {
    acts.SetClock: _clock,
    acts.RecordIrregularity: _play,
    acts.CorrectPosition: _fixes,
}


class DeskServicer:
    """Answers `kifu.v1.DeskService`: a method for each act, and the two below."""

    def __init__(
        self,
        matches: Matches,
        servicer: MatchServicer,
        may_begin: Callable[[str], Awaitable[None]],
        may_penalise: Callable[[str, RecordPenalty, Sender], Awaitable[None]],
    ) -> None:
        """`servicer` is asked for what forks look like, and for their tokens.

        `may_begin` refuses to have a match begin that waits for something else, `may_penalise` a
        penalty that is another's to give.
        """
        self._may_begin, self._may_penalise = may_begin, may_penalise
        self._matches, self._servicer = matches, servicer
        self._in_thread = matches.lanes.run
        self._records, self._history = matches.records, matches.history
        self._repeats = Repeats(matches.history)
        for act in acts.ACTS.values():
            setattr(self, method_name(act.__name__), partial(self._answer, act))

    async def preview_rewind(
        self, request: pb.PreviewRewindRequest, who: Identity
    ) -> pb.PreviewRewindResponse:
        _require_role(who, request.match_id, OFFICIAL_ROLES)

        def read() -> pb.PreviewRewindResponse:
            heading = listing.find(self._records, request.match_id).heading
            manifest = self._matches.rulebook(heading.game).manifest
            log = self._records.entries(request.match_id)
            return _preview_message(rewind.preview(log, request.decision, manifest), manifest.seats)

        await self._servicer.looks.record(who, request, OFFICIAL)
        return await self._in_thread(read)

    async def fork_match(self, request: pb.ForkMatchRequest, who: Identity) -> pb.ForkMatchResponse:
        _require_role(who, request.match_id, OFFICIAL_ROLES)
        ticket, origin = requests.ticket_of(request), request.match_id
        heading = (await self._in_thread(listing.find, self._records, origin)).heading

        def begin() -> list[Entry]:
            return rewind.fork(self._records.entries(origin), origin, request.decision, str(ticket))

        entries = await self._in_thread(begin)
        await self._servicer.looks.record(who, request, OFFICIAL)
        naming = f"fork/{origin}/{ticket.name}" if ticket else ""

        async def save(match: str) -> None:
            await self._matches.save(match, heading.game, entries)

        return pb.ForkMatchResponse(**await self._servicer.save_new(who, naming, ticket, save))

    # -- carrying acts out -----------------------------------------------------------------------

    async def _answer(self, act: type[OfficialAct], request: Any, who: Identity) -> Any:
        """Carry an act out; a repeat of its request finds what the first one led to."""
        match = request.match_id
        _require_role(who, match, ENTERING_ROLES if act.scorekeepers else OFFICIAL_ROLES)
        _check(act, request, who)
        requested: OfficialAct = wire.desk_act(request)
        by = partial(_official, requested, request, who)

        def command(m: Match, now: int) -> None:
            carry_out(m, by(now), requested, StoredPast((), m.dice, self._records, match))

        def go_back(m: Match, log: Sequence[Entry], dice: Dice, now: int) -> Match:
            past = StoredPast(log, dice, self._records, match)
            return carry_out(m, by(now), requested, past)

        if act is acts.BeginMatch:
            await self._may_begin(match)
        before = self._before(request, who)
        run: Callable[..., Awaitable[Sequence[Entry]]] = self._matches.command
        run = partial(run, match, command, in_thread=act.long, accepting=act.accepting)
        if act.goes_back:
            run = partial(self._matches.go_back, match, go_back)
        try:
            if isinstance(requested, RecordPenalty):
                await self._penalising(requested, match, who, before)
            entries = await run(before)
        except Repeated as repeated:
            entries = repeated.entries
        recorded = await self._in_thread(self._recorded, match, entries)
        head = await self._matches.heads.at(match, entries[-1].seq) if entries else None
        if head is not None:
            recorded.head.CopyFrom(wire.head(head))
        return _RESPONSES[request.DESCRIPTOR.name](recorded=recorded)

    async def _penalising(
        self, act: RecordPenalty, match: str, who: Identity, before: Callable[[], None] | None
    ) -> None:
        """Make sure that a penalty may be given, unless it is a repeat; raises `Repeated`."""
        if before is not None:
            await self._in_thread(before)
        by = Sender(who.subject, 0, organises=who.role == Role.ORGANISER)
        await self._may_penalise(match, act, by)

    def _before(self, request: Any, who: Identity) -> Callable[[], None] | None:
        """The check that must precede a command, which finds repeats."""
        ticket = requests.ticket_of(request).hashed()
        if not ticket:
            return None
        return partial(self._repeats.check_official, request.match_id, who.subject, ticket)

    def _recorded(self, match: str, entries: Sequence[Entry]) -> pb.Recorded:
        first, last = (entries[0].seq, entries[-1].seq) if entries else (0, 0)
        point = Point(seq=last) if entries else NOW
        decision = self._history.position(match, PUBLIC, point).decision
        n = decision.n if decision is not None else 0
        return pb.Recorded(first_seq=first, last_seq=last, decision=n)


def _require_role(who: Identity, match: str, roles: Sequence[str]) -> None:
    if who.role not in roles:
        raise forbidden(
            "an official" if roles is OFFICIAL_ROLES else "an official or a scorekeeper"
        )
    own(who, match)


def _official(requested: Any, request: Any, who: Identity, now: int) -> Official:
    voice = TABLE if who.role == Role.SCOREKEEPER else BY_OFFICIAL
    rolls = tuple(map(tuple, getattr(requested, "rolls", ())))
    ticket = str(requests.ticket_of(request).hashed())  # all can read it in the record
    return Official(who.subject, now, getattr(requested, "why", ""), ticket, voice, rolls)


def _preview_message(found: rewind.Preview, seats: int) -> pb.PreviewRewindResponse:
    response = pb.PreviewRewindResponse(to=found.to, rest=found.rest, entries=found.entries)
    for undone in found.decisions:
        one = response.decisions.add(
            n=undone.n, seq=undone.seq, time=undone.time, kind=undone.kind, seats=undone.seats
        )
        for seat, act, seq in undone.acts:
            one.acts.add(seat=seat, act=wire.act(act), seq=seq)
    for seen in found.seen:
        response.seen.add(
            card=seen.card,
            place=seen.place,
            id=seen.id,
            seats=[seat for seat in range(seats) if seen.to >> seat & 1],
            all=seen.to < 0,
            went=seen.went,
        )
    return response


_RESPONSES = {
    method.input_type.name: GetMessageClass(method.output_type)
    for method in pb.DESCRIPTOR.services_by_name["DeskService"].methods
}
