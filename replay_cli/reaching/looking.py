"""Warnings before a look at hidden information: it is recorded, with its reason.

It concerns officials and organisers. In a live match whose event says so the look is an entry,
which all can see: at a terminal they are asked first whether they want to, unless they say why;
`--yes` spares scripts that. Any other is a line of the log of access (`kifu audit access`), as the
help of `--why` says.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click
from kifu.v1 import match_service_pb2
from msgspec import Struct

from domain.record.views import OFFICIAL, PUBLIC
from domain.telling import consequences
from domain.words.phrases import phrase
from replay_cli.options import gathering
from replay_cli.output import FORBIDDEN, Failed, say
from replay_cli.reaching.connection import Reader

F = TypeVar("F", bound=Callable[..., Any])


class Look(Struct, frozen=True):
    """The official's options for a look: the reason, and whether to skip warnings."""

    why: str = ""
    yes: bool = False

    def warn(self, reader: Reader, viewer: int | None, *, ask: bool = True) -> None:
        """Warn that the look is recorded, and ask whether to go on.

        Raises `Failed` if a viewer who is not an official asks for the official's view.
        """
        if viewer == PUBLIC or (self.yes and viewer != OFFICIAL):
            return
        role = reader.client.who_am_i().role
        if viewer == OFFICIAL and role in ("seat", "public"):
            hint = phrase("your token is that of the public")
            if role == "seat":
                hint = phrase("your token is that of a player")
            raise Failed("you may not look through an official's eyes", FORBIDDEN, [hint])
        if self.yes or role not in ("official", "organiser"):
            return
        match = reader.summary
        kept = match.policy.replay_evidence not in ("", "none") and not match.unofficial
        if not (kept and match.state == match_service_pb2.MATCH_STATE_LIVE):
            return
        text = consequences.look(entry=True)
        asked = ask and not self.why and sys.stdin.isatty() and sys.stderr.isatty()
        if asked:
            click.confirm(f"kifu: {say(text)}. {say(phrase('Go on?'))}", abort=True, err=True)
        else:
            click.echo(f"kifu: {say(text)}", err=True)


def look_options(command: F) -> F:
    """`--why`, `--yes`: what an official says of his look, as `look`."""

    def wrapped(*args: Any, why: str, yes: bool, **kwargs: Any) -> Any:
        return command(*args, look=Look(why, yes), **kwargs)

    options = [
        click.option(
            "--why",
            default="",
            help="The reason for a look; it is recorded in the log of access or in the match.",
        ),
        click.option(
            "-y", "--yes", is_flag=True, help="Do not ask before a look that everybody will see."
        ),
    ]
    return gathering(command, options, wrapped)
