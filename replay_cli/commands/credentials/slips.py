"""Issue codes and show them: as a table, as QR codes on the terminal, as a sheet of slips to print.

What `kifu codes` and `kifu event codes` have in common.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from msgspec import Struct

from domain.words.phrases import phrase
from domain.words.tables import ENGLISH
from replay_cli.commands.credentials.whom import Whom
from replay_cli.options import gathering
from replay_cli.output import (
    Failed,
    FilePath,
    as_json,
    console,
    language,
    say,
    table,
    write_table,
)
from replay_cli.reaching.connection import DATA, Access
from replay_cli.reaching.hosting import running
from service.credentials import spelling

if TYPE_CHECKING:
    from kifu.v1.code_service_pb2 import IssuedCode

    from service.client.client import Client

F = TypeVar("F", bound=Callable[..., Any])
#: Holders that one call issues codes for at most (`service.api.credentials.IDS`).
MOST = 1000
FILE = FilePath(dir_okay=False)
#: Addresses that nobody else can call.
OWN = ("127.", "localhost", "[::1]", "::1", "0.0.0.0")
PAPERS = ["a4", "letter"]
_WHO = (
    "For whom: A, B, scorekeeper, official, public; of an event players, player=NAME, tables,"
    " table=N, officials, official=NAME, public, public=N. Default: who plays."
)
_ADDRESS = "The address of the server for people, or of a page to join by (default: --server)."
_WEB = "The address of the service's pages (default: the one the service reports)."


class How(Struct, frozen=True):
    """For whom codes are issued and for how long, and what they are shown on."""

    named: tuple[str, ...]
    late: str
    days: float
    replace: bool
    address: str
    web: str
    once: bool
    qr: bool
    slips: Path | None
    paper: str


web_option = click.option("--web", metavar="URL", default="", envvar="KIFU_WEB", help=_WEB)


def slip_options(command: F) -> F:
    """Whom codes are for, what they are good for, what they are shown on: as `how`."""
    options = [
        click.option("--for", "named", metavar="WHO", multiple=True, help=_WHO),
        click.option("--delay", "late", metavar="LATE", default="", help="How late viewers see."),
        click.option(
            "--days",
            type=float,
            default=0.0,
            help="How many days it is valid (default: as tokens).",
        ),
        click.option("--replace", is_flag=True, help="Revokes the codes that they had."),
        click.option("--once", is_flag=True, help="Each code works once."),
        click.option("--address", metavar="HOST:PORT|URL", default="", help=_ADDRESS),
        web_option,
        click.option("--qr", is_flag=True, help="Draw each as a QR code."),
        click.option("--slips", type=FILE, help="Write a sheet of slips to print, in HTML."),
        click.option("--paper", type=click.Choice(PAPERS), default="a4", show_default=True),
    ]

    def wrapped(*args: Any, **kwargs: Any) -> Any:
        how = How(**{name: kwargs.pop(name) for name in How.__struct_fields__})
        return command(*args, how=how, **kwargs)

    return gathering(command, options, wrapped)


def hand_out(
    client: Client, people: Sequence[Whom], title: str, how: How, access: Access, as_data: bool
) -> None:
    """Issue a code for each of these people, and show them."""
    found: list[tuple[str, IssuedCode]] = []
    web = ""
    for at in range(0, len(people), MOST):
        holders = [one.holder for one in people[at : at + MOST]]
        issued = client.issue_codes(holders, how.days, replace=how.replace, once=how.once)
        found, web = found + issued, issued.web
    texts = [code for code, _ in found]
    address, links = linked(texts, how.web, how.address, web, access)
    if as_data:
        rows = zip(texts, links, (kept for _, kept in found), strict=True)
        as_json(
            {"codes": [{"code": code, "link": link, "issued": one} for code, link, one in rows]}
        )
    else:
        _print(people, texts)
    if how.qr:
        for one, code, link in zip(people, texts, links, strict=True):
            _draw(one, code, link)
    if how.slips is not None:
        _write(how.slips, title, people, texts, links, address, how.paper)
    if (how.qr or how.slips is not None) and address.rpartition("://")[2].startswith(OWN):
        text = phrase(
            "{address} is for this machine alone: name another, --web or --address", address=address
        )
        console(stderr=True).print(say(text), style="bold red")


def linked(
    codes: Iterable[str], web: str, address: str, known: str, access: Access
) -> tuple[str, list[str]]:
    """Where people come with codes, and the link of each: to pages, or else for `kifu join`.

    `web` and `address` are what was named, `known` what the service says of its pages.
    """
    site = web or ("" if address else known)
    if site:
        spoken = "" if language().tag == ENGLISH else language().tag
        return site, [spelling.link_in_browser(site, code, spoken) for code in codes]
    server = address or access.server or running(access.data or DATA)
    return server, [spelling.link(server, c, tls=access.tls) if server else "" for c in codes]


def _print(people: Sequence[Whom], codes: Sequence[str]) -> None:
    shown = table("code", "for", "what", "where", whole=("code",))
    for one, code in zip(people, codes, strict=True):
        shown.add_row(code, one.name, one.what, one.where)
    write_table(shown)


def _draw(one: Whom, code: str, link: str) -> None:
    """A QR code on the terminal."""
    import segno

    click.echo(f"\n{', '.join(filter(None, (one.name, one.what, one.where)))}: {code}")
    segno.make(link or code, error="m", micro=False).terminal(compact=True, border=2)


def _write(
    file: Path, title: str, people: Sequence[Whom], codes: Sequence[str], links: Sequence[str],
    address: str, paper: str,
) -> None:  # fmt: skip
    """Write the sheet, which only its owner can read."""
    from replay_cli.tournament.printing import pages
    from replay_cli.tournament.printing.sheets import Code, Heading, JoinSlip
    from service.identity import write_private

    slips = [
        JoinSlip(Code(code, link, one.name), one.what, one.where, address)
        for one, code, link in zip(people, codes, links, strict=True)
    ]
    try:
        file.unlink(missing_ok=True)
        write_private(file, pages.codes(Heading(title), slips, paper))
    except OSError as error:
        raise Failed(
            phrase("{file} can't be written: {strerror}", file=file, strerror=error.strerror)
        ) from error
    console(stderr=True).print(say(phrase("{n} slips are in {file}.", n=len(slips), file=file)))
