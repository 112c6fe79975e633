"""The tokens of a match's people, as commands print them that open a match or issue new ones.

A token is long and secret: it is printed only on request.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import asdict

from domain.telling.names import player
from domain.words.phrases import phrase
from replay_cli.cells import pad
from replay_cli.output import console, say

if TYPE_CHECKING:
    from service.client.client import Opened

#: The roles that tokens are for, as people call them.
_ROLES = {
    "official": phrase("official"),
    "scorekeeper": phrase("scorekeeper"),
    "public": phrase("public"),
    "organiser": phrase("organiser"),
}
tokens_option = click.option(
    "--tokens",
    is_flag=True,
    help="Print the tokens of its people (later: kifu tokens, kifu codes).",
)


def print_tokens(opened: Opened) -> None:
    """Print each token on a line, which is never folded: it is there to be copied."""
    tokens = [("official", opened.official), ("scorekeeper", opened.scorekeeper)]
    tokens += [(player(seat), token) for seat, token in enumerate(opened.seats)]
    for who, token in [*tokens, ("public", opened.public)]:
        if token:
            print_token(who, token)


def print_token(who: str, token: str) -> None:
    """Print the token of somebody, by his role."""
    console().print(f"  {pad(say(role_name(who)), 12)} {token}", soft_wrap=True)


def role_name(role: str) -> str:
    """What people call a role; a seat's name as it is."""
    return _ROLES.get(role, role)


def opened_data(opened: Opened, tokens: bool) -> dict[str, Any]:
    """What a program is given of a match that was opened: its tokens on request only."""
    found = {key: value for key, value in asdict(opened).items() if value}
    return found if tokens else {"id": opened.id}


def print_opened(opened: Opened, tokens: bool) -> None:
    """Print the tokens of a match that was opened, or else how its people are let in."""
    if tokens:
        print_tokens(opened)
    else:
        text = phrase(
            "its people join by codes (kifu codes {id}) or tokens (kifu tokens {id})", id=opened.id
        )
        console().print(text, style="dim")
