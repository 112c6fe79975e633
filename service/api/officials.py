"""The servicer of the officials' desk (desk_service.proto).

It checks what a request says and what its sender may do; what makes sense is the domain's to say
(`domain.officials`), what follows for matches in memory and their streams is in `live`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from kifu.v1 import desk_service_pb2 as pb

from domain.engine.match import Match, Stale
from domain.engine.rulebook import Dice, Rulebook
from domain.officials import clocks, corrections, desk, irregular, rewind
from domain.officials.adoption import adopt
from domain.officials.frame import Official
from domain.record.entries import Entry
from domain.record.events import OFFICIAL, TABLE
from domain.record.position import Position
from domain.record.views import PUBLIC
from service import identity, wire
from service.api import requests
from service.api.errors import forbidden, malformed
from service.api.matches import MatchServicer, rolls_of, told_of
from service.api.reading import own
from service.api.repeats import Repeated, Repeats
from service.identity import Identity
from service.live.matches import Matches
from service.store import listing
from service.store.history import NOW, Point

OFFICIALS = (identity.JUDGE, identity.ORGANISER)
KEEPERS = (*OFFICIALS, identity.SCOREKEEPER)
_PUT_BACK: dict[int, str] = {
    pb.PUT_BACK_UNSPECIFIED: rewind.AS_THEY_WERE,
    pb.PUT_BACK_AS_IT_WAS: rewind.AS_THEY_WERE,
    pb.PUT_BACK_RANDOM: rewind.RANDOM,
    pb.PUT_BACK_SHUFFLE: rewind.SHUFFLE,
}
#: Something said at the desk, to be carried out on a match.
Saying = Callable[[Match, Official], None]
#: Something that takes a match back: from its rulebook, log, chance and who says so.
Change = Callable[[Rulebook, Sequence[Entry], Official, Dice], Match]


class DeskServicer:
    """Answers `kifu.v1.DeskService`."""

    def __init__(self, matches: Matches, servicer: MatchServicer) -> None:
        """`servicer` is asked for what forks look like, and for their tokens."""
        self._matches, self._servicer = matches, servicer
        self._aside = matches.turns.do
        self._records, self._history = matches.records, matches.history
        self._repeats = Repeats(matches.history)

    # -- said beside the game --------------------------------------------------------------------

    async def record_ruling(
        self, request: pb.RecordRulingRequest, who: Identity
    ) -> pb.RecordRulingResponse:
        text, rules = _text(request.text, "text"), _ids(request.rules, "rules")
        about, decision = request.about, request.decision

        def say(m: Match, by: Official) -> None:
            found = self._entry(request.match_id, request.evidence) if request.evidence else None
            desk.rule(m, by, text, rules, about, decision, found)

        return pb.RecordRulingResponse(recorded=await self._record(request, who, say))

    async def record_penalty(
        self, request: pb.RecordPenaltyRequest, who: Identity
    ) -> pb.RecordPenaltyResponse:
        kind, note = requests.short(request.kind, "kind"), _text(request.note, "note")

        def say(m: Match, by: Official) -> None:
            desk.penalise(m, by, request.seat, kind, note)

        return pb.RecordPenaltyResponse(recorded=await self._record(request, who, say))

    async def record_note(
        self, request: pb.RecordNoteRequest, who: Identity
    ) -> pb.RecordNoteResponse:
        text = _text(request.text, "text")

        def say(m: Match, by: Official) -> None:
            desk.note(m, by, text, request.about, request.public)

        recorded = await self._record(request, who, say, roles=KEEPERS)
        return pb.RecordNoteResponse(recorded=recorded)

    async def set_paused(self, request: pb.SetPausedRequest, who: Identity) -> pb.SetPausedResponse:
        say = desk.pause if request.paused else desk.go_on
        return pb.SetPausedResponse(recorded=await self._record(request, who, say))

    async def adopt_engine(
        self, request: pb.AdoptEngineRequest, who: Identity
    ) -> pb.AdoptEngineResponse:
        return pb.AdoptEngineResponse(recorded=await self._record(request, who, adopt))

    # -- time ------------------------------------------------------------------------------------

    async def set_clock(self, request: pb.SetClockRequest, who: Identity) -> pb.SetClockResponse:
        clock = requests.short(request.clock, "clock")
        left = request.left if request.HasField("left") else None
        running = request.running if request.HasField("running") else None
        if left is None and running is None:
            raise malformed("left", "and running are both missing")

        def say(m: Match, by: Official) -> None:
            desk.set_clock(m, by, clock, left, running)

        return pb.SetClockResponse(recorded=await self._record(request, who, say))

    async def extend_time(
        self, request: pb.ExtendTimeRequest, who: Identity
    ) -> pb.ExtendTimeResponse:
        clock = requests.short(request.clock, "clock")

        def say(m: Match, by: Official) -> None:
            desk.extend(m, by, clock, request.ms)

        return pb.ExtendTimeResponse(recorded=await self._record(request, who, say))

    async def call_time(self, request: pb.CallTimeRequest, who: Identity) -> pb.CallTimeResponse:
        return pb.CallTimeResponse(recorded=await self._record(request, who, clocks.call_time))

    async def decide_by_time(
        self, request: pb.DecideByTimeRequest, who: Identity
    ) -> pb.DecideByTimeResponse:
        return pb.DecideByTimeResponse(recorded=await self._record(request, who, clocks.decide))

    async def flag_clock(self, request: pb.FlagClockRequest, who: Identity) -> pb.FlagClockResponse:
        def say(m: Match, by: Official) -> None:
            clocks.flag(m, by, request.seat)

        return pb.FlagClockResponse(recorded=await self._record(request, who, say))

    # -- what changes the game -------------------------------------------------------------------

    async def record_irregularity(
        self, request: pb.RecordIrregularityRequest, who: Identity
    ) -> pb.RecordIrregularityResponse:
        rule, note = requests.short(request.rule, "rule"), _text(request.note, "note")
        seat = _seat(request)
        act = requests.act_of(request) if request.HasField("act") else None
        told = told_of(request, who)

        def say(m: Match, by: Official) -> None:
            if act is None:
                irregular.flag(m, by, rule, note, seat, request.about)
            else:
                irregular.play(m, by, request.decision, seat, act, note, told)

        recorded = await self._record(request, who, say, apart=True)
        return pb.RecordIrregularityResponse(recorded=recorded)

    async def correct_position(
        self, request: pb.CorrectPositionRequest, who: Identity
    ) -> pb.CorrectPositionResponse:
        if len(request.fixes) > corrections.MOST:
            raise malformed("fixes", f"must be at most {corrections.MOST}")
        fixes = [wire.fix_of(fix) for fix in request.fixes]
        rule, seat = requests.short(request.rule, "rule"), _seat(request)

        def say(m: Match, by: Official) -> None:
            _still_open(m.pos, request.decision)
            corrections.correct(m, by, fixes, rule, seat)

        recorded = await self._record(request, who, say, apart=True)
        return pb.CorrectPositionResponse(recorded=recorded)

    async def preview_rewind(
        self, request: pb.PreviewRewindRequest, who: Identity
    ) -> pb.PreviewRewindResponse:
        _entitled(who, request.match_id, OFFICIALS)

        def read() -> pb.PreviewRewindResponse:
            heading = listing.find(self._records, request.match_id).heading
            manifest = self._matches.rulebook(heading.game).manifest
            log = self._records.entries(request.match_id)
            return _previewed(rewind.preview(log, request.decision, manifest), manifest.seats)

        return await self._aside(read)

    async def rewind_match(
        self, request: pb.RewindMatchRequest, who: Identity
    ) -> pb.RewindMatchResponse:
        whole = _way(request.put_back)
        single = {one.card: _way(one.put_back) for one in request.cards}

        def change(rules: Rulebook, log: Sequence[Entry], by: Official, dice: Dice) -> Match:
            ways: Any = whole
            if single:
                found = rewind.preview(log, request.decision, rules.manifest)
                ways = {**dict.fromkeys((one.card for one in found.seen), whole), **single}
            return rewind.rewind(rules, log, request.decision, by, dice, ways)

        recorded = await self._go_back(request, who, change, OFFICIALS)
        return pb.RewindMatchResponse(recorded=recorded)

    async def undo_entry(self, request: pb.UndoEntryRequest, who: Identity) -> pb.UndoEntryResponse:
        return pb.UndoEntryResponse(
            recorded=await self._go_back(request, who, rewind.undo, KEEPERS)
        )

    async def fork_match(self, request: pb.ForkMatchRequest, who: Identity) -> pb.ForkMatchResponse:
        _entitled(who, request.match_id, OFFICIALS)
        ticket, origin = requests.ticket_of(request), request.match_id
        heading = (await self._aside(listing.find, self._records, origin)).heading

        def begin() -> list[Entry]:
            return rewind.fork(self._records.entries(origin), origin, request.decision, str(ticket))

        entries = await self._aside(begin)
        naming = f"fork/{origin}/{ticket.name}" if ticket else ""

        async def save(match: str) -> None:
            await self._matches.keep(match, heading.game, entries)

        return pb.ForkMatchResponse(**await self._servicer.filed(who, naming, ticket, save))

    # -- carrying it out -------------------------------------------------------------------------

    async def _record(
        self,
        request: Any,
        who: Identity,
        say: Saying,
        *,
        roles: Sequence[str] = OFFICIALS,
        apart: bool = False,
    ) -> pb.Recorded:
        _entitled(who, request.match_id, roles)
        by = partial(_official, request, who)

        def command(m: Match, now: int) -> None:
            say(m, by(now))

        before = self._before(request, who)
        try:
            entries = await self._matches.command(request.match_id, command, before, apart=apart)
        except Repeated as repeated:
            entries = repeated.entries
        return await self._aside(self._recorded, request.match_id, entries)

    async def _go_back(
        self, request: Any, who: Identity, change: Change, roles: Sequence[str]
    ) -> pb.Recorded:
        _entitled(who, request.match_id, roles)

        def carry_out(m: Match, log: Sequence[Entry], dice: Dice, now: int) -> Match:
            if request.open_decision:
                _still_open(m.pos, request.open_decision)
            return change(m.rules, log, _official(request, who, now), dice)

        before = self._before(request, who)
        try:
            entries = await self._matches.go_back(request.match_id, carry_out, before)
        except Repeated as repeated:
            entries = repeated.entries
        return await self._aside(self._recorded, request.match_id, entries)

    def _before(self, request: Any, who: Identity) -> Callable[[], None] | None:
        """What to do before a command, lest it is carried out twice."""
        ticket = requests.ticket_of(request).veiled()
        if not ticket:
            return None
        return partial(self._repeats.officiated, request.match_id, who.subject, ticket)

    def _recorded(self, match: str, entries: Sequence[Entry]) -> pb.Recorded:
        first, last = (entries[0].seq, entries[-1].seq) if entries else (0, 0)
        point = Point(seq=last) if entries else NOW
        decision = self._history.position(match, PUBLIC, point).decision
        n = decision.n if decision is not None else 0
        return pb.Recorded(first_seq=first, last_seq=last, decision=n)

    def _entry(self, match: str, seq: int) -> Entry:
        found = self._records.entries(match, seq - 1, seq) if seq > 0 else []
        if not found:
            raise desk.refused(f"there is no entry {seq}", "house:ruling", "NO_SUCH_ENTRY")
        return found[0]


def _entitled(who: Identity, match: str, roles: Sequence[str]) -> None:
    if who.role not in roles:
        raise forbidden("an official" if roles is OFFICIALS else "an official or a scorekeeper")
    own(who, match)


def _official(request: Any, who: Identity, now: int) -> Official:
    why = _text(request.why, "why") if "why" in request.DESCRIPTOR.fields_by_name else ""
    voice = TABLE if who.role == identity.SCOREKEEPER else OFFICIAL
    named = request.DESCRIPTOR.fields_by_name
    rolls = rolls_of(request) if "rolls" in named and "act" not in named else ()
    ticket = str(requests.ticket_of(request).veiled())  # all can read it in the record
    return Official(who.subject, now, why, ticket, voice, rolls)


def _still_open(p: Position, n: int) -> None:
    current = p.decision.n if p.decision is not None else 0
    if current != n:
        raise Stale(current)


def _text(text: str, field: str) -> str:
    return requests.short(text, field, desk.TEXT)


def _seat(request: Any) -> int:
    """The seat that a request names; -1: none."""
    if request.HasField("seat") and request.seat < 0:
        raise malformed("seat", "must not be negative")
    return int(request.seat) if request.HasField("seat") else -1


def _way(put_back: int) -> str:
    if put_back not in _PUT_BACK:
        raise malformed("put_back", "is none of the ways to put a card back")
    return _PUT_BACK[put_back]


def _ids(ids: Sequence[str], field: str) -> tuple[str, ...]:
    if len(ids) > 20:
        raise malformed(field, "must be at most 20")
    return tuple(requests.short(one, field) for one in ids)


def _previewed(found: rewind.Preview, seats: int) -> pb.PreviewRewindResponse:
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
