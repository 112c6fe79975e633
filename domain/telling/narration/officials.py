"""Sentences for chance, and for what officials do."""

from __future__ import annotations

from domain.record import events as ev
from domain.record.entries import Entry
from domain.record.interventions import (
    CardsBrought,
    ClockSet,
    EngineChanged,
    Irregularity,
    Looked,
    Noted,
    Paused,
    Penalty,
    Rewound,
    Ruling,
    TimeCalled,
    Unreadable,
)
from domain.record.values import EVERYONE
from domain.telling import officials
from domain.telling.book import brought
from domain.telling.names import (
    clock_name,
    countdown,
    time_left,
)
from domain.telling.narration.narrator import Narrator, narrates
from domain.words.phrases import labelled, phrase, renamed


@narrates(ev.ChanceDrawn)
def _chance(n: Narrator, e: Entry, v: ev.ChanceDrawn) -> None:
    if v.result.value is None or v.result.to != EVERYONE:
        return
    result = ", ".join(str(number + 1) for number in v.result.value)
    kind = renamed(n.book.manifest.label("chances", v.kind), v.kind)
    text = phrase("chance ({kind}): {result} of {of}", kind=kind, result=result, of=v.of)
    n.line(e, -1, text, "event", minor=True)


@narrates(Irregularity)
def _irregular(n: Narrator, e: Entry, v: Irregularity) -> None:
    n.line(e, -1, officials.irregularity(n.pos, v), "note")


@narrates(Ruling)
def _ruling(n: Narrator, e: Entry, v: Ruling) -> None:
    n.line(e, -1, officials.ruling(n.pos, v), "note")


@narrates(Penalty)
def _penalty(n: Narrator, e: Entry, v: Penalty) -> None:
    n.line(e, v.seat, officials.penalty(n.pos, v), "note")


@narrates(Noted)
def _noted(n: Narrator, e: Entry, v: Noted) -> None:
    if text := officials.note(n.pos, v):
        n.line(e, -1, text, "note")


@narrates(Looked)
def _looked(n: Narrator, e: Entry, v: Looked) -> None:
    n.line(e, -1, officials.look(n.pos, v), "note")


@narrates(Unreadable)
def _unreadable(n: Narrator, e: Entry, v: Unreadable) -> None:
    n.line(
        e, -1, phrase("{event}: can't be read ({reason})", event=v.event, reason=v.reason), "note"
    )


@narrates(Rewound)
def _rewound(n: Narrator, e: Entry, v: Rewound) -> None:
    decision = n.pos.decision
    where = phrase("entry {entry}", entry=v.to)
    if decision is not None:
        where = phrase("decision {n}, entry {entry}", n=decision.n, entry=v.to)
    text = phrase("the game goes back to {where}; what followed is undone", where=where)
    n.line(e, -1, labelled(text, v.note) if v.note else text, "note")


@narrates(ClockSet)
def _clock(n: Narrator, e: Entry, v: ClockSet) -> None:
    text = "{clock} shows {time}" if v.running else "{clock} shows {time}, and stands still"
    shown = phrase(text, clock=clock_name(v.clock), time=countdown(v.left))
    n.line(e, -1, shown, "note")


@narrates(EngineChanged)
def _engine(n: Narrator, e: Entry, v: EngineChanged) -> None:
    n.line(e, -1, phrase("from here on played by {engine}", engine=v.engine), "note")


@narrates(CardsBrought)
def _brought(n: Narrator, e: Entry, v: CardsBrought) -> None:
    n.book = n.book.further(v.prints)
    names = ", ".join(card.name for card in brought(v.prints))
    text = phrase("the match brings cards that no catalogue has: {names}", names=names)
    n.line(e, -1, text, "note")


@narrates(Paused)
def _paused(n: Narrator, e: Entry, v: Paused) -> None:
    text = phrase("the match is paused" if v.on else "the match goes on")
    n.line(e, -1, labelled(text, v.note) if v.note else text, "note")


@narrates(TimeCalled)
def _time(n: Narrator, e: Entry, v: TimeCalled) -> None:
    n.line(e, -1, time_left(n.pos, e.time), "note")
