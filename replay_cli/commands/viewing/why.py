"""`kifu why`: an entry, what set it off, what set that off, back to somebody's choice."""

from __future__ import annotations

import click

from replay_cli.connection import Access, Reader, access_options, view_option, viewer_of
from replay_cli.drawing.book import Book
from replay_cli.drawing.causes import Cause, causes
from replay_cli.drawing.names import clock
from replay_cli.output import as_json, console, hang, json_option
from replay_cli.record import Record


@click.command("why")
@click.argument("args", nargs=-1, metavar="[MATCH] ENTRY")
@view_option
@access_options
@json_option
def why_command(args: tuple[str, ...], eyes: str, access: Access, as_data: bool) -> None:
    """Explain ENTRY, a sequence number: its causes back to a choice, each with its rules."""
    if not 1 <= len(args) <= 2 or not args[-1].isdecimal():
        raise click.UsageError("say which entry: kifu why [MATCH] ENTRY")
    with access.open() as client:
        reader = Reader(client, args[0] if len(args) == 2 else "")
        book = reader.book
        entries = client.events(reader.id, view=viewer_of(eyes, book))
        record = Record(list(entries))
    chain = causes(record, book, int(args[-1]))
    if as_data:
        as_json([_data(cause, book) for cause in chain])
    else:
        _print(chain, book)


def _print(chain: list[Cause], book: Book) -> None:
    out = console()
    for depth, cause in enumerate(chain):
        lead = f"{cause.link}: " if cause.link else ""
        head = hang(f"{cause.entry.seq:>5}  ", f"{lead}{cause.text}")
        out.print(head, style="bold" if not depth else "")
        out.print(f"       turn {cause.turn}, {cause.step}, {clock(cause.entry.time)}", style="dim")
        for cite in cause.entry.cites:
            out.print(hang(f"       {cite:<16} ", book.gist(cite)), style="cyan")


def _data(cause: Cause, book: Book) -> dict[str, object]:
    return {
        "seq": cause.entry.seq,
        "event": cause.name,
        "link": cause.link,
        "text": cause.text,
        "turn": cause.turn,
        "step": cause.step,
        "rules": [{"id": cite, "gist": book.gist(cite)} for cite in cause.entry.cites],
    }
