"""Output of commands: text for people, JSON for programs, sentences and exit codes for failures.

Exit codes: 0 done; 1 refused, or a check that failed; 2 wrong usage; 3 not found or no server; 4
not allowed. Answers go to standard output, everything else to standard error.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import click
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from domain.words import tables
from domain.words.tables import Language

if TYPE_CHECKING:
    from rich.progress import Progress

REFUSED, USAGE, MISSING, FORBIDDEN = 1, 2, 3, 4
#: Boards and transcripts are made for this many columns, and for no more than the second number.
NARROW, WIDEST = 100, 140
#: With fewer columns than this nothing is made to fit.
LEAST = 50

F = TypeVar("F", bound=Callable[..., Any])


def language() -> Language:
    """The language of the command that is being run (`--lang`)."""
    context = click.get_current_context(silent=True)
    asked = context.find_root().params.get("lang") if context is not None else ""
    return tables.language(asked or "")


def say(text: str) -> str:
    """A phrase in that language."""
    return language().say(text)


class Failed(click.ClickException):
    """A sentence that ends the command, and its exit code."""

    def __init__(self, text: str, code: int = REFUSED, hints: Iterable[str] = ()) -> None:
        super().__init__(text)
        self.text = text
        self.exit_code = code  # type: ignore[misc]
        self.hints = tuple(hints)

    def show(self, file: Any = None) -> None:
        from service.telemetry.passwords import concealed  # once there is something to hide

        click.echo(_for_reader("kifu: ", concealed(say(self.text))), err=True)
        for hint in self.hints:
            click.echo(_for_reader("      ", concealed(say(hint))), err=True)


def _for_reader(lead: str, text: str) -> str:
    """A message after its lead, folded if somebody reads it on a terminal."""
    if not _has_width(sys.stderr):
        return f"{lead}{text}"
    return "\n".join(hang(lead, row) for row in text.splitlines() or [""])


def width() -> int:
    """The columns to write in: COLUMNS, or the terminal's, within bounds; 100 where neither is."""
    return max(LEAST, min(shutil.get_terminal_size((NARROW, 24)).columns, WIDEST))


class _Output(Console):
    """Output that tells the command if nobody reads any more."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def console(*, stderr: bool = False) -> Console:
    """Where to write; colours only on a terminal, and none from what people named things."""
    stream = sys.stderr if stderr else sys.stdout
    return _Output(
        width=width(), stderr=stderr, highlight=False, emoji=False, markup=False,
        soft_wrap=not _has_width(stream),
    )  # fmt: skip


def progress_bar(*, quiet: bool) -> Progress:
    """A bar on standard error, shown while something long is done; nothing of it stays."""
    from rich.progress import (  # which few commands need
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TimeRemainingColumn,
    )

    return Progress(
        "[progress.description]{task.description}", BarColumn(), MofNCompleteColumn(),
        TimeRemainingColumn(), console=console(stderr=True), transient=True, disable=quiet,
    )  # fmt: skip


def need_terminal() -> None:
    """Refuse a screen for the keyboard where there is none; raises `Failed`."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Failed("this is a screen for the keyboard: it needs a terminal", USAGE)


def _has_width(stream: TextIO) -> bool:
    """Whether somebody reads this in so many columns: sentences are folded then, and only then."""
    return stream.isatty() or bool(os.environ.get("COLUMNS"))


def styled(*parts: tuple[str, str]) -> Text:
    """Pieces of text, each with its style."""
    return Text.assemble(*parts)


def hang(lead: str, text: str, columns: int = 0) -> str:
    """A text after its lead, wrapped so that further rows begin where the first one does."""
    indent = " " * len(lead)
    rows = textwrap.wrap(
        text, max((columns or width()) - len(lead), 20), break_on_hyphens=False
    ) or [""]
    return f"{lead}{f'{chr(10)}{indent}'.join(rows)}"


class Sheet(Table):
    """A table whose columns are as wide as there is room, and no narrower than a word of theirs.

    Where not even that fits, each row takes lines of its own, with the headings before them.
    """

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        natural, least = self._widths()
        for gap in (2, 1):
            room = options.max_width - gap * (len(natural) - 1)
            if sum(least) <= room or sum(natural) <= room:
                self.padding = (0, gap, 0, 0)
                for column, width in zip(self.columns, _shared(natural, least, room), strict=True):
                    column.width = width
                yield from super().__rich_console__(console, options)
                return
        yield from self._stacked(options.max_width)

    def _widths(self) -> tuple[list[int], list[int]]:
        """How wide each column would be, and how wide it must be."""
        cells = [[str(column.header), *map(str, column._cells)] for column in self.columns]
        natural = [max(cell_len(row) for cell in of for row in [*cell.split("\n"), ""])
                   for of in cells]  # fmt: skip
        words = [max(cell_len(word) for cell in of for word in [*cell.split(), ""]) for of in cells]
        kept = [column.no_wrap for column in self.columns]
        return natural, [n if k else w for n, w, k in zip(natural, words, kept, strict=True)]

    def _stacked(self, columns: int) -> Iterator[Text]:
        heads = [str(column.header) for column in self.columns]
        indent = min(max(map(cell_len, heads)) + 2, columns // 3)
        for at, row in enumerate(self.rows):
            if at:
                yield Text()
            for head, column in zip(heads, self.columns, strict=True):
                cell = str(column._cells[at])
                if cell:
                    yield Text(hang(f"{head:<{indent}}", cell, columns), style=row.style or "")


def _shared(natural: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Widths that fit into the room: what is there beyond the least goes to the narrowest first."""
    found = list(least)
    left = room - sum(found)
    wanting = [at for at, width in enumerate(natural) if width > found[at]]
    while left > 0 and wanting:
        narrowest = min(wanting, key=lambda at: (found[at], at))
        found[narrowest] += 1
        left -= 1
        wanting = [at for at in wanting if natural[at] > found[at]]
    return found


def table(*columns: str, right: Iterable[str] = (), whole: Container[str] = ()) -> Sheet:
    """A plain table: headings, no lines; numbers to the `right`; `whole` columns are not folded."""
    found = Sheet(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for name in columns:
        found.add_column(
            name, justify="right" if name in right else "left", overflow="fold",
            no_wrap=name in whole,
        )  # fmt: skip
    return found


def as_json(value: Any) -> None:
    """Write a value for programs: one JSON document; an entry as one line, since they stream."""
    exact = _writes_all(sys.stdout.encoding)
    click.echo(
        json.dumps(plain(value), ensure_ascii=not exact, indent=None if is_line(value) else 2)
    )


def _writes_all(encoding: str) -> bool:
    """Whether an encoding has all letters."""
    return encoding.lower().replace("_", "-").startswith("utf")


def as_file(text: str) -> None:
    """Write the content of a file: encoded as files are, not as the terminal."""
    click.echo(text.encode(), nl=False)


def is_line(value: Any) -> bool:
    """Whether a value is one line of a stream (an entry)."""
    return _is_message(value) and value.DESCRIPTOR.name == "Entry"


def plain(value: Any) -> Any:
    """A message, or anything that holds messages, as what JSON can say."""
    if _is_message(value):
        from google.protobuf.json_format import MessageToDict

        if is_line(value):
            return MessageToDict(value, preserving_proto_field_name=True)
        return MessageToDict(
            value, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
        )
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return value


def _is_message(value: Any) -> bool:
    """Whether a value is a message; most commands have none, and need not load what makes them."""
    return hasattr(value, "DESCRIPTOR")


class FilePath(click.Path):
    """A file or a folder, and not an address that has a password in it: that would be repeated."""

    def __init__(self, **more: Any) -> None:
        super().__init__(path_type=Path, **more)

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        from service.telemetry.passwords import is_secret

        if is_secret(str(value)):
            self.fail("a file is meant, and that is an address", param, ctx)
        return super().convert(value, param, ctx)


class NewFile(FilePath):
    """A file that is to be written, in a folder that is there."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False)

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if not path.parent.is_dir():
            raise Failed(f"{path} can't be written: there is no folder {path.parent}", MISSING)
        return path


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """While a file or folder is written; raises `Failed` if it can't be."""
    try:
        yield
    except OSError as error:
        raise Failed(f"{path} can't be written: {error.strerror}") from error


def json_option(command: F) -> F:
    """`--json`: the answer for programs."""
    return click.option("--json", "as_data", is_flag=True, help="Answer in JSON, for programs.")(
        command
    )
