"""`kifu event archive` and `restore`: a finished event in one file, out of the store, and back."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import click

from domain.record.views import OFFICIAL, PUBLIC
from domain.telling.names import matches
from domain.words.phrases import phrase
from replay_cli.output import (
    REFUSED,
    Failed,
    FilePath,
    Misused,
    NewFile,
    as_json,
    console,
    json_option,
    progress_bar,
    say,
)
from replay_cli.reaching import asking, stores
from replay_cli.reaching.stores import store_option
from service.keeping import archives, retention
from service.store.tables.archived import MATCH

_VIEWERS = {"official": OFFICIAL, "public": PUBLIC}


@click.command("archive")
@click.argument("ids", nargs=-1, required=True, metavar="EVENT|MATCH…")
@click.argument("file", type=NewFile())
@click.option(
    "--as", "eyes", type=click.Choice([*_VIEWERS]), default="official", show_default=True,
    help="Everything, secrets included; or what the public may know, with its proofs.",
)  # fmt: skip
@click.option(
    "--remove", is_flag=True,
    help="Remove it from the store, once FILE was checked; an interrupted archive is continued.",
)  # fmt: skip
@click.option("-y", "--yes", is_flag=True, help="Do not ask.")
@store_option
@json_option
def archive_command(
    ids: tuple[str, ...], file: Path, eyes: str, remove: bool, yes: bool, where: str, as_data: bool
) -> None:
    """Write events that are over, with all their matches, or single matches, to FILE.

    FILE is a file of matches with nothing else in it: `kifu audit FILE`, `kifu verify FILE`, `kifu
    replay MATCH -d FILE` read it. With --remove they leave the store, in which their chains and ids
    stay; no server may have a file meanwhile. `kifu event restore` brings them back.
    """
    if remove and eyes != "official":
        raise Misused("only what an official's archive has can be removed")
    if not (remove and file.exists()):
        with closing(stores.read(where)) as records, progress_bar(quiet=as_data) as bar:
            task = bar.add_task(say(phrase("archiving")))
            archives.archive(
                records, file, ids, _VIEWERS[eyes],
                lambda n, of: bar.update(task, completed=n, total=of),
            )  # fmt: skip
    held = archives.held(file)
    held_matches = sum(one.kind == MATCH for one in held)
    entries = sum(one.head.seq for one in held if one.kind == MATCH)
    text = phrase(
        "{file} holds {matches} with {entries:,} entries, and was checked; it takes up "
        "{bytes:,} bytes", file=file, matches=matches(held_matches), entries=entries,
        bytes=file.stat().st_size,
    )  # fmt: skip
    if not as_data:
        console().print(say(text))
    removed = 0
    if remove:
        _only(ids, [one.id for one in held])
        what = phrase("{n:,} matches leave {where}: {file} has them then, and nothing else does",
                      n=held_matches, where=stores.named(where), file=file)  # fmt: skip
        if not asking.confirmed(say(what), yes):
            raise Failed(phrase("nothing was removed"), REFUSED)
        with closing(stores.held(where)) as records:
            removed = retention.take_out(records, file)
        if not as_data:
            console().print(say(phrase("They are out of {where}.", where=stores.named(where))))
    if as_data:
        as_json({"matches": held_matches, "entries": entries, "bytes": file.stat().st_size,
                 "ids": [one.id for one in held], "removed": removed})  # fmt: skip


def _only(ids: tuple[str, ...], held: list[str]) -> None:
    """Make sure that an archive is of what was named."""
    others = [one for one in held if one not in ids and one.partition(".")[0] not in ids]
    missing = [one for one in ids if one not in held]
    if others or missing:
        raise Failed(phrase("the archive is not of {ids}: it holds {held}",
                            ids=", ".join(ids), held=", ".join(held)), REFUSED)  # fmt: skip


@click.command("restore")
@click.argument("file", type=FilePath(exists=True, dir_okay=False))
@store_option
@json_option
def restore_command(file: Path, where: str, as_data: bool) -> None:
    """Bring what the archive FILE holds back into a store, as it was.

    No server may have a file meanwhile. Where the store has something else under an id of it,
    nothing is written.
    """
    with (
        closing(stores.held(where, made=True)) as records,
        progress_bar(quiet=as_data) as bar,
    ):
        task = bar.add_task(say(phrase("restoring")))
        back = retention.bring_back(
            records, file, lambda n, of: bar.update(task, completed=n, total=of)
        )
    if as_data:
        as_json({"restored": back})
    else:
        text = phrase(
            "{n:,} records are in {where} again, as they were.", n=back, where=stores.named(where)
        )
        console().print(say(text))
