"""`kifu store`: looking after a file of matches, while no server has it."""

from __future__ import annotations

from pathlib import Path

import click

from replay_cli.output import REFUSED, as_json, console, json_option, styled
from service.store import derived
from service.store.records import Records


@click.group("store")
def store_command() -> None:
    """Look after a file of matches, while no server has it."""


@store_command.command("rebuild")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@json_option
def rebuild_command(file: Path, as_data: bool) -> None:
    """Make anew what FILE derives from its entries: listings and snapshots.

    They are for speed; the entries are the record, and stay as they are.
    """
    records = Records(file)
    try:
        found = list(derived.rebuild(records))
    finally:
        records.close()
    failed = {match: str(error) for match, error in found if error is not None}
    if as_data:
        as_json({"rebuilt": len(found) - len(failed), "failed": failed})
    else:
        done = len(found) - len(failed)
        console().print(f"Listings and snapshots are made anew for {done} of {len(found)} matches.")
        for why in failed.values():
            console().print(styled((why, "red")))
    if failed:
        raise click.exceptions.Exit(REFUSED)
