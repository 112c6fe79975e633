"""`kifu record`: open a new table, or go on with one that is being recorded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from domain.games import FIRST
from domain.record.values import Value
from domain.scorekeeping.line.questions import RollQuestion
from domain.scorekeeping.session import Session
from domain.telling.names import player
from domain.words.phrases import phrase
from replay_cli.commands.running.open import event_options
from replay_cli.output import FORBIDDEN, REFUSED, Failed, Misused, need_terminal, say
from replay_cli.reaching.asking import match_to_write
from replay_cli.reaching.completing import edition_option
from replay_cli.reaching.connection import (
    Access,
    Reader,
    access_options,
    book_to_open,
    match_argument,
)
from replay_cli.scorekeeper.link import Link
from replay_cli.typed import lists
from service.client.client import CallError, Client, Opened

if TYPE_CHECKING:
    from replay_cli.scorekeeper.screen import Screen

#: Who may enter for both seats.
ENTERING = ("scorekeeper", "official")
EXAMPLES = """\b
kifu record                                       go on with the match that is live
kifu record --new GAME --deck X --deck Y --seats Ann,Ben
kifu record --new GAME --deck ann.toml --deck ben.toml --settings regional.toml
"""


@click.command("record", epilog=EXAMPLES)
@match_argument
@click.option("--new", "game", metavar="GAME", help="Open a match of this game first.")
@edition_option
@click.option(
    "--deck", "decks", metavar="NAME|FILE", multiple=True,
    help="A ready-made deck, or a file with a list; once a player.",
)  # fmt: skip
@click.option("--seats", metavar="X,Y", default="", help="The players' names.")
@click.option("--best-of", type=click.Choice(["1", "3"]), default="1", show_default=True)
@event_options
@access_options
def record_command(
    match: str, game: str | None, edition: str, decks: tuple[str, ...], seats: str,
    best_of: str, settings: Path | None, options: dict[str, Value], prints: tuple[Path, ...],
    yes: bool, access: Access,
) -> None:  # fmt: skip
    """Enter MATCH (default: the live one) while it is played with real cards.

    A screen for the keyboard; F1 lists the keys. The token is a scorekeeper's or an official's; an
    organiser becomes the scorekeeper.
    """
    if match and game:
        raise Misused("name a match, or open a new one")
    if game:
        need_terminal()  # before a match is opened for nothing
    with access.open(new=bool(game), adds=True) as client:
        if game:
            opened = open_table(
                client, game, edition, decks, seats.split(",") if seats else (), int(best_of),
                settings, prints, options, yes=yes,
            )  # fmt: skip
            match = opened.id
        match = match_to_write(client, match)
        keeper, role = open_client(client, match)
        need_terminal()
        app = screen(keeper, match, role)
        app.run()


def screen(client: Client, match: str, role: str = "scorekeeper") -> Screen:
    """The screen for a match, as it stands."""
    from replay_cli.scorekeeper.screen import Screen  # which takes its time to load

    reader = Reader(client, match)
    session, link = Session(reader.id, reader.book), Link(client, reader.id)
    session.feed(link.fetch(0))
    heading = session.pos.heading
    if heading.mode != "table" and not heading.fork:
        text = phrase(
            "match {id} is dealt by the service, so that its players enter it", id=reader.id
        )
        raise Failed(text, REFUSED, [phrase("open one of real cards: kifu record --new")])
    return Screen(session, link, may_rule=role == "official")


def open_client(client: Client, match: str) -> tuple[Client, str]:
    """A client that may enter for both seats, and as what; raises `Failed`."""
    role = client.who_am_i().role
    if role in ENTERING:
        return client, role
    if role != "organiser":
        raise Failed(
            phrase("this is for a scorekeeper or an official, not for {role}", role=role), FORBIDDEN
        )
    opened = client.issue_tokens(Reader(client, match).id)
    return client.with_token(opened.scorekeeper or opened.official), "scorekeeper"


def open_table(
    client: Client, game: str, edition: str, decks: Sequence[str], seats: Sequence[str],
    best_of: int = 1, settings: Path | None = None, prints: Sequence[Path] = (),
    options: Mapping[str, Value] | None = None, *, yes: bool = False,
) -> Opened:  # fmt: skip
    """Open a match at a real table; how chance fell before the first decision is asked for."""
    book = book_to_open(client, game, edition)
    listed, brought = lists.opened_with(decks, book, prints, yes=yes)
    names = seats or [player(seat) for seat in range(book.manifest.seats)]
    policy = lists.policy(settings) if settings is not None else None
    rolls: list[tuple[int, ...]] = []
    while True:
        try:
            return client.open_match(
                book.manifest.game, names, [one.deck for one in listed], best_of=best_of,
                edition=book.manifest.edition or FIRST,
                mode="table", policy=policy, prints=brought, rolls=rolls, options=options,
            )  # fmt: skip
        except CallError as error:
            if error.reason != "ROLL_REQUIRED":
                raise
            facts = error.metadata
            why = book.manifest.label("chances", facts["kind"])
            asked = RollQuestion(facts["kind"], int(facts["of"]), tuple(names), why)
            rolls.append(_asked_roll(asked))


def _asked_roll(question: RollQuestion) -> tuple[int, ...]:
    """The outcome of chance, as typed at the terminal."""
    while True:
        found = question.answers(click.prompt(say(question.text), prompt_suffix=" "))
        if len(found) == 1:
            return found[0].rolls[0]
