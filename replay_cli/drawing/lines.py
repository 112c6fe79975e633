"""Renders lines of a transcript in columns: turn and seat, step, text, citations.

Pure functions from lines to rich text; lines are made in `transcript`.
"""

from __future__ import annotations

import textwrap

from rich.text import Text

from replay_cli.drawing.names import letter
from replay_cli.drawing.transcript import Line
from replay_cli.output import say

#: The least a text may be given, and what citations take on a small, an ordinary, a wide screen;
#: a longer one takes more, as long as the text beside it keeps something; the least of all.
TEXT, SMALL, CITES, WIDE, KEPT, LEAST = 30, 21, 27, 41, 24, 12
STYLES = {"act": "", "effect": "cyan", "event": "", "result": "bold green", "note": "italic"}
SEATS = ("bold yellow", "bold magenta", "bold blue", "bold green")


class Columns:
    """Sets lines one after another; what has not changed since the last line is left out."""

    def __init__(self, width: int, steps: dict[str, str], *, timed: bool = False) -> None:
        """`steps` are the display names of the steps; `timed`: tell how long answers took."""
        self.width, self.timed = max(width, 72), timed
        #: A step is shown up to a colon: `Damage Step: damage` as the Damage Step.
        self.steps = {name: label.partition(":")[0] for name, label in steps.items()}
        self.step_width = min(max(map(len, self.steps.values()), default=8), 13)
        self._last: tuple[int, int, str] = (-1, -2, "")

    def render(self, line: Line) -> Text:
        """The line, as many rows as it takes."""
        turn, seat, step = line.turn, line.seat, self.steps.get(line.step, line.step)
        last_turn, last_seat, last_step = self._last
        self._last = (turn, seat, step)
        new_turn = turn != last_turn and turn > 0
        shown_seat = letter(seat) if new_turn or seat != last_seat else ""
        shown_step = step if new_turn or seat != last_seat or step != last_step else ""
        head = Text()
        head.append(f"{f'T{turn}' if new_turn else '':<4}", style="bold")
        head.append(f"{shown_seat:<2}", style=SEATS[seat % len(SEATS)] if seat >= 0 else "")
        head.append(f"{shown_step[: self.step_width]:<{self.step_width + 2}}", style="dim")
        if self.timed:
            took = f"{line.ms / 1000:.1f}s" if line.ms else ""
            head.append(f"{took:>6}  ", style="dim")
        return self._rows(head, line)

    def _rows(self, head: Text, line: Line) -> Text:
        most = self.width - len(head) - 2 - KEPT
        width = SMALL if self.width < 90 else CITES if self.width < 118 else WIDE
        width = max(width, min(max(map(len, line.cites), default=0), most))
        cites = [row if len(row) <= width else f"{row[: width - 1]}…" for row in
                 _packed(line.cites, width)]  # fmt: skip
        room = self.width - len(head) - 2 - (width if cites else 0)
        chained = f"{'  ' * (line.link - 1)}[{line.link}] " if line.link else ""
        rows = textwrap.wrap(
            chained + say(line.text),
            max(room, LEAST if cites else TEXT),
            subsequent_indent=" " * max(len(chained), 2),
        ) or [""]
        out = Text()
        style = STYLES.get(line.kind, "")
        cites = cites[: max(len(rows), 1)]
        for at in range(len(rows)):
            out.append(head if at == 0 else " " * len(head))
            text = rows[at]
            cited = cites[at] if at < len(cites) else ""
            out.append(f"{text:<{room}}  " if cited else text, style=style)
            out.append(cited, style="dim")
            if at < len(rows) - 1:
                out.append("\n")
        return out


def _packed(cites: tuple[str, ...], width: int) -> list[str]:
    """Citations side by side, in as many rows as they take."""
    rows: list[str] = []
    for cite in cites:
        if rows and len(rows[-1]) + 1 + len(cite) <= width:
            rows[-1] = f"{rows[-1]} {cite}"
        else:
            rows.append(cite)
    return rows
