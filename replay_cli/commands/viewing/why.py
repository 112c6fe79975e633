"""`kifu why`: an entry and its causes, back to a choice."""

from __future__ import annotations

import click

from domain.telling.book import Book
from domain.telling.causes import Cause, causes
from domain.telling.names import clock
from domain.telling.record import Record
from domain.words.phrases import phrase
from replay_cli.output import Misused, as_json, console, hang, json_option, say
from replay_cli.reaching.connection import Access, Reader, access_options, view_option, viewer_of
from replay_cli.reaching.looking import Look, look_options


@click.command("why")
@click.argument("args", nargs=-1, metavar="[MATCH] ENTRY")
@view_option
@look_options
@access_options
@json_option
def why_command(
    args: tuple[str, ...], eyes: str, look: Look, access: Access, as_data: bool
) -> None:
    """Explain ENTRY, a sequence number: its causes back to a choice, each with its rules."""
    if not 1 <= len(args) <= 2 or not args[-1].isdecimal():
        raise Misused("say which entry: kifu why [MATCH] ENTRY")
    with access.open() as client:
        reader = Reader(client, args[0] if len(args) == 2 else "")
        book = reader.book
        viewer = viewer_of(eyes, book)
        look.warn(reader, viewer)
        entries = client.events(reader.id, view=viewer, why=look.why)
        record = Record(list(entries))
    chain = causes(record, book, int(args[-1]))
    if as_data:
        as_json([_data(cause, book) for cause in chain])
    else:
        _print(chain, book)


def _print(chain: list[Cause], book: Book) -> None:
    out = console()
    for depth, cause in enumerate(chain):
        head = hang(f"{cause.entry.seq:>5}  ", say(cause.linked_text))
        out.print(head, style="bold" if not depth else "")
        where = phrase(
            "turn {n}, {step}, {time}", n=cause.turn, step=cause.step, time=clock(cause.entry.time)
        )
        out.print(f"       {say(where)}", style="dim")
        for cite in cause.entry.cites:
            out.print(hang(f"       {cite:<16} ", say(book.gist(cite))), style="cyan")


def _data(cause: Cause, book: Book) -> dict[str, object]:
    return {
        "seq": cause.entry.seq,
        "event": cause.name,
        "link": say(cause.link),
        "text": say(cause.linked_text),
        "turn": cause.turn,
        "step": say(cause.step),
        "rules": [{"id": cite, "gist": book.gist(cite)} for cite in cause.entry.cites],
    }
