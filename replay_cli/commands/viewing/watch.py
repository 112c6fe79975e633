"""`kifu watch`: the transcript of a match, live or over; `kifu export` writes it to a file."""

from __future__ import annotations

from collections.abc import Iterable

import click

from domain.record.entries import undone
from domain.record.interventions import Rewound
from domain.record.schema.manifest import Word
from domain.telling.narration import Line, Narrator
from replay_cli import record
from replay_cli.drawing.lines import Columns
from replay_cli.output import console, json_option, width
from replay_cli.reaching.connection import (
    Access,
    Reader,
    access_options,
    match_argument,
    view_option,
    viewer_of,
)
from replay_cli.reaching.looking import Look, look_options


@click.command("watch")
@match_argument
@click.option("--after", type=click.IntRange(0), default=0, help="Begin after this entry.")
@click.option(
    "--all",
    "thorough",
    is_flag=True,
    help="Everything: shuffles, acts that were the only option.",
)
@click.option("--stay", is_flag=True, help="Go on after the end, for entries that officials add.")
@view_option
@look_options
@access_options
@json_option
def watch_command(
    match: str,
    after: int,
    thorough: bool,
    stay: bool,
    eyes: str,
    look: Look,
    access: Access,
    as_data: bool,
) -> None:
    """Follow MATCH (default: the newest) live; of a finished match, print the transcript.

    A line begins with the number of its entry, as why, rule and rewind take it. Lines that a rewind
    undid are marked. Entries that officials added after the end are printed as well. With --json,
    one entry a line.
    """
    with access.open() as client:
        reader = Reader(client, match)
        viewer = viewer_of(eyes, reader.book)
        look.warn(reader, viewer)
        try:
            if as_data:
                for text in record.write(
                    client.watch(reader.id, after, viewer, stay=stay, why=look.why)
                ):
                    click.echo(text, nl=False)
                return
            _print_entries(reader, viewer, after, thorough, stay, look.why)
        except KeyboardInterrupt:
            click.echo(err=True)


def _print_entries(
    reader: Reader, viewer: int | None, after: int, thorough: bool, stay: bool, why: str
) -> None:
    """Print the lines of a match; of what is there already, those that were undone are marked."""
    out, book, there = console(), reader.book, reader.summary.entries
    timed = bool(reader.summary.policy.clocks.seat)
    columns = columns_of(book.manifest.steps, timed=timed, numbered=True)
    narrator, back = Narrator(book, quiet=not thorough), list[tuple[int, int]]()
    waiting: list[Line] = []

    def show(lines: list[Line]) -> None:
        for line in lines:
            if line.seq > after and (thorough or not line.minor):
                out.print(columns.render(line, undone=bool(undone(back, line.seq))))

    for entry in reader.client.watch(reader.id, 0, viewer, stay=stay, why=why):
        if isinstance(entry.event, Rewound):
            back.append((entry.seq, entry.event.to))
        waiting += narrator.feed(entry)
        if entry.seq >= there:
            show(waiting)
            waiting.clear()
    show(waiting + narrator.close())


def columns_of(steps: Iterable[Word], *, timed: bool = False, numbered: bool = False) -> Columns:
    """Columns as wide as the terminal; `numbered`: each line with the number of its entry."""
    labels = {word.name: word.label for word in steps}
    return Columns(width(), labels, timed=timed, numbered=numbered)
