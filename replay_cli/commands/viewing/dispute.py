"""`kifu dispute`: all there is to know about a decision, on one page for those who rule on it."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from domain.words.phrases import phrase
from replay_cli.output import Misused, NewFile, as_file, json_option, say, writing
from replay_cli.reaching.connection import Access, access_options, match_argument, view_option
from replay_cli.reaching.source import source, why_option

EXAMPLES = """\b
kifu dispute --decision 57 -o 57.html                   decision 57, for whoever you are
kifu dispute --seq 1584 --as public -o loss.html        what led to entry 1584
kifu dispute --turn 9 -o turn9.html                     a whole turn
kifu dispute match.jsonl --decision 57 --why-not "B: block with GM" -o 57.html
"""


@click.command("dispute", epilog=EXAMPLES)
@match_argument
@click.option("--decision", "n", type=click.IntRange(1), help="About this decision.")
@click.option("--seq", "entry", type=click.IntRange(1), help="About this entry and its causes.")
@click.option("--turn", type=click.IntRange(1), help="About all decisions of this turn.")
@click.option("--game", type=click.IntRange(1), help="Of this game (default: the last).")
@click.option(
    "--why-not",
    "acts",
    multiple=True,
    metavar="ACT",
    help="An act, as in a transcript, that was not legal; B: before it names the player.",
)
@click.option(
    "--follow",
    "choices",
    type=click.IntRange(1, 50),
    default=1,
    show_default=True,
    help="Show what followed, up to this many further choices.",
)
@click.option(
    "-o",
    "--output",
    type=NewFile(),
    help="The file to write; standard output if there is none.",
)
@why_option
@view_option
@access_options
@json_option
def dispute_command(
    match: str, n: int | None, entry: int | None, turn: int | None, game: int | None,
    acts: tuple[str, ...], choices: int, output: Path | None, why: str, yes: bool, eyes: str,
    access: Access, as_data: bool,
) -> None:  # fmt: skip
    """Write a page about a decision of MATCH (default: the newest), or of an exported FILE.

    It has the table as each player saw it, the options and the one taken, what followed and why,
    who knew which card, what officials did, and the proofs of the record. It shows only what its
    reader (--as) may know, prints on A4, and needs no network.
    """
    from replay_cli.auditing.audit import lines  # which load what makes pages
    from replay_cli.dispute.gather import Wanted, gather
    from replay_cli.dispute.page import render

    if sum(given is not None for given in (n, entry, turn)) != 1:
        raise Misused("name one: --decision, --seq or --turn")
    wanted = Wanted(n or 0, entry or 0, turn or 0, game or 0, acts, choices)
    with source(access, match, eyes, why, yes=yes) as at:
        page = gather(at, wanted, lines)
    text = msgspec.json.format(msgspec.json.encode(page), indent=2).decode() if as_data else ""
    text = text or render(page)
    if output is None:
        as_file(f"{text}\n")
        return
    with writing(output):
        output.write_text(text, encoding="utf-8", newline="\n")
    written = phrase(
        "{title}, for {reader}: written to {file}",
        title=page.title, reader=page.made_for, file=output,
    )  # fmt: skip
    click.echo(say(written), err=True)
