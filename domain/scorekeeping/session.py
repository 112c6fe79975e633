"""The match as known at the screen, updated entry by entry.

It holds the position, the lines of the transcript and the habits. Entries come in order,
those of others (a correction, a rewind) like one's own.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable

from domain.record import events as ev
from domain.record.decisions import Offer
from domain.record.entries import Entry
from domain.record.interventions import Rewound
from domain.record.position import Decision, Position, zone_of
from domain.scorekeeping.command import Command, Trial
from domain.scorekeeping.suggestions.habits import Habits
from domain.scorekeeping.understanding.ahead import Ahead, ahead
from domain.telling.book import Book
from domain.telling.narration import Line, Narrator

#: The service's answer about a command, or None if unknown.
Try = Callable[[Command], Trial | None]
#: What the service foresees: of which decision, which entries, and whether they were cut.
Foreseen = tuple[int, list[Entry], bool]


class Session:
    """One match, followed as an official sees it."""

    def __init__(self, match: str, book: Book) -> None:
        self.match = match
        self.habits = Habits(book)
        self.lines: list[Line] = []
        self._narrator = Narrator(book)
        self._seq = 0
        self.foresee: Callable[[], Foreseen | None] = lambda: None  # asks when it is needed
        self._ahead: tuple[int, Ahead] | None = None  # after which entry
        self.trial: Try | None = None  # asks at once, where that may be waited for
        self._trials: dict[Hashable, tuple[Command, Trial]] = {}  # of the position that is there
        self._abandoned: list[
            tuple[int, int]
        ] = []  # entries that a rewind left behind: after, up to

    @property
    def book(self) -> Book:
        """The names of its game, with the cards that it has brought by now."""
        return self._narrator.book

    @property
    def pos(self) -> Position:
        """The position after the last entry."""
        return self._narrator.pos

    @property
    def seq(self) -> int:
        """The last entry."""
        return self._seq

    @property
    def decision(self) -> Decision | None:
        """The open decision, if there is one."""
        return None if self.pos.over else self.pos.decision

    @property
    def seat(self) -> int:
        """The seat of the decision; the first that has not answered yet. -1: none."""
        decision = self.decision
        return next(iter(decision.seats), -1) if decision is not None else -1

    def offer(self, seat: int) -> Offer | None:
        """The offer to a seat."""
        decision = self.decision
        return decision.offers.get(seat) if decision is not None else None

    @property
    def ahead(self) -> Ahead | None:
        """Where passes lead from here; None if that is not known."""
        if self._ahead is None or self._ahead[0] != self._seq:
            self.foreseen(self.foresee())
        return self._ahead[1] if self._ahead is not None and self._ahead[0] == self._seq else None

    def foreseen(self, found: Foreseen | None) -> None:
        """Take in the consequences of passes, if they are of the decision that is open here."""
        decision = self.decision
        if found is None or decision is None or found[0] != decision.n:
            return
        _, entries, cut = found
        if not entries or entries[0].seq == self._seq + 1:
            passing = self.book.manifest.passes
            self._ahead = self._seq, ahead(self.pos, entries, cut, passing)

    @property
    def foreseeing(self) -> bool:
        """Whether it is known where passes lead from here."""
        return self._ahead is not None and self._ahead[0] == self._seq

    def tried(self, command: Command) -> Trial | None:
        """The service's answer about a command at this position; None if it has not been asked."""
        key = _question(command)
        if key not in self._trials and self.trial is not None:
            self._trials[key] = command, self.trial(command) or Trial()
        return self._trials[key][1] if key in self._trials else None

    def known_trials(self) -> Iterable[tuple[Command, Trial]]:
        """The service's answers so far at this position."""
        return self._trials.values()

    @property
    def trials(self) -> int:
        """The number of answers of the service."""
        return len(self._trials)

    def take_trial(self, seq: int, command: Command, found: Trial | None) -> bool:
        """Take in the answer about a command after entry `seq`; whether it is of use."""
        if seq != self._seq:
            return False
        self._trials[_question(command)] = command, found or Trial()
        return True

    def feed(self, entries: Iterable[Entry]) -> bool:
        """Take in entries, those it has already aside; whether there was anything new."""
        before = self._seq
        for entry in entries:
            if entry.seq == self._seq + 1:
                self._take(entry)
        return self._seq > before

    def _take(self, entry: Entry) -> None:
        self._seq = entry.seq
        self._trials.clear()
        event = entry.event
        if isinstance(event, ev.DecisionMade) and event.stated.value is not None:
            self._named(event)
        self.lines += self._narrator.feed(entry)
        self.habits.book = self.book
        if isinstance(event, Rewound):
            self._abandoned.append((event.to, entry.seq))
        elif isinstance(event, ev.OptionsOffered) and event.offer.value is not None:
            decision = self.pos.decision
            if decision is not None:
                self.habits.learn(decision.kind, event.seat, event.offer.value, self.pos)

    def _named(self, made: ev.DecisionMade) -> None:
        """Learn from an act whose card was named along with it."""
        stated, answer, decision = made.stated.value, made.answer.value, self.pos.decision
        if stated is None or stated.offer is None or answer is None or decision is None:
            return
        option = stated.offer.options[answer.option]
        card = dict(stated.names).get(option.card if isinstance(option.card, int) else 0)
        if card and isinstance(option.card, int) and option.card in self.pos.cards:
            self.habits.named(
                option.kind, card, zone_of(self.pos.cards[option.card].place), decision.kind
            )

    def abandoned(self, seq: int) -> bool:
        """Whether an entry is on a line that was left by a rewind. O(log rewinds), mostly none."""
        at = bisect_right(self._abandoned, seq, key=lambda gap: gap[1])
        return any(to < seq < till for to, till in self._abandoned[at:])


def _question(command: Command) -> Hashable:
    """The key of a question about a command: all but its words."""
    names = tuple(sorted(command.names.items()))
    return command.seat, command.act, names, command.passes, bool(command.ends)
