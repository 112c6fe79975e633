"""Repeats: a command that is sent again under the same name is not carried out again.

Whoever does not hear the answer to his command sends it again, and gets what the first one led to:
that is found in the record, so it is still known after a restart. What a rewind has undone is no
answer any more, and its name can't be used again: the sender has to look where the match stands.
"""

from __future__ import annotations

from collections.abc import Mapping

from grpc import StatusCode

from domain import events as ev
from domain.events import CHANCE, RULES, Entry
from domain.officials.frame import KIND
from domain.views import OFFICIAL
from service import listing, rewinds
from service.errors import Fault
from service.history import History, NoSuchPoint, Point


class Repeats:
    """Finds what commands led to, by their names. An empty name is none."""

    def __init__(self, history: History) -> None:
        self._history, self._records = history, history.records

    def opened(self, match: str, ticket: str) -> bool:
        """Whether a match was opened by the request of that name."""
        heading = listing.find(self._records, match).heading
        return bool(ticket) and heading.ticket.value == ticket

    def answered(self, match: str, seat: int, n: int, ticket: str) -> list[Entry] | None:
        """What the command of that name led to, if it is how the seat answered decision `n`."""
        if not ticket or n < 1:
            return None
        for decided in self._history.decisions(match, OFFICIAL, n, 1):
            side = decided.sides.get(seat)
            if side is not None and side.seq and not decided.abandoned:
                entries = self._consequences(match, side.seq)
                event = entries[0].event
                if isinstance(event, ev.DecisionMade) and event.ticket.value == ticket:
                    return entries
        return None

    def interjected(self, match: str, seat: int, ticket: str) -> list[Entry] | None:
        """What the command of that name led to; raises `Fault` if it was undone."""
        for entry in self._records.tagged(match, _INTERJECTED):
            event = entry.event
            assert isinstance(event, ev.Interjected)
            if event.seat == seat and event.ticket.value == ticket:
                self._standing(match, entry)
                return self._consequences(match, entry.seq)
        return None

    def officiated(self, match: str, who: str, ticket: str) -> list[Entry] | None:
        """What the official's command of that name led to; raises `Fault` if it was undone."""
        for entry in self._records.tagged(match, _FRAMED):
            event = entry.event
            assert isinstance(event, ev.FrameOpened)
            if event.kind == KIND and _by(event.facts) == (who, ticket):
                self._standing(match, entry)
                return self._framed(match, entry.seq, event)
        return None

    def _framed(self, match: str, seq: int, frame: ev.FrameOpened) -> list[Entry]:
        """The entries of an official's frame, and what follows from it."""
        found: list[Entry] = []
        closed = played = False
        gone_back = frame.facts.get("what") in ("rewind", "undo")  # the frame is what came of it
        for entry in self._history.after(match, seq - 1 - gone_back):
            event = entry.event
            if closed and entry.by not in (RULES, CHANCE):
                if played or not frame.facts.get("plays"):
                    break
                played = True  # what was done against the rules stands beside its flag
            found.append(entry)
            closed = closed or (isinstance(event, ev.FrameClosed) and event.id == frame.id)
        return found

    def unanswered(self, match: str, seat: int, n: int, ticket: str) -> None:
        """Raises `Fault` if the command of that name answered decision `n` before a rewind."""
        try:
            opened = self._history.first(match, Point(decision=n))
        except NoSuchPoint:
            return
        for entry in self._records.tagged(match, _MADE, opened):
            event = entry.event
            assert isinstance(event, ev.DecisionMade)
            if (event.n, event.seat, event.ticket.value) == (n, seat, ticket):
                self._standing(match, entry)

    def _standing(self, match: str, entry: Entry) -> None:
        if rewinds.undone(rewinds.find(self._records, match), entry.seq):
            decision = self._history.position(match, OFFICIAL).decision
            text = "This was done, and undone by a rewind: do it anew, under another request_id."
            current = decision.n if decision is not None else 0
            raise Fault(StatusCode.ABORTED, "DECISION_STALE", text, current=current)

    def _consequences(self, match: str, seq: int) -> list[Entry]:
        """A command's entries: its input, and what follows up to the next one."""
        found: list[Entry] = []
        for entry in self._history.after(match, seq - 1):
            if found and entry.by not in (RULES, CHANCE):
                break
            found.append(entry)
        return found


_MADE, _INTERJECTED, _FRAMED = (
    next(tag for tag, cls in ev.TYPES.items() if cls is wanted)
    for wanted in (ev.DecisionMade, ev.Interjected, ev.FrameOpened)
)


def _by(facts: Mapping[str, ev.Value]) -> tuple[ev.Value, ev.Value]:
    """Who spoke in an official's frame, and by which command."""
    return facts.get("who"), facts.get("ticket")
