"""`kifu show`: the board at any point of a match, as anyone may see it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from rich.console import Console

from domain.record.points import Point
from domain.record.position import Position
from domain.record.views import PUBLIC
from domain.telling.book import Book
from domain.telling.names import player
from domain.words.phrases import phrase
from replay_cli.drawing import board, choices
from replay_cli.drawing import numbers as numbered
from replay_cli.drawing.heads import head_line
from replay_cli.output import as_json, console, hang, json_option, say, width
from replay_cli.reaching.connection import (
    Access,
    Reader,
    access_options,
    match_argument,
    point_of,
    point_options,
    view_option,
    viewer_of,
)
from replay_cli.reaching.looking import Look, look_options
from service import wire

if TYPE_CHECKING:
    from service.client.client import Client

EXAMPLES = """\b
kifu show --decision 57              while decision 57 was open
kifu show --seq 600 --as A           after entry 600, as player A saw it
kifu show --numbers                  with the numbers of the cards, for kifu desk correct
kifu show --time 4:30 --as public    four and a half minutes into the match
"""


@click.command("show", epilog=EXAMPLES)
@match_argument
@point_options
@view_option
@click.option("-n", "--numbers", is_flag=True, help="List the numbers of the cards, too.")
@look_options
@access_options
@json_option
def show_command(
    match: str, at_decision: int | None, at_seq: int | None, at_time: str | None,
    eyes: str, numbers: bool, look: Look, access: Access, as_data: bool,
) -> None:  # fmt: skip
    """Show the board of MATCH (default: the newest), now or at any point.

    Entries of one moment are shown as a whole: --seq of one of several is shown after the last of
    them. With --json, the position after that very entry.
    """
    point = point_of(at_decision, at_seq, at_time)
    with access.open() as client:
        reader = Reader(client, match)
        viewer = viewer_of(eyes, reader.book)
        look.warn(reader, viewer)
        if at_seq is not None and not as_data:
            point = whole_moment(client, reader.id, at_seq)
        pos = client.position(reader.id, point, viewer, look.why)
        near = viewer if viewer is not None else own_seat(reader)
        book, undone = reader.book, 0
        head = client.head(reader.id, pos.seq) if not as_data and pos.seq else None
        if at_decision is not None and not as_data:
            undone = client.decision(reader.id, at_decision, viewer, look.why).decision.abandoned
    if as_data:
        as_json(wire.table(pos))
        return
    out = console()
    if point.seq != at_seq:
        text = phrase(
            "entry {n} is one of several of the same moment; shown after the last, {last}",
            n=at_seq,
            last=point.seq,
        )
        out.print(hang("", say(text)), style="italic")
    if undone:
        text = phrase("undone: the match was rewound by entry {n}", n=undone)
        out.print(text, style="bold red")
    print_board(out, book, pos, near)
    if numbers:
        out.print(*numbered.numbers(book, pos), sep="\n", markup=False)
    if head is not None:
        out.print(head_line(head), style="dim")


def whole_moment(client: Client, match: str, seq: int) -> Point:
    """The last entry of the moment that an entry belongs to: no table stands between them."""
    last, moment = seq, 0
    for entry in client.events(match, Point(seq=seq), view=PUBLIC):
        moment = moment or entry.moment
        if entry.moment != moment:
            break
        last = entry.seq
    return Point(seq=last)


def own_seat(reader: Reader) -> int:
    """The seat whose token it is; seat 0 for everybody else, who sits behind it."""
    who = reader.client.who_am_i()
    return int(who.seat) if who.HasField("seat") else 0


def print_board(out: Console, book: Book, pos: Position, near: int) -> None:
    """A board, and the options of the open decision that its viewer may read."""
    out.print(board.draw(book, pos, near=max(near, 0), width=width()))
    if pos.decision is None:
        return
    for seat, offer in pos.decision.offers.items():
        if offer is None:
            text = phrase(
                "the options of {player} are hidden from this viewer", player=player(seat)
            )
            out.print(text, style="dim")
        else:
            out.print(choices.options(book, pos, seat, offer))
