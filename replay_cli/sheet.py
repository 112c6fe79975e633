"""Plain tables: headings, rows, no lines between them.

Nothing here needs what draws on terminals: a lookup that is read by a program does not load it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from typing import TYPE_CHECKING

from replay_cli.cells import least as narrowest
from replay_cli.cells import pad, width, wrap

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult


class Sheet:
    """A table whose columns are as wide as there is room, and no narrower than a word of theirs.

    Where not even that fits, each row takes lines of its own, with the headings before them.
    `worded` puts cells into the reader's language.
    """

    def __init__(
        self, heads: Sequence[str], right: Container[str] = (), whole: Container[str] = (),
        worded: Callable[[str], str] = str,
    ) -> None:  # fmt: skip
        self.heads, self.right, self.whole, self.worded = heads, right, whole, worded
        self.rows = list[tuple[Sequence[str], str]]()

    def add_row(self, *cells: str, style: str = "") -> None:
        """Add a row, one cell a column."""
        self.rows.append(([*map(self.worded, cells)], style))

    def without_empty(self) -> Sheet:
        """The same table without the columns that have nothing in any row."""
        kept = [n for n in range(len(self.heads)) if any(cells[n] for cells, _ in self.rows)]
        found = Sheet([self.heads[n] for n in kept], self.right, self.whole)
        found.rows = [([cells[n] for n in kept], style) for cells, style in self.rows]
        return found

    def lines(self, columns: int) -> Iterator[tuple[str, str]]:
        """The lines of the table in so many columns, each with its style."""
        natural, least = self._widths()
        for gap in (2, 1):
            room = columns - gap * (len(natural) - 1)
            if sum(least) <= room or sum(natural) <= room:
                widths = _shared(natural, least, room)
                heads = [(self.heads, "bold")] if any(self.heads) else []
                for cells, style in (*heads, *self.rows):
                    for line in self._row(cells, widths, " " * gap):
                        yield line, style
                return
        yield from self._stacked(columns)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.text import Text

        for line, style in self.lines(options.max_width):
            yield Text(line, style=style)

    def _widths(self) -> tuple[list[int], list[int]]:
        """How wide each column would be, and how wide it must be."""
        natural, least = list[int](), list[int]()
        for head, *cells in zip(self.heads, *(cells for cells, _ in self.rows), strict=True):
            texts = [head, *cells]
            natural.append(max(width(row) for text in texts for row in [*text.split("\n"), ""]))
            least.append(natural[-1] if head in self.whole else max(map(narrowest, texts)))
        return natural, least

    def _row(self, cells: Sequence[str], widths: Sequence[int], gap: str) -> Iterator[str]:
        """The lines of one row."""
        folded = [_lines(cell, room) for cell, room in zip(cells, widths, strict=True)]
        for at in range(max(map(len, folded), default=0)):
            parts = [lines[at] if at < len(lines) else "" for lines in folded]
            yield gap.join(
                " " * (room - width(part)) + part if head in self.right else pad(part, room)
                for head, part, room in zip(self.heads, parts, widths, strict=True)
            )

    def _stacked(self, columns: int) -> Iterator[tuple[str, str]]:
        indent = min(max(map(width, self.heads)) + 2, columns // 3)
        for at, (cells, style) in enumerate(self.rows):
            if at:
                yield "", ""
            for head, cell in zip(self.heads, cells, strict=True):
                if cell:
                    rows = [
                        line for row in cell.split("\n") for line in wrap(row, columns - indent)
                    ]
                    yield pad(head, indent) + rows[0], style
                    yield from ((" " * indent + row, style) for row in rows[1:])


def _lines(cell: str, columns: int) -> list[str]:
    """A cell in lines that are no longer than this."""
    return [line for row in cell.split("\n") for line in wrap(row, columns) or [""]]


def _shared(natural: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Widths that fit into the room: what is there beyond the least goes to the narrowest first."""
    found = list(least)
    left = room - sum(found)
    wanting = [at for at, most in enumerate(natural) if most > found[at]]
    while left > 0 and wanting:
        narrowest = min(wanting, key=lambda at: (found[at], at))
        found[narrowest] += 1
        left -= 1
        wanting = [at for at in wanting if natural[at] > found[at]]
    return found
