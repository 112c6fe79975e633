"""`kifu words`: the texts to translate, as a table to fill in."""

from __future__ import annotations

import click

from domain.words import tables
from domain.words.phrases import phrase
from replay_cli.checking.translatable import CORE, found, written
from replay_cli.checking.translated import translated
from replay_cli.output import MISSING, REFUSED, Failed


@click.command("words")
@click.argument("whose", default=CORE, metavar="[GAME]")
@click.option(
    "--to", "tag", default="", metavar="LANGUAGE", help="Keep the translations that exist."
)
@click.option("--check", is_flag=True, help="Say instead what each language has and lacks.")
def words_command(whose: str, tag: str, check: bool) -> None:
    """Write all texts of GAME as a table for translators.

    Without a GAME: the texts of the program itself. See domain/words/WORDS.md.
    """
    program = click.get_current_context().find_root().command
    if check:
        _check(program)
        return
    sayings = found(program).tables.get(whose)
    if sayings is None:
        raise Failed(phrase("there is no game {whose!r}", whose=whose), MISSING)
    prefix = "" if whose == CORE else f"{whose}/"
    folder = next(folder for name, folder in tables.folders() if name == prefix)
    for line in written(sayings, tables.read(folder, tag, prefix) if tag else {}, prefix):
        click.echo(line)


def _check(program: click.Command) -> None:
    """A line a table, and the sentences that it lacks, has no use for or has wrong.

    Or that call things by other words than the glossary does.
    """
    lacking = 0
    for one in translated(program):
        counts = f"{one.sentences:>5} sentences {one.terms:>3} terms {one.gists:>3} gists"
        click.echo(f"{one.tag:<8} {one.whose:<15} {counts}")
        for what in ("missing", "obsolete", "wrong", "misnamed"):
            sentences = getattr(one, what)
            for sentence in sentences:
                click.echo(f"  {what}: {sentence}")
            lacking += len(sentences)
    if lacking:
        raise SystemExit(REFUSED)
