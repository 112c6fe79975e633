"""`kifu event print`, `export`: sheets for the wall and the tables, tables for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from msgspec import to_builtins

from domain.tournament import copy
from domain.tournament.state import Round
from domain.words.phrases import phrase
from replay_cli.auditing.keeping import require_kept
from replay_cli.commands.credentials import whom
from replay_cli.commands.credentials.codes import MOST
from replay_cli.commands.credentials.slips import linked, web_option
from replay_cli.commands.event.at import At, command, round_option
from replay_cli.commands.event.decks import book_of
from replay_cli.output import Misused, NewFile, as_file, console, writing
from replay_cli.tournament import exporting, neighbours, overview
from replay_cli.tournament.printing import pages, plain
from replay_cli.tournament.printing.sheets import Code, Heading

TABLES, PROOF = ("results", "standings", "players", "lists", "pools"), "proof"
#: What is written for other sites.
NEIGHBOURS: dict[str, Any] = {
    "melee": neighbours.melee,
    "challonge": neighbours.challonge,
    "topdeck": neighbours.topdeck,
    "topdeck-emails": neighbours.topdeck_emails,
}
#: What can be printed, as a page and as text.
SHEETS: dict[str, tuple[Any, Any]] = {
    "pairings": (pages.pairings, plain.pairings),
    "names": (pages.pairings_by_name, plain.pairings_by_name),
    "standings": (pages.standings, plain.standings),
    "slips": (pages.slips, plain.slips),
    "pods": (pages.pods, plain.pods),
}
paper_option = click.option(
    "--paper", type=click.Choice(list(pages.PAPERS)), default="a4", show_default=True
)
output_option = click.option("-o", "--output", type=NewFile(), metavar="FILE", help="Where to.")


@command(
    "print", click.argument("what", type=click.Choice(list(SHEETS))),
    output_option, paper_option,
    click.option(
        "--codes", is_flag=True,
        help="On slips: a new code for each table's scorekeeper, in place of those before.",
    ),
    click.option(
        "--address", metavar="HOST:PORT|URL", default="",
        help="Where people who have a code reach the server (default: --server).",
    ),
    web_option,
    round_option,
)  # fmt: skip
def print_command(
    at: At,
    what: str,
    output: Path | None,
    paper: str,
    codes: bool,
    address: str,
    web: str,
    number: int,
) -> None:
    """Print WHAT: pairings by table or by names, standings, slips for results, pods.

    To a FILE (.html: pages for a browser's printer; else text), or as text of 80 columns. Slips of
    tables whose matches are over have the heads of their records.
    """
    if codes and what != "slips":
        raise Misused("codes are on slips")
    heading, data = _sheet(at, what, codes, address, web, number)
    page, text = SHEETS[what]
    if at.as_data:
        at.answer(to_builtins({"heading": heading, what: data}))
    elif output is None:
        as_file(text(heading, data))
    else:
        html = output.suffix.lower() in (".html", ".htm")
        write_page(output, page(heading, data, paper) if html else text(heading, data), codes)


def _sheet(
    at: At, what: str, codes: bool, address: str, web: str, number: int
) -> tuple[Heading, Any]:
    """The heading and the content of a sheet."""
    if what == "standings":
        return overview.heading(at.state), overview.standings(at.client.get_standings(at.id))
    if what == "pods":
        return overview.heading(at.state), overview.pods(at.state)
    now = at.round(number)
    heading = overview.heading(at.state, now)
    if what != "slips":
        return heading, overview.seats(at.state, now)
    found = _codes(at, now, address, web) if codes else {}
    return heading, overview.slips(at.state, now, found, _heads(at, now))


def _heads(at: At, now: Round) -> dict[int, str]:
    """The heads of the records that tell results, by table."""
    found: dict[int, str] = {}
    for match, one in at.state.matches(now):
        if one.result is not None and one.result.source:
            head = at.client.head(match)
            found |= {one.number: f"{head.seq}: {head.short}"} if head is not None else {}
    return found


def _codes(at: At, now: Round, address: str, web: str) -> dict[int, tuple[Code, ...]]:
    """New codes for the scorekeepers of the tables that play."""
    tables = [n for n, one in sorted(now.tables.items()) if one.second]
    people = whom.of_event(at.state, [f"table={n}" for n in tables], "")
    issued, known = list[str](), ""
    for first in range(0, len(people), MOST):
        holders = [one.holder for one in people[first : first + MOST]]
        found = at.client.issue_codes(holders, replace=True)
        issued, known = issued + [code for code, _ in found], found.web
    _, links = linked(issued, web, address, known, at.access)
    return {n: (Code(code, link),) for n, code, link in zip(tables, issued, links, strict=True)}


@command(
    "export",
    click.argument("what", type=click.Choice((*TABLES, *NEIGHBOURS, PROOF))),
    output_option,
    click.option("--public", is_flag=True, help="Of a proof: the copy that anybody may be given."),
    adds=False,
)
def export_command(at: At, what: str, output: Path | None, public: bool) -> None:
    """Write WHAT (results, standings, players, lists, pools) as CSV or JSON (--json, FILE.json).

    For other sites: `melee`, a list of players to import; `challonge`, the elimination as JSON;
    `topdeck` and `topdeck-emails`, the names and addresses to paste there.
    `proof` is the record of the event with what proves it, for `kifu audit`: a .kifu-proof.
    """
    found = at.client.tournament_proof(at.id, public=public) if what == PROOF else None
    if output is not None:
        require_kept(output, found)
    if found is not None:
        text = "".join(copy.lines(found))
    else:
        data = _data(at, what)
        as_data = at.as_data or (output is not None and output.suffix.lower() == ".json")
        rows = isinstance(data, list) and not as_data
        text = exporting.as_csv(data) if rows else exporting.as_json(data)
        if isinstance(data, str) and not as_data:
            text = data
    if output is None:
        as_file(text)
    else:
        write_page(output, text, private=found is not None and not public)


def _data(at: At, what: str) -> Any:
    """What is exported: rows, or what is only for programs."""
    if what in NEIGHBOURS:
        return NEIGHBOURS[what](at.state)
    if what in ("lists", "pools"):
        state = at.client.get_tournament(at.id, with_lists=True)
        write = exporting.lists if what == "lists" else exporting.pools
        return write(state, book_of(at).cards)
    if what == "standings":
        return exporting.standings(at.state, at.client.get_standings(at.id))
    return (exporting.results if what == "results" else exporting.players)(at.state)


def write_page(path: Path, text: str, private: bool = False) -> None:
    """Write a file, and say so; a private one can be read by its owner alone."""
    with writing(path):
        if private:
            path.unlink(missing_ok=True)
            path.touch(0o600)
        path.write_text(text, "utf-8", newline="")
    console(stderr=True).print(phrase("written to {file}", file=path))
