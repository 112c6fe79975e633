"""Event patterns: match an event against a line of a scenario, and write the pattern of an event.

`Story` follows a record and remembers which card each number was, so that a pattern may name cards
that have left. A pattern matches an event that has everything it names; what a field holds is in
`record.schema.wording`, which words exist in `lexicon`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from domain.games.kit.game import Game
from domain.record import events as ev
from domain.record.entries import AnyEvent, Entry, active, name_of
from domain.record.folding.fold import fold, fold_all
from domain.record.interventions import CardsBrought, Rewound
from domain.record.position import SEATS, UNKNOWN, Position
from domain.record.schema.wording import contents
from domain.record.values import BY_OFFICIAL
from domain.text.plain import plain
from domain.text.scenario.lexicon import ARROWS
from domain.text.scenario.text import listed

#: What a field holds, and of which sorts it is.
Field = tuple[Sequence[object], tuple[str, ...]]
#: Fields of numbers that say how much, and flags, which a written pattern names.
_AMOUNTS = frozenset({"n", "x", "asked", "done", "of", "turns", "score", "token", "on"})


class Known(Struct, frozen=True):
    """The last known meaning of a number."""

    id: str
    name: str
    seat: int


class Story:
    """A record and the cards in it."""

    def __init__(self, rules: Game) -> None:
        self.rules = rules
        self.pos = Position()
        self.entries: list[Entry] = []
        self.cards: dict[int, Known] = {}
        self.known: Mapping[str, Any] = {}
        self._names: frozenset[str] = frozenset()

    def add(self, entries: Iterable[Entry]) -> None:
        """Go on with these entries."""
        for entry in entries:
            self.entries.append(entry)
            if isinstance(entry.event, Rewound):
                self.pos = fold_all(active(self.entries))
            else:
                fold(self.pos, entry)
            if isinstance(entry.event, ev.MatchOpened | CardsBrought):
                self.known = self.rules.known(self.pos.heading.prints)
                self._names = frozenset(plain(facts.name) for facts in self.known.values())
            for number in self._touched(entry.event):
                card = self.pos.cards.get(number)
                if card is not None:
                    facts = self.known.get(card.id)
                    name = facts.name if facts is not None else UNKNOWN
                    self.cards[number] = Known(card.id, name, card.controller)

    def _touched(self, event: AnyEvent) -> Iterable[int]:
        match event:
            case ev.CardsMade(cards=cards):
                return cards.value or ()
            case ev.CardsMoved(now=now):
                return now.value or ()
            case ev.CardsKnown(cards=cards):
                return [number for number, _ in cards.value or ()]
            case ev.CardsOrdered(place=place):
                return self.pos.zones[place]
            case ev.CardsControlled(cards=numbers):
                return numbers
            case _:
                return ()

    # -- reading ---------------------------------------------------------------------------------

    def fits(self, entry: Entry, name: str, text: str, cites: Iterable[str]) -> bool:
        """Whether an entry is the event a pattern speaks of."""
        if name_of(entry.event) != name or not set(cites) <= set(entry.cites):
            return False
        fields = _fields(entry.event)
        return all(self._holds(item, fields) for item in listed(text))

    def _holds(self, item: str, fields: Mapping[str, Field]) -> bool:
        one, arrow, other = (part.strip() for part in item.partition("->"))
        if arrow:
            return any(
                self._among(one, *fields[a]) and self._among(other, *fields[b])
                for a, b in ARROWS
                if a in fields and b in fields
            )
        key, equals, value = item.partition("=")
        asked = [field for path, field in fields.items() if key in (path, *path.split("."))]
        if equals and asked:
            return any(self._among(value, *field) for field in asked)
        return any(self._among(item, *field) for field in fields.values())

    def _among(self, item: str, values: Sequence[object], sorts: tuple[str, ...]) -> bool:
        bare = item.strip('"')
        return any(self._is(bare, value, sorts) for value in values)

    def _is(self, item: str, value: object, sorts: tuple[str, ...]) -> bool:
        match value:
            case None:
                return item == UNKNOWN
            case bool():
                return "flag" in sorts and item == str(value).lower()
            case int() if "seat" in sorts:
                letter = SEATS[value] if value >= 0 else "none"
                return item in (letter, f"player {letter}", str(value))
            case int():
                amount = "number" in sorts and item == str(value)
                return amount or (not _CARDS.isdisjoint(sorts) and self._card(item, value))
            case _:
                return _is_text(item, str(value), sorts)

    def _card(self, item: str, number: int) -> bool:
        if item == f"@{number}":
            return True
        known = self.cards.get(number)
        if known is None:
            return False
        if item[1:2] == "." and item[0] in SEATS and not self._called(known, item):
            return known.seat == SEATS.index(item[0]) and self._called(known, item[2:])
        return self._called(known, item)

    def _called(self, known: Known, item: str) -> bool:
        wanted = plain(item)
        if wanted in (plain(known.id), plain(known.name)) and wanted:
            return True
        return bool(wanted) and wanted not in self._names and plain(known.name).startswith(wanted)

    # -- writing ---------------------------------------------------------------------------------

    def words(self, entry: Entry) -> str:
        """An entry in a line: its number, its pattern, its citations."""
        cites = f"  [{' '.join(entry.cites)}]" if entry.cites else ""
        return f"#{entry.seq} {self.pattern(entry)}{cites}"

    def pattern(self, entry: Entry) -> str:
        """The pattern that an entry fits: its name and what is in it."""
        fields = _fields(entry.event)
        items: list[str] = []
        for a, b in ARROWS:
            if a in fields and b in fields:
                ends = [" ".join(self._items(key, *fields.pop(key))[:1]) for key in (a, b)]
                items += [" -> ".join(ends)] if all(ends) else filter(None, ends)
        for key, field in fields.items():
            items += self._items(key, *field)
        return f"{name_of(entry.event)} {', '.join(dict.fromkeys(items))}".strip()

    def _items(self, key: str, values: Sequence[object], sorts: tuple[str, ...]) -> list[str]:
        """The values that a pattern names in a field: cards, places, words and amounts."""
        words = []
        for value in values:
            match value:
                case None | "":
                    continue
                case bool():
                    words += [f"{key}=true"] if value and key in _AMOUNTS else []
                case int() if "seat" in sorts:
                    words.append(SEATS[value] if value >= 0 else "none")
                case int() if value and not _CARDS.isdisjoint(sorts):
                    words.append(self._name(value))
                case int() if len(sorts) > 1:
                    words.append(str(value))
                case int() if key in _AMOUNTS:
                    words.append(f"{key}={value}")
                case str() if not _UNWORDED.issuperset(sorts):
                    words.append(_written(value, sorts))
        return words

    def _name(self, number: int) -> str:
        known = self.cards.get(number)
        if known is None or known.name == UNKNOWN:
            return f"@{number}"
        return f'"{known.name}"' if "," in known.name else known.name


def expected(rules: Game, entries: Sequence[Entry]) -> Iterator[str]:
    """The events since a position was laid, as lines by which a scenario expects it.

    A choice is shown as it was recorded; the lines after it are its consequences.
    """
    story, moment = Story(rules), 0
    for entry in entries:
        story.add([entry])
        laid = entry.by == BY_OFFICIAL and not story.pos.decisions
        if laid or isinstance(entry.event, ev.OptionsOffered):
            continue  # the table being laid, and what could be chosen
        word = "and" if entry.moment == moment else "then"
        moment = entry.moment
        yield f"    {word} {story.pattern(entry):<60}  {' '.join(entry.cites)}".rstrip()


_CARDS = frozenset({"card", "ref"})
_UNWORDED = frozenset({"text", "number", "flag"})  # what a text in such a field says is no pattern


def _fields(event: AnyEvent) -> dict[str, Field]:
    return {path: (values, sorts) for path, sorts, values in contents(event)}


def _is_text(item: str, text: str, sorts: tuple[str, ...]) -> bool:
    """Whether an item names a word, a place or a seat of the record."""
    if item == text:
        return True
    if "effect" in sorts or "steps" in sorts:
        return item == text.rpartition("/")[2]
    if "print" in sorts:
        return item in text.split(", ")
    if not {"place", "ref"} & set(sorts):
        return False
    letter, zone = _owned(text)
    if zone == "seat":
        return item in (letter, f"player {letter}", "player")
    return item in (zone, f"{letter} {zone}", f"{letter}.{zone}")


def _owned(text: str) -> tuple[str, str]:
    """A place or a seat by its player's letter, if it has one, and its zone."""
    owned = re.fullmatch(r"(?!frame/)([a-z-]+)/([0-7])", text)
    return (SEATS[int(owned[2])], owned[1]) if owned is not None else ("", text)


def _written(text: str, sorts: tuple[str, ...]) -> str:
    letter, zone = _owned(text)
    if letter and not {"place", "ref"}.isdisjoint(sorts):
        return f"player {letter}" if zone == "seat" else f"{letter} {zone}"
    return text.rpartition("/")[2] if "effect" in sorts else text
