"""Help pages: as wide as the terminal, and no wider than a line that is read well.

What stands in rows of its own (examples) is folded where it is too long: an example's explanation
comes below it.
"""

from __future__ import annotations

import re
import textwrap

import click


class Pages(click.HelpFormatter):
    """Writes help, and folds what is laid out in rows."""

    def write_text(self, text: str) -> None:
        begun = len(self.buffer)
        super().write_text(text)
        rows = "".join(self.buffer[begun:]).split("\n")
        del self.buffer[begun:]
        self.write("\n".join(_folded(row, self.width) for row in rows))


class Commands(click.Group):
    """A group that says of each of its commands what the first sentence of its help says."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = []
        for name in self.list_commands(ctx):
            command = self.get_command(ctx, name)
            if command is not None and not command.hidden:
                rows.append((name, first_sentence(command)))
        with formatter.section("Commands"):
            formatter.write_dl(rows)


def first_sentence(command: click.Command) -> str:
    """The first sentence of a command's help."""
    text = " ".join((command.help or "").partition("\n\n")[0].split())
    return re.split(r"(?<=[.])\s", text)[0]


def _folded(row: str, width: int) -> str:
    """A row that is no longer than this, unless a word is."""
    if len(row) <= width:
        return row
    indent = " " * (len(row) - len(row.lstrip()))
    parts = re.split(r"  +", row.strip())
    found = list[str]()
    for part in parts:
        begin = indent if not found else f"{indent}    "
        found += textwrap.wrap(
            part, width, initial_indent=begin, subsequent_indent=f"{indent}    ",
            break_long_words=False, break_on_hyphens=False,
        )  # fmt: skip
    return "\n".join(found)
