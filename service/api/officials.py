"""The servicer of officials' acts (desk_service.proto).

`ACTS` has a row for each: how its request is checked and converted, and who may send it. Whether an
act makes sense is for `domain.officials` to say; `live` carries it out.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from google.protobuf.message_factory import GetMessageClass
from kifu.v1 import desk_service_pb2 as pb

from domain.engine.match import Match, Stale
from domain.engine.passes import implying
from domain.engine.rulebook import Dice, Rulebook
from domain.officials import (
    beginning,
    checks,
    clocks,
    irregular,
    results,
    rewind,
    rulings,
    shuffles,
)
from domain.officials.adoption import adopt
from domain.officials.corrections import correcting
from domain.officials.frame import Official
from domain.officials.ways import AS_THEY_WERE, RANDOM, SHUFFLE
from domain.record.entries import Entry
from domain.record.points import NOW, Point
from domain.record.position import NOBODY, Position
from domain.record.values import BY_OFFICIAL, TABLE
from domain.record.views import OFFICIAL, PUBLIC
from domain.words.phrases import phrase
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
_PUT_BACK: dict[int, str] = {
    pb.PUT_BACK_UNSPECIFIED: AS_THEY_WERE,
    pb.PUT_BACK_AS_IT_WAS: AS_THEY_WERE,
    pb.PUT_BACK_RANDOM: RANDOM,
    pb.PUT_BACK_SHUFFLE: SHUFFLE,
}
#: How many seats a score may be of.
SCORES = 16
#: Does what an official asks for.
Action = Callable[[Match, Official], None]
#: Takes a match back: from its rulebook, log, who asks, and chance.
Change = Callable[[Rulebook, Sequence[Entry], Official, Dice], Match]


class Recording(NamedTuple):
    """An official's act that is recorded at the open decision.

    `action` checks the request (and reads what it names from the records); `in_thread`: it may take
    long; `accepting`: what was recorded is accepted by it, though it does not fit its chain.
    """

    action: Callable[[Any, Identity, Records], Action]
    roles: Sequence[str] = OFFICIAL_ROLES
    in_thread: bool = False
    accepting: bool = False


class GoingBack(NamedTuple):
    """An official's act that takes the match back to an earlier decision."""

    change: Callable[[Any], Change]
    roles: Sequence[str] = OFFICIAL_ROLES


# -- requests to actions ---------------------------------------------------------------------------


def _ruling(request: pb.RecordRulingRequest, who: Identity, records: Records) -> Action:
    text, rules = _text(request.text, "text"), _ids(request.rules, "rules")

    def rule(match: Match, by: Official) -> None:
        seq, evidence = request.evidence, None
        if seq:
            found = records.entries(request.match_id, seq - 1, seq) if seq > 0 else []
            if not found:
                raise checks.refused(
                    phrase("there is no entry {seq}", seq=seq), "house:ruling", "NO_SUCH_ENTRY"
                )
            evidence = found[0]
        rulings.rule(match, by, text, rules, request.about, request.decision, evidence)

    return rule


def _penalty(request: pb.RecordPenaltyRequest, *_: object) -> Action:
    kind, note = requests.short(request.kind, "kind"), _text(request.note, "note")

    def penalise(match: Match, by: Official) -> None:
        _require_result(match.pos, request)
        rulings.penalise(match, by, request.seat, kind, note)

    return penalise


def _result(request: pb.CorrectResultRequest, *_: object) -> Action:
    note, winner, score = _text(request.note, "note"), request.winner, tuple(request.score)
    if len(score) > SCORES:
        raise malformed("score", phrase("must be at most {most}", most=SCORES))

    def correct(match: Match, by: Official) -> None:
        _require_result(match.pos, request)
        results.correct_result(match, by, winner, score, note)

    return correct


def _note(request: pb.RecordNoteRequest, *_: object) -> Action:
    text = _text(request.text, "text")
    return partial(rulings.note, text=text, about=request.about, public=request.public)


def _acceptance(request: pb.AcceptRecordRequest, who: Identity, records: Records) -> Action:
    def accept(match: Match, by: Official) -> None:
        try:
            chains.check(records, request.match_id, accepting=True)
        except ChainBroken as error:
            text = f"The record is gone on with as it stands: {error.why}."
            rulings.note(match, by, text, public=True)
        else:
            raise checks.refused("nothing is wrong with its chain", "house:note", "CHAIN_WHOLE")

    return accept


def _shuffle(request: pb.RecordShuffleRequest, *_: object) -> Action:
    cut = request.cut if request.HasField("cut") else NOBODY
    checked = _text(request.checked, "checked")
    return partial(
        shuffles.witness, seat=request.seat, shuffler=request.by, cutter=cut, checked=checked
    )


def _clock(request: pb.SetClockRequest, *_: object) -> Action:
    clock = requests.short(request.clock, "clock")
    left = request.left if request.HasField("left") else None
    running = request.running if request.HasField("running") else None
    if left is None and running is None:
        raise malformed("left", "and running are both missing")
    return partial(clocks.set_clock, clock=clock, left=left, running=running)


def _extension(request: pb.ExtendTimeRequest, *_: object) -> Action:
    return partial(clocks.extend, clock=requests.short(request.clock, "clock"), ms=request.ms)


def _irregularity(request: pb.RecordIrregularityRequest, who: Identity, *_: object) -> Action:
    rule, note = requests.short(request.rule, "rule"), _text(request.note, "note")
    seat = _seat(request)
    if not request.HasField("act"):
        return partial(irregular.flag, rule=rule, note=note, seat=seat, about=request.about)
    act, inputs, n = requests.act_of(request), inputs_of(request, who), request.decision
    passes = passes_of(request, who)

    def play(match: Match, by: Official) -> None:
        implying.after_passes(
            match, passes, n, by.now, inputs,
            lambda n: irregular.play(match, by, n, seat, act, note, inputs), request.ends,
        )  # fmt: skip

    return play


def _correction(request: pb.CorrectPositionRequest, who: Identity, *_: object) -> Action:
    if who.role == Role.SCOREKEEPER and any(fix.verb != "name" for fix in request.fixes):
        raise forbidden("an official; a scorekeeper gives cards other names, and nothing else")
    if len(request.fixes) > correcting.MOST:
        raise malformed("fixes", phrase("must be at most {most}", most=correcting.MOST))
    fixes = [wire.fix_of(fix) for fix in request.fixes]
    rule, seat = requests.short(request.rule, "rule"), _seat(request)

    def correct(match: Match, by: Official) -> None:
        _require_decision(match.pos, request.decision)
        correcting.correct(match, by, fixes, rule, seat)

    return correct


def _rewind(request: pb.RewindMatchRequest) -> Change:
    whole = _put_back(request.put_back)
    single = {one.card: _put_back(one.put_back) for one in request.cards}

    def change(rules: Rulebook, log: Sequence[Entry], by: Official, dice: Dice) -> Match:
        ways: Any = whole
        if single:
            found = rewind.preview(log, request.decision, rules.manifest)
            ways = {**dict.fromkeys((one.card for one in found.seen), whole), **single}
        return rewind.rewind(rules, log, request.decision, by, dice, ways)

    return change


#: The acts of officials, by method: each answers with what was recorded.
ACTS: Mapping[str, Recording | GoingBack] = {
    "BeginMatch": Recording(lambda *_: beginning.begin, ENTERING_ROLES, in_thread=True),
    "RecordRuling": Recording(_ruling, in_thread=True),
    "RecordPenalty": Recording(_penalty),
    "CorrectResult": Recording(_result),
    "RecordNote": Recording(_note, ENTERING_ROLES),
    "RecordShuffle": Recording(_shuffle, ENTERING_ROLES),
    "SetPaused": Recording(lambda request, *_: clocks.pause if request.paused else clocks.go_on),
    "AdoptEngine": Recording(lambda *_: adopt),
    "AcceptRecord": Recording(_acceptance, in_thread=True, accepting=True),
    "SetClock": Recording(_clock),
    "ExtendTime": Recording(_extension),
    "CallTime": Recording(lambda *_: clocks.call_time),
    "DecideByTime": Recording(lambda *_: clocks.decide),
    "FlagClock": Recording(lambda request, *_: partial(clocks.flag, seat=request.seat)),
    "RecordIrregularity": Recording(_irregularity, in_thread=True),
    "CorrectPosition": Recording(_correction, ENTERING_ROLES, in_thread=True),
    "RewindMatch": GoingBack(_rewind),
    "UndoEntry": GoingBack(lambda _: rewind.undo, ENTERING_ROLES),
}


class DeskServicer:
    """Answers `kifu.v1.DeskService`: the methods of `ACTS`, and the three below."""

    def __init__(
        self,
        matches: Matches,
        servicer: MatchServicer,
        may_begin: Callable[[str], Awaitable[None]],
    ) -> None:
        """`servicer` is asked for what forks look like, and for their tokens.

        `may_begin` refuses to have a match begin that waits for something else.
        """
        self._may_begin = may_begin
        self._matches, self._servicer = matches, servicer
        self._in_thread = matches.lanes.run
        self._records, self._history = matches.records, matches.history
        self._repeats = Repeats(matches.history)
        for name, act in ACTS.items():
            setattr(self, method_name(name), partial(self._answer, act))

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

    async def _answer(self, act: Recording | GoingBack, request: Any, who: Identity) -> Any:
        """Carry an act out; a repeat of its request finds what the first one led to."""
        match, by = request.match_id, partial(_official, request, who)
        _require_role(who, match, act.roles)
        carry_out: Callable[[Callable[[], None] | None], Awaitable[Sequence[Entry]]]
        if isinstance(act, Recording):
            action = act.action(request, who, self._records)

            def command(m: Match, now: int) -> None:
                action(m, by(now))

            carry_out = partial(
                self._matches.command,
                match,
                command,
                in_thread=act.in_thread,
                accepting=act.accepting,
            )
        else:
            change = act.change(request)

            def go_back(m: Match, log: Sequence[Entry], dice: Dice, now: int) -> Match:
                if request.open_decision:
                    _require_decision(m.pos, request.open_decision)
                if act is ACTS["RewindMatch"]:
                    _require_result(m.pos, request)
                return change(m.rules, log, by(now), dice)

            carry_out = partial(self._matches.go_back, match, go_back)
        if act is ACTS["BeginMatch"]:
            await self._may_begin(match)
        try:
            entries = await carry_out(self._before(request, who))
        except Repeated as repeated:
            entries = repeated.entries
        recorded = await self._in_thread(self._recorded, match, entries)
        head = await self._matches.heads.at(match, entries[-1].seq) if entries else None
        if head is not None:
            recorded.head.CopyFrom(wire.head(head))
        return _RESPONSES[request.DESCRIPTOR.name](recorded=recorded)

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


def _official(request: Any, who: Identity, now: int) -> Official:
    fields = request.DESCRIPTOR.fields_by_name
    why = _text(request.why, "why") if "why" in fields else ""
    voice = TABLE if who.role == Role.SCOREKEEPER else BY_OFFICIAL
    rolls = rolls_of(request) if "rolls" in fields and "act" not in fields else ()
    ticket = str(requests.ticket_of(request).hashed())  # all can read it in the record
    return Official(who.subject, now, why, ticket, voice, rolls)


def _require_decision(p: Position, n: int) -> None:
    current = p.decision.n if p.decision is not None else 0
    if current != n:
        raise Stale(current)


def _require_result(p: Position, request: Any) -> None:
    if request.result:
        results.stands(p, request.result)


def _text(text: str, field: str) -> str:
    return requests.short(text, field, checks.TEXT)


def _seat(request: Any) -> int:
    """The seat that a request names; -1: none."""
    if request.HasField("seat") and request.seat < 0:
        raise malformed("seat", "must not be negative")
    return int(request.seat) if request.HasField("seat") else -1


def _put_back(put_back: int) -> str:
    if put_back not in _PUT_BACK:
        raise malformed("put_back", "is none of the ways to put a card back")
    return _PUT_BACK[put_back]


def _ids(ids: Sequence[str], field: str) -> tuple[str, ...]:
    if len(ids) > 20:
        raise malformed(field, "must be at most 20")
    return tuple(requests.short(one, field) for one in ids)


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
