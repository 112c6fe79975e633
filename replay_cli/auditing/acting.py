"""Claims about who acted: seats by their tokens, officials by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from domain.record import events as ev
from domain.record.entries import Entry
from domain.record.interventions import Rewound
from domain.record.position import seat_letter
from domain.record.values import BY_OFFICIAL, TABLE
from domain.words.phrases import Phrase, joined, phrase
from replay_cli.auditing.claims import Claim, proven, unproven, wrong
from replay_cli.auditing.evidence import Evidence


def claims(evidence: Evidence) -> Iterator[Claim]:
    """Whether every act is somebody's, and whose token it came with."""
    seats, officials, nameless = Counter[int](), Counter[str](), 0
    frames: dict[int, str] = {}
    for entry in evidence.entries:
        event = entry.event
        if isinstance(event, ev.FrameOpened):
            who = event.facts.get("who")
            frames[event.id] = str(who or "") or frames.get(event.parent, "")
        if isinstance(event, ev.DecisionMade | ev.Interjected) and entry.by >= 0:
            if entry.by != event.seat:
                why = phrase(
                    "player {by} answered for player {seat}",
                    by=seat_letter(entry.by), seat=seat_letter(event.seat),
                )  # fmt: skip
                yield wrong("actors", why, entry.seq)
                return
            seats[event.seat] += 1
        elif entry.by in (BY_OFFICIAL, TABLE) and (who := _speaker(entry, frames)) is not None:
            officials[who] += 1
            if not who and not nameless:
                nameless = entry.seq
    if nameless:
        why = phrase("an official or scorekeeper put something in, and no name is with it")
        yield unproven("actors", why, nameless)
        return
    acts = joined(", ", [*_of_seats(seats), *_of_officials(officials)])
    why = phrase("{acts}; each with its token; the record does not show who held it",
                 acts=acts or phrase("nobody acted"))  # fmt: skip
    yield proven("actors", why)


def _speaker(entry: Entry, frames: dict[int, str]) -> str | None:
    """The author of an official's input; None: it is part of what was counted already."""
    event = entry.event
    if isinstance(event, Rewound):
        return event.who
    if isinstance(event, ev.FrameOpened) and "who" in event.facts:
        return str(event.facts["who"])
    if isinstance(event, ev.DecisionMade | ev.Interjected):
        stated = event.stated.value
        return stated.who if stated is not None and stated.who else frames.get(entry.frame, "")
    return None


def _of_seats(seats: Counter[int]) -> Iterator[Phrase]:
    for seat, n in sorted(seats.items()):
        yield phrase("player {seat} {n:,} times", seat=seat_letter(seat), n=n)


def _of_officials(officials: Counter[str]) -> Iterator[Phrase]:
    for who, n in sorted(officials.items()):
        yield phrase("{who} {n:,} times", who=who, n=n)
