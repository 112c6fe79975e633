"""The commands that a record consists of, found by reading it: each is what one request added.

A command begins with what came from outside: an answer, an interjection, a rewind, an official's
frame. What follows from it is its own, up to the next one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from domain.officials.frame import KIND
from domain.record import events as ev
from domain.record.entries import Entry
from domain.record.interventions import Rewound
from domain.record.views import AUTO
from service.api.calls import tickets
from service.api.calls.tickets import Ticket


class Command(NamedTuple):
    """What one request added: its first and last entry, and the open decision by then (0: none).

    `name` is its request id; that of an official is hashed (`hashed`). `back`: the entry that it
    took the match back to; -1: it did not.
    """

    name: str
    first: int
    last: int
    answers: int
    opens: int
    back: int


def commands(log: Sequence[Entry]) -> list[Command]:
    """The commands of a record, in order; the first one opened the match."""
    begins = [at for at, entry in enumerate(log) if _begins(log, at)]
    found, opened = list[Command](), [0]
    for at, end in zip(begins, [*begins[1:], len(log)], strict=True):
        part, back = log[at:end], -1
        for entry in part:
            opened.append(_open_after(entry, opened))
            if isinstance(entry.event, Rewound):
                back = entry.event.to
        first = part[0]
        answers = first.event.n if isinstance(first.event, ev.DecisionMade) else 0
        found.append(Command(_name(part), first.seq, part[-1].seq, answers, opened[-1], back))
    return found


def hashed(name: str) -> str:
    """The request id of an official's command, as the record has it."""
    return Ticket(name).hashed().name


def _begins(log: Sequence[Entry], at: int) -> bool:
    event = log[at].event
    match event:
        case ev.MatchOpened() | ev.Interjected() | Rewound():
            return True
        case ev.DecisionMade():
            return event.origin != AUTO
        case ev.FrameOpened():
            return event.kind == KIND and not isinstance(log[at - 1].event, Rewound)
    return False


def _open_after(entry: Entry, opened: Sequence[int]) -> int:
    """The decision that is open after an entry; `opened` has those after each one before it."""
    event = entry.event
    match event:
        case ev.DecisionOpened():
            return event.n
        case ev.DecisionMade() | ev.MatchEnded():
            return 0
        case Rewound():
            return opened[event.to]
    return opened[-1]


def _name(part: Sequence[Entry]) -> str:
    for entry in part[:2]:
        event = entry.event
        match event:
            case ev.MatchOpened() | ev.DecisionMade() | ev.Interjected():
                return tickets.parsed(event.ticket.value or "").name
            case ev.FrameOpened():
                return tickets.parsed(str(event.facts.get("ticket") or "")).name
    return ""
