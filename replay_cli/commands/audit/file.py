"""`kifu audit FILE`: what of a file is proven, claim by claim."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console

from domain.words.phrases import labelled, phrase
from replay_cli import cells
from replay_cli.auditing import evidence, trust
from replay_cli.auditing.audit import audit
from replay_cli.auditing.claims import NOT_ASKED, PROVEN, TITLES, UNPROVEN, WRONG, Report
from replay_cli.auditing.trust import Trust
from replay_cli.output import BadValue, FilePath, as_json, console, hang, json_option, say, styled
from replay_cli.reaching.stores import FileOrStore

_FILE = FilePath(exists=True, dir_okay=False)
AS_IT_STANDS = phrase("the proofs are about the entries as this file has them")
VERDICTS = {
    PROVEN: phrase("proven"), UNPROVEN: phrase("not proven"), WRONG: phrase("wrong"),
    NOT_ASKED: phrase("not asked"),
}  # fmt: skip
STYLES = {PROVEN: "green", UNPROVEN: "yellow", WRONG: "bold red", NOT_ASKED: "dim"}

EPILOG = """
Exit codes: 0 all of it is proven that can be asked of such a file, 1 something is wrong, 2 wrong
usage or no such file, 3 nothing is wrong, but not everything is proven.
"""


@click.command("file", epilog=EPILOG)
@click.argument("file", type=FileOrStore())
@click.argument("match", required=False, default="")
@click.option(
    "--head", "heads", metavar="DIGITS", multiple=True,
    help="A head that you trust: the thirty digits of a slip, or all 64 in hex.",
)  # fmt: skip
@click.option(
    "--proof",
    "proving",
    type=FilePath(exists=True, dir_okay=False),
    help="The bundle that proves FILE, if none is in it or next to it.",
)
@click.option(
    "--key", "keys", metavar="VKEY", multiple=True,
    help="The public key of a log whose checkpoints you trust.",
)  # fmt: skip
@click.option(
    "--policy", "by", type=_FILE, help="A policy file: the logs and witnesses that you trust.",
)  # fmt: skip
@click.option(
    "--checkpoint", "older", type=_FILE, multiple=True,
    help="A checkpoint from another source, signed by one of them.",
)  # fmt: skip
@click.option(
    "--log", "log", type=FilePath(exists=True, file_okay=False),
    help="The files of a log, with everything that was anchored of a match.",
)  # fmt: skip
@json_option
def file_command(
    file: Path | str, match: str, heads: tuple[str, ...], proving: Path | None,
    keys: tuple[str, ...], by: Path | None, older: tuple[Path, ...], log: Path | None,
    as_data: bool,
) -> None:  # fmt: skip
    """Report what of FILE is proven and what is not; of all its matches, or of MATCH.

    A store in PostgreSQL is named by its address, postgresql://….
    """
    try:
        digits = tuple(map(trust.head_of, heads))
    except ValueError as error:
        raise BadValue(str(error), param_hint="--head") from error
    believed = trust.policy_of(keys, by)
    trusted = Trust(
        digits,
        believed,
        [trust.checkpoint_in(path, believed) for path in older],
        trust.archive_in(log, believed) if log is not None else None,
    )
    out, worst = console(), 0
    reports = list[Report]()
    known = trusted.archive.matches if trusted.archive is not None and not match else ()
    for found in evidence.of_file(file, match, proving, known, log=bool(older)):
        report = audit(found, trusted)
        worst = max(worst, report.exit_code, key=(0, 3, 1).index)
        reports.append(report)
        if not as_data:
            print_report(out, report)
    if as_data:
        as_json([_data(report) for report in reports])
    else:
        _print_behind(out, reports)
    if worst:
        raise click.exceptions.Exit(worst)


def _print_behind(out: Console, reports: list[Report]) -> None:
    """Which matches lack what the log has of them: a store that was restored lost it."""
    behind = [report for report in reports if report.behind]
    if not behind:
        return
    n, entries = len(behind), sum(report.behind for report in behind)
    text = phrase("{n:,} of {all:,} records are behind the log, by {entries:,} entries in all:",
                  n=n, all=len(reports), entries=entries)  # fmt: skip
    out.print(say(text), style="bold red")
    for report in behind:
        has = report.entries
        out.print(say(phrase("  {subject} has {has:,} of {n:,} entries",
                             subject=report.subject, has=has, n=has + report.behind)))  # fmt: skip


def print_report(out: Console, report: Report) -> None:
    """A report, claim by claim."""
    out.print(report.subject, style="bold")
    if report.digits:
        seen = phrase("{n} entries as {viewer} sees them; head {digits}", n=report.entries,
                      viewer=report.seen_by, digits=report.digits)  # fmt: skip
        out.print(f"  {say(seen)}")
    for claim in report.claims:
        row = labelled(TITLES[claim.name], claim.why)
        if claim.seq:
            row = phrase("{claim} (entry {n})", claim=row, n=claim.seq)
        lead = f"  {cells.pad(say(VERDICTS[claim.verdict]), 12)}"
        shown = hang(" " * cells.width(lead), row).lstrip()
        out.print(styled((lead, STYLES[claim.verdict]), (shown, "")))
    if report.rests_on_the_file:
        out.print(f"  {say(AS_IT_STANDS)}", style="dim")


def _data(report: Report) -> dict[str, object]:
    claims = [{name: getattr(claim, name) for name in claim.__struct_fields__}
              for claim in report.claims]  # fmt: skip
    return {
        "subject": report.subject,
        "entries": report.entries,
        "seen_by": report.seen_by,
        "head": report.head,
        "digits": report.digits,
        "behind": report.behind,
        "claims": claims,
        "exit_code": report.exit_code,
    }
