"""`kifu event print`, `export`: sheets for the wall and the tables, tables for other programs."""

from __future__ import annotations

from pathlib import Path

import click

from replay_cli.commands.event.at import At, command, round_option
from replay_cli.output import MISSING, Failed, console
from replay_cli.tournament import exporting, overview
from replay_cli.tournament.printing import pages, plain

TABLES = ("results", "standings", "players")
SHEETS = ("pairings", "names", "standings", "slips")
paper_option = click.option(
    "--paper", type=click.Choice(list(pages.PAPERS)), default="a4", show_default=True
)
NEW_FILE = click.Path(dir_okay=False, path_type=Path)
output_option = click.option("-o", "--output", type=NEW_FILE, metavar="FILE", help="Where to.")


@command(
    "print", click.argument("what", type=click.Choice(SHEETS)),
    output_option, paper_option, round_option, adds=False,
)  # fmt: skip
def print_command(at: At, what: str, output: Path | None, paper: str, number: int) -> None:
    """Print WHAT: pairings by table or by names, standings, slips for results.

    To a FILE (.html: pages for a browser's printer; else text), or as text of 80 columns.
    """
    html = output is not None and output.suffix.lower() in (".html", ".htm")
    text = _page(at, what, paper, number) if html else _text(at, what, number)
    if output is None:
        click.echo(text, nl=False)
        return
    write_page(output, text)


def _page(at: At, what: str, paper: str, number: int) -> str:
    if what == "standings":
        found = overview.standings(at.client.get_standings(at.id))
        return pages.standings(overview.heading(at.state), found, paper)
    now = at.round(number)
    heading = overview.heading(at.state, now)
    if what == "slips":
        return pages.slips(heading, overview.slips(at.state, now), paper)
    make = pages.pairings if what == "pairings" else pages.pairings_by_name
    return make(heading, overview.seats(at.state, now), paper)


def _text(at: At, what: str, number: int) -> str:
    if what == "standings":
        found = overview.standings(at.client.get_standings(at.id))
        return plain.standings(overview.heading(at.state), found)
    now = at.round(number)
    heading = overview.heading(at.state, now)
    if what == "slips":
        return plain.slips(heading, overview.slips(at.state, now))
    make = plain.pairings if what == "pairings" else plain.pairings_by_name
    return make(heading, overview.seats(at.state, now))


@command("export", click.argument("what", type=click.Choice(TABLES)), output_option, adds=False)
def export_command(at: At, what: str, output: Path | None) -> None:
    """Write WHAT (results, standings, players) as CSV, or as JSON (--json, or FILE.json)."""
    if what == "standings":
        rows = exporting.standings(at.state, at.client.get_standings(at.id))
    else:
        rows = (exporting.results if what == "results" else exporting.players)(at.state)
    data = at.as_data or (output is not None and output.suffix.lower() == ".json")
    text = exporting.as_json(rows) if data else exporting.as_csv(rows)
    if output is None:
        click.echo(text, nl=False)
    else:
        write_page(output, text)


def write_page(path: Path, text: str) -> None:
    """Write a file, and say so."""
    try:
        path.write_text(text, "utf-8", newline="")
    except OSError as error:
        raise Failed(f"{path} can't be written: {error.strerror}", MISSING) from error
    console(stderr=True).print(f"written to {path}")
