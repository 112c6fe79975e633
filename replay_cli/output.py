"""Output of commands: text for people, JSON for programs, sentences and exit codes for failures.

Exit codes: 0 done; 1 refused, or a check that failed; 2 wrong usage; 3 not found or no server; 4
not allowed. Answers go to standard output, everything else to standard error.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import click

from domain.words import tables
from domain.words.phrases import phrase, word
from domain.words.tables import Language

if TYPE_CHECKING:  # what draws is loaded by what is drawn
    from rich.console import Console
    from rich.progress import Progress
    from rich.text import Text

    from replay_cli.sheet import Sheet

REFUSED, USAGE, MISSING, FORBIDDEN = 1, 2, 3, 4
#: Boards and transcripts are made for this many columns, and for no more than the second number.
NARROW, WIDEST = 100, 140
#: With fewer columns than this nothing is made to fit.
LEAST = 50

F = TypeVar("F", bound=Callable[..., Any])


#: What is asked for as the language, by `--lang` or the environment.
_asked = [""]


def speak(asked: str) -> None:
    """From now on this process says everything in a language: in all of its threads."""
    _asked[0] = asked


def language() -> Language:
    """The language of the command that is being run (`--lang`)."""
    return tables.language(_asked[0])


def say(text: str) -> str:
    """A phrase in that language."""
    return language().say(text)


class Misused(click.UsageError):
    """A sentence about arguments that do not go together."""

    def __init__(self, text: str, ctx: click.Context | None = None) -> None:
        super().__init__(say(phrase(text)), ctx)


class BadValue(click.BadParameter):
    """A sentence about the value of an argument."""

    def __init__(
        self, text: str, param: click.Parameter | None = None, param_hint: str | None = None
    ) -> None:
        super().__init__(say(phrase(text)), param=param, param_hint=param_hint)


class Failed(click.ClickException):
    """A sentence that ends the command, and its exit code."""

    def __init__(self, text: str, code: int = REFUSED, hints: Iterable[str] = ()) -> None:
        super().__init__(text)
        self.text = phrase(text)
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


def console(*, stderr: bool = False) -> Console:
    """Where to write; colours only on a terminal, and none from what people named things."""
    from replay_cli.paper import Output

    stream = sys.stderr if stderr else sys.stdout
    return Output(
        say, width=width(), stderr=stderr, highlight=False, emoji=False, markup=False,
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

    out = console(stderr=True)
    return Progress(
        "[progress.description]{task.description}", BarColumn(), MofNCompleteColumn(),
        TimeRemainingColumn(), console=out, transient=True, disable=quiet or not out.is_terminal,
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
    from rich.text import Text

    return Text.assemble(*((say(text), style) for text, style in parts))


def hang(lead: str, text: str, columns: int = 0) -> str:
    """A text after its lead, wrapped so that further rows begin where the first one does."""
    from replay_cli import cells  # which few commands need

    begun = cells.width(lead)
    rows = cells.wrap(" ".join(say(text).split()), max((columns or width()) - begun, 20)) or [""]
    indent = " " * begun
    return f"{lead}{f'{chr(10)}{indent}'.join(rows)}"


def table(*columns: str, right: Container[str] = (), whole: Container[str] = ()) -> Sheet:
    """A plain table: headings, no lines; numbers to the `right`; `whole` columns are not folded."""
    from replay_cli.sheet import Sheet

    own = [say(word(one, "columns")) if one else "" for one in columns]
    pairs = [*zip(columns, own, strict=True)]
    to_right = {here for one, here in pairs if one in right}
    return Sheet(own, to_right, {here for one, here in pairs if one in whole}, say)


def write_table(found: Sheet) -> None:
    """Write a table; where nobody sees styles, without loading what draws them."""
    if _has_styles():
        console().print(found)
    else:
        for text, _ in found.lines(width()):
            click.echo(text)


def write_lines(found: Iterable[Sequence[tuple[str, str]]]) -> None:
    """Write lines of pieces, each with its style; without loading what draws them, as above."""
    drawn = _has_styles() or _has_width(sys.stdout)
    out = console() if drawn else None
    for parts in found:
        if out is not None:
            out.print(styled(*parts))
        else:
            click.echo("".join(say(text) for text, _ in parts))


def _has_styles() -> bool:
    """Whether styles are seen."""
    return sys.stdout.isatty() or bool({"FORCE_COLOR", "TTY_COMPATIBLE"} & os.environ.keys())


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
            self.fail(say(phrase("a file is meant, and that is an address")), param, ctx)
        return super().convert(value, param, ctx)


class NewFile(FilePath):
    """A file that is to be written, in a folder that is there; or a folder, where `folders` are."""

    def __init__(self, *, folders: bool = False) -> None:
        super().__init__(dir_okay=folders)

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if not path.parent.is_dir():
            raise Failed(
                phrase(
                    "{path} can't be written: there is no folder {parent}",
                    path=path,
                    parent=path.parent,
                ),
                MISSING,
            )
        return path


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """While a file or folder is written; raises `Failed` if it can't be."""
    try:
        yield
    except OSError as error:
        raise Failed(
            phrase("{path} can't be written: {strerror}", path=path, strerror=error.strerror)
        ) from error


def json_option(command: F) -> F:
    """`--json`: the answer for programs."""
    return click.option("--json", "as_data", is_flag=True, help="Answer in JSON, for programs.")(
        command
    )
