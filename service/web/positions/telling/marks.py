"""The marks of entries for a scrubber: decisions, and unusual entries.

A mark follows from its entry alone. Abandoned entries are shown by the mark of the rewind: those
after `to`, up to its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from domain.record import events as ev
from domain.record import interventions as iv
from domain.record.entries import Entry
from domain.telling.book import Book
from domain.words.tables import Language

Mark = Mapping[str, Any]
Marking = Callable[[Any], Mark]

#: The mark of an event, by its type, and its name. All of it is for all to read.
MARKS: Mapping[type[ev.Event], tuple[str, Marking]] = {
    ev.DecisionOpened: (
        "decision", lambda v: {"n": v.n, "seats": v.seats, "decision": v.kind}
    ),
    ev.OptionsOffered: ("options", lambda v: {"n": v.n, "seat": v.seat}),
    ev.DecisionMade: ("answer", lambda v: {"n": v.n, "seat": v.seat, "ms": v.ms}),
    ev.GameBegan: ("game", lambda v: {"n": v.n}),
    ev.GameEnded: ("game-end", lambda v: {"winner": v.winner}),
    ev.TurnBegan: ("turn", lambda v: {"n": v.n, "seat": v.seat}),
    ev.MatchEnded: ("end", lambda v: {"winner": v.winner, "score": v.score}),
    iv.ResultCorrected: ("result", lambda v: {"winner": v.winner, "score": v.score}),
    iv.Irregularity: (
        "irregularity", lambda v: {"rule": v.rule, "seat": v.seat, "note": v.note}
    ),
    iv.Ruling: ("ruling", lambda v: {"about": v.about, "n": v.decision, "note": v.text}),
    iv.Penalty: ("penalty", lambda v: {"seat": v.seat, "penalty": v.kind, "note": v.note}),
    iv.Rewound: ("rewind", lambda v: {"to": v.to, "note": v.note}),
    iv.Paused: ("pause", lambda v: {"on": v.on, "note": v.note}),
    iv.TimeCalled: ("time", lambda v: {"turns": v.turns, "ms": v.ms}),
}  # fmt: skip


def marks(
    entries: Iterable[Entry], heading: ev.MatchOpened, book: Book, language: Language
) -> Iterator[Mark]:
    """The marks of some entries, in order, with labels in a language."""
    for entry in entries:
        found = MARKS.get(type(entry.event))
        if found is None:
            continue
        kind, marking = found
        mark = {"seq": entry.seq, "time": entry.time, "kind": kind, **marking(entry.event)}
        label = _label(entry.event, heading, book)
        yield mark | ({"label": language.say(label)} if label else {})


def _label(event: ev.Event, heading: ev.MatchOpened, book: Book) -> str:
    """The name of a kind of decision or penalty."""
    if isinstance(event, ev.DecisionOpened):
        return book.manifest.label("decisions", event.kind)
    if isinstance(event, iv.Penalty):
        found = heading.policy.penalty(event.kind)
        return found.label if found is not None and found.label else event.kind
    return ""
