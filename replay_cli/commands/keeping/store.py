"""`kifu store`: looking after a file of matches, while no server has it."""

from __future__ import annotations

from pathlib import Path

import click

from domain.words.phrases import message_of, phrase
from replay_cli.commands.keeping.backing_up import backup_command
from replay_cli.commands.keeping.checking import check_command
from replay_cli.commands.keeping.copying import copy_command
from replay_cli.commands.keeping.migrating import migrate_command
from replay_cli.output import REFUSED, FilePath, as_json, console, json_option, styled
from replay_cli.pages import Commands
from service.keeping import listed
from service.store.derived import checks
from service.store.layout.repacking import compact
from service.store.records import Records


@click.group("store", cls=Commands)
def store_command() -> None:
    """Check, copy, back up and compact stores of matches."""


@store_command.command("compact")
@click.argument("file", type=FilePath(exists=True, dir_okay=False))
@json_option
def compact_command(file: Path, as_data: bool) -> None:
    """Make FILE smaller: compress matches that have ended, release unused space.

    A server compresses them by itself, but keeps the space. Meanwhile it takes the same space once
    more.
    """
    before, records = file.stat().st_size, Records(file)
    try:
        found = list(compact(records))
    finally:
        records.close()
    after = file.stat().st_size
    failed = {match: message_of(error) for match, error in found if error is not None}
    if as_data:
        packed = len(found) - len(failed)
        as_json({"packed": packed, "before": before, "after": after, "failed": failed})
    else:
        text = phrase("{file} takes up {size}; it was {before}.", file=file, size=_size(after),
                      before=_size(before))  # fmt: skip
        console().print(text)
        for why in failed.values():
            console().print(styled((why, "red")))
    if failed:
        raise click.exceptions.Exit(REFUSED)


def _size(n: int) -> str:
    """Bytes, for people."""
    return f"{n / 1e6:,.1f} MB" if n >= 1e6 else f"{n / 1e3:,.0f} kB"


@store_command.command("rebuild")
@click.argument("file", type=FilePath(exists=True, dir_okay=False))
@json_option
def rebuild_command(file: Path, as_data: bool) -> None:
    """Rebuild what FILE derives from its entries: listings and snapshots.

    They only make reading faster; the entries are not changed.
    """
    records = Records(file)
    try:
        found = list(checks.rebuild(records))
        listed.rebuild(records)
    finally:
        records.close()
    failed = {match: message_of(error) for match, error in found if error is not None}
    if as_data:
        as_json({"rebuilt": len(found) - len(failed), "failed": failed})
    else:
        done = len(found) - len(failed)
        text = phrase(
            "Listings and snapshots were rebuilt for {n} of {all} matches.", n=done, all=len(found)
        )
        console().print(text)
        for why in failed.values():
            console().print(styled((why, "red")))
    if failed:
        raise click.exceptions.Exit(REFUSED)


for _command in (check_command, backup_command, copy_command, migrate_command):
    store_command.add_command(_command)
