"""`kifu decisions`: the decisions of a match, or one of them with its options."""

from __future__ import annotations

import click

from domain.record.points import Point
from domain.telling.book import Book
from domain.telling.names import clock, letter, player
from domain.telling.narration import is_choice
from domain.telling.record import Record, Taken
from domain.words.phrases import phrase
from replay_cli.drawing import choices
from replay_cli.output import (
    MISSING,
    Failed,
    as_json,
    console,
    hang,
    json_option,
    say,
    table,
    write_table,
)
from replay_cli.reaching.connection import (
    Access,
    Reader,
    access_options,
    match_argument,
    view_option,
    viewer_of,
)
from replay_cli.reaching.looking import Look, look_options


@click.command("decisions")
@match_argument
@click.option("--decision", "n", type=click.IntRange(1), help="Only this one, with its options.")
@click.option(
    "--turn", type=click.IntRange(0), help="Only those of this turn (0: before the first)."
)
@click.option("--seat", metavar="A|B", default="", help="Only those of this player.")
@click.option("--real", is_flag=True, help="Only those with more than one option.")
@view_option
@look_options
@access_options
@json_option
def decisions_command(
    match: str, n: int | None, turn: int | None, seat: str, real: bool, eyes: str, look: Look,
    access: Access, as_data: bool,
) -> None:  # fmt: skip
    """List the decisions of MATCH (default: the newest): who, when, what, how long it took."""
    with access.open() as client:
        reader = Reader(client, match)
        viewer = viewer_of(eyes, reader.book)
        look.warn(reader, viewer)
        if as_data:
            if n is not None:
                as_json(client.decision(reader.id, n, viewer, look.why))
            else:
                every = client.decisions(reader.id, view=viewer, why=look.why)
                as_json([one for one in every if turn in (None, one.turn)])
            return
        entries = client.events(reader.id, view=viewer, why=look.why)
        record, book = Record(list(entries)), reader.book
    if n is not None:
        _one(record, book, n)
    else:
        _list(record, book, turn, seat.upper(), real)


def _list(record: Record, book: Book, turn: int | None, seat: str, real: bool) -> None:
    undone = [""] if record.rewinds else []
    shown = table("n", "turn", "", "step", "decision", "options", "taken", "took", "entry", *undone,
                  right=("n", "turn", "options", "took", "entry"))  # fmt: skip
    for one in record.decisions:
        if (seat and letter(one.seat) != seat) or turn not in (None, one.turn):
            continue
        if real and (one.offer is None or not is_choice(one.offer)):
            continue
        shown.add_row(
            str(one.n), str(one.turn or ""), letter(one.seat),
            book.manifest.label("steps", one.step), book.manifest.label("decisions", one.kind),
            str(len(one.offer.options)) if one.offer is not None else say(phrase("hidden")),
            _taken(record, book, one), f"{one.ms / 1000:.1f} s" if one.made else "", str(one.seq),
            *(_undone(one.abandoned) if one.abandoned else mark for mark in undone),
            style="strike dim" if one.abandoned else "",
        )  # fmt: skip
    if not shown.rows and turn is not None:
        raise Failed(
            phrase("in this match there is no decision in turn {turn}", turn=turn), MISSING
        )
    write_table(shown)


def _undone(by: int) -> str:
    return say(phrase("undone by {n}", n=by))


def _taken(record: Record, book: Book, one: Taken) -> str:
    if not one.made:
        return say(phrase("undone while open") if one.abandoned else phrase("open"))
    if one.act is None or one.offer is None:
        return say(phrase("hidden"))
    return say(choices.taken_text(book, record.as_answered(one), one.offer, one.act))


def _one(record: Record, book: Book, n: int) -> None:
    found = [one for one in record.decisions if one.n == n]
    if not found:
        raise Failed(phrase("in this match there is no decision {n}", n=n), MISSING)
    out = console()
    for one in found:
        pos = record.after(record.find(Point(decision=n)))
        kind = book.manifest.label("decisions", one.kind)
        head = phrase(
            "decision {n}: {player}, {kind}; turn {turn}, {step}, {time}", n=n,
            player=player(one.seat), kind=kind, turn=one.turn,
            step=book.manifest.label("steps", one.step), time=clock(one.time),
        )  # fmt: skip
        out.print(say(head), style="bold")
        for cite in one.cites:
            out.print(hang(f"  {cite}  ", say(book.gist(cite))), style="dim")
        if one.abandoned:
            undone = phrase("undone: the match was rewound by entry {n}", n=one.abandoned)
            out.print(say(undone), style="bold red")
        if one.offer is None:
            out.print(say(phrase("the options are hidden from this viewer")))
        else:
            out.print(choices.options(book, pos, one.seat, one.offer, one.act))
        if one.made:
            taken, seconds = _taken(record, book, one), one.ms / 1000
            out.print(say(phrase("taken after {s:.1f} s: {act}", s=seconds, act=taken)))
            for cite in one.why:
                out.print(hang(f"  {cite}  ", say(book.gist(cite))), style="dim")
