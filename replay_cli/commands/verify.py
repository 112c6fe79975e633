"""`kifu verify`: does a record still say what it said, and would the rulebook play it again?

Through the server for a match, or in this process for a file: an exported record, or every match of
a store file.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from kifu.v1 import match_service_pb2
from msgspec import Struct
from rich.console import Console

from domain import games
from domain.engine.rulebook import Rulebook
from domain.engine.verify import DIVERGED, EXACT, UNVERIFIED, Verdict, verify
from domain.record import events as ev
from domain.record.entries import Entry, active
from domain.record.fold import fold_all
from replay_cli import record
from replay_cli.connection import Access, Reader, access_options, match_argument
from replay_cli.output import REFUSED, as_json, console, json_option, styled
from service.store import derived
from service.store.records import Records

STYLES = {EXACT: "green", UNVERIFIED: "yellow", DIVERGED: "bold red"}


class Result(Struct, frozen=True):
    """What was verified, and what came of it."""

    subject: str
    verdict: Verdict
    derived: Sequence[str] = ()  # what is derived from the record and wrong


@click.command("verify")
@match_argument
@click.option("--offline", is_flag=True, help="Check a store file (--data) without a server.")
@access_options
@json_option
def verify_command(match: str, offline: bool, access: Access, as_data: bool) -> None:
    """Verify MATCH (default: the newest), or a FILE that `kifu export` wrote.

    Folds the record and plays it again by its rulebook. The verdict is exact, unverified (the
    positions are right, but this rulebook is not the one it was played by) or diverged, with the
    first entry that differs; only diverged fails, or what a file derives from a record (its
    listing, its snapshots) and is not so.
    """
    if match and Path(match).is_file():
        results = [Result(match, check(record.read(Path(match))))]
    elif offline:
        if access.data is None or not access.data.exists():
            raise click.UsageError("--offline needs --data FILE")
        results = _store(access.data, match)
    else:
        with access.open() as client:
            reader = Reader(client, match)
            found = client.verify(reader.id)
            results = [Result(f"match {reader.id}", verdict_of(found), found.derived)]
    report(results, as_data)


def verdict_of(found: match_service_pb2.VerifyMatchResponse) -> Verdict:
    """A verdict that came over the wire."""
    kind = (UNVERIFIED, EXACT, UNVERIFIED, DIVERGED)[found.verdict]
    return Verdict(kind, found.seq, found.reason, found.entries, found.decisions)


def check(log: list[Entry]) -> Verdict:
    """Verify a record at hand; one viewer's part of a record can only be folded."""
    opened = log[0].event
    game = opened.game if isinstance(opened, ev.MatchOpened) else ""
    rules = _rulebook(game)
    if any(isinstance(e.event, ev.DeckRegistered) and e.event.cards.value is None for e in log):
        line = active(log)
        fold_all(line)
        decisions = sum(isinstance(e.event, ev.DecisionOpened) for e in line)
        reason = "this is what one viewer may see of a record; it folds, no more can be said"
        return Verdict(UNVERIFIED, 0, reason, len(log), decisions)
    return verify(log, rules)


def _rulebook(game: str) -> Rulebook | None:
    try:
        return games.rulebook(game)
    except KeyError:
        return None


def _store(path: Path, match: str) -> list[Result]:
    records = Records(path, reading=True)
    try:
        return [
            Result(f"match {one}", check(records.entries(one)), derived.faults(records, one))
            for one in ([match] if match else records.ids())
        ]
    finally:
        records.close()


def report(results: list[Result], as_data: bool) -> None:
    """Say what was found; ends the command with exit code 1 if a record diverged."""
    if as_data:
        as_json(
            [{"subject": r.subject, **_data(r.verdict), "derived": [*r.derived]} for r in results]
        )
    else:
        out = console()
        for result in results:
            print_verdict(out, result)
    if any(result.verdict.kind == DIVERGED or result.derived for result in results):
        raise click.exceptions.Exit(REFUSED)


def print_verdict(out: Console, result: Result) -> None:
    """One verdict as a line."""
    verdict = result.verdict
    where = f" at entry {verdict.seq}" if verdict.seq else ""
    said = f" – {verdict.reason} ({verdict.entries} entries, {verdict.decisions} decisions)"
    kind = (f"{verdict.kind}{where}", STYLES[verdict.kind])
    out.print(styled((f"{result.subject}: ", ""), kind, (said, "")))
    for fault in result.derived:
        out.print(f"  but {fault}; `kifu store rebuild FILE` makes it anew", style="yellow")


def _data(verdict: Verdict) -> dict[str, object]:
    return {name: getattr(verdict, name) for name in verdict.__struct_fields__}
