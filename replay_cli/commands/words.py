"""`kifu words`: the texts to translate, as a table to fill in."""

from __future__ import annotations

import click

from domain.words import tables
from domain.words.phrases import phrase
from replay_cli.checking.translatable import CORE, found, written
from replay_cli.output import MISSING, Failed


@click.command("words")
@click.argument("whose", default=CORE, metavar="[GAME]")
@click.option(
    "--to", "tag", default="", metavar="LANGUAGE", help="Keep the translations that exist."
)
def words_command(whose: str, tag: str) -> None:
    """Write all texts of GAME as a table for translators.

    Without a GAME: the texts of the program itself. See domain/words/WORDS.md.
    """
    sayings = found(click.get_current_context().find_root().command).tables.get(whose)
    if sayings is None:
        raise Failed(phrase("there is no game {whose!r}", whose=whose), MISSING)
    prefix = "" if whose == CORE else f"{whose}/"
    folder = next(folder for name, folder in tables.folders() if name == prefix)
    for line in written(sayings, tables.read(folder, tag, prefix) if tag else {}, prefix):
        click.echo(line)
