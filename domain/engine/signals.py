"""The values and exceptions that rulebooks and the driver exchange.

A generator yields for what it needs from outside (`Ask`, `Chance`), and is sent it by the driver.
It raises where it can't go on: a card of a real table must be named, chance must be stated, the
game is over, the record says otherwise.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from typing import Any

from msgspec import Struct

from domain.record.entries import Entry
from domain.record.position import Position
from domain.record.values import OFFICIALS
from domain.words.phrases import phrase


class Ask(Struct, frozen=True):
    """The game waits for the open decision to be answered; send `{seat: Act}`."""


class Chance(Struct, frozen=True):
    """The game waits for chance: an order of `of` cards, or one of `of` outcomes.

    The kinds are `shuffle` (an order that nobody sees), `order` (one that is seen), and any other
    for a single outcome.
    """

    kind: str
    of: int
    cites: tuple[str, ...]
    to: int = OFFICIALS


#: What a rulebook's generators yield, are sent, and return.
Play = Generator[Ask | Chance, Any, Any]


class Need(Struct, frozen=True):
    """A card that must be named, by its number, and where it lies."""

    number: int
    place: str


class NameRequired(Exception):
    """Cards of a real table must be named before this can go on."""

    def __init__(self, needs: Sequence[Need]) -> None:
        where = ", ".join(f"@{need.number} ({need.place})" for need in needs)
        super().__init__(phrase("say which card it is: {where}", where=where))
        self.needs = tuple(needs)


class RollRequired(Exception):
    """The outcome of chance at a real table is missing: an order, or one `of` outcomes."""

    def __init__(self, kind: str, of: int) -> None:
        super().__init__(phrase("say how chance fell: {kind}, of {of}", kind=kind, of=of))
        self.kind, self.of = kind, of


def unknown(p: Position, number: int) -> bool:
    """Whether this is a card of a real table that nobody has named yet."""
    return p.heading.mode == "table" and not p.card(number).id


def identified(p: Position, numbers: Iterable[int]) -> None:
    """Make sure that cards have been named; raises `NameRequired`."""
    if p.heading.mode == "table":
        needs = [Need(n, p.card(n).place) for n in numbers if not p.card(n).id]
        if needs:
            raise NameRequired(needs)


class Diverged(Exception):
    """The rulebook no longer does what the record says, from entry `seq` on."""

    def __init__(self, seq: int, recorded: Entry | None, emitted: Entry | None) -> None:
        super().__init__(phrase("the rulebook and the record part at entry {seq}", seq=seq))
        self.seq, self.recorded, self.emitted = seq, recorded, emitted


class Unending(Exception):
    """One command has added as many entries as allowed (`Emitter.most`)."""

    def __init__(self, most: int) -> None:
        text = phrase("it does not end: one choice has brought about {most} entries", most=most)
        super().__init__(text)


class Over(Exception):
    """Raised by a rulebook to end the game at once, from however deep."""
