"""Lines as a transcript has them, turned into the notation: `attacks player B with GM, AP 3`.

A label of the manifest says how an act is narrated (`attacks {target} with {card}`). What a line
says after a comma may be a detail or belong to a name: the longest reading comes first. Numbers of
cards (`ST01-005`) are turned into their names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from domain.record.position import SEATS
from domain.scorekeeping.suggestions.suggest import Table
from domain.text.plain import plain

_SLOT = re.compile(r"\{(\w*)\}")
_TIMES = re.compile(r"(.+) ×(\d{1,2})")
_PLAYER = re.compile(r"player ([A-H])\b")
_OF_SEAT = re.compile(r"([A-H])'s ([^,]+)")
#: What is picked, in the words of a narrated line and of the notation.
_NOTHING = "nothing"
#: How many readings of one line are worth a try.
MOST = 12


def in_notation(t: Table, line: str) -> list[str]:
    """The possible notations of a narrated line, the likeliest first."""
    found = dict.fromkeys(_readings(t, line))
    return [*found][:MOST]


def with_names(t: Table, line: str) -> str:
    """A line with the names of cards in the place of their numbers."""

    def name(found: re.Match[str]) -> str:
        card = _by_number(t, found[0])
        return t.book.name(card) if card else found[0]

    return re.sub(r"[\w-]*\d[\w-]*", name, line)


def _by_number(t: Table, word: str) -> str:
    """The card that has a number; empty if none has."""
    if word in t.book.cards:
        return word
    return next((card for card in t.book.cards if card.casefold() == word.casefold()), "")


def _readings(t: Table, line: str) -> Iterator[str]:
    bare, targets = _without_numbers(t, line.strip()), re.search(r", on (.+?)(?=, |$)", line)
    ends = [len(bare), *(at.start() for at in re.finditer(", ", bare))]
    for end in sorted(ends, reverse=True):
        if _lists_cards(t, bare[end:]):
            break  # what is left out would be meant as well
        for act in t.manifest.acts:
            text = _matched(t, act.name, act.label, bare[:end])
            if text and targets is not None and "->" not in text:
                yield f"{text} -> {_without_numbers(t, targets[1])}"
            if text:
                yield text


def _lists_cards(t: Table, left: str) -> bool:
    """Whether the rest of a line goes on with another card."""
    item = left[2:].partition(", ")[0]
    times = _TIMES.fullmatch(item)
    name = plain(times[1] if times else item)
    return bool(name) and any(plain(card.name) == name for card in t.book.cards.values())


def _without_numbers(t: Table, text: str) -> str:
    """A text without the numbers in brackets that are only those of the names before them."""

    def shorter(found: re.Match[str]) -> str:
        card = _by_number(t, found[1])
        same = [one for one in t.book.cards.values() if card and one.name == t.book.name(card)]
        return "" if len(same) == 1 else found[0]

    return re.sub(r" \(([^()]+)\)", shorter, text)


def _matched(t: Table, kind: str, label: str, bare: str) -> str:
    """The notation of a text that is narrated so; empty if it is not."""
    slots = _SLOT.findall(label)
    pattern, last = "", 0
    for slot in _SLOT.finditer(label):
        pattern += re.escape(label[last : slot.start()])
        pattern += "(.*)" if slot[1] == "how" else "(.+?)" if slot.end() < len(label) else "(.+)"
        last = slot.end()
    pattern += re.escape(label[last:])
    found = re.fullmatch(pattern, bare, re.IGNORECASE)
    if found is None or not _SLOT.sub("", label).strip():
        return ""
    given = dict(zip(slots, found.groups(), strict=True))
    words = [kind, *(_picks(t, given[one]) for one in ("card", "") if one in given)]
    for slot, value in given.items():
        if slot not in ("card", "", "how"):
            lead = {"target": "->", "host": "with"}.get(slot, slot)
            words.append(f"{lead} {_picks(t, value)}")
    return " ".join(words)


def _picks(t: Table, text: str) -> str:
    """The picks, one by one: nothing, players, cards that are counted."""
    if plain(text) == _NOTHING:
        return "none"
    rival = SEATS[t.pos.rival(t.seat)] if t.seat >= 0 else ""
    text = _PLAYER.sub(lambda found: "player" if found[1] == rival else found[0], text)
    text = _OF_SEAT.sub(lambda found: _of_seat(t, found[1], found[2]), text)
    items = [_TIMES.fullmatch(item) or item for item in text.split(", ") if item]
    several = [
        ", ".join([item[1]] * int(item[2])) if isinstance(item, re.Match) else item
        for item in items
    ]
    return ", ".join(several)


def _of_seat(t: Table, whose: str, label: str) -> str:
    """A seat's zone by its label, or else its card."""
    name = next((zone.name for zone in t.manifest.zones if zone.label == label), "")
    own = t.seat >= 0 and whose == SEATS[t.seat]
    return name if name and own else f"{whose}.{name or label}"
