"""Renders lines of a transcript in columns: turn and seat, step, text, citations.

Pure functions from lines to rich text; lines are made in `domain.telling.narration`.
"""

from __future__ import annotations

import re

from rich.text import Text

from domain.telling.names import letter
from domain.telling.narration import Line
from domain.words.phrases import phrase
from replay_cli import cells
from replay_cli.output import say

#: The least a text may be given, and what citations take on a small, an ordinary, a wide screen;
#: a longer one takes more, as long as the text beside it keeps something; the least of all.
TEXT, SMALL, CITES, WIDE, KEPT, LEAST = 30, 21, 27, 41, 24, 12
#: What stands in place of the step of a line that a rewind left behind.
UNDONE = phrase("undone")
#: With fewer columns than this, citations stand below what they are of.
SIDE_BY_SIDE = 72
STYLES = {"act": "", "effect": "cyan", "event": "", "result": "bold green", "note": "italic"}
SEATS = ("bold yellow", "bold magenta", "bold blue", "bold green")

#: A colon, also as wide as the characters of some languages.
_COLON = re.compile("[:：]")


class Columns:
    """Sets lines one after another; what has not changed since the last line is left out."""

    def __init__(
        self, width: int, steps: dict[str, str], *,
        timed: bool = False, brief: bool = False, numbered: bool = False,
    ) -> None:  # fmt: skip
        """`steps` are the display names of the steps; `timed`: tell how long answers took.

        `brief`: a line takes one row, and cites nothing; `numbered`: it begins with its entry.
        """
        self.width, self.timed, self.brief, self.numbered = width, timed, brief, numbered
        #: A step is shown up to a colon: `Damage Step: damage` as the Damage Step.
        self.steps = {name: _COLON.split(label)[0] for name, label in steps.items()}
        widths = [*map(cells.width, self.steps.values())]
        wide = any(cells.width(label) > len(label) for label in self.steps.values())
        self.step_width = min(max(widths, default=8), 16 if wide else 13)
        self._last: tuple[int, int, str] = (-1, -2, "")

    def render(self, line: Line, *, undone: bool = False) -> Text:
        """The line, as many rows as it takes; one that was `undone` says so, and is struck out."""
        turn, seat, step = line.turn, line.seat, self.steps.get(line.step, line.step)
        last_turn, last_seat, last_step = self._last
        self._last = (turn, seat, step)
        new_turn = turn != last_turn and turn > 0
        shown_seat = letter(seat) if new_turn or seat != last_seat else ""
        shown_step = step if new_turn or seat != last_seat or step != last_step else ""
        head = Text()
        if self.numbered:
            head.append(f"{line.seq:>5}  ", style="dim")
        head.append(f"{f'T{turn}' if new_turn else '':<4}", style="bold")
        head.append(f"{shown_seat:<2}", style=SEATS[seat % len(SEATS)] if seat >= 0 else "")
        shown_step = say(UNDONE) if undone else shown_step
        if cells.width(shown_step) > self.step_width:
            shown_step = cells.split(shown_step, self.step_width)[0]
        head.append(cells.pad(shown_step, self.step_width + 2), style="dim")
        if self.timed:
            took = f"{line.ms / 1000:.1f}s" if line.ms else ""
            head.append(f"{took:>6}  ", style="dim")
        rows = self._rows(head, line)
        if undone:
            rows.stylize("strike dim")
        return rows

    def _rows(self, head: Text, line: Line) -> Text:
        below = self.width < SIDE_BY_SIDE
        cites = [] if self.brief or below else self._cited(head, line.cites)
        width = max(map(cells.width, cites), default=0)
        room = self.width - head.cell_len - 2 - width
        chained = f"{'  ' * (line.link - 1)}[{line.link}] " if line.link else ""
        indent = " " * max(len(chained), 2)
        text = chained + say(line.text)
        rows = cells.wrap(text, max(room, LEAST if cites or below else TEXT), indent) or [""]
        if self.brief:
            rows = [cells.cut(text, room)]
        out = Text()
        style = STYLES.get(line.kind, "")
        for at, text in enumerate(rows):
            out.append(head if at == 0 else " " * head.cell_len)
            cited = cites[at] if at < len(cites) else ""
            out.append(f"{cells.pad(text, room)}  " if cited else text, style=style)
            out.append(cited.rstrip(), style="dim")
            if at < len(rows) - 1:
                out.append("\n")
        if below and not self.brief:
            for cited in _packed(line.cites, room):
                out.append(f"\n{' ' * head.cell_len}{cited}", style="dim")
        return out

    def _cited(self, head: Text, cites: tuple[str, ...]) -> list[str]:
        """The citations row by row, in the room that they get."""
        most = self.width - head.cell_len - 2 - KEPT
        width = SMALL if self.width < 90 else CITES if self.width < 118 else WIDE
        width = max(width, min(max(map(len, cites), default=0), most))
        return [cells.pad(cells.cut(row, width), width) for row in _packed(cites, width)]


def _packed(cites: tuple[str, ...], width: int) -> list[str]:
    """Citations side by side, in as many rows as they take."""
    rows: list[str] = []
    for cite in cites:
        if rows and len(rows[-1]) + 1 + len(cite) <= width:
            rows[-1] = f"{rows[-1]} {cite}"
        else:
            rows.append(cite)
    return rows
