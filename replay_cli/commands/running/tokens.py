"""`kifu tokens`: new tokens for the people of a match; the public's may see it late.

`kifu tokens revoke` makes those of organisers worth nothing, and gives out a new one.
"""

from __future__ import annotations

import click
from msgspec.structs import asdict

from replay_cli.commands.running.open import print_tokens
from replay_cli.output import as_json, console, json_option
from replay_cli.reaching.connection import Access, Reader, access_options, match_argument

#: What stands in the place of a match; no match has such an id.
REVOKE = "revoke"


@click.command("tokens")
@match_argument
@click.option(
    "--delay",
    metavar="LATE",
    help="How late the public sees: 300s, '5 decisions', game, or none."
    " Without this: as the event's policy says.",
)
@access_options
@json_option
def tokens_command(match: str, delay: str | None, access: Access, as_data: bool) -> None:
    """Issue new tokens for the people of MATCH (default: the newest). For organisers.

    A late public is told nothing of what is not released yet, by no command; its token can be given
    to any stream, overlay or web page.

    `revoke` instead of MATCH: no organiser's token that was issued so far is good any more; the new
    one lies beside the file. The tokens of matches stay good.
    """
    if match == REVOKE:
        _revoke(access, as_data)
        return
    with access.open() as client:
        reader = Reader(client, match)
        issued = client.issue_tokens(reader.id, "" if delay == "none" else delay)
    if as_data:
        as_json({key: value for key, value in asdict(issued).items() if value})
    else:
        print_tokens(issued)


def _revoke(access: Access, as_data: bool) -> None:
    with access.open(adds=True) as client:
        token = client.revoke_tokens()
    if as_data:
        as_json({"token": token})
    else:
        console().print(f"  {'organiser':<12} {token}")
