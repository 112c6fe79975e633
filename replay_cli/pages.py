"""Help pages: as wide as the terminal, and no wider than a line that is read well.

What stands in rows of its own (examples) is folded where it is too long: an example's explanation
comes below it. Help is written in the language of the command (`output.language`), paragraph by
paragraph, and rows piece by piece, but for what is typed; `checking.helps` lists all of it.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Iterable, Iterator

import click

from domain.words.phrases import phrase
from replay_cli import output

#: How a row begins, and what is in it, that is typed as it stands.
_TYPED = re.compile(r"\s*(?:kifu |protoc |[\[\"#$]|[A-Z_]+$)|.* = ")
#: The modules of click that have texts of their own, which they pass to gettext.
CLICK = (click.core, click.decorators, click.exceptions, click.formatting, click.types)
#: Those of them that it gives to `Pages` to write, which says them.
WRITTEN = ("Options", "Commands", "Show this message and exit.")


def translate_click() -> None:
    """From now on click says its own texts in the language of the command."""
    for module in CLICK:
        vars(module)["_"] = lambda text: text if text in WRITTEN else output.say(phrase(text))
        vars(module)["ngettext"] = lambda one, several, n: output.say(
            phrase(one if n == 1 else several)
        )


class Pages(click.HelpFormatter):
    """Writes help, and folds what is laid out in rows."""

    def write_heading(self, heading: str) -> None:
        super().write_heading(output.say(phrase(heading)))

    def write_text(self, text: str) -> None:
        if output.language().table:
            self._write_own(text)
            return
        begun = len(self.buffer)
        super().write_text(text)
        rows = "".join(self.buffer[begun:]).split("\n")
        del self.buffer[begun:]
        self.write("\n".join(_folded(row, self.width) for row in rows))

    def _write_own(self, text: str) -> None:
        """A text in another language, in rows of its letters' width."""
        from replay_cli import cells  # which English does not need

        indent, found = " " * self.current_indent, list[str]()
        for rows in paragraphs(text):
            own = ["".join(map(output.say, row)) for row in rows]
            wrapped = (cells.wrap(f"{indent}{row}", self.width, f"{indent}  ") for row in own)
            several = len(rows) > 1
            found.append(
                "\n".join("\n".join(one) for one in wrapped)
                if several
                else "\n".join(cells.wrap(f"{indent}{own[0]}", self.width, indent))
            )
        self.write("\n\n".join(found) + "\n")

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        if not output.language().table:
            super().write_dl(rows, col_max, col_spacing)
            return
        from replay_cli import cells

        rows = list(rows)
        first = min(max((cells.width(name) for name, _ in rows), default=0), col_max) + col_spacing
        for name, text in rows:
            lead = " " * self.current_indent + name
            wrapped = cells.wrap(_own_help(text), max(self.width - first - 2, 10))
            indent = " " * (first + self.current_indent)
            if wrapped and cells.width(name) <= first - col_spacing:
                lead, wrapped = f"{cells.pad(lead, len(indent))}{wrapped[0]}", wrapped[1:]
            self.write("\n".join((lead, *(f"{indent}{one}" for one in wrapped))) + "\n")


def paragraphs(text: str) -> Iterator[list[list[str]]]:
    r"""The paragraphs of a help text, in rows of pieces: phrases, and what is typed as it stands.

    Only what click is not to fold (after `\b`) has several rows.
    """
    for block in re.split(r"\n\s*\n", inspect.cleandoc(text)):
        lines = block.splitlines()
        if lines and lines[0].strip() == "\b":
            yield [list(_pieces(line)) for line in lines[1:]]
        elif lines:
            yield [[phrase(" ".join(block.split()))]]


def _pieces(row: str) -> Iterator[str]:
    """A row, of what is typed and what explains it."""
    first, *more = re.split(r"(\s{2,})", row.rstrip())
    yield first if more or _TYPED.match(first) else phrase(first)
    for piece in more:
        yield piece if piece.isspace() or _TYPED.match(piece) else phrase(piece)


def _own_help(text: str) -> str:
    """The help of an option or the line of a command, in the language of the command."""
    text, brackets, more = f"  {text}".partition("  [")
    own = output.say(phrase(" ".join(text.split()))) if text else ""
    return f"{own}{brackets}{more}".strip()


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
