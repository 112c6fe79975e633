"""Lists of banned and restricted cards: what they allow, from when to when, and a deck's faults.

A game keeps such lists as tables of a file (`formats.tables`), by name; an event's own is the
option of a match, written as JSON. A list consists of entries (`Limit`). Which of them are in force
depends on the day and the region of the event, which are options as well; without a day all are
that have no end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from importlib.resources.abc import Traversable
from typing import Annotated, Any

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from domain.engine.rulebook import DeckFault
from domain.games.kit.lists.decks import too_many
from domain.games.kit.lists.formats import tables, unknown
from domain.words.phrases import Phrase, phrase

#: How many of a card a starter may have.
Copies = Annotated[int, msgspec.Meta(ge=1, le=100)]
#: The parts that are counted together, unless an entry names others.
BOTH = ("main", "side")


class Limit(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """An entry: of its `cards`, by number, and those with the figures `where`, a deck has fewer.

    `copies`: so many of each at most, 0 if they are banned. `apart`: one number of them all at
    most; a banned pair is one of two. Counted are the parts `over`. `unchanged`: ready-made decks,
    by name, which need not keep to it as they are sold. `from` and `to` are the first and the last
    day of it by region, none: always; `page` is the publisher's page that says so.
    """

    cards: tuple[str, ...] = ()
    where: dict[str, Any] = {}
    copies: int | None = None
    apart: bool = False
    over: tuple[str, ...] = BOTH
    unchanged: tuple[str, ...] = ()
    begins: dict[str, date] = field(default_factory=dict, name="from")
    ends: dict[str, date] = field(default_factory=dict, name="to")
    page: str = ""

    def in_force(self, day: date | None, region: str) -> bool:
        """Whether it is in force on a day in a region; without a day: whether it has no end."""
        begins, ends = self.begins.get(region), self.ends.get(region)
        if day is None:
            return ends is None
        return (begins is None or begins <= day) and (ends is None or day <= ends)

    def numbers(self, cards: Mapping[str, Any]) -> Sequence[str]:
        """Its cards, by number, of those that there are and others."""
        like = (id_ for id_, card in cards.items() if self.where and _has(card, self.where))
        return [*dict.fromkeys((*self.cards, *like))]


class Limits(Struct, forbid_unknown_fields=True, frozen=True):
    """A list: its entries, and shorter ways of writing those that are always in force.

    `copies`: how many of a card there may be. `apart`: groups of cards of which a deck has one
    number at most. `unchanged`: ready-made decks to which nothing of that applies as they are sold.
    `day` is the day that the list is meant for, if the event names none.
    """

    copies: dict[str, int] = {}
    apart: list[list[str]] = []
    unchanged: list[str] = []
    entries: tuple[Limit, ...] = ()
    day: date | None = None
    like: str = ""

    def in_force(self, day: date | None = None, region: str = "") -> list[Limit]:
        """The entries in force on a day in a region."""
        sold = tuple(self.unchanged)
        short = [
            *(Limit(cards=(id_,), copies=n, unchanged=sold) for id_, n in self.copies.items()),
            *(Limit(cards=tuple(group), apart=True, unchanged=sold) for group in self.apart),
        ]
        return [one for one in (*short, *self.entries) if one.in_force(day or self.day, region)]

    @property
    def regions(self) -> Collection[str]:
        """The regions that its entries tell apart."""
        return dict.fromkeys(key for one in self.entries for key in (*one.begins, *one.ends))


NONE = Limits()


class Lists:
    """A game's lists by name; `figures` are those that cards may be told by (`Limit.where`)."""

    def __init__(self, file: Traversable, figures: Collection[str]) -> None:
        self._figures = figures
        self.named: Mapping[str, Limits] = {
            name: self._checked(msgspec.convert(table, Limits))
            for name, table in tables(file).items()
        }

    def chosen(self, limits: str, region: str = "") -> Limits:
        """The list of that name, or the one written as JSON; `ValueError` if it can't be meant."""
        found = self._found(limits)
        if region and found.regions and region not in found.regions:
            raise ValueError(unknown("region", region, found.regions))
        return found

    def _found(self, limits: str) -> Limits:
        if not limits.startswith("{"):
            if limits and limits not in self.named:
                raise ValueError(unknown("list", limits, self.named))
            return self.named.get(limits, NONE)
        try:
            return self._checked(msgspec.json.decode(limits, type=Limits))
        except msgspec.DecodeError as error:
            raise ValueError(phrase("limits: {error}", error=error)) from error

    def _checked(self, made: Limits) -> Limits:
        for one in made.in_force(date.max) + list(made.entries):
            if one.copies is not None and one.copies < 0:
                raise ValueError(phrase("of no card are there fewer than none"))
            for figure in one.where:
                if figure not in self._figures:
                    raise ValueError(unknown("figure", figure, self._figures))
        return made


def day_of(text: str) -> date | None:
    """A day as an option says it, `2026-07-24`; None: none; `ValueError` if it is malformed."""
    try:
        return date.fromisoformat(text) if text else None
    except ValueError as error:
        raise ValueError(phrase("{given!r} is no day like 2026-07-24", given=text)) from error


def limited(
    deck: Mapping[str, Sequence[str]],
    cards: Mapping[str, Any],
    entries: Iterable[Limit],
    sold: Mapping[str, Mapping[str, Sequence[str]]],
    rule: str,
) -> Iterator[DeckFault]:
    """What a deck has of these cards beyond what the entries allow; `sold` are ready-made decks."""
    for entry in entries:
        numbers = _counted(deck, entry.over)
        if any(numbers == _counted(sold.get(name, {}), entry.over) for name in entry.unchanged):
            continue
        for fault in _faults(entry, numbers, cards, rule):
            yield replace(fault, text=_dated(fault.text, entry))


def bars(text: str) -> Mapping[str, date | None]:
    """Sets and numbers that an option bars, as they have not been out for long (`GD05, GD06:DAY`).

    Each with the day from which it is allowed, if that is named. Raises `ValueError`.
    """
    pairs = (one.partition(":") for one in text.replace(",", " ").split())
    return {name: day_of(day) for name, _, day in pairs}


def barred(
    deck: Mapping[str, Sequence[str]],
    bars: Mapping[str, date | None],
    day: date | None,
    called: Callable[[str], str],
    rule: str,
) -> Iterator[DeckFault]:
    """Cards that are barred on a day; without one, those that are allowed from some day on, too."""
    for card in dict.fromkeys(card for cards in deck.values() for card in cards):
        for name in {card, card.rpartition("-")[0]} & bars.keys():
            since = bars[name]
            if since is None:
                yield DeckFault(rule, card, phrase("{card} is not allowed yet", card=called(card)))
            elif day is None or day < since:
                text = "{card} is not allowed before {day}"
                yield DeckFault(rule, card, phrase(text, card=called(card), day=since.isoformat()))


def starters(text: str) -> Mapping[str, Mapping[str, Sequence[str]]]:
    """Ready-made decks that an event brings, by name, from JSON: how many of a card each part has.

    Raises `ValueError`.
    """
    try:
        found = msgspec.json.decode(text or "{}", type=dict[str, dict[str, dict[str, Copies]]])
    except msgspec.DecodeError as error:
        raise ValueError(phrase("starters: {error}", error=error)) from error
    return {
        name: {part: [*Counter(cards).elements()] for part, cards in deck.items()}
        for name, deck in found.items()
    }


def _faults(
    entry: Limit, numbers: Counter[str], cards: Mapping[str, Any], rule: str
) -> Iterator[DeckFault]:
    there = [card for card in entry.numbers(cards) if numbers[card]]
    for card in there if entry.copies is not None else ():
        if not entry.copies:
            yield DeckFault(rule, card, phrase("{card} is banned", card=called(card, cards)))
        elif numbers[card] > entry.copies:
            yield too_many(card, called(card, cards), numbers[card], entry.copies, rule)
    if entry.apart and len(there) > 1:
        named = ", ".join(f"{called(card, cards)} ({card})" for card in there)
        text = phrase("of these a deck may have only one: {cards}", cards=named)
        yield DeckFault(rule, there[1], text)


def _dated(text: Phrase, entry: Limit) -> Phrase:
    """A fault, with the page that says so, if the entry names one."""
    return phrase("{fault} (page {page})", fault=text, page=entry.page) if entry.page else text


def called(card: str, cards: Mapping[str, Any]) -> str:
    """The name of a card, or its number if nothing is known of it."""
    return cards[card].name if card in cards else card


def _counted(deck: Mapping[str, Sequence[str]], parts: Iterable[str]) -> Counter[str]:
    return Counter(card for part in parts for card in deck.get(part, ()))


def _has(card: Any, figures: Mapping[str, Any]) -> bool:
    return all(_plain(getattr(card, key)) == _plain(value) for key, value in figures.items())


def _plain(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
