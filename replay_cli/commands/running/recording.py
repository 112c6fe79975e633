"""Commands that have something recorded by an official: what `kifu desk` and `kifu time` share.

A command is a function from a match, and what was typed, to what was recorded (`recording`). Which
match, who asks, and how the answer is printed is the same for all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click
from kifu.v1 import desk_service_pb2

from domain.telling.names import letter
from replay_cli.output import as_json, json_option
from replay_cli.reaching.asking import confirmed, match_to_write
from replay_cli.reaching.connection import Access, Reader, access_options, match_argument
from replay_cli.reaching.looking import Look

Recorded = desk_service_pb2.Recorded
Option = Callable[[Any], Any]
#: Prints what was recorded in a match.
Show = Callable[[Reader, Recorded], None]
#: Says what a command will do that is to be confirmed first, from what was typed; else nothing.
Consequence = Callable[..., str]

yes_option = click.option("-y", "--yes", is_flag=True, help="Do not ask first.")
why_option = click.option("--why", default="", help="The reason, for the record.")


def recording(
    group: click.Group,
    name: str,
    show: Show,
    *options: Option,
    example: str,
    consequence: Consequence | None = None,
    looks: bool = False,
) -> Option:
    """Make a command of a function; its arguments come before the match, in this order.

    `example` is how it is typed, after `kifu`. `consequence` says what it will do, where that is to
    be confirmed first (`--yes`). `looks`: what is hidden is looked at for it.
    """

    def decorate(record: Callable[..., Recorded]) -> click.Command:
        def command(
            match: str, access: Access, as_data: bool, yes: bool = False, **typed: Any
        ) -> None:
            with access.open(adds=True) as client:
                reader = Reader(client, match_to_write(client, match))
                if looks:
                    Look(yes=as_data).warn(reader, None, ask=False)
                warning = consequence(reader, **typed) if consequence is not None else ""
                if not confirmed(warning, yes):
                    return
                recorded = record(reader, **typed)
                if as_data:
                    as_json(recorded)
                else:
                    show(reader, recorded)

        made: Any = command
        confirm = (yes_option,) if consequence is not None else ()
        for option in reversed((*options, *confirm, match_argument, access_options, json_option)):
            made = option(made)
        found: click.Command = group.command(name, help=record.__doc__, epilog=f"\b\n{example}")(
            made
        )
        return found

    return decorate


def seat_of(reader: Reader, name: str) -> int:
    """The seat that a letter names."""
    letters = [letter(seat) for seat in range(reader.book.manifest.seats)]
    if name.upper() not in letters:
        raise click.BadParameter(f"{name!r} is no player; there are {' and '.join(letters)}")
    return letters.index(name.upper())
