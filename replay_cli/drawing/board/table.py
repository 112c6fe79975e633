"""A position as data to be laid out by others: a board of rows, zones and cards, in words.

It says what `rows` draws, and by the same words, but leaves the layout to whoever shows it (pages
of HTML). The sides stand in the order of a board: rivals first, what is shared, the near side last.
What the viewer can't see is not in the position.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from domain.record.position import Card, Position
from domain.record.schema.manifest import Zone
from domain.telling.book import Book
from domain.telling.names import countdown, letter
from replay_cli.drawing.board.cards import ROOMY
from replay_cli.drawing.board.rows import Board
from replay_cli.output import say


class ShownCard(Struct, frozen=True):
    """A card of a zone that lists them. `place` is its number in a zone whose places are counted.

    `number` is the record's; 0: nothing lies there, and `name` says what stands there instead.
    """

    number: int
    name: str
    figures: tuple[str, ...] = ()
    lies: str = ""
    also: tuple[str, ...] = ()
    place: str = ""


class ShownZone(Struct, frozen=True):
    """A zone: a line that tells what is in it, or its cards one by one."""

    name: str
    label: str
    text: str = ""
    cards: tuple[ShownCard, ...] = ()


class ShownSide(Struct, frozen=True):
    """A player's part of the table; `turn`: it is his turn. Rows stand from the middle outward."""

    seat: int
    letter: str
    player: str
    deck: str
    turn: bool
    clock: str
    counters: tuple[str, ...]
    rows: tuple[tuple[ShownZone, ...], ...]


class ShownTable(Struct, frozen=True):
    """A board: where it stands, the sides with what is shared between them, what is going on."""

    seq: int
    time: int
    where: tuple[str, ...]
    notes: tuple[str, ...]
    sides: tuple[ShownSide, ...]
    shared: tuple[ShownZone, ...]
    now: tuple[str, ...]


def shown(book: Book, pos: Position, near: int = 0) -> ShownTable:
    """The table of a position, with seat `near` as the last side."""
    return _Table(book, pos, ROOMY).table(near)


def plain(text: str) -> str:
    """A text in the language of the command, as plain text."""
    return str(say(text))


class _Table(Board):
    """A board that is taken apart instead of drawn."""

    def table(self, near: int) -> ShownTable:
        p = self.pos
        return ShownTable(
            p.seq,
            p.time,
            tuple(map(plain, self.names.where())),
            tuple(line.plain for line in self._time()),
            tuple(map(self._shown_side, self.names.sides(near))),
            tuple(self._zones(self.names.shared, "")),
            tuple(line.plain for line in self._now()),
        )

    def _shown_side(self, seat: int) -> ShownSide:
        name, deck = self.names.seat_name(seat)
        left = self.names.seat_left(seat)
        rows = (tuple(self._zones(row.zones, f"/{seat}")) for row in self.names.rows)
        return ShownSide(
            seat,
            letter(seat),
            name,
            deck,
            seat == self.pos.turn_seat,
            "" if left is None else countdown(left),
            tuple(map(plain, self._held_by(seat))),
            tuple(row for row in rows if row),
        )

    def _has_line(self, zone: Zone, card: Card) -> bool:
        """On a page there is room for the cards of a hand."""
        return bool(self.names.figures(card))

    def _zones(self, zones: Iterable[Zone], suffix: str) -> Iterator[ShownZone]:
        for zone in zones:
            place, label = f"{zone.name}{suffix}", plain(zone.label)
            if not suffix and not self.pos.zone(place):
                continue
            if self._lists(zone, place):
                yield ShownZone(zone.name, label, cards=tuple(self._shown_cards(zone, place)))
            elif cell := self._cell(zone, place):
                yield ShownZone(zone.name, label, str(cell[1]).strip())

    def _shown_cards(self, zone: Zone, place: str) -> Iterator[ShownCard]:
        for where, what in self._places(zone, place):
            at = where.strip()
            if isinstance(what, str):
                yield ShownCard(0, plain(what), place=at)
                continue
            card = self.pos.cards.get(what)
            if card is None:
                yield ShownCard(0, plain(self.names.card(what)), place=at)
                continue
            figures = tuple(map(plain, self.names.figures(card)))
            also = tuple(map(plain, self._extras(what, card)))
            name = plain(self.names.name_in_place(what))
            yield ShownCard(what, name, figures, self._how(card), also, at)
