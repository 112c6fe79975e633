"""`kifu store copy`: all that a store holds in another one, in a file or in PostgreSQL."""

from __future__ import annotations

from contextlib import closing

import click

from domain.words.phrases import phrase
from replay_cli.output import as_json, console, json_option, progress_bar, say
from replay_cli.reaching import stores
from service.keeping import copying


@click.command("copy")
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
@json_option
def copy_command(source: str, target: str, as_data: bool) -> None:
    """Copy the store FROM to the store TO; either is a file of matches or postgresql://….

    FROM is read as it is at one time and not written: a server may use it, and what is played later
    is not in TO. What can't be derived is copied as it is, the rest is rebuilt, and the heads of
    all matches are compared. Repeat the command to continue an interrupted copy, or one of a store
    that has grown. If TO has something else under an id of FROM, nothing is written. Keys lie
    beside a store, and are not in it.
    """
    with (
        closing(stores.read(source)) as read,
        closing(stores.held(target, made=True)) as written,
        progress_bar(quiet=as_data) as bar,
    ):
        task = bar.add_task("copying", total=None)
        found = copying.copy(read, written, lambda n, of: bar.update(task, completed=n, total=of))
        names = (read.where, written.where)
    if as_data:
        as_json(found._asdict())
        return
    text = phrase(
        "{copied:,} matches were copied from {source} to {target}, {there:,} were there; all have"
        " the same heads.", copied=found.copied, there=found.there, source=names[0],
        target=names[1],
    )  # fmt: skip
    console().print(say(text))
