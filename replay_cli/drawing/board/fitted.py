"""Boards that keep within so many lines, so that the middle of the table is never out of sight.

What matters less is said in less room, or not at all, until the rest fits: first what is noted of
cards, then hands, decks and piles, then the zones behind; the front row of each side comes last.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from domain.record.position import Position
from domain.record.schema.manifest import Zone
from domain.telling.book import Book
from domain.telling.table import Table
from replay_cli.drawing import cells
from replay_cli.drawing.board.cards import INDENT, NAMED
from replay_cli.drawing.board.rows import Board
from replay_cli.output import say

#: What is done to make room, each with all before it: what is told in a word stands in a run, a
#: side, and empty places are not listed; cards there are counted; the run is one line; what lies
#: behind the front row stands there too; the cards in front stand side by side; of those no more is
#: said than figures, counters, and how they lie where they are not ready; the run stands in the
#: line of the player's name.
WHOLE, RUN, COUNT, LINE, BEHIND, SIDE_BY_SIDE, BARE, NAME = range(8)
#: In which order that is tried, and whether rows are cut that would have to be folded.
TRIED = (
    (WHOLE, False), (RUN, False), (COUNT, False), (WHOLE, True), (RUN, True), (COUNT, True),
    *((level, cut) for level in (LINE, BEHIND, SIDE_BY_SIDE, BARE, NAME) for cut in (False, True)),
)  # fmt: skip
#: The styles of zones whose cards are told.
LISTED = ("cards", "passing")
#: How many acts that wait are shown, once there is little room.
WAITING = 3


def draw(book: Book, pos: Position, *, near: int = 0, width: int = 100, height: int = 0) -> Text:
    """The board in `width` columns and at most `height` lines, if it can be; 0: as many as it has.

    What is open is not said: a screen says it elsewhere.
    """
    names = Table(book, pos)
    for level, cut in TRIED:
        rows = list(Fitted(names, width, level, cut).rows(near))
        if not height or len(rows) <= height:
            break
    return Text("\n").join(rows)


class Fitted(Board):
    """A board of which less is told, the higher the level; `cut`: no row is folded."""

    def __init__(self, names: Table, width: int, level: int, cut: bool) -> None:
        super().__init__(names.book, names.pos, width, names)
        self.level, self.cut = level, cut
        rows = (zone.row for zone in self.book.manifest.zones if zone.row >= 0)
        self._front = min(rows, default=0)

    def _side(self, seat: int, way: int) -> Iterator[Text]:
        if self.level < RUN:
            yield from super()._side(seat, way)
            return
        zones = [zone for zone in self.book.manifest.zones if zone.row >= 0 and not zone.shared]
        behind = [] if self.level >= NAME else [*self._run(zones, seat)]
        listed = [
            row
            for zone in sorted(zones, key=lambda zone: zone.row * way)
            if self._lists(zone, f"{zone.name}/{seat}")
            for row in self._zone(zone, f"{zone.name}/{seat}")
        ]
        yield from (*listed, *behind) if way > 0 else (*behind, *listed)

    def _run(self, zones: Sequence[Zone], seat: int) -> Iterator[Text]:
        """What a side has besides the cards that are listed: hands, what is counted, the rest."""
        line = Text(self._margin)
        for label, content in self._cells(zones, seat):
            cell = Text.assemble((f"{label} ", "dim"), content)
            full = line.cell_len + 3 + cell.cell_len > self.width
            if self.level < LINE and full and line.plain.strip():
                yield from self._fold(line)
                line = Text(self._margin)
            gap = "  " if self.level >= LINE else "   "
            line.append(gap if line.plain.strip() else "").append(cell)
        if line.plain.strip():
            yield from self._fold(line)

    def _cells(self, zones: Sequence[Zone], seat: int) -> Iterator[tuple[str, str]]:
        hands = max(zone.row for zone in zones)

        def matters(zone: Zone) -> tuple[bool, bool, bool, int]:
            return zone.row != hands, zone.alike, zone.style in LISTED, zone.row

        for zone in sorted(zones, key=matters):
            place = f"{zone.name}/{seat}"
            if not self._lists(zone, place) and (cell := self._cell(zone, place)):
                yield cell

    def _cell(self, zone: Zone, place: str) -> tuple[str, str] | None:
        found, numbers = super()._cell(zone, place), self.pos.zone(place)
        if found is None or self.level < COUNT or zone.style == "counters":
            return found
        if super()._lists(zone, place):
            return zone.label, "  ".join(self._brief(n).plain for n in numbers if n) or "–"
        if zone.faces == "all" and zone.style != "pile":
            return (zone.label, self._alike(found[1], numbers)) if numbers else None
        held = "  ".join(self._counters(self.pos.holders.get(place, {})))
        return zone.label, f"{len(numbers)}{held and '  '}{held}"

    def _alike(self, text: str, numbers: Sequence[int]) -> str:
        """What is told of a zone whose cards have all one name, without that name: `×3 active`."""
        names = {say(self.names.card(n)) for n in numbers}
        return text.removeprefix(names.pop()).strip() if len(names) == 1 < len(numbers) else text

    def _lists(self, zone: Zone, place: str) -> bool:
        if self.level >= BEHIND and zone.row > self._front:
            return any(self.pos.cards[n].departing for n in self.pos.zone(place) if n)
        if self.level >= RUN and zone.row == self._front and zone.style == "cards":
            return True  # even if nothing is there: so it stays where it is
        return super()._lists(zone, place)

    def _rule(self, seat: int) -> Text:
        if self.level < NAME:
            return super()._rule(seat)
        zones = [zone for zone in self.book.manifest.zones if zone.row >= 0 and not zone.shared]
        rule = super()._rule(seat)
        text = rule[: len(rule.plain.rstrip("─ "))]
        for label, content in self._cells(zones, seat):
            text.append("  ").append(f"{label} ", "dim").append(content)
        text.truncate(self.width, overflow="ellipsis")
        return text

    def _fold(self, row: Text) -> Iterator[Text]:
        if not self.cut and self.level < LINE:
            yield from super()._fold(row)
            return
        row.plain = row.plain.replace("\u00a0", " ")
        row.truncate(self.width, overflow="ellipsis")
        yield row

    def _card(self, number: int) -> Iterator[Text]:
        found = super()._card(number)
        yield next(found)
        if not self.cut:
            yield from found

    def _first(self, name: str) -> str:
        return cells.cut(name, self.name_width - 1) if self.cut else super()._first(name)

    def _places(self, zone: Zone, place: str) -> Iterator[tuple[str, int | str]]:
        found = [*super()._places(zone, place)]
        if self.cut or self.level >= RUN:
            some = [one for one in found if one[1] != "–"]
            found = some or found[:1]
        yield from found

    def _zone(self, zone: Zone, place: str) -> Iterator[Text]:
        if self.level < SIDE_BY_SIDE:
            yield from super()._zone(zone, place)
            return
        label = self._labelled(zone.label)
        line, empty = Text(label, "dim"), True
        for where, what in self._places(zone, place):
            cell = Text.assemble((f"{where.strip()} " if where.strip() else "", "dim"))
            cell.append(what if isinstance(what, str) else self._brief(what))
            if not empty and line.cell_len + 3 + cell.cell_len > self.width:
                yield from self._fold(line)
                line, empty = Text(" " * (INDENT if self.level >= BARE else len(label))), True
            line.append("" if empty else " · ", "dim").append(cell)
            empty = False
        yield from self._fold(line)

    def _brief(self, number: int) -> Text:
        """A card among others in a line."""
        card = self.pos.cards.get(number)
        text = Text(say(self.names.name_in_place(number)) if card else say(self.names.card(number)))
        text.stylize(NAMED)
        if card is not None:
            figures = [say(one) for one in self.names.figures(card)]
            text.append("".join(f" {one}" for one in figures), "not bold")
            ready = card.orient == self.names.lies(card)
            if (how := self._how(card)) and not (ready and self.level >= BARE):
                text.append(f" {how}", f"not bold {self._readiness(card)}")
            noted = self._noted(number, card)
            if self.level >= BARE:
                noted = Text(" ".join(self._counters(card.counters)))
            text.append(" " if noted else "").append(noted)
        return text

    def _now(self) -> Iterator[Text]:
        rows = [*super()._now()][: -1 if self.pos.decision is not None else None]
        few = self.level >= LINE and len(rows) > WAITING
        yield from rows[-WAITING:] if few else rows
