"""`kifu cards compile`: card data made of lists of printed cards, and a report of what was read.

With `--into` it writes the files of a game's `cards` folder, a set each, and beside it, in
`sources`, of what each card was made. No text is written: the lists stay where they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click
from msgspec.structs import asdict

from domain import games
from domain.games.kit.lists import cardfiles, sources
from domain.games.kit.lists.printed import Card, Printed
from domain.games.kit.lists.sources import DECLARED, HAND, NOTHING, PRINT
from domain.text import printing
from domain.words.phrases import labelled, phrase
from replay_cli.checking.workers import workers
from replay_cli.output import FilePath, as_json, console, json_option, progress_bar, say, table
from replay_cli.reaching import completing
from replay_cli.typed import prints
from replay_cli.typed.games import chosen

#: How many cards a process is given at a time.
BATCH = 16
_HEADS = {PRINT: "compiled", HAND: "by hand", DECLARED: "declined", NOTHING: "no text"}


@click.command("compile")
@click.argument(
    "files", nargs=-1, required=True, type=FilePath(exists=True, dir_okay=False), metavar="FILE…"
)
@completing.game_option
@click.option(
    "--into", "folder", metavar="FOLDER", type=FilePath(file_okay=False),
    help="Write the card data to FOLDER: a file a set in cards, what they were made of in sources.",
)  # fmt: skip
@click.option("--declined", is_flag=True, help="List the cards whose text was not understood.")
@click.option(
    "-j", "--jobs", type=click.IntRange(1), default=1, show_default=True,
    help="Number of processes.",
)  # fmt: skip
@json_option
def compile_command(
    files: tuple[Path, ...], game: str, folder: Path | None, declined: bool, jobs: int,
    as_data: bool,
) -> None:  # fmt: skip
    """Make card data of lists of printed cards (CSV or JSON, a card a row).

    A text is understood as a whole or not at all; cards whose text is not are kept by their
    figures, and their players declare what they do.
    """
    game = chosen(game)
    found = compiled(game, files, jobs, quiet=as_data)
    if folder is not None:
        write(game, found, folder)
    if as_data:
        as_json([_row(card) for card in found])
        return
    _report(game, found)
    for card in found:
        if card.other:
            console().print(labelled(card.source.id, card.other), style="yellow")
        if declined and card.declined is not None:
            no = card.declined
            console().print(labelled(card.source.id, labelled(no.why, no.what or no.words)))


def compiled(game: str, files: Iterable[Path], jobs: int = 1, *, quiet: bool = True) -> list[Card]:
    """The cards of these lists, tokens first; raises `Failed`."""
    listed = prints.read(files, game)
    parts = [(game, listed[at : at + BATCH]) for at in range(0, len(listed), BATCH)]
    with progress_bar(quiet=quiet) as bar:
        task = bar.add_task(say(phrase("reading")), total=len(listed))
        found = list[Card]()
        for some in _made(parts, jobs):
            bar.advance(task, len(some))
            found += some
        return found


def _made(parts: Sequence[tuple[str, list[Printed]]], jobs: int) -> Iterator[list[Card]]:
    if jobs == 1:
        yield from map(_some, parts)
        return
    with workers(jobs) as pool:
        yield from pool.map(_some, parts)


def _some(part: tuple[str, list[Printed]]) -> list[Card]:
    return printing.compiled(*part)


def write(game: str, cards: Iterable[Card], folder: Path) -> None:
    """Write the files of these cards; those of other cards stay."""
    file_of = games.reading(game).file_of
    files: dict[str, list[Card]] = {}
    for card in cards:
        files.setdefault(file_of(card.source.id), []).append(card)
    for part in ("cards", "sources"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    for name, some in files.items():
        tables = [card.table for card in some if not card.other]
        (folder / "cards" / f"{name}.json").write_text(cardfiles.laid_out(tables), "utf-8")
        text = sources.laid_out(card.source for card in some)
        (folder / "sources" / f"{name}.tsv").write_text(text, "utf-8")


def _row(card: Card) -> dict[str, Any]:
    no = card.declined
    why = {"declined": no.why, "what": no.what or no.words} if no is not None else {}
    return {"card": card.table, **asdict(card.source), **why}


def _report(game: str, cards: Sequence[Card]) -> None:
    file_of = games.reading(game).file_of
    names = dict.fromkeys(sorted(file_of(card.source.id) for card in cards))
    counted = Counter((file_of(card.source.id), card.source.made) for card in cards)
    shown = table("set", "cards", *_HEADS.values(), right=("cards", *_HEADS.values()))
    for name in names:
        row = [counted[name, how] for how in _HEADS]
        shown.add_row(name.upper(), *map(str, (sum(row), *row)))
    total = Counter(card.source.made for card in cards)
    shown.add_row("", *map(str, (len(cards), *(total[how] for how in _HEADS))))
    console().print(shown)
