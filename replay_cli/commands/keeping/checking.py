"""`kifu store check`: whether anything in a store was changed or damaged."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import click
from msgspec.structs import asdict

from domain.telling.names import matches
from domain.words.phrases import labelled, message_of, phrase
from replay_cli.auditing import trust
from replay_cli.output import (
    REFUSED,
    FilePath,
    as_json,
    console,
    json_option,
    progress_bar,
    say,
    styled,
)
from replay_cli.reaching import stores
from replay_cli.reaching.stores import store_argument
from service.keeping.check.findings import FILE, Fault
from service.keeping.check.store import Tally, check
from service.store.records import StoreError


@click.command("check")
@store_argument
@click.option("--quick", is_flag=True, help="Skip folding positions and checking snapshots.")
@click.option(
    "--checkpoint", "kept", type=FilePath(exists=True, dir_okay=False), multiple=True,
    help="A checkpoint of its log that you kept: everything it covers has to be there.",
)  # fmt: skip
@json_option
def check_command(where: str, quick: bool, kept: tuple[Path, ...], as_data: bool) -> None:
    """Check everything in WHERE, and write nothing; a server may use it meanwhile.

    Of every match: its entries can be read, none is missing, they lead to its head and to what the
    log has of it, and what is derived from them is what they give. For events it does the same, and
    compares results with the records of their matches; a different result by an official is
    reported, but is no fault. Then the log of heads and all that was signed, dictionaries, tokens,
    codes, who has looked. Whether matches were played by the rules is for `kifu verify`.
    """
    tally, faults = Tally(), list[Fault]()
    with progress_bar(quiet=as_data) as bar:
        task = bar.add_task(say(phrase("checking")), total=None)
        found = _checked(
            where,
            tally,
            quick=quick,
            kept=[trust.kept_in(path) for path in kept],
            begin=lambda matches: bar.update(task, total=matches),
            done=lambda: bar.advance(task),
        )
        for fault in found:
            faults.append(fault)
            if not as_data:
                print_fault(fault)
    if as_data:
        remarks = [asdict(one) for one in tally.remarks]
        as_json({**asdict(tally), "quick": quick, "remarks": remarks,
                 "faults": [asdict(one) for one in faults]})  # fmt: skip
    else:
        for one in tally.remarks:
            print_fault(one, "yellow")
        console().print(styled((_summary(tally, faults), "bold")))
    if faults:
        raise click.exceptions.Exit(REFUSED)


def _checked(where: str, tally: Tally, **options: Any) -> Iterator[Fault]:
    """The faults of a store, failure to open it included."""
    try:
        records = stores.read(where)
    except StoreError as error:
        yield Fault(phrase("the store"), FILE, message_of(error))
        return
    with closing(records):
        yield from check(records, tally, **options)


def print_fault(fault: Fault, style: str = "bold red") -> None:
    """A fault, for people."""
    console().print(styled((labelled(fault.subject, ""), style), (fault.why, "")))


def _summary(t: Tally, faults: list[Fault]) -> str:
    whole = phrase(
        "{matches} with {entries:,} entries, {events:,} events, a log of {leaves:,} leaves and"
        " {checkpoints:,} checkpoints",
        **{**asdict(t), "matches": matches(t.matches)},
    )  # fmt: skip
    if not faults:
        return say(phrase("{whole}: nothing was changed", whole=whole))
    if len(faults) == 1:
        return say(phrase("{whole}: 1 fault", whole=whole))
    return say(phrase("{whole}: {n:,} faults", whole=whole, n=len(faults)))
