"""Occurrences, derived from the entries of a moment, so that none can be forgotten.

A game's `Occurrences` is a table from patterns of events to the words that its card texts wait for.
The table shows it each entry of those events that the rules emit; what fits a pattern is noted,
and sets off the texts that wait for it at the end of the moment. Where a book's procedure goes on
in the same moment after its texts have triggered, it says so on the spot (`Emitter.set_off`).

Times that come (the end of a phase) are no events: the table of a turn's steps has them
(`flow.steps`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from domain.effects.instructions.replacement import replacing
from domain.engine.table import Table
from domain.games.kit.effects.triggers import Triggers
from domain.record import events as ev
from domain.record.entries import Entry
from domain.record.position import Position
from domain.record.values import RULES, Ref

#: The number of no card, where an entry is about players (`Pattern.player`).
NO_CARD = -1


class Case(NamedTuple):
    """One of the cards that an entry is about: its number before, and after."""

    t: Table
    entry: Entry
    event: Any
    card: int
    now: int


def _same(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    return ((number, number) for number in numbers)


#: Which cards an event is about: their numbers before and after.
CARDS: dict[type, Callable[[Any], Iterator[tuple[int, int]]]] = {
    ev.CardsMade: lambda e: _same(e.cards.value),
    ev.CardsMoved: lambda e: zip(e.was.value, e.now.value or e.was.value, strict=True),
    ev.CardsRemoved: lambda e: _same(e.cards),
    ev.CardsTurned: lambda e: _same(e.cards),
    ev.CountersMoved: lambda e: _same((NO_CARD,)),
    ev.CardsAttached: lambda e: _same((e.host,)),
    ev.DepartureBegan: lambda e: _same(e.cards),
    ev.ActDeclared: lambda e: _same((e.source,) if isinstance(e.source, int) else ()),
    ev.AttackDeclared: lambda e: _same((e.attacker,)),
    ev.AttackChanged: lambda e: _same((e.defender,)),
    ev.DamageDealt: lambda e: _same((e.source,) if isinstance(e.source, int) else ()),
    ev.Marked: lambda e: _same((e.subject,) if isinstance(e.subject, int) else ()),
}


class Pattern(NamedTuple):
    """The pattern of an entry that means an occurrence."""

    word: str
    event: type
    fits: Callable[[Case], object] = lambda case: True
    #: what it befalls, or who did it
    whom: Callable[[Case], int] = lambda case: case.card
    #: what the rules do for themselves once the texts have triggered
    then: Callable[[Table, Note], None] | None = None
    #: the player it befalls (`seat/0`), where it befalls no card
    player: Callable[[Case], Ref] | None = None


class Note:
    """Something that has occurred and has not set anything off yet; `seq` is the entry: the cause.

    Where a card becomes known by it, that completes it.
    """

    __slots__ = ("befallen", "card", "event", "pattern", "player", "seq")

    def __init__(self, pattern: Pattern, case: Case) -> None:
        self.pattern, self.card, self.befallen = pattern, pattern.whom(case), case.card
        self.event = case.event
        self.player = "" if pattern.player is None else pattern.player(case)
        self.seq = case.entry.seq


class Occurrences:
    """A game's table of what occurs, and what it sets off.

    `heard` are the words that some text of the match waits for. `happens` are the events that count
    as something happening, where a book asks what was the last thing that did; but for those that
    happen `aside`.
    """

    def __init__(
        self,
        triggers: Triggers,
        heard: Callable[[Position], frozenset[str]],
        patterns: Sequence[Pattern],
        happens: frozenset[type] = frozenset(),
        aside: Callable[[Entry], bool] = lambda entry: False,
    ) -> None:
        self.triggers, self.heard = triggers, heard
        self.happens, self.aside = happens, aside
        self.patterns: dict[type, list[Pattern]] = {}
        for pattern in patterns:
            self.patterns.setdefault(pattern.event, []).append(pattern)
        #: the events that the table is to show
        self.events = frozenset({*self.patterns, *happens, ev.DamageDealt, ev.CardsKnown})

        self._wanted = lru_cache(maxsize=256)(self._waited_for)

    def _waited_for(self, kind: type, heard: frozenset[str]) -> list[Pattern]:
        """The patterns of an event that may set something off."""
        return [one for one in self.patterns[kind] if one.word in heard or one.then is not None]

    def note(self, t: Table, entry: Entry) -> None:
        """Note what an entry means; only what the rules emit is anything that occurs."""
        event = entry.event
        kind = type(event)
        if entry.by != RULES:
            return
        if kind in self.happens and not self.aside(entry):
            t.running.happened = entry.moment
        if kind in self.patterns:
            self._fitting(t, entry)
        elif isinstance(event, ev.DamageDealt):
            if not replacing(t.pos):
                t.due.damage[event.to] = event
        elif kind is ev.CardsKnown:  # which completes the move before it
            for note in t.running.noted:
                note.seq += note.seq == entry.seq - 1

    def _fitting(self, t: Table, entry: Entry) -> None:
        kind = type(entry.event)
        wanted = self._wanted(kind, self.heard(t.pos))
        if not wanted:
            return
        for card, now in CARDS[kind](entry.event):
            case = Case(t, entry, entry.event, card, now)
            t.running.noted += [Note(one, case) for one in wanted if card and one.fits(case)]

    def set_off(self, t: Table, order: Sequence[int] = ()) -> None:
        """The texts that wait for what has been noted trigger, in the order in which it happened.

        `order`: that of the cards it happened to, where a book has one of its own.
        """
        while t.running.noted:
            notes: list[Note] = [*t.running.noted]
            t.running.noted.clear()
            if order:
                places = {number: at for at, number in enumerate(order)}
                notes.sort(key=lambda note: places.get(note.befallen, len(places)))
            for note in notes:
                pattern = note.pattern
                if note.player:
                    self.triggers.befall(t, pattern.word, note.player, note.seq)
                else:
                    self.triggers.occur(t, pattern.word, note.card, note.seq)
                if pattern.then is not None:
                    pattern.then(t, note)
