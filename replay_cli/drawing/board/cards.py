"""Draws cards for a terminal, a line each: name, figures, how it lies, what lies with it.

Figures stand in columns, which are as wide as the cards of the position need. How the lines make a
board is in `rows`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest

from rich.text import Text

from domain.record.schema.manifest import Manifest
from domain.telling.board.model import Board, Counter, Tile
from domain.words.phrases import joined
from replay_cli import cells
from replay_cli.output import say

LABEL, PLACE, NAME, FIGURES, LIES = 15, 4, 33, 18, 8
#: The least room for names on a narrow board, and from which width on it is not; from which one on
#: things stand two columns apart.
NARROW, WIDE, APART = 23, 90, 84
#: From which width on there is room for how cards lie in words, where there are signs for it.
ROOMY = 110
#: How far the further lines of a row are indented past its label, and a space that stays in a line.
INDENT, KEPT = 7, "\u00a0"
#: Names stand out, and what is noted of a card stays behind; how it lies, by whether it is ready.
NAMED, NOTED, READY, IDLE = "bold", "dim", "green", "yellow"


class CardLines:
    """The lines of the cards of one board."""

    def __init__(self, manifest: Manifest, board: Board, width: int = 100) -> None:
        self.manifest, self.board, self.width = manifest, board, width
        self.label_width = min(
            LABEL, 1 + max((cells.width(zone.label) for zone in manifest.zones), default=0)
        )
        apart = width >= APART or bool(manifest.signs)  # signs take less room than words
        self._margin, self._gap = (" ", "  ") if apart else ("", " ")
        zones = [*board.zones()]
        tiles = [one for zone in zones for tile in zone.tiles for one in tile.all()]
        alike = {id(tile.figures): tile.figures for tile in tiles}  # most have theirs in common
        shown = [[cells.width(say(one.words)) for one in figures] for figures in alike.values()]
        #: How wide the first, the second, … of the figures of a card is at the most.
        self._widths = [max(column) for column in zip_longest(*shown, fillvalue=0)]
        figures_width = sum(self._widths) + len(self._gap) * len(self._widths)
        self._figures_width = max(FIGURES if width >= WIDE else 0, figures_width)
        playing = [tile for tile in tiles if tile.in_play]
        lies = [2 + cells.width(self._how(tile)) for tile in playing]
        self._lies_width = max(lies, default=LIES) if manifest.signs else LIES
        places = PLACE if any(zone.counted for zone in zones) else 0
        self.name_width = self._room(NAME if width >= WIDE else NARROW, playing, places)

    def _room(self, least: int, playing: Iterable[Tile], places: int) -> int:
        """How wide the column of names is: so that the fewest rows are folded, names last."""
        rows = [
            (cells.width(say(tile.in_place)) + 1, cells.width(self._further(tile)))
            for tile in playing
        ]
        before = len(self._margin) + self.label_width + places
        room = self.width - before - self._figures_width - self._lies_width

        def folded(width: int) -> tuple[int, int]:
            names = sum(name > width for name, _ in rows)
            return names + sum(width + more > room for _, more in rows), names

        return min(range(least, max(least, room) + 1), key=folded)

    def _card(self, tile: Tile) -> Iterator[Text]:
        """A card's line: name, figures with counters, how it lies, what lies with it, keywords.

        A line after it has what the column of names has no room for.
        """
        if not tile.number:
            yield Text(say(tile.name))
            return
        whole = say(tile.in_place)
        name = self._first(whole)
        more = whole[len(name) :].strip()
        text = Text().append(cells.pad(name, self.name_width), style=NAMED)
        aligned = map(cells.pad, figures(tile), self._widths)
        if tile.figures or tile.lies:
            text.append(cells.pad(self._gap.join(aligned).rstrip(), self._figures_width))
            text.append(cells.pad(f"{self._how(tile)} ", self._lies_width), style=readiness(tile))
        text.append(self._noted(tile))
        text.rstrip()
        yield text
        if more:
            yield Text(f"  {more}", NAMED)

    def _first(self, name: str) -> str:
        """As much of a name as its column holds."""
        return cells.wrap(name, self.name_width - 1)[0]

    def _noted(self, tile: Tile) -> Text:
        """Other notes on a card: counters first, the rest behind."""
        text = Text(self._further(tile))
        text.stylize(NOTED, len(" ".join(counted(tile.counters))))
        return text

    def _further(self, tile: Tile) -> str:
        """Other notes on a card: a row is folded where a comma is."""
        extras = say(joined(", ", further(tile)))
        return extras.replace(" ", KEPT).replace(f",{KEPT}", ", ")

    def _how(self, tile: Tile) -> str:
        """How a card lies, by its sign and, where there is room, in words."""
        if not tile.sign:
            return say(tile.lies)
        return tile.sign if self.width < ROOMY else f"{tile.sign} {say(tile.lies)}"

    def _fold(self, row: Text) -> Iterator[Text]:
        """A row in as many lines as it takes, the further ones indented."""
        lines = [row]
        if row.cell_len > self.width:
            first, *rest = cells.wrap(row.plain, self.width, " " * (self.label_width + INDENT))
            style = row.spans[-1].style if row.spans else ""
            lines = [row[: len(first)], *(Text(one, style) for one in rest)]
        for line in lines:
            line.plain = line.plain.replace(KEPT, " ")
            yield line


def further(tile: Tile) -> Iterator[str]:
    """Further notes on a card besides its figures."""
    if held := " ".join(counted(tile.counters)):
        yield held
    yield from tile.notes()


def counted(counters: Iterable[Counter]) -> Iterator[str]:
    """Counters in words, a kind after the other."""
    return (say(one.words) for one in counters)


def figures(tile: Tile) -> Iterator[str]:
    """The figures of a card, one after the other."""
    return (say(one.words) for one in tile.figures)


def readiness(tile: Tile) -> str:
    """The style of how a card lies."""
    return READY if tile.ready else IDLE
