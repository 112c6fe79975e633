"""`kifu open`: open a match, dealt by the service or of a real table, for people to play."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from domain.games import FIRST
from domain.record.proof import draws
from domain.record.values import Value
from domain.telling.names import player
from domain.words.phrases import joined, phrase
from replay_cli.commands.running.acting import roll_missing
from replay_cli.commands.running.grants import opened_data, print_opened, tokens_option
from replay_cli.output import BadValue, FilePath, as_json, console, hang, json_option
from replay_cli.reaching import completing
from replay_cli.reaching.connection import Access, access_options, book_to_open
from replay_cli.typed import lists
from replay_cli.typed.desk import rolls_option
from service.client.client import CallError
from service.client.convert import Rolls

F = TypeVar("F", bound=Callable[..., Any])
FILE = FilePath(exists=True, dir_okay=False)


def event_options(command: F) -> F:
    """`--settings`, `--option`: what is settled. `--prints`, `--yes`: cards of no catalogue."""
    for option in (
        click.option(
            "--option", "options", metavar="NAME=VALUE", multiple=True, callback=_options,
            help="An option of the game: a number, true or false, or a word.",
        ),
        click.option(
            "--prints", "prints", metavar="FILE", multiple=True, type=FILE,
            help="Cards that are in no catalogue: [[card]] tables in TOML, or a list of printed"
            " cards, CSV or JSON, whose texts are compiled.",
        ),
        click.option(
            "-y", "--yes", is_flag=True, help="Take printed texts as they were understood, unasked."
        ),
        click.option(
            "--settings", metavar="FILE", type=FILE,
            help="The policy of the event in TOML: clocks, penalties, the end of time.",
        ),
    ):  # fmt: skip
        command = option(command)
    return command


def _options(ctx: object, param: object, typed: tuple[str, ...]) -> dict[str, Value]:
    return {name: _value(value) for name, value in map(_named, typed)}


def _value(typed: str) -> Value:
    if re.fullmatch(r"-?\d{1,15}", typed):
        return int(typed)
    return typed == "true" if typed in ("true", "false") else typed


EXAMPLES = """\b
kifu open --seats Ann,Ben --deck ST01 --deck ST03
kifu open --seats Ann,Ben --deck ann.toml --deck ben.toml --settings regional.toml
kifu open --mode table --roll A …    a real table, where chance chose player A to begin with
"""


@click.command("open", epilog=EXAMPLES)
@click.option("--seats", metavar="X,Y", default="", help="The players' names.")
@click.option(
    "--deck", "decks", metavar="NAME|FILE", multiple=True,
    shell_complete=completing.decks,
    help="A ready-made deck, or a file with a list; once a player.",
)  # fmt: skip
@completing.game_option
@completing.edition_option
@click.option(
    "--mode", type=click.Choice(["dealer", "table"]), default="dealer", show_default=True,
    help="Dealt by the service, or played with real cards, which are named when they are revealed.",
)  # fmt: skip
@click.option("--best-of", type=click.Choice(["1", "3"]), default="1", show_default=True)
@event_options
@click.option(
    "--label", "labels", metavar="NAME=VALUE", multiple=True, help="A label to find the match by.",
    callback=lambda ctx, param, typed: dict(map(_named, typed)),
)  # fmt: skip
@rolls_option
@click.option(
    "--seed",
    type=click.IntRange(0),
    help="Makes the match repeatable, and marks it so: the seed predicts every draw.",
)
@click.option(
    "--chance",
    type=click.Choice(["shared", "system"]),
    default=None,
    help="Of a dealt match: shared seeds of service and players, so that every draw can be checked"
    " (default), or the service's own.",
)
@click.option(
    "--wait", is_flag=True, help="The match waits, without a clock, for `kifu desk begin`."
)
@tokens_option
@access_options
@json_option
def open_command(
    seats: str, decks: tuple[str, ...], game: str, edition: str, mode: str, best_of: str,
    settings: Path | None, options: dict[str, Value], prints: tuple[Path, ...],
    labels: dict[str, str], rolls: Rolls, seed: int | None, chance: str | None, wait: bool,
    tokens: bool, yes: bool, access: Access, as_data: bool,
) -> None:  # fmt: skip
    """Open a match; `--tokens` prints the tokens of its people."""
    if chance is None and mode == "dealer" and seed is None:
        chance = draws.SHARED
    with access.open(new=True) as client:
        book = book_to_open(client, game, edition)
        listed, brought = lists.opened_with(decks, book, prints, yes=yes)
        names = seats.split(",") if seats else [player(n) for n in range(book.manifest.seats)]
        if len(listed) != book.manifest.seats:
            text = phrase("name {n} of them, one a player, not {given}",
                          n=book.manifest.seats, given=len(listed))  # fmt: skip
            known = sorted(book.decks)[:2] * 2
            example = " ".join(f"--deck {name}" for name in known[: book.manifest.seats])
            raise BadValue(
                phrase("{text}: {example}", text=text, example=example), param_hint="--deck"
            )
        try:
            opened = client.open_match(
                book.manifest.game,
                names,
                [one.deck for one in listed],
                best_of=int(best_of),
                labels=labels,
                options=options,
                seed=seed,
                mode=mode,
                policy=lists.policy(settings) if settings is not None else None,
                prints=brought,
                rolls=rolls,
                wait=wait,
                chance=chance or "",
                edition=book.manifest.edition or FIRST,
            )
        except CallError as error:
            raise roll_missing(error, book, names) from error
    if as_data:
        as_json(opened_data(opened, tokens))
    else:
        people = [
            phrase("{player} ({deck})", player=name, deck=one.name)
            for name, one in zip(names, listed, strict=True)
        ]
        waits = wait or chance == draws.SHARED
        state = "match {id} waits to begin: {players}" if waits else "match {id} is open: {players}"
        against = joined(phrase(" against "), people)
        console().print(phrase(state, id=opened.id, players=against), style="bold")
        print_opened(opened, tokens)
        if chance == draws.SHARED:
            console().print(hang("", JOINING), style="dim")


def _named(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise BadValue(phrase("{text!r} is not NAME=VALUE", text=text))
    return name, value


JOINING = phrase(
    "It begins once each player's client has joined it and given a seed to chance (`kifu join`), or"
    " by `kifu desk begin` without the seeds that are missing, whose owners are named."
)
