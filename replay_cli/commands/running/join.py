"""`kifu join`: a player takes his seat, and gives his part to chance."""

from __future__ import annotations

import click

from replay_cli.output import console
from replay_cli.reaching.asking import match_to_write
from replay_cli.reaching.connection import Access, Reader, access_options, match_argument


@click.command("join")
@match_argument
@access_options
def join_command(match: str, access: Access) -> None:
    """Take your seat in MATCH (default: the live one), with its token, and wait until it begins.

    Where chance is shared, a seed of yours goes into every shuffle and die: your seat is bound to
    it before anybody shows his, and it is opened to all at the end of the match.
    """
    with access.open(adds=True) as client:
        reader = Reader(client, match_to_write(client, match))
        if not client.who_am_i().HasField("seat"):
            raise click.UsageError("this is a player's to do: give the token of a seat (--token)")
        with client.join(reader.id) as part:
            while not part.wait(0.5):  # so that Ctrl+C is heard
                pass
        waits = client.match(reader.id).waits
        text = "an official has it begin" if waits else "it has begun"
        console().print(f"You have joined match {reader.id}: {text}.")
