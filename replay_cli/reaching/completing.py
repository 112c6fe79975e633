"""Completions for shells: matches of a file, games, ready-made decks.

Failures complete nothing: a shell has no room for errors.
"""

from __future__ import annotations

import os
from contextlib import closing, suppress
from pathlib import Path

import click
from click.shell_completion import CompletionItem

#: Matches that are offered at most, the newest first.
MOST = 100


def matches(ctx: click.Context, param: click.Parameter, begun: str) -> list[CompletionItem]:
    """The matches of the file that is meant, whose ids begin so; and files."""
    from service.store.derived.searching import Wanted, search
    from service.store.records import Records

    found = []
    data = ctx.params.get("data") or os.environ.get("KIFU_DATA") or "matches.kifu"
    with suppress(Exception), closing(Records(Path(data), reading=True)) as records:
        found = [
            CompletionItem(one.id, help=" – ".join(one.heading.seats))
            for one in search(records, Wanted(forks=True), limit=MOST).matches
            if one.id.startswith(begun)
        ]
    return found or [CompletionItem(begun, type="file")]


def games(ctx: click.Context, param: click.Parameter, begun: str) -> list[CompletionItem]:
    """The games whose names begin so."""
    from domain import games

    return [CompletionItem(name) for name in games.names() if name.startswith(begun)]


#: `--game`, of commands that take the first game there is where none is named.
game_option = click.option(
    "--game", default="", shell_complete=games, help="The game (default: the first there is)."
)
#: `--edition`, of commands that begin something with a game (`edition_of`).
edition_option = click.option(
    "--edition", default="", help="The edition of the game's book, as 1.0 (default: the newest)."
)


def decks(ctx: click.Context, param: click.Parameter, begun: str) -> list[CompletionItem]:
    """The ready-made decks of the game that is meant; and files."""
    from domain import games

    found = []
    with suppress(KeyError):
        rules = games.rulebook(ctx.params.get("game") or games.names()[0])
        found = [CompletionItem(name) for name in rules.decks if name.startswith(begun)]
    return found or [CompletionItem(begun, type="file")]
