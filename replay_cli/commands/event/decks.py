"""`kifu event decks`: lists are taken in, checked, accepted, reopened, published and shown.

Players hand theirs in on the event's page (`service.web.events`), until that is closed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from domain.engine.match import Deck as Given
from domain.telling.book import Book
from domain.telling.names import count
from domain.text import decklists
from domain.tournament.acts import rows as acts
from domain.tournament.record import Deck
from domain.words.phrases import joined, labelled, phrase
from replay_cli.commands.event.at import At, command, doing
from replay_cli.output import MISSING, Failed, FilePath, console, table
from replay_cli.pages import Commands
from replay_cli.reaching.connection import fetch_book
from replay_cli.tournament.reading import players as reading
from replay_cli.typed import lists

FILE = FilePath(exists=True, dir_okay=False)


@click.group("decks", cls=Commands, no_args_is_help=True)
def decks_command() -> None:
    """Deck lists: private until they are published, fixed once they are accepted."""


@command("import", click.argument("file", type=FILE), group=decks_command)
def import_command(at: At, file: Path) -> None:
    """Hand in the lists of players from FILE (columns: name or key, deck)."""
    found = of_file(at, file)
    at.answer({"lists": len(found)}, *handed_in(at, found))


@command("hand-in", click.argument("who"), click.argument("deck"), group=decks_command)
def hand_in_command(at: At, who: str, deck: str) -> None:
    """Hand in the list of player WHO: DECK is a ready-made deck, or a file."""
    player = at.person(who).number
    at.answer({"player": player}, *handed_in(at, {player: given(at, deck)}, accept=False))


@command("check", group=decks_command, adds=False)
def check_command(at: At) -> None:
    """Show the state of each list: missing, faulty, handed in, accepted."""
    rows = [*_stages(at)]
    if at.as_data:
        at.answer(rows)
        return
    shown = table("no", "player", "list", right=("no",))
    for row in rows:
        shown.add_row(str(row["number"]), row["name"], row["list"])
    console().print(shown if rows else phrase("there are no players"))


def _stages(at: At) -> list[dict[str, Any]]:
    state = at.client.get_tournament(at.id, with_lists=True)
    found = []
    for one in state.players.values():
        handed = state.lists.get(one.list)
        faults = handed.faults if handed is not None else ()
        stage = phrase("accepted") if one.accepted else phrase("handed in")
        stage = stage if one.list else phrase("missing")
        text = joined(phrase("; "), faults) if faults else stage
        found.append({"number": one.number, "name": one.name, "list": text})
    return found


@command("accept", click.argument("who", nargs=-1), group=decks_command)
def accept_command(at: At, who: Sequence[str]) -> None:
    """Accept the lists of players WHO, or (nobody named) all that have no fault."""
    found = at.client.accept_lists(at.id, [one.number for one in at.persons(who)])
    at.answer(
        {"accepted": found}, count(len(found), "{n} list is accepted.", "{n} lists are accepted.")
    )


@doing("reopen", acts.ReopenList, group=decks_command)
def reopen_command(at: At, act: acts.ReopenList, _: object) -> Sequence[str]:
    """Let the list of player WHO be handed in again."""
    return [phrase("{player}: the list is open.", player=at.name(act.player))]


@doing("close", acts.CloseLists, group=decks_command)
def close_command(at: At, act: acts.CloseLists, _: object) -> Sequence[str]:
    """Let players hand in no more lists themselves (on the event's page, by their codes)."""
    if act.open:
        return [phrase("Players may hand in their lists.")]
    return [phrase("Players hand in no more lists.")]


def _published(at: At, _: acts.PublishLists) -> str:
    accepted = sum(one.accepted for one in at.state.players.values())
    text = "Everybody can read {n} lists of {event} then, for good."
    return phrase(text, n=accepted, event=at.state.name)


@doing("publish", acts.PublishLists, ask=_published, group=decks_command)
def publish_command(at: At, _: acts.PublishLists, done: object) -> Sequence[str]:
    """Let everybody read the lists that are accepted."""
    return [phrase("The lists are published.")]


@command("show", click.argument("who"), group=decks_command, adds=False)
def show_command(at: At, who: str) -> None:
    """Show the list of player WHO, if you may read it."""
    one = at.person(who)
    state = at.client.get_tournament(at.id, with_lists=True)
    handed = state.lists.get(state.players[one.number].list)
    if handed is None:
        raise Failed(phrase("there is no list of {name} that you may read", name=one.name), MISSING)
    book, lines = book_of(at), [f"{one.name}: {handed.deck.name}"]
    for part, cards in handed.deck.parts.items():
        lines.append(f"{part} ({len(cards)})")
        lines += shown_as(book, cards)
    lines += [f"! {fault}" for fault in handed.faults]
    data = {"name": handed.deck.name, "parts": handed.deck.parts, "faults": handed.faults}
    at.answer(data, *lines)


def given(at: At, deck: str) -> Deck:
    """A ready-made deck, or a list of a file; raises `Failed`."""
    book = book_of(at)
    listed = lists.deck(deck, book)
    parts = book.decks[listed.deck] if isinstance(listed.deck, str) else listed.deck.parts
    return Deck(listed.name, {part: tuple(cards) for part, cards in parts.items()})


def of_file(at: At, file: Path) -> dict[int, Deck]:
    """The lists of a table of players, by the number of the player."""
    read = reading.players(file)
    entered = {one.name: at.person(one.key or one.name).number for one in read.players if one.deck}
    found = reading.decks(file, read.players, book_of(at))
    return {entered[name]: deck for name, deck in found.items()}


def shown_as(book: Book, cards: Sequence[str]) -> list[str]:
    """The cards of a list, a line for each with its name."""
    found = []
    for row in decklists.rows(cards):
        count, _, card = row.partition(" ")
        facts = book.cards.get(card)
        found.append(f"{count:>4} {card}  {facts.name if facts is not None else ''}".rstrip())
    return found


def handed_in(at: At, found: Mapping[int, Deck], *, accept: bool = True) -> list[str]:
    """Hand lists in, and accept those without a fault; returns the notes on them."""
    lines, sound, state = list[str](), list[int](), at.look()
    for player, deck in found.items():
        given = Given(deck.name, {part: [*cards] for part, cards in deck.parts.items()})
        faults = at.client.hand_in_list(at.id, player, given)
        sound += [] if faults else [player]
        lines += [labelled(state.players[player].name, fault) for fault in faults]
    if accept and sound:
        at.client.accept_lists(at.id, sound)
        lines.append(
            count(
                len(sound),
                "{n} list has no fault, and is accepted.",
                "{n} lists have no fault, and are accepted.",
            )
        )
    elif not lines:
        lines.append(count(len(sound), "{n} list was handed in.", "{n} lists were handed in."))
    return lines


def book_of(at: At) -> Book:
    """The book of the event's game, with the cards that the event brings."""
    form = at.state.format
    return fetch_book(at.client, form.game).further(form.prints)
