"""Output of commands: text for people, JSON for programs, sentences and exit codes for failures.

Exit codes: 0 done; 1 refused, or a check that failed; 2 wrong usage; 3 not found or no server; 4
not allowed. Answers go to standard output, everything else to standard error.
"""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from collections.abc import Callable, Container, Iterable
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from domain.words import tables
from domain.words.tables import Language

REFUSED, USAGE, MISSING, FORBIDDEN = 1, 2, 3, 4
#: Boards and transcripts are made for this many columns, and for no more than the second number.
NARROW, WIDEST = 100, 140

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
        click.echo(f"kifu: {say(self.text)}", err=True)
        for hint in self.hints:
            click.echo(f"      {say(hint)}", err=True)


def width() -> int:
    """The columns to write in: the terminal's within bounds; 100 where there is none."""
    if not sys.stdout.isatty():
        return NARROW
    return max(72, min(shutil.get_terminal_size((NARROW, 24)).columns, WIDEST))


def console(*, stderr: bool = False) -> Console:
    """Where to write; colours only on a terminal, and none from what people named things."""
    return Console(
        width=width(), stderr=stderr, highlight=False, soft_wrap=True, emoji=False, markup=False
    )


def styled(*parts: tuple[str, str]) -> Text:
    """Pieces of text, each with its style."""
    return Text.assemble(*parts)


def hang(lead: str, text: str, columns: int = 0) -> str:
    """A text after its lead, wrapped so that further rows begin where the first one does."""
    indent = " " * len(lead)
    rows = textwrap.wrap(text, max((columns or width()) - len(lead), 20)) or [""]
    return f"{lead}{f'{chr(10)}{indent}'.join(rows)}"


def table(*columns: str, right: Iterable[str] = (), whole: Container[str] = ()) -> Table:
    """A plain table: headings, no lines; numbers to the `right`; `whole` columns are not folded."""
    found = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for name in columns:
        found.add_column(
            name, justify="right" if name in right else "left", overflow="fold",
            no_wrap=name in whole,
        )  # fmt: skip
    return found


def as_json(value: Any) -> None:
    """Write a value for programs: one JSON document; an entry as one line, since they stream."""
    click.echo(json.dumps(plain(value), ensure_ascii=False, indent=None if is_line(value) else 2))


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


def json_option(command: F) -> F:
    """`--json`: the answer for programs."""
    return click.option("--json", "as_data", is_flag=True, help="Answer in JSON, for programs.")(
        command
    )
