"""`kifu store backup`: a copy of a file of matches, taken while a server writes it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import click
from msgspec.structs import asdict

from domain.telling.names import matches
from domain.words.phrases import phrase
from replay_cli.commands.keeping.checking import print_fault
from replay_cli.output import (
    REFUSED,
    FilePath,
    NewFile,
    as_json,
    console,
    json_option,
    progress_bar,
    say,
)
from service.anchors.ledger import Ledger
from service.keeping import backup
from service.keeping.check.findings import Fault
from service.keeping.check.store import Tally, check
from service.store.records import Records


@click.command("backup")
@click.argument("where", type=FilePath(exists=True, dir_okay=False))
@click.argument("file", type=NewFile())
@click.option("--keys", is_flag=True, help="Copy the keys next to WHERE as well.")
@click.option(
    "--verify/--no-verify", default=True, show_default=True,
    help="Check everything in FILE, except snapshots.",
)  # fmt: skip
@json_option
def backup_command(where: Path, file: Path, keys: bool, verify: bool, as_data: bool) -> None:
    """Copy WHERE, a file of matches, to a new FILE.

    A server may go on writing meanwhile; the copy is WHERE at one time, readable by its owner only,
    and is checked once it is written. Keep the newest checkpoint with it, in another place: a
    restored store is audited against it. A store in PostgreSQL is backed up by pg_dump
    (service/deploy/BACKUP.md).
    """
    with progress_bar(quiet=as_data) as bar:
        task = bar.add_task(say(phrase("copying")), total=None)

        def copied(left: int, of: int) -> None:
            bar.update(task, total=of, completed=of - left)

        backup.back_up(where, file, copied)
    keys_ = backup.copy_keys(where, file) if keys else []
    tally, faults = Tally(), list[Fault]()
    with closing(Records(file, reading=True)) as records:
        if verify:
            faults = list(check(records, tally, quick=True))
        newest = Ledger(records).last()
    note = str(newest.note) if newest is not None else ""
    if as_data:
        as_json(
            {
                "bytes": file.stat().st_size, "keys": [str(one) for one in keys_],
                "verified": verify, **asdict(tally), "checkpoint": note,
                "remarks": [asdict(one) for one in tally.remarks],
                "faults": [asdict(one) for one in faults],
            }
        )  # fmt: skip
    else:
        for fault in faults:
            print_fault(fault)
        _say(file, tally, keys_, note, verify=verify)
    if faults:
        raise click.exceptions.Exit(REFUSED)


def _say(file: Path, tally: Tally, keys_: list[Path], note: str, *, verify: bool) -> None:
    out = console()
    if verify:
        out.print(
            say(phrase("{file} has {matches} with {entries:,} entries, and was checked.",
                       file=file, matches=matches(tally.matches), entries=tally.entries))
        )  # fmt: skip
    else:
        out.print(say(phrase("{file} is written; nothing was checked.", file=file)))
    for one in keys_:
        out.print(say(phrase("{file} is written: keep it secret.", file=one)))
    if note:
        out.print(say(phrase("Keep this with it, elsewhere:")))
        out.print(note, end="")
