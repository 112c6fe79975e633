"""Draws a position for a terminal, by the words of the manifest.

Zones stand in the rows that the manifest gives them, the rival's on top and turned round. A `stack`
is shown as a count, a `pile` as a count and its top card; `cards` are listed: those with figures
one to a line, the others counted. Counters and how cards lie are shown by their signs, where the
game has some. What the viewer can't see is not in the position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.text import Text

from domain.record.position import Position
from domain.telling import notices
from domain.telling.board import board_of
from domain.telling.board.model import Side, Tile, Zone
from domain.telling.book import Book
from domain.telling.names import UNKNOWN, cards, clock
from domain.words.phrases import joined, phrase
from replay_cli import cells
from replay_cli.drawing.board.cards import PLACE, CardLines, counted
from replay_cli.drawing.lines import SEATS
from replay_cli.output import say

#: What stands where nothing lies.
NONE = "–"


def draw(book: Book, pos: Position, *, near: int = 0, width: int = 100) -> Text:
    """The whole board in `width` columns, with seat `near` at the bottom."""
    return Text("\n").join(Drawing(book.manifest, board_of(book, pos, near), width).rows())


class Drawing(CardLines):
    """Draws one board."""

    def rows(self) -> Iterator[Text]:
        """Line by line, from the top."""
        *far, near = self.board.sides
        yield self._heading()
        yield from self._time()
        for text in self.board.warnings:
            yield Text(say(text), style="yellow" if text == notices.SEEDED else "bold red")
        for side in far:
            yield self._rule(side)
            yield from self._side(side, -1)
        yield from self._middle()
        yield from self._side(near, 1)
        yield self._rule(near)
        for row in self._now():
            yield from self._fold(row)

    # -- what is going on ------------------------------------------------------------------------

    def _heading(self) -> Text:
        board = self.board
        entry = say(phrase("entry {n}", n=board.seq))
        left, right = " · ".join(map(say, board.where)), f"{entry} · {clock(board.time)}"
        room = self.width - cells.width(right)
        return Text(cells.pad(cells.cut(left, room - 2), room) + right, style="bold")

    def _time(self) -> Iterator[Text]:
        if self.board.notes:
            yield Text(" · ".join(map(say, self.board.notes)), style="yellow")

    def _rule(self, side: Side) -> Text:
        title = " · ".join(part for part in (side.name, side.deck) if part)
        text = Text.assemble(("── ", "dim"))
        text.append(side.letter, style=SEATS[side.seat % len(SEATS)])
        text.append(f" {title} ", style="bold" if side.turn else "")
        for held in held_by(side):
            text.append(f"{held} ", style="bold cyan")
        if side.clock:
            text.append(f"{side.clock} ", style="red" if side.late else "")
        text.append("─" * max(self.width - text.cell_len, 0), style="dim")
        return text

    def _middle(self) -> Iterator[Text]:
        shared = [zone for zone in self.board.shared if zone.n]
        yield Text("·" * self.width, style="dim")
        for zone in shared:
            yield from self._zone(zone)
        if shared:
            yield Text("·" * self.width, style="dim")

    def _now(self) -> Iterator[Text]:
        board = self.board
        if board.attack:
            yield Text(say(board.attack), "yellow")
        for act in board.acts:
            text = say(act.text)
            yield Text(f"[{act.link}] {text}" if act.link else text, style="cyan")
        for one in board.scheduled:
            yield Text(say(one), style="cyan")
        if board.decision:
            yield Text(say(board.decision), style="bold")

    # -- one side --------------------------------------------------------------------------------

    def _side(self, side: Side, way: int) -> Iterator[Text]:
        """A seat's rows: its front row nearest the middle (`way` 1: the middle is above)."""
        for row in side.rows[::way]:
            yield from self._row(row)

    def _row(self, zones: Sequence[Zone]) -> Iterator[Text]:
        """One row: short zones side by side, then those that list their cards."""
        short: list[Zone] = []
        long: list[Zone] = []
        for zone in zones:
            (long if self._lists(zone) else short).append(zone)
        line = Text()
        for zone in short:
            content = self._content(zone)
            if not content:
                continue
            more = cells.width(zone.label) + cells.width(content) + 4
            if line and line.cell_len + more <= self.width:
                line.append(f"   {zone.label} ", style="dim")
            else:
                if line:
                    yield from self._fold(line)
                line = Text.assemble((self._labelled(zone.label), "dim"))
            line.append(content)
        if line:
            yield from self._fold(line)
        for zone in long:
            yield from self._zone(zone)

    def _labelled(self, label: str) -> str:
        """The label that a line begins with, and a space at least, be it wider than others."""
        return self._margin + cells.pad(f"{label} ", self.label_width)

    def _lists(self, zone: Zone) -> bool:
        """Whether the cards of a zone have a line each: those in play, and those on their way."""
        return zone.counted or (
            zone.declared.style in ("cards", "passing")
            and any(one.going or one.bond or self._has_line(zone, one) for one in zone.tiles)
        )

    def _has_line(self, zone: Zone, tile: Tile) -> bool:
        return zone.declared.faces == "all" and bool(tile.figures)

    def _content(self, zone: Zone) -> str:
        """The content of a zone that lists no cards; may be empty."""
        declared, held = zone.declared, "  ".join(counted(zone.counters))
        if declared.style == "counters":
            return held or NONE
        if declared.style == "stack":
            return f"{zone.n}"
        if declared.style == "pile":
            return self._pile(zone, held)
        if not zone.n:
            fixed = declared.orients or declared.faces != "all"
            return NONE if fixed and declared.style != "passing" else ""
        if not any(tile.id for tile in zone.tiles):
            return say(cards(zone.n))
        return self._alike([one.tile for one in zone.spots if one.tile is not None])

    def _pile(self, zone: Zone, held: str) -> str:
        if not zone.n and not held:
            return ""
        top = zone.spots[-1].tile if zone.n else None
        named = f" ({say(top.name)})" if top is not None and top.id else ""
        gap = "  " if held or not zone.n else ""
        return f"{zone.n}{named}{gap}{held}"

    def _alike(self, tiles: Sequence[Tile]) -> str:
        """Cards without figures, alike ones counted: `Resource ×3 active, ×2 rested`."""
        tally = Counter((say(one.name), self._how(one)) for one in tiles)
        lying, unknown = Counter(name for name, _ in tally), say(UNKNOWN)
        parts, last = [], ""
        for (name, lies), n in sorted(tally.items(), key=lambda one: (one[0][0] == unknown, one)):
            shown, times = "" if name == last else name, f"×{n}" if n > 1 or lying[name] > 1 else ""
            if name == unknown and n > 1:
                shown, times = say(cards(n)), ""
            parts.append(" ".join(filter(None, [shown, times, lies])))
            last = name
        return say(joined(", ", parts))

    def _zone(self, zone: Zone) -> Iterator[Text]:
        """A zone that lists its cards, one a line."""
        label = zone.label
        for where, what in self._places(zone):
            row = Text.assemble((f"{self._labelled(label)}{where:<{PLACE if where else 0}}", "dim"))
            at, label = row.cell_len, ""
            if isinstance(what, str):
                yield from self._fold(row.append(what, "dim"))
                continue
            card, *rest = self._card(what)
            first, *others = self._fold(row.append(card))
            yield from (first, *(Text(" " * at).append(name) for name in rest), *others)

    def _places(self, zone: Zone) -> Iterator[tuple[str, Tile | str]]:
        """The cards of a zone, or what stands there instead; by its places, if it has some."""
        for one in zone.spots:
            where = f"{one.first}" if one.first == one.last else f"{one.first}–{one.last}"
            yield where if one.first else "", one.tile or say(one.text) or NONE
        if not zone.spots:
            yield "", NONE


def held_by(side: Side) -> Iterator[str]:
    """The counters of a seat in words."""
    for one in side.counters:
        yield say(phrase("{counters} {n}", counters=one.label, n=one.n))
