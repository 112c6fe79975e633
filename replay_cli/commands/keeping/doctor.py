"""`kifu doctor`: faults of a deployment, and what to do about them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path

import click

from domain.words.phrases import phrase
from replay_cli.doctor.findings import GOOD, MEND, UNSEEN, WRONG, Outcome, examine, worst
from replay_cli.doctor.seen import Reader, Seen
from replay_cli.output import (
    BadValue,
    FilePath,
    Misused,
    as_json,
    console,
    json_option,
    language,
    styled,
)
from replay_cli.reaching import places
from service.telemetry.passwords import is_secret

EPILOG = """
ADDRESS is that of a server or of a proxy in front of several; name all that there are. Most
checks need an organiser's token (--token), those of pages --web. Exit codes: 0 nothing is wrong, 1
something should be mended, 2 something does not work or may be lost, 3 nothing like that, and not
all could be looked at.
"""


def _without_user(url: str) -> str:
    if "@" in url or is_secret(url):
        raise BadValue(phrase("{url!r} has a user in it, and pages have none", url=url))
    return url


_WORDS = {
    GOOD: ("well", "green"),
    MEND: ("mend", "yellow"),
    WRONG: ("wrong", "bold red"),
    UNSEEN: ("unseen", "magenta"),
}


@click.command("doctor", epilog=EPILOG)
@click.argument("addresses", metavar="[ADDRESS]...", nargs=-1)
@click.option(
    "--store", "stores", metavar="WHERE", multiple=True,
    help="A store to look at without a server: a file, or postgresql://… (or @FILE with that).",
)  # fmt: skip
@click.option(
    "-t", "--token", metavar="TOKEN", envvar="KIFU_TOKEN", default="",
    callback=lambda ctx, option, text: places.named(text),
    help="An organiser's token, or @FILE with one in it.",
)  # fmt: skip
@click.option(
    "--reader", metavar="TOKEN", default="", callback=lambda ctx, option, text: places.named(text),
    help="A read-only token, to check that it reads and does nothing else.",
)  # fmt: skip
@click.option(
    "--web", "pages", metavar="URL", multiple=True, help="The address of the pages.",
    callback=lambda ctx, option, urls: [_without_user(one) for one in urls],
)  # fmt: skip
@click.option("--tls", is_flag=True, envvar="KIFU_TLS", help="Servers speak TLS.")
@click.option(
    "--tls-ca", "root", envvar="KIFU_TLS_CA",
    type=FilePath(exists=True, dir_okay=False),
    help="The certificate to trust, if it is not public.",
)  # fmt: skip
@json_option
def doctor_command(
    addresses: tuple[str, ...], stores: tuple[str, ...], token: str, reader: str,
    pages: tuple[str, ...], tls: bool, root: Path | None, as_data: bool,
) -> None:  # fmt: skip
    """Check a deployment: servers, proxies, pages and stores; say what is wrong and what to do."""
    from replay_cli.doctor.table import CHECKS

    if not (addresses or stores or pages):
        raise Misused("name what to check: an ADDRESS, --store or --web")
    seen = _look(
        [places.address(one) for one in addresses],
        [*map(places.named, stores)],
        pages, token, reader, tls or root is not None, root,
    )  # fmt: skip
    found = examine(CHECKS, seen)
    if as_data:
        as_json(_data(found))
    else:
        _tell(found)
    raise click.exceptions.Exit(worst(one.level for one in found))


def _look(
    addresses: Sequence[str], stores: Sequence[str], pages: Sequence[str], token: str,
    reader: str, tls: bool, root: Path | None,
) -> Seen:  # fmt: skip
    """Look at all that was named."""
    from replay_cli.doctor.looking import calls, readers
    from replay_cli.doctor.looking import pages as sites
    from replay_cli.doctor.looking import stores as kept
    from service.client.client import CallError, connect

    seen, match = Seen(now=time.time()), ""
    for address in addresses:
        seen.endpoints += calls.look(address, token, tls=tls, root=root)
        answers = not (seen.endpoints[-1].unreachable or seen.endpoints[-1].refused)
        if answers and not match:
            with connect(address, token, tls_root=root, tls=tls) as client, suppress(CallError):
                match = next((one.id for one in islice(client.list_matches(), 1)), "")
        if answers and reader and seen.reader is None:
            with connect(address, reader, tls_root=root, tls=tls) as client:
                seen.reader = readers.look(client)
    if reader and seen.reader is None:
        seen.reader = Reader(untried="UNAVAILABLE")
    seen.pages += [sites.look(one, match, token, root) for one in pages]
    seen.stores += map(kept.look, stores)
    return seen


def _data(found: Sequence[Outcome]) -> dict[str, object]:
    """All outcomes for programs."""
    say = language().say
    checks = [
        {
            "name": one.check.name,
            "result": _result(one),
            "problems": [
                {
                    "result": _WORDS[problem.level][0],
                    "where": problem.where,
                    "text": say(problem.text),
                    "remedy": say(problem.remedy),
                }
                for problem in one.problems or ()
            ],
            "unseen": [{"where": where, "text": say(why)} for where, why in one.unseen],
        }
        for one in found
    ]
    return {"result": _WORDS[worst(one.level for one in found)][0], "checks": checks}


def _result(one: Outcome) -> str:
    judged = one.problems is not None or one.unseen
    return _WORDS[one.level][0] if judged else "skipped"


def _tell(found: Sequence[Outcome]) -> None:
    """All outcomes for people; what can't be judged is left out."""
    say, out = language().say, console()
    for one in found:
        if one.well:
            out.print(styled(("well   ", "green"), (say(one.check.well), "")))
        for problem in one.problems or ():
            word, style = _WORDS[problem.level]
            out.print(styled((f"{word:7}", style), (f"{problem.where}: {say(problem.text)}", "")))
            out.print(styled(("       ", ""), (f"→ {say(problem.remedy)}", "dim")))
    for why, names in _not_looked_at(found).items():
        text = phrase("{checks}: not checked: {why}.", checks=", ".join(names), why=why)
        word, style = _WORDS[UNSEEN]
        out.print(styled((f"{word:7}", style), (say(text), "")))


def _not_looked_at(found: Sequence[Outcome]) -> dict[str, list[str]]:
    """The checks that could not look at something, by what that was and why not."""
    say, checks = language().say, dict[str, list[str]]()
    for one in found:
        if one.unseen:
            places = dict.fromkeys(f"{where} ({say(why)})" for where, why in one.unseen)
            checks.setdefault(", ".join(places), []).append(one.check.name)
    return checks
