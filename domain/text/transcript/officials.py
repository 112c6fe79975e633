"""Entries of officials as rows of a transcript, and back.

An official's frame is a row `!` with its facts, and a row `!!` for each entry in it: the event's
name, its fields as NAME=JSON, its rules. A rewind is a row `<<`. Nothing is interpreted: fields are
written and read back as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Any, get_args, get_origin, get_type_hints

import msgspec
from msgspec.structs import fields, replace

from domain.engine.table import Table
from domain.officials.frame import KIND
from domain.record import events as ev
from domain.record.entries import TYPES, AnyEvent, Entry, name_of
from domain.record.interventions import ClockSet, MatchBegan, Rewound
from domain.record.position import Position
from domain.record.schema import wording
from domain.record.values import BY_OFFICIAL, CHANCE, OFFICIALS, TABLE, Sealed
from domain.text.transcript.lines import ENTRY, INTERVENTION, REWIND, BadTranscript, Row
from domain.words.phrases import joined, phrase

#: What may stand in an official's frame: his own events, and those that change a table.
SAYABLE = {
    name_of(cls): cls
    for tag, cls in TYPES.items()
    if 20 <= tag <= 36
    or 50 <= tag <= 53
    or 60 <= tag <= 72
    or tag in (74, 76, 77)
    or cls in (ev.StepBegan, ev.TurnBegan)
}
#: What officials' frames are about.
WHAT = frozenset(
    (
        "begin", "ruling", "penalty", "note", "pause", "clock", "time", "correction", "look",
        "irregularity", "rewind", "undo", "engine", "result", "shuffle", "prints",
    )
)  # fmt: skip
BY = {"chance": CHANCE, "table": TABLE}
_WORD = {number: word for word, number in BY.items()}


def end(command: Sequence[Entry]) -> int:
    """How many entries of a command an official's frame takes, its end included."""
    opened = command[0].event
    assert isinstance(opened, ev.FrameOpened)
    for at, entry in enumerate(command):
        if isinstance(entry.event, ev.FrameClosed) and entry.event.id == opened.id:
            return at + 1
    return len(command)


# -- writing ---------------------------------------------------------------------------------------


def rows(entries: Sequence[Entry], p: Position) -> list[Row]:
    """The rows of an official's frame; or of a single entry of his that stands in none.

    `p` is the position before it.
    """
    first = entries[0]
    opened = first.event
    if not isinstance(opened, ev.FrameOpened):
        return [replace(_entry(first, 0), time=first.time)]
    facts = {key: value for key, value in opened.facts.items() if key not in ("what", "ticket")}
    if opened.cause != p.seq:
        facts["about"] = opened.cause
    if first.by in _WORD:
        facts["by"] = _WORD[first.by]
    what = str(opened.facts.get("what", "note"))
    found = [Row(INTERVENTION, text=what, time=first.time, facts=facts, cites=first.cites)]
    moment = first.moment
    for entry in entries[1:-1]:
        found.append(_entry(entry, moment))
        moment = entry.moment
    return found


def begun(command: Sequence[Entry]) -> list[Row]:
    """The rows of a match that begins by itself with what a seat gave; none if it does not begin.

    Nobody gives a seed when it is read again: it begins then as if by an official.
    """
    at = next((at for at, e in enumerate(command) if isinstance(e.event, MatchBegan)), 0)
    if not at:
        return []
    began = command[at]
    facts = {"who": "", "why": "", "begins": True}
    first = Row(INTERVENTION, text="begin", time=began.time, facts=facts, cites=began.cites)
    clocks = takewhile(lambda e: isinstance(e.event, ClockSet), command[at + 1 :])
    return [first, *(_entry(e, 0) for e in (began, *clocks))]


def _entry(entry: Entry, moment: int) -> Row:
    facts: dict[str, Any] = {"by": _WORD[entry.by]} if entry.by in _WORD else {}
    if entry.moment == moment:
        facts["at_once"] = True
    for field in fields(entry.event):
        value = getattr(entry.event, field.name)
        if value != field.default:
            facts[field.name] = _plain(value)
    match entry.event:  # how a deck lies is for no table to know
        case ev.CardsOrdered(base=base, order=order) if base:
            facts["order"] = [order.to, None]
        case ev.ChanceDrawn(kind="shuffle", result=result):
            facts["result"] = [result.to, None]
    return Row(ENTRY, text=name_of(entry.event), facts=facts, cites=entry.cites)


def _plain(value: Any) -> Any:
    if isinstance(value, Sealed):
        return [value.to, _plain(value.value)]
    return msgspec.json.decode(msgspec.json.encode(value))


def rewound(entry: Entry, event: Rewound, p: Position) -> Row:
    """The row of a rewind; `p` is the position that it goes back to."""
    facts: dict[str, Any] = {"to": event.to}
    if p.decision is not None:
        facts["decision"] = p.decision.n
    words = {"who": event.who, "note": event.note, "by": _WORD.get(entry.by, "")}
    facts |= {key: value for key, value in words.items() if value}
    return Row(REWIND, time=entry.time, facts=facts, cites=entry.cites)


# -- reading ---------------------------------------------------------------------------------------


def mentioned(rows: Iterable[Row]) -> frozenset[int]:
    """The numbers that rows tell, of cards or others: those are left where they lie until then."""
    found: set[int] = set()
    for row in rows:
        found |= set(map(int, re.findall(r"@(\d{1,9})\b", row.text)))
        if row.kind == ENTRY:
            values = list(row.facts.values())
            while values:
                value = values.pop()
                if isinstance(value, list):
                    values += value
                elif isinstance(value, int):
                    found.add(value)
    return frozenset(found)


def opened(row: Row, p: Position) -> tuple[ev.FrameOpened, int]:
    """The first event of an official's frame, and its author."""
    if row.text not in WHAT:
        raise BadTranscript(
            row.line,
            phrase(
                "{text!r} is not one of {known}", text=row.text, known=joined(", ", sorted(WHAT))
            ),
        )
    facts = {"who": "", "what": row.text, "why": "", **row.facts}
    by = BY.get(str(facts.pop("by", "")), BY_OFFICIAL)
    about = facts.pop("about", p.seq)
    if not isinstance(about, int):
        raise BadTranscript(row.line, phrase("about={about!r} is no entry", about=about))
    return ev.FrameOpened(p.next_frame, KIND, p.frame, about, facts), by


def event_of(row: Row, t: Table) -> tuple[AnyEvent, int]:
    """The event of a row, and who put it in.

    What is sealed from the transcript's viewer is filled in as at a real table: some cards that
    nobody has named.
    """
    cls = SAYABLE.get(row.text)
    if cls is None:
        raise BadTranscript(row.line, phrase("no official puts in {text!r}", text=row.text))
    facts = dict(row.facts)
    by = BY.get(str(facts.pop("by", "")), BY_OFFICIAL)
    facts.pop("at_once", None)
    hints, given = get_type_hints(cls, vars(ev)), {}
    try:
        for name, value in facts.items():
            given[name] = _value(value, hints[name])
        event: Any = cls(**given)
    except (KeyError, TypeError, ValueError, msgspec.ValidationError) as error:
        raise BadTranscript(
            row.line, phrase("{text} can't be meant so: {error}", text=row.text, error=error)
        ) from None
    for fault in wording.faults(t.manifest, Entry(0, 0, 0, 0, by, (), event)):
        raise BadTranscript(row.line, fault)
    return filled(event, t), by


def _value(value: Any, hint: Any) -> Any:
    if get_origin(hint) is Sealed:
        to, inner = value
        return Sealed(int(to), None if inner is None else _value(inner, get_args(hint)[0]))
    return msgspec.convert(value, hint, strict=True)


def filled(event: AnyEvent, t: Table) -> AnyEvent:
    """An event with cards in the place of those that it does not tell."""
    p = t.pos
    match event:
        case ev.CardsMoved(n=n, was=was, now=now, src=src):
            if was.value is None:
                event = replace(event, was=Sealed(was.to, _some(p, src, n)))
            if now.value is None:
                event = replace(event, now=Sealed(now.to, _fresh(p, n)))
        case ev.CardsKnown(place=place, cards=cards) if cards.value is None:
            seen = tuple((number, "") for number in _come(t, place, cards.to))
            event = replace(event, cards=Sealed(cards.to, seen))
        case ev.CardsMade(n=n, cards=cards) if cards.value is None:
            event = replace(event, cards=Sealed(cards.to, _fresh(p, n)))
        case ev.CardsOrdered(base=base, order=order) if base and order.value is None:
            event = replace(event, order=Sealed(OFFICIALS, ()))
        case ev.ChanceDrawn(result=result) if result.value is None:
            event = replace(event, result=Sealed(result.to, ()))
    return event


def _fresh(p: Position, n: int) -> tuple[int, ...]:
    return tuple(range(p.next_card, p.next_card + n))


def _come(t: Table, place: str, to: int) -> list[int]:
    """The cards of a place that those who see its faces have not seen; shown otherwise: none."""
    p = t.pos
    new = [number for number in p.zone(place) if p.cards[number].seen & to != to]
    return [number for number in new if t.manifest.faces(place, p.cards[number].up) == to]


def _some(p: Position, place: str, n: int) -> tuple[int, ...]:
    """The topmost cards of a place that nobody has named, else any."""
    zone = p.zone(place)[::-1]
    return tuple(sorted(zone, key=lambda number: bool(p.cards[number].id))[:n])
