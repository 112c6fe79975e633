"""Occurrences, derived from the entries of a moment, so that none can be forgotten.

A game's `Occurrences` is a table from patterns of events to the words that its card texts wait for.
The table shows it each entry of those events that the rules emit; what fits a pattern is noted,
and sets off the texts that wait for it at the end of the moment. Where a book's procedure goes on
in the same moment after its texts have triggered, it says so on the spot (`Emitter.set_off`).
Cards go from zone to zone in few ways, and most of these mean nothing: which patterns one may fit
is asked once (`Passage`), and nothing of the cards where there are none.

Times that come (the end of a phase) are no events: the table of a turn's steps has them
(`flow.steps`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from domain.effects import lately
from domain.effects.instructions.replacement import replacing
from domain.engine.table import Table
from domain.games.kit.effects.triggers import More, Triggers
from domain.record import events as ev
from domain.record.entries import Entry
from domain.record.position import Position, zone_of
from domain.record.values import RULES, Ref

#: What texts ask of the turn so far in games that have no such texts.
_NOTHING: lately.Asked = MappingProxyType({})
#: The number of no card, where an entry is about players (`Pattern.player`).
NO_CARD = -1


class Case(NamedTuple):
    """One of the cards that an entry is about: its number before, and after."""

    t: Table
    entry: Entry
    event: Any
    card: int
    now: int


class Passage(NamedTuple):
    """How cards come from zone to zone (from none, if they are made), the same or as new ones."""

    src: str
    dst: str
    why: str
    kept: bool


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


#: What is a passage, and its places.
_PASSAGES: dict[type, Callable[[Any], tuple[str, str, str, bool]]] = {
    ev.CardsMade: lambda e: ("", e.place, e.why, False),
    ev.CardsMoved: lambda e: (e.src, e.dst, e.why, e.kept),
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
    #: the other card in it: from whom it comes, or towards whom it is; 0: there is none
    against: Callable[[Case], Ref] = lambda case: 0
    #: how much it is
    n: Callable[[Case], int] = lambda case: 0
    #: which passages may mean it
    passes: Callable[[Passage], object] = lambda passage: True


class Note:
    """Something that has occurred and has not set anything off yet; `seq` is the entry: the cause.

    Where a card becomes known by it, that completes it.
    """

    __slots__ = ("befallen", "card", "event", "more", "pattern", "player", "seq")

    def __init__(self, pattern: Pattern, case: Case) -> None:
        self.pattern, self.card, self.befallen = pattern, pattern.whom(case), case.card
        self.event = case.event
        self.player = "" if pattern.player is None else pattern.player(case)
        self.more = More(pattern.against(case), pattern.n(case))
        self.seq = case.entry.seq


class Occurrences:
    """A game's table of what occurs, and what it sets off.

    `heard` are the words that some text of the match waits for. `happens` are the events that count
    as something happening, where a book asks what was the last thing that did; but for those that
    happen `aside`. `cards`: which cards some events are about, by what lies on the table.
    `remembered`: what texts of the match ask of the turn so far (`lately`), by these `rules`.
    """

    def __init__(
        self,
        triggers: Triggers,
        heard: Callable[[Position], frozenset[str]],
        patterns: Sequence[Pattern],
        happens: frozenset[type] = frozenset(),
        aside: Callable[[Entry], bool] = lambda entry: False,
        cards: Mapping[type, Callable[[Position, Any], Iterable[int]]] = MappingProxyType({}),
        remembered: Callable[[Position], lately.Asked] = lambda p: _NOTHING,
        rules: Sequence[str] = (),
    ) -> None:
        self.triggers, self.heard = triggers, heard
        self.happens, self.aside, self.cards = happens, aside, cards
        self.remembered, self.rules = remembered, rules
        self.patterns: dict[type, list[Pattern]] = {}
        for pattern in patterns:
            self.patterns.setdefault(pattern.event, []).append(pattern)
        #: the events that the table is to show
        self.events = frozenset({*self.patterns, *happens, ev.DamageDealt, ev.CardsKnown})

        self._wanted = lru_cache(maxsize=4096)(self._waited_for)

    def _waited_for(
        self, kind: type, heard: frozenset[str], passage: tuple[str, str, str, bool] | None
    ) -> list[Pattern]:
        """The patterns of an event that may set something off."""
        found = [one for one in self.patterns[kind] if one.word in heard or one.then is not None]
        if passage is None:
            return found
        src, dst, why, kept = passage
        known = Passage(zone_of(src), zone_of(dst), why, kept)
        return [one for one in found if one.passes(known)]

    def note(self, t: Table, entry: Entry) -> None:
        """Note what an entry means; only what the rules emit is anything that occurs."""
        event = entry.event
        kind = type(event)
        if entry.by != RULES:
            return
        if kind in self.happens and not self.aside(entry):
            t.running.happened = entry.moment
        if isinstance(event, ev.DamageDealt) and not replacing(t.pos):
            t.due.damage[event.to] = event
        if kind in self.patterns:
            self._fitting(t, entry)
        elif kind is ev.CardsKnown:  # which completes the move before it
            for note in t.running.noted:
                note.seq += note.seq == entry.seq - 1

    def _fitting(self, t: Table, entry: Entry) -> None:
        event = entry.event
        kind = type(event)
        passage = _PASSAGES[kind](event) if kind in _PASSAGES else None
        heard, remembered = self.heard(t.pos), self.remembered(t.pos)
        if remembered:
            heard = heard.union(remembered)
        wanted = self._wanted(kind, heard, passage)
        if not wanted:
            return
        own = self.cards.get(kind)
        for card, now in CARDS[kind](event) if own is None else _same(own(t.pos, event)):
            case = Case(t, entry, event, card, now)
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
                self._remember(t, pattern.word, note.player or note.card, note.more.against)
                if note.player:
                    self.triggers.befall(t, pattern.word, note.player, note.seq, note.more)
                else:
                    self.triggers.occur(t, pattern.word, note.card, note.seq, note.more)
                if pattern.then is not None:
                    pattern.then(t, note)

    def occurred(self, t: Table, word: str, card: int) -> None:
        """Something has happened to a card that no entry of its own means: texts trigger."""
        with t.at_once():
            self._remember(t, word, card, 0)
            self.triggers.occur(t, word, card, t.pos.seq)

    def _remember(self, t: Table, word: str, whom: Ref, against: Ref) -> None:
        remembered = self.remembered(t.pos)
        if word in remembered:
            lately.note(t, self.triggers.terms, remembered, word, whom, against, *self.rules)
