"""`kifu why-not`: why an act could not be done at a decision, a past one or the open one."""

from __future__ import annotations

import click
from msgspec.structs import asdict

from domain.telling.book import Book
from domain.telling.names import player
from domain.words.phrases import phrase
from replay_cli.output import Misused, as_json, console, hang, json_option, say
from replay_cli.reaching.connection import Access, access_options, view_option
from replay_cli.reaching.source import Answer, ask, source, why_option

EXAMPLES = """\b
kifu why-not --decision 57 "block with GM"       why not, by what you saw
kifu why-not --decision 57 "B: attack GM -> player" --as public
kifu why-not match.jsonl --decision 57 "pass"    from a file, without a server
"""


@click.command("why-not", epilog=EXAMPLES)
@click.argument("args", nargs=-1, metavar="[MATCH] ACT")
@click.option(
    "--decision", "n", type=click.IntRange(1), help="At this decision (default: the last)."
)
@why_option
@view_option
@access_options
@json_option
def why_not_command(
    args: tuple[str, ...],
    n: int | None,
    why: str,
    yes: bool,
    eyes: str,
    access: Access,
    as_data: bool,
) -> None:
    """Explain why ACT was not legal at a decision of MATCH (default: the newest) or of a FILE.

    ACT is written as in a transcript; `B:` before it names the player (default: you, or who was
    asked). The answer uses only what you saw then: all you knew for your own acts, open cards for
    those of others.
    """
    if not 1 <= len(args) <= 2:
        raise Misused('say what: kifu why-not [MATCH] --decision N "block with GM"')
    with source(access, args[0] if len(args) == 2 else "", eyes, why, yes=yes) as at:
        n = n or max((one.n for one in at.record.decisions), default=0)
        seat, answer = ask(at, n, args[-1])
        book = at.book
    if as_data:
        as_json({"decision": n, "seat": seat, "act": args[-1], **asdict(answer)})
        return
    print_answer(book, n, seat, args[-1], answer)


def print_answer(book: Book, n: int, seat: int, text: str, answer: Answer) -> None:
    """An answer for people: the question, the answer, each rule in our own words."""
    out = console()
    bare = text.partition(":")[2].strip() or text  # without the letter of the player
    head = phrase("decision {n}, {player}: {act}", n=n, player=player(seat), act=bare)
    out.print(say(head), style="bold")
    if answer.allowed:
        out.print(say(phrase("nothing forbade it")), style="green")
    else:
        out.print(hang("  ", answer.text), style="bold red")
    for cite in answer.rules:
        out.print(hang(f"  {cite:<16} ", say(book.gist(cite))), style="cyan")
    if answer.unverified:
        out.print(hang("  ", answer.unverified), style="yellow")
