"""`kifu audit FILE`: what of a file is proven, claim by claim."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console

from replay_cli.auditing import chaining, evidence
from replay_cli.auditing.audit import audit
from replay_cli.auditing.chaining import Trust
from replay_cli.auditing.claims import PROVEN, TITLES, UNPROVEN, WRONG, Report
from replay_cli.output import as_json, console, hang, json_option, say, styled

STYLES = {PROVEN: "green", UNPROVEN: "yellow", WRONG: "bold red"}

EPILOG = """\b
Exit codes: 0 all of it is proven, 1 something is wrong, 2 wrong usage or no such file,
3 nothing is wrong, but not everything can be proven.
"""


@click.command("file", epilog=EPILOG)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("match", required=False, default="")
@click.option(
    "--head", "heads", metavar="DIGITS", multiple=True,
    help="A head that you trust: the thirty digits of the slip, or all 64 (in hex).",
)  # fmt: skip
@click.option(
    "--proof",
    "beside",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The bundle that proves FILE, if it has none in it and none beside it.",
)
@json_option
def file_command(
    file: Path, match: str, heads: tuple[str, ...], beside: Path | None, as_data: bool
) -> None:
    """Say what of FILE is proven and what is not; of all its matches, or of MATCH."""
    try:
        trust = Trust(tuple(map(chaining.head_of, heads)))
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--head") from error
    out, worst = console(), 0
    reports = list[Report]()
    for found in evidence.of_file(file, match, beside):
        report = audit(found, trust)
        worst = max(worst, report.exit_code, key=(0, 3, 1).index)
        if as_data:
            reports.append(report)
        else:
            print_report(out, report)
    if as_data:
        as_json([_data(report) for report in reports])
    if worst:
        raise click.exceptions.Exit(worst)


def print_report(out: Console, report: Report) -> None:
    """A report, claim by claim."""
    out.print(report.subject, style="bold")
    if report.digits:
        out.print(f"  {report.entries} entries as {report.seen_by} sees them; head {report.digits}")
    for claim in report.claims:
        where = f" (entry {claim.seq})" if claim.seq else ""
        row = f"{say(TITLES[claim.name])}: {say(claim.why)}{where}"
        lead = f"  {claim.verdict:<12}"
        out.print(styled((lead, STYLES[claim.verdict]), (hang(lead, row)[len(lead) :], "")))


def _data(report: Report) -> dict[str, object]:
    claims = [{name: getattr(claim, name) for name in claim.__struct_fields__}
              for claim in report.claims]  # fmt: skip
    return {
        "subject": report.subject,
        "entries": report.entries,
        "seen_by": report.seen_by,
        "head": report.head,
        "digits": report.digits,
        "claims": claims,
        "exit_code": report.exit_code,
    }
