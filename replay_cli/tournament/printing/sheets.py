"""The content of an event's sheets, for any medium: names and numbers.

`pages` makes HTML of a sheet, `plain` text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from msgspec import Struct

T = TypeVar("T")


class Heading(Struct, frozen=True):
    """The heading: the event, the round in words, a note."""

    event: str
    where: str = ""
    note: str = ""


class Seat(Struct, frozen=True):
    """Somebody at a table, and the points he comes with."""

    name: str
    points: int = 0


class Seats(Struct, frozen=True):
    """A table of a round: its number, who sits there (`second` None: a bye), its result."""

    table: int
    first: Seat
    second: Seat | None = None
    result: str = ""


class ByName(Struct, frozen=True):
    """Where a player finds himself: his table (0: a bye) and his opponent."""

    name: str
    table: int
    opponent: str = ""


class Sitting(Struct, frozen=True):
    """A seat of a pod, who sits there, and who sits on his left and on his right."""

    pod: int
    seat: int
    name: str
    left: str = ""
    right: str = ""
    dropped: bool = False


class Place(Struct, frozen=True):
    """A line of the standings, everything as it is printed."""

    rank: str
    name: str
    points: str
    record: str
    figures: tuple[str, ...] = ()
    dropped: bool = False


class Standings(Struct, frozen=True):
    """All lines, and the heads of their figures with what they mean."""

    places: tuple[Place, ...]
    heads: tuple[str, ...]
    labels: tuple[str, ...]


class Code(Struct, frozen=True):
    """A short code to join with, whose it is, and the address that a telephone opens for it."""

    code: str
    link: str = ""
    who: str = ""


class Slip(Struct, frozen=True):
    """A table's slip: who plays, room for `games` and names, how to join, the record's head."""

    table: int
    first: str
    second: str
    games: int = 1
    match: str = ""
    head: str = ""
    codes: tuple[Code, ...] = ()


class JoinSlip(Struct, frozen=True):
    """A slip with a code: for whom, what he is, where he sits by now, and where he joins."""

    code: Code
    what: str = ""
    where: str = ""
    address: str = ""


def by_name(tables: Iterable[Seats]) -> list[ByName]:
    """The tables of a round by the names of the players, alphabetically."""
    found = []
    for table in tables:
        number = table.table if table.second is not None else 0
        found.append(ByName(table.first.name, number, table.second.name if table.second else ""))
        if table.second is not None:
            found.append(ByName(table.second.name, number, table.first.name))
    return sorted(found, key=lambda one: (one.name.casefold(), one.name))


def pages_of(slips: Sequence[T], a_page: int) -> Iterator[list[T]]:
    """Slips page by page, so that those of one stack, cut through, follow each other in order.

    With four a page and eight tables: 1, 3, 5 and 7 on the first, 2, 4, 6 and 8 on the second.
    """
    count = -(-len(slips) // a_page)
    for page in range(count):
        yield [*slips[page::count]]
