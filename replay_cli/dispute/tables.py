"""The table of a position as data in plain words, as a dispute page has it.

It is the board that a terminal draws (`drawing.board`), taken apart: zones that take a line, and
zones that list their cards. What the viewer can't see is not in the position.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from domain.record.position import Position
from domain.telling.board import board_of
from domain.telling.board.model import Side, Tile, Zone
from domain.telling.book import Book
from replay_cli.drawing.board.cards import ROOMY, further
from replay_cli.drawing.board.rows import Drawing, held_by
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
    return _Table(book.manifest, board_of(book, pos, near), ROOMY).table()


def plain(text: str) -> str:
    """A text in the language of the command, as plain text."""
    return str(say(text))


class _Table(Drawing):
    """A board that is taken apart instead of drawn."""

    def table(self) -> ShownTable:
        board = self.board
        return ShownTable(
            board.seq,
            board.time,
            tuple(map(plain, board.where)),
            tuple(line.plain for line in self._time()),
            tuple(map(self._shown_side, board.sides)),
            tuple(self._zones(zone for zone in board.shared if zone.n)),
            tuple(line.plain for line in self._now()),
        )

    def _shown_side(self, side: Side) -> ShownSide:
        rows = (tuple(self._zones(row)) for row in side.rows)
        return ShownSide(
            side.seat,
            side.letter,
            side.name,
            side.deck,
            side.turn,
            side.clock,
            tuple(map(plain, held_by(side))),
            tuple(row for row in rows if row),
        )

    def _has_line(self, zone: Zone, tile: Tile) -> bool:
        """On a page there is room for the cards of a hand."""
        return bool(tile.figures)

    def _zones(self, zones: Iterable[Zone]) -> Iterator[ShownZone]:
        for zone in zones:
            name, label = zone.declared.name, plain(zone.label)
            if self._lists(zone):
                yield ShownZone(name, label, cards=tuple(self._shown_cards(zone)))
            elif content := self._content(zone):
                yield ShownZone(name, label, plain(content).strip())

    def _shown_cards(self, zone: Zone) -> Iterator[ShownCard]:
        for at, what in self._places(zone):
            if isinstance(what, str):
                yield ShownCard(0, plain(what), place=at)
                continue
            figures = tuple(plain(one.words) for one in what.figures)
            also = tuple(map(plain, further(what)))
            name = plain(what.in_place or what.name)
            yield ShownCard(what.number, name, figures, self._how(what), also, at)
