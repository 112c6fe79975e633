"""Boards that keep within so many lines, so that the middle of the table is never out of sight.

Less important things get less room, or none, until the rest fits: first the notes on cards, then
hands, decks and piles, then the zones behind; the front row of each side comes last.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from domain.record.position import Position
from domain.record.schema.manifest import Manifest
from domain.telling.board import board_of
from domain.telling.board.model import Board, Side, Tile, Zone
from domain.telling.book import Book
from replay_cli import cells
from replay_cli.drawing.board.cards import INDENT, KEPT, NAMED, counted, figures, readiness
from replay_cli.drawing.board.rows import NONE, Drawing
from replay_cli.output import say

#: What is done to make room, each with all before it: what is said in a word stands in a run, a
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
#: The styles of zones whose cards are named.
LISTED = ("cards", "passing")
#: How many acts that wait are shown, once there is little room.
WAITING = 3


def draw(book: Book, pos: Position, *, near: int = 0, width: int = 100, height: int = 0) -> Text:
    """The board in `width` columns and at most `height` lines, if it can be; 0: as many as it has.

    The open decision is left out: a screen shows it elsewhere.
    """
    board = board_of(book, pos, near)
    for level, cut in TRIED:
        rows = list(Fitted(book.manifest, board, width, level, cut).rows())
        if not height or len(rows) <= height:
            break
    return Text("\n").join(rows)


class Fitted(Drawing):
    """A board of which less is shown, the higher the level; `cut`: no row is folded."""

    def __init__(self, manifest: Manifest, board: Board, width: int, level: int, cut: bool) -> None:
        super().__init__(manifest, board, width)
        self.level, self.cut = level, cut

    def _side(self, side: Side, way: int) -> Iterator[Text]:
        if self.level < RUN:
            yield from super()._side(side, way)
            return
        zones = [zone for row in side.rows for zone in row]
        behind = [] if self.level >= NAME else [*self._run(zones)]
        listed = [
            row for zone in sorted(zones, key=lambda zone: zone.declared.row * way)
            if self._lists(zone) for row in self._zone(zone)
        ]  # fmt: skip
        yield from (*listed, *behind) if way > 0 else (*behind, *listed)

    def _run(self, zones: Sequence[Zone]) -> Iterator[Text]:
        """The other parts of a side besides listed cards: hands, counts, the rest."""
        line = Text(self._margin)
        for label, content in self._unlisted(zones):
            cell = Text.assemble((f"{label} ", "dim"), content)
            full = line.cell_len + 3 + cell.cell_len > self.width
            if self.level < LINE and full and line.plain.strip():
                yield from self._fold(line)
                line = Text(self._margin)
            gap = "  " if self.level >= LINE else "   "
            line.append(gap if line.plain.strip() else "").append(cell)
        if line.plain.strip():
            yield from self._fold(line)

    def _unlisted(self, zones: Sequence[Zone]) -> Iterator[tuple[str, str]]:
        hands = max(zone.declared.row for zone in zones)

        def matters(zone: Zone) -> tuple[bool, bool, bool, int]:
            one = zone.declared
            return one.row != hands, one.alike, one.style in LISTED, one.row

        for zone in sorted(zones, key=matters):
            if not self._lists(zone) and (content := self._content(zone)):
                yield zone.label, content

    def _content(self, zone: Zone) -> str:
        found, declared = super()._content(zone), zone.declared
        if not found or self.level < COUNT or declared.style == "counters":
            return found
        if super()._lists(zone):
            return "  ".join(self._brief(one).plain for one in zone.tiles) or NONE
        if declared.faces == "all" and declared.style != "pile":
            return _nameless(found, zone) if zone.n else ""
        held = "  ".join(counted(zone.counters))
        return f"{zone.n}{held and '  '}{held}"

    def _lists(self, zone: Zone) -> bool:
        if self.level >= BEHIND and not zone.front:
            return any(one.going for one in zone.tiles)
        if self.level >= RUN and zone.front and zone.declared.style == "cards":
            return True  # even if nothing is there: so it stays where it is
        return super()._lists(zone)

    def _rule(self, side: Side) -> Text:
        if self.level < NAME:
            return super()._rule(side)
        rule = super()._rule(side)
        text = rule[: len(rule.plain.rstrip("─ "))]
        for label, content in self._unlisted([zone for row in side.rows for zone in row]):
            text.append("  ").append(f"{label} ", "dim").append(content)
        text.truncate(self.width, overflow="ellipsis")
        return text

    def _fold(self, row: Text) -> Iterator[Text]:
        if not self.cut and self.level < LINE:
            yield from super()._fold(row)
            return
        row.plain = row.plain.replace(KEPT, " ")
        row.truncate(self.width, overflow="ellipsis")
        yield row

    def _card(self, tile: Tile) -> Iterator[Text]:
        found = super()._card(tile)
        yield next(found)
        if not self.cut:
            yield from found

    def _first(self, name: str) -> str:
        return cells.cut(name, self.name_width - 1) if self.cut else super()._first(name)

    def _places(self, zone: Zone) -> Iterator[tuple[str, Tile | str]]:
        found = [*super()._places(zone)]
        if self.cut or self.level >= RUN:
            found = [one for one in found if one[1] != NONE] or found[:1]
        yield from found

    def _zone(self, zone: Zone) -> Iterator[Text]:
        if self.level < SIDE_BY_SIDE:
            yield from super()._zone(zone)
            return
        label = self._labelled(zone.label)
        line, empty = Text(label, "dim"), True
        for where, what in self._places(zone):
            cell = Text.assemble((f"{where} " if where else "", "dim"))
            cell.append(what if isinstance(what, str) else self._brief(what))
            if not empty and line.cell_len + 3 + cell.cell_len > self.width:
                yield from self._fold(line)
                line, empty = Text(" " * (INDENT if self.level >= BARE else len(label))), True
            line.append("" if empty else " · ", "dim").append(cell)
            empty = False
        yield from self._fold(line)

    def _brief(self, tile: Tile) -> Text:
        """A card among others in a line."""
        text = Text(say(tile.in_place or tile.name))
        text.stylize(NAMED)
        if tile.number:
            text.append("".join(f" {one}" for one in figures(tile)), "not bold")
            if (how := self._how(tile)) and not (tile.ready and self.level >= BARE):
                text.append(f" {how}", f"not bold {readiness(tile)}")
            noted = self._noted(tile)
            if self.level >= BARE:
                noted = Text(" ".join(counted(tile.counters)))
            text.append(" " if noted else "").append(noted)
        return text

    def _now(self) -> Iterator[Text]:
        rows = [*super()._now()][: -1 if self.board.decision else None]
        few = self.level >= LINE and len(rows) > WAITING
        yield from rows[-WAITING:] if few else rows


def _nameless(content: str, zone: Zone) -> str:
    """A zone whose cards have all one name, without that name: `×3 active`."""
    names = {say(one.tile.name) for one in zone.spots if one.tile is not None}
    return content.removeprefix(names.pop()).strip() if len(names) == 1 < zone.n else content
