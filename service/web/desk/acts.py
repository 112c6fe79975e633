"""What the desk's forms do: for each act the request that it becomes, and what is asked first.

The sentences are those that a terminal asks with (`domain.telling.consequences`). What the sender
saw, an open decision or a result, goes along: if it is another by then, the API refuses it as
stale.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from kifu.v1 import desk_service_pb2 as pb
from kifu.v1.match_service_pb2 import GetPositionRequest, Roll
from kifu.v1.values_pb2 import Identity
from msgspec import Struct

from domain.record.position import Position
from domain.record.values import BY_OFFICIAL
from domain.record.views import OFFICIAL
from domain.telling import consequences
from domain.telling.names import clock_name, countdown, player
from domain.text import fixes, notation, reading
from domain.words.phrases import phrase
from service import wire
from service.api.calls.errors import malformed
from service.web.desk.seen import Desk
from service.web.hall.prepared import Form, Prepared
from service.web.site import Site

_BACK = {
    "": pb.PUT_BACK_AS_IT_WAS, "as-they-were": pb.PUT_BACK_AS_IT_WAS,
    "random": pb.PUT_BACK_RANDOM, "shuffle": pb.PUT_BACK_SHUFFLE,
}  # fmt: skip


class Asked(Struct, frozen=True):
    """What an act is made of: the match as everybody sees it, and the form."""

    site: Site
    seen: Desk
    form: Form

    @property
    def match(self) -> str:
        """The match."""
        return self.seen.id

    @property
    def pos(self) -> Position:
        """How it stands."""
        return self.seen.pos

    @property
    def why(self) -> str:
        """The reason that was typed."""
        return self.form.text("why")

    @property
    def open(self) -> int:
        """The decision that the sender saw open."""
        return self.form.number("open", 0) or self.seen.decision

    def seat(self, name: str = "seat") -> int:
        """A seat that must be named; raises `Fault`."""
        found = self.form.number(name)
        if not 0 <= found < len(self.seen.match.seats):
            raise malformed(name, phrase("is no seat of this match"))
        return found

    def maybe_seat(self, name: str = "seat") -> int | None:
        """A seat that may be named."""
        return self.seat(name) if self.form.text(name) else None

    def rolls(self) -> list[Roll]:
        """How chance fell at a real table: `A`, `2`, `1,0,2`, one after the other."""
        return [Roll(outcome=_roll(text)) for text in self.form.text("rolls").split()]


def _roll(text: str) -> list[int]:
    words = text.split(",")
    if all(word.isascii() and word.isdecimal() and len(word) < 7 for word in words):
        return [*map(int, words)]
    if len(text) == 1 and "A" <= text.upper() <= "Z":
        return [ord(text.upper()) - ord("A")]
    raise malformed("rolls", phrase("are no players and no outcomes: A, 2 or 1,0,2"))


Act = Callable[[Asked], Awaitable[Prepared]]


# -- words -----------------------------------------------------------------------------------------


async def _begin(a: Asked) -> Prepared:
    request = pb.BeginMatchRequest(match_id=a.match, why=a.why, rolls=a.rolls())
    return Prepared(request, "", phrase("The match has begun."))


async def _rule(a: Asked) -> Prepared:
    request = pb.RecordRulingRequest(
        match_id=a.match, text=a.form.needed("text"),
        rules=a.form.text("rules").replace(",", " ").split(), about=a.form.number("about", 0),
        decision=a.form.number("decision", 0), evidence=a.form.number("evidence", 0),
    )  # fmt: skip
    return Prepared(request, "", phrase("The ruling was recorded."))


async def _note(a: Asked) -> Prepared:
    public = a.form.flag("public")
    request = pb.RecordNoteRequest(
        match_id=a.match, text=a.form.needed("text"), about=a.form.number("about", 0), public=public
    )
    warning = phrase("Everybody who sees the match reads this note.") if public else ""
    return Prepared(request, warning, phrase("The note was recorded."))


async def _shuffle(a: Asked) -> Prepared:
    cut = a.form.text("cut")
    request = pb.RecordShuffleRequest(
        match_id=a.match, seat=a.seat(), by=_person(a, "by"), checked=a.form.text("checked"),
        cut=_person(a, "cut") if cut and cut != "nobody" else None,
    )  # fmt: skip
    return Prepared(request, "", phrase("It was written down."))


def _person(a: Asked, name: str) -> int:
    return BY_OFFICIAL if a.form.text(name) == "official" else a.seat(name)


async def _adopt(a: Asked) -> Prepared:
    warning = phrase("The match goes on under the engine at hand; what was recorded stands.")
    request = pb.AdoptEngineRequest(match_id=a.match, why=a.why)
    return Prepared(request, warning, phrase("The match goes on under the engine at hand."))


async def _accept(a: Asked) -> Prepared:
    warning = phrase(
        "The match goes on though its entries are not those that were chained;"
        " that is said in the record, for all to read."
    )
    request = pb.AcceptRecordRequest(match_id=a.match, why=a.why)
    return Prepared(request, warning, phrase("The match goes on as it stands."))


# -- penalties and results -------------------------------------------------------------------------


async def _penalise(a: Asked) -> Prepared:
    seat, kind = a.seat(), a.form.needed("kind")
    request = pb.RecordPenaltyRequest(
        match_id=a.match, seat=seat, kind=kind, note=a.form.text("note"), rolls=a.rolls(),
        result=a.seen.result,
    )  # fmt: skip
    warning = consequences.penalty(a.match, a.pos, seat, kind)
    return Prepared(request, warning, phrase("The penalty was recorded."))


async def _result(a: Asked) -> Prepared:
    winner = -1 if a.form.text("winner") == "draw" else a.seat("winner")
    score = [a.form.number(f"games{seat}", 0) for seat in range(len(a.seen.match.seats))]
    request = pb.CorrectResultRequest(
        match_id=a.match, winner=winner, score=score, note=a.form.needed("note"),
        result=a.seen.result,
    )  # fmt: skip
    warning = consequences.correction(a.match, a.pos, winner, score)
    return Prepared(request, warning, phrase("The result was corrected."))


# -- time ------------------------------------------------------------------------------------------


async def _pause(a: Asked) -> Prepared:
    request = pb.SetPausedRequest(match_id=a.match, paused=True, why=a.why)
    return Prepared(request, "", phrase("The match stands still."))


async def _resume(a: Asked) -> Prepared:
    request = pb.SetPausedRequest(match_id=a.match, paused=False, why=a.why)
    return Prepared(request, "", phrase("The match goes on."))


async def _call_time(a: Asked) -> Prepared:
    warning = consequences.time_called(a.match, a.pos)
    return Prepared(pb.CallTimeRequest(match_id=a.match), warning, phrase("Time was called."))


async def _decide(a: Asked) -> Prepared:
    manifest = a.site.matches.rulebook(a.seen.match.game).manifest
    warning = consequences.decided(a.match, a.pos, manifest)
    return Prepared(
        pb.DecideByTimeRequest(match_id=a.match), warning, phrase("The match was ended.")
    )


async def _run_out(a: Asked) -> Prepared:
    seat = a.seat()
    request = pb.FlagClockRequest(match_id=a.match, seat=seat, rolls=a.rolls())
    return Prepared(request, consequences.flag(a.match, a.pos, seat),
                    phrase("It was recorded that the clock has run out."))  # fmt: skip


async def _extend(a: Asked) -> Prepared:
    seconds, clock = a.form.seconds("minutes"), a.form.needed("clock")
    if not seconds:
        raise malformed("minutes", phrase("are missing"))
    request = pb.ExtendTimeRequest(match_id=a.match, clock=clock, ms=seconds * 1000, why=a.why)
    time = countdown(abs(seconds) * 1000)
    done = phrase("{clock}: {time} more.", clock=clock_name(clock), time=time)
    if seconds < 0:
        done = phrase("{clock}: {time} less.", clock=clock_name(clock), time=time)
    return Prepared(request, "", done)


async def _set_clock(a: Asked) -> Prepared:
    clock, text = a.form.needed("clock"), a.form.text("minutes")
    runs = {"run": True, "stop": False}.get(a.form.text("running"))
    left = a.form.seconds("minutes") * 1000 if text else None
    request = pb.SetClockRequest(match_id=a.match, clock=clock, left=left, running=runs, why=a.why)
    return Prepared(request, "", phrase("{clock} was set.", clock=clock_name(clock)))


# -- against the rules -----------------------------------------------------------------------------


async def _flag(a: Asked) -> Prepared:
    request = pb.RecordIrregularityRequest(
        match_id=a.match, rule=a.form.needed("rule"), note=a.form.needed("text"),
        seat=a.maybe_seat(), about=a.form.number("about", 0),
    )  # fmt: skip
    return Prepared(request, "", phrase("The irregularity was recorded."))


async def _play(a: Asked) -> Prepared:
    """An act that was done against the rules; what is hidden is looked at to understand it."""
    seat, site = a.seat(), a.site
    who = a.seen.visitor.who
    await site.servicer.record_look(who, GetPositionRequest(match_id=a.match))
    history, run = site.matches.history, site.matches.lanes.run
    pos = await run(lambda: history.position(a.match, OFFICIAL))
    rules = site.matches.rulebook(a.seen.match.game)
    try:
        act, names = await run(
            lambda: reading.read(a.form.needed("text"), pos, rules, seat, any_card=True)
        )
    except notation.BadText as error:
        raise malformed("text", str(error)) from None
    fields: dict[str, Any] = {
        "act": wire.act(act),
        "names": [Identity(number=number, card=card) for number, card in sorted(names.items())],
    }
    request = pb.RecordIrregularityRequest(
        match_id=a.match, decision=a.open, seat=seat, note=a.form.text("note"), rolls=a.rolls(),
        **fields,
    )  # fmt: skip
    warning = phrase(
        "{player} has done this though the rules refuse it; the game goes on from it.",
        player=player(seat),
    )
    return Prepared(request, warning, phrase("The irregularity was recorded, and carried out."))


async def _correct(a: Asked) -> Prepared:
    texts = a.form.lines("fixes")
    if not texts:
        raise malformed("fixes", phrase("are missing"))
    try:
        found = [fixes.read(text) for text in texts]
    except fixes.BadFix as error:
        raise malformed("fixes", str(error)) from None
    request = pb.CorrectPositionRequest(
        match_id=a.match, decision=a.open, fixes=[wire.fix(one) for one in found],
        why=a.form.needed("why"), rule=a.form.text("rule"), seat=a.maybe_seat(), rolls=a.rolls(),
    )  # fmt: skip
    warning = phrase("The position is put right, for all to see: {fixes}", fixes="\n".join(texts))
    return Prepared(request, warning, phrase("The position was put right."))


# -- back ------------------------------------------------------------------------------------------


async def _rewind(a: Asked) -> Prepared:
    n, way = a.form.number("decision"), a.form.text("put_back")
    if way not in _BACK:
        raise malformed("put_back", phrase("is no way to put cards back"))
    cards = []
    for text in a.form.lines("cards"):  # `57=random`
        number, _, how = text.partition("=")
        if not (number.lstrip("-").isdecimal() and how in _BACK):
            raise malformed("cards", phrase("is no way to put cards back"))
        cards.append(pb.CardPutBack(card=int(number), put_back=_BACK[how]))
    return await _back(a, n, a.form.needed("why"), _BACK[way], cards)


async def _reopen(a: Asked) -> Prepared:
    if not a.pos.over:
        raise malformed("act", phrase("the match is not over: there is no end to take back"))
    return await _back(a, a.pos.decisions, a.form.needed("why"), pb.PUT_BACK_AS_IT_WAS, [])


async def _back(a: Asked, n: int, why: str, way: Any, cards: list[pb.CardPutBack]) -> Prepared:
    request = pb.RewindMatchRequest(
        match_id=a.match, decision=n, why=why, put_back=way, cards=cards,
        open_decision=a.seen.decision, result=a.seen.result,
    )  # fmt: skip
    live_again = consequences.revival(a.pos)
    warning = phrase("Back to decision {n}. {what}", n=n, what=consequences.GO_BACK)
    if live_again:
        warning = phrase("{warning} {live_again}", warning=warning, live_again=live_again)
    return Prepared(request, warning, phrase("The match went back to decision {n}.", n=n))


async def _fork(a: Asked) -> Prepared:
    n = a.form.number("decision")
    warning = phrase(
        "An unofficial copy begins that stands at decision {n}. For this you look at everything:"
        " {what}.",
        n=n, what=consequences.look(entry=False),
    )  # fmt: skip
    request = pb.ForkMatchRequest(match_id=a.match, decision=n)
    return Prepared(request, warning, phrase("A fork stands at decision {n}.", n=n))


ACTS: Mapping[str, Act] = {
    "begin": _begin, "rule": _rule, "note": _note, "shuffle": _shuffle,
    "adopt": _adopt, "accept": _accept,
    "penalise": _penalise, "result": _result,
    "pause": _pause, "resume": _resume, "call-time": _call_time, "decide": _decide,
    "run-out": _run_out, "extend": _extend, "set-clock": _set_clock,
    "flag": _flag, "play": _play, "correct": _correct,
    "rewind": _rewind, "reopen": _reopen, "fork": _fork,
}  # fmt: skip


async def prepared(name: str, asked: Asked) -> Prepared:
    """The command that a form means; raises `Fault`."""
    if name not in ACTS:
        raise malformed("act", phrase("is none of the desk's"))
    return await ACTS[name](asked)
