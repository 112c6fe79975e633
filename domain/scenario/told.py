"""Events as a scenario speaks of them: their terms in words, and whether a pattern fits one.

`Story` follows a record entry by entry and remembers which card each number was, so that a pattern
may name cards that have long left. A pattern fits an event if everything it names is in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from domain import events as ev
from domain.events import Entry, Sealed
from domain.fold import fold
from domain.notation import UNKNOWN, plain
from domain.position import Position, seat_of, zone_of
from domain.rulebook import Rulebook
from domain.scenario.text import SEATS, listed

#: The pairs of fields that an arrow may stand between.
_ARROWS = (("src", "dst"), ("source", "to"), ("attacker", "target"))
#: The fields that hold seats by number.
_SEATED = ("seat", "seats", "winner", "owner")


class Known(Struct, frozen=True):
    """What a number stood for when it was last heard of."""

    id: str
    name: str
    seat: int


class Story:
    """A record and the cards in it."""

    def __init__(self, rules: Rulebook) -> None:
        self.rules = rules
        self.pos = Position()
        self.entries: list[Entry] = []
        self.cards: dict[int, Known] = {}
        self.known: Mapping[str, Any] = {}
        self._names: frozenset[str] = frozenset()

    def tell(self, entries: Iterable[Entry]) -> None:
        """Go on with these entries."""
        for entry in entries:
            fold(self.pos, entry)
            self.entries.append(entry)
            if isinstance(entry.event, ev.MatchOpened):
                self.known = self.rules.known(entry.event.prints)
                self._names = frozenset(plain(facts.name) for facts in self.known.values())
            for number in self._touched(entry.event):
                card = self.pos.cards.get(number)
                if card is not None:
                    facts = self.known.get(card.id)
                    name = facts.name if facts is not None else UNKNOWN
                    self.cards[number] = Known(card.id, name, card.controller)

    def _touched(self, event: ev.AnyEvent) -> Iterable[int]:
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

    # -- patterns --------------------------------------------------------------------------------

    def fits(self, entry: Entry, name: str, text: str, cites: Iterable[str]) -> bool:
        """Whether an entry is the event a pattern speaks of."""
        event = entry.event
        if ev.name_of(event) != name or not set(cites) <= set(entry.cites):
            return False
        leaves = dict(_fields(event))
        return all(self._holds(item, leaves) for item in listed(text))

    def _holds(self, item: str, leaves: dict[str, list[object]]) -> bool:
        one, arrow, other = (part.strip() for part in item.partition("->"))
        if arrow:
            return any(
                self._among(one, leaves[a]) and self._among(other, leaves[b])
                for a, b in _ARROWS
                if a in leaves and b in leaves
            )
        key, equals, value = item.partition("=")
        if equals and key in leaves:
            return self._in(key, value, leaves[key])
        return any(self._in(key, item, values) for key, values in leaves.items())

    def _in(self, key: str, item: str, values: list[object]) -> bool:
        if key in _SEATED and item in (*SEATS, "none"):
            return item in values or (SEATS.index(item) if item in SEATS else -1) in values
        return self._among(item, values)

    def _among(self, item: str, values: list[object]) -> bool:
        return any(self._is(item.strip('"'), value) for value in values)

    def _is(self, item: str, value: object) -> bool:
        if isinstance(value, bool):
            return item == str(value).lower()
        if isinstance(value, int):
            return item in (str(value), f"@{value}") or self._card(item, value)
        if value is None:
            return item == UNKNOWN
        text = str(value)
        if item in (text, text.rpartition("/")[2] if ":" not in text else text):
            return True
        if re.fullmatch(r"[a-z-]+(/\d)?", text):  # a place or a seat
            letter = SEATS[seat_of(text)] if seat_of(text) >= 0 else ""
            zone = zone_of(text)
            if zone == "seat":
                return item in (letter, f"player {letter}", "player")
            return item in (zone, f"{letter} {zone}", f"{letter}.{zone}")
        return False

    def _card(self, item: str, number: int) -> bool:
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
        """An entry in a line: its number, name, what is in it, its citations."""
        said = []
        for key, values in _fields(entry.event):
            shown = [self._word(key, value) for value in values if value not in ("", None)]
            if shown:
                said.append(f"{key} {' '.join(shown[:12])}")
        cites = f"  [{' '.join(entry.cites)}]" if entry.cites else ""
        return f"#{entry.seq} {ev.name_of(entry.event)} {', '.join(said)}{cites}"

    def _word(self, key: str, value: object) -> str:
        if key in _SEATED and isinstance(value, int):
            return SEATS[value] if value >= 0 else "none"
        if isinstance(value, int) and not isinstance(value, bool) and value in self.cards:
            known = self.cards[value]
            return f"{known.name}@{value}" if value > 9 else f"{value}"
        return str(value)


def _fields(event: ev.AnyEvent) -> Iterator[tuple[str, list[object]]]:
    """The fields of an event with everything in them, laid out flat."""
    for field in msgspec.structs.fields(event):
        if field.name not in ("offer", "answer", "digest", "ticket"):
            yield field.name, list(_flat(getattr(event, field.name)))


def _flat(value: object) -> Iterator[object]:
    match value:
        case Sealed():
            yield from _flat(value.value)
        case dict():
            for key, inner in value.items():
                yield key
                yield from _flat(inner)
        case tuple() | list():
            for inner in value:
                yield from _flat(inner)
        case Struct():
            for field in msgspec.structs.fields(value):
                yield from _flat(getattr(value, field.name))
        case _:
            yield value
