"""What a player may appeal against, and the appeals of his table: a part of his page (`own`).

That is how a call of his table was settled in the round at hand, and of its match, where it is
recorded, the rulings and his penalties. Each is appealed against once: the head judge's word is the
last (`domain.tournament.acts.appeals`).
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from domain.record.entries import TYPES, undone
from domain.record.interventions import Penalty, Ruling
from domain.telling.tournament import given_for
from domain.tournament import state
from domain.tournament.acts.rows import RaiseAppeal
from domain.tournament.state import Stage, State
from domain.words.phrases import Phrase, phrase
from service.api.calls.errors import malformed
from service.store.derived import rewinds
from service.store.records import Records

_TAGS = [tag for tag, cls in TYPES.items() if cls in (Ruling, Penalty)]
#: How a form names what an appeal is against: `call-3`, `entry-412`.
_CALL, _ENTRY = "call", "entry"


class Against(Struct, frozen=True):
    """What may be appealed against: as a form names it, and for people."""

    value: str
    text: Phrase


class Appealed(Struct, frozen=True):
    """An appeal of the table: against what, and how it was answered; empty: it waits."""

    what: Phrase
    answer: Phrase


class Ruled(Struct, frozen=True):
    """The rulings that concern a player's table, and its appeals, the latest last."""

    against: Sequence[Against] = ()
    appeals: Sequence[Appealed] = ()


def of(records: Records, s: State, player: int) -> Ruled:
    """The rulings for a player in the round at hand that has been opened."""
    now = s.round
    place = now.of(player) if now is not None else None
    if now is None or place is None or not place.second or s.ended:
        return Ruled()
    here = (now.number, place.number)
    mine = [one for one in s.appeals.values() if (one.round, one.table) == here]
    shown = [Appealed(_what(one.call, one.seq), _answer(one)) for one in mine]
    if now.stage not in (Stage.OPENED, Stage.STARTED):
        return Ruled((), shown)
    found = [
        Against(f"{_CALL}-{one.number}", _settled(one))
        for one in s.calls.values()
        if (one.round, one.table) == here and one.answered
    ]
    if (now.format or s.format).mode:
        match = s.match(*here)
        found += _in_match(records, s, match, place.players.index(player))
    known = {f"{_CALL}-{one.call}" if one.call else f"{_ENTRY}-{one.seq}" for one in mine}
    return Ruled([one for one in found if one.value not in known], shown)


def _in_match(records: Records, s: State, match: str, seat: int) -> list[Against]:
    """The rulings in a match that stand, and the penalties of a seat."""
    with records.reading():
        if not records.last(match):
            return []
        back = rewinds.find(records, match)
        entries = [one for tag in _TAGS for one in records.tagged(match, tag)]
    found = []
    for one in sorted(entries, key=lambda one: one.seq):
        event = one.event
        if undone(back, one.seq):
            continue
        if isinstance(event, Ruling):
            text = phrase("the ruling: {text}", text=event.text)
            found.append(Against(f"{_ENTRY}-{one.seq}", text))
        elif isinstance(event, Penalty) and event.seat == seat:
            given = state.Penalty(one.seq, 0, "", 0, event.kind, event.note)
            text = phrase("your penalty: {penalty}", penalty=given_for(s, given))
            found.append(Against(f"{_ENTRY}-{one.seq}", text))
    return found


def _settled(call: state.Call) -> Phrase:
    """A call that was settled, as its answer says, or else what it was about."""
    return phrase("how call {n} was settled: {text}", n=call.number, text=call.answer or call.text)


def _what(call: int, seq: int) -> Phrase:
    if call:
        return phrase("how call {n} was settled", n=call)
    return phrase("entry {n} of the match", n=seq)


def _answer(one: state.Appeal) -> Phrase:
    if not one.answered:
        return Phrase("")
    text = phrase("the ruling does not stand") if one.overturned else phrase("the ruling stands")
    return phrase("{text}: {answer}", text=text, answer=one.answer) if one.answer else text


def appeal(against: str, text: str, table: int) -> RaiseAppeal:
    """The appeal that a form means; raises `Fault`."""
    what, _, number = against.partition("-")
    if not (number.isascii() and number.isdecimal() and len(number) <= 9):
        raise malformed("against", phrase("is missing"))
    if what == _CALL:
        return RaiseAppeal(text, call=int(number))
    if what == _ENTRY:
        return RaiseAppeal(text, table=table, seq=int(number))
    raise malformed("against", phrase("is missing"))
