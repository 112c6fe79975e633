"""Idempotent commands: a repeat with the same request id gets the first response.

The first command is found in the record, so it is known after a restart too. If a rewind has undone
it, the repeat is refused and the id can't be used again: the sender has to look at the match again.
The same id with other contents (`tickets`) is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from threading import Lock

from grpc import StatusCode

from domain.officials.frame import KIND
from domain.record import events as ev
from domain.record.entries import TYPES, Entry, undone
from domain.record.values import CHANCE, RULES
from domain.record.views import AUTO, OFFICIAL
from service.api.calls import tickets
from service.api.calls.errors import Fault
from service.api.calls.tickets import Ticket
from service.store.derived import listing, rewinds
from service.store.history import History

#: Of how many matches the names of commands are remembered.
REMEMBERED = 1000


class Repeated(Exception):
    """A command was carried out before; these entries are what it led to."""

    def __init__(self, entries: list[Entry]) -> None:
        super().__init__()
        self.entries = entries


class Repeats:
    """Finds what commands led to, by their tickets.

    The ids that were used in a match are cached once a command has brought one, so that a new id is
    recognised without reading the record. That is decided under the lock of the match, once it is
    up to date (`forget`): another command may have used the name meanwhile.
    """

    def __init__(self, history: History) -> None:
        self._history, self._records = history, history.records
        self._names: dict[str, set[int]] = {}
        self._lock = Lock()

    def opened(self, match: str, ticket: Ticket) -> bool:
        """Whether a match was opened by the request of that ticket; raises `Fault`."""
        return ticket.repeats(listing.find(self._records, match).heading.ticket.value)

    def before(self, match: str, seat: int, ticket: Ticket) -> Callable[[], None] | None:
        """The check that must precede a seat's command, under the lock; None: it has no ticket.

        The check raises `Repeated`, or `Fault` if the first one was undone or had other contents.
        """
        if not ticket:
            return None
        return partial(self._check, match, seat, ticket)

    def forget(self, match: str) -> None:
        """Look again which ids were used in a match: another server has added to it."""
        with self._lock:
            self._names.pop(match, None)

    def _is_new(self, match: str, key: int) -> bool:
        """Whether a name is known not to have been used; the next sender of it has to look."""
        with self._lock:
            names = self._names.get(match)
            if names is None or key in names:
                return False
            names.add(key)
            return True

    def _check(self, match: str, seat: int, ticket: Ticket) -> None:
        if self._is_new(match, hash((seat, ticket.name))):
            return
        with self._lock:
            known = match in self._names
        if not known:
            self._remember(match, hash((seat, ticket.name)))
        found = [entry for entry in self._named(match) if _is_input_of(entry, seat, ticket)]
        if found:  # before a name was known for used, another line may have used it again
            self._refuse_undone(match, found[-1])
            raise Repeated(self._consequences(match, found[-1].seq))

    def _remember(self, match: str, key: int) -> None:
        names = {key}
        for entry in self._named(match):
            event = entry.event
            assert isinstance(event, ev.DecisionMade | ev.Interjected)
            if kept := event.ticket.value:
                names.add(hash((event.seat, tickets.parsed(kept).name)))
        with self._lock:
            self._names[match] = names
            while len(self._names) > REMEMBERED:
                del self._names[next(iter(self._names))]

    def _named(self, match: str) -> list[Entry]:
        """The entries that carry a ticket of a seat, in order."""
        tagged = self._records.tagged
        found = [*tagged(match, _MADE), *tagged(match, _INTERJECTED)]
        return sorted(found, key=lambda entry: entry.seq)

    def check_official(self, match: str, who: str, ticket: Ticket) -> None:
        """Such a check for the command of an official, whose ticket is hashed."""
        for entry in self._records.tagged(match, _FRAMED):
            event = entry.event
            assert isinstance(event, ev.FrameOpened)
            if event.kind != KIND or event.facts.get("who") != who:
                continue
            if ticket.repeats(str(event.facts.get("ticket") or "")):
                self._refuse_undone(match, entry)
                raise Repeated(self._frame_entries(match, entry.seq, event))

    def _frame_entries(self, match: str, seq: int, frame: ev.FrameOpened) -> list[Entry]:
        """The entries of an official's frame, and what follows from it."""
        found: list[Entry] = []
        closed = played = False
        gone_back = frame.facts.get("what") in ("rewind", "undo")  # the frame is its result
        for entry in self._history.after(match, seq - 1 - gone_back):
            event = entry.event
            if closed and entry.by not in (RULES, CHANCE):
                if played or not frame.facts.get("plays"):
                    break
                played = True  # what was done against the rules stands beside its flag
            found.append(entry)
            closed = closed or (isinstance(event, ev.FrameClosed) and event.id == frame.id)
        return found

    def _refuse_undone(self, match: str, entry: Entry) -> None:
        if undone(rewinds.find(self._records, match), entry.seq):
            decision = self._history.position(match, OFFICIAL).decision
            text = "This was done, and undone by a rewind: do it again, with another request_id."
            current = decision.n if decision is not None else 0
            raise Fault(StatusCode.ABORTED, "DECISION_STALE", text, current=current)

    def _consequences(self, match: str, seq: int) -> list[Entry]:
        """A command's entries: its input, and what follows up to the next one."""
        found: list[Entry] = []
        for entry in self._history.after(match, seq - 1):
            event = entry.event
            stood = (
                type(event) is ev.DecisionMade and event.origin == AUTO
            )  # it is part of the result
            if found and entry.by not in (RULES, CHANCE) and not stood:
                break
            found.append(entry)
        return found


_MADE, _INTERJECTED, _FRAMED = (
    next(tag for tag, cls in TYPES.items() if cls is wanted)
    for wanted in (ev.DecisionMade, ev.Interjected, ev.FrameOpened)
)


def _is_input_of(entry: Entry, seat: int, ticket: Ticket) -> bool:
    """Whether an entry is what a seat's command of that ticket led to; raises `Fault`."""
    event = entry.event
    assert isinstance(event, ev.DecisionMade | ev.Interjected)
    return event.seat == seat and ticket.repeats(event.ticket.value)
