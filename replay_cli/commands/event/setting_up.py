"""`kifu event new`, `officials`, `finish`: an event is made, staffed, and ended."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from msgspec.structs import asdict

from domain.telling import tournament_consequences
from domain.telling.names import count
from domain.telling.tournament import ROLES as ROLE_NAMES
from domain.words.phrases import labelled, phrase
from replay_cli.commands.credentials.slips import How, hand_out, slip_options
from replay_cli.commands.credentials.whom import of_event
from replay_cli.commands.event import decks
from replay_cli.commands.event.at import At, command, yes_option
from replay_cli.commands.running.grants import print_token, tokens_option
from replay_cli.output import Failed, FilePath, as_json, console, json_option, say
from replay_cli.reaching.asking import can_be_asked
from replay_cli.reaching.connection import Access, access_options, book_to_open
from replay_cli.tournament.reading import event, players
from replay_cli.tournament.reading.event import ROLES

FILE = FilePath(exists=True, dir_okay=False)
EXAMPLE = """\b
FILE, in TOML:
event = "Harbour Open"
[format]
game = "…"              # best_of, minutes, rounds, cut, points, tiebreaks, …
minutes = 50
[players]
file = "players.csv"    # name, key, deck
[officials]
"Eva Eder" = "head judge"

\b
mode, under [format]:
"table"   real cards; what is played is entered (if nothing is said)
"dealer"  players play in browsers, the service deals
"none"    no match is recorded; results are entered
"""
#: What is said where a file has no mode.
MODE = phrase(
    'mode is not said: matches are at real tables, which is mode = "table". Players in browsers'
    ' need mode = "dealer"; where results alone are entered it is mode = "none".'
)


@click.command("new", epilog=EXAMPLE)
@click.argument("file", type=FILE)
@tokens_option
@yes_option
@access_options
@json_option
def new_command(file: Path, tokens: bool, yes: bool, access: Access, as_data: bool) -> None:
    """Make an event from FILE, with the players and the officials that it names.

    All of it is read before anything is made. Lists without faults are accepted.
    """
    read = event.read(file, yes=yes)
    if not read.mode_given and not as_data:
        console(stderr=True).print(say(MODE), soft_wrap=True)
        if can_be_asked() and not yes and not click.confirm("At real tables?", err=True):
            raise click.exceptions.Exit(0)
    people = players.players(read.players) if read.players is not None else None
    with access.open(new=True) as client:
        book = book_to_open(client, read.format.game, "").further(read.format.prints)
        lists = {}
        if people is not None:
            lists = players.decks(people.path, people.players, book)
        opened = client.open_tournament(read.name, read.format)
        for name, role in read.officials.items():
            client.name_official(opened.id, name, role)
        for name in read.barred:
            client.bar_player(opened.id, name)
        found = At(client, opened.id, access, as_data)
        lines = []
        if people is not None:
            numbers = client.enter_players(opened.id, {one.name: one.key for one in people.players})
            entered = dict(zip((one.name for one in people.players), numbers, strict=True))
            lines = decks.handed_in(found, {entered[name]: deck for name, deck in lists.items()})
            entered_ = count(len(numbers), "{n} player was entered.", "{n} players were entered.")
            lines = [entered_, *people.notes, *lines]
    if as_data:
        as_json(asdict(opened))
        return
    out = console()
    opening = phrase("event {id} is open: {name}", id=opened.id, name=read.name)
    out.print(say(opening), style="bold")
    for line in lines:
        out.print(line)
    for who in ("official", "scorekeeper", "public") if tokens else ():
        print_token(who, getattr(opened, who))


@command(
    "change",
    click.argument("file", type=FILE),
    click.option("--why", required=True, help="The reason, for the record."),
    asks=True,
)
def change_command(at: At, file: Path, why: str) -> None:
    """Change name and format of the event as FILE has them, for rounds that are not open yet.

    The players and officials that it names are not looked at.
    """
    read = event.read(file, yes=at.yes)
    done = at.client.change_format(at.id, read.name, read.format, why)
    at.answer(done, phrase("{name} goes on by {file}.", name=read.name, file=file.name))


@command(
    "officials",
    click.argument("names", nargs=-1, metavar="[NAME]…"),
    click.option("--role", type=click.Choice(ROLES), default="judge", show_default=True),
    click.option("--remove", is_flag=True, help="Remove them."),
)
def officials_command(at: At, names: Sequence[str], role: str, remove: bool) -> None:
    """Name officials of the event, or (no NAME) list them."""
    for name in names:
        at.client.name_official(at.id, name, "" if remove else role)
    found = at.look().officials
    lines = [labelled(name, ROLE_NAMES.get(role, role)) for name, role in sorted(found.items())]
    at.answer(found, *(lines or [phrase("nobody is named as an official")]))


@command("codes", slip_options)
def codes_command(at: At, how: How) -> None:
    """Issue codes to join with, for players (default), tables, officials; --slips prints them.

    A player's code is valid for his seat in every round, a table's for its scorekeeper. A code is
    printed once; kifu codes lists and revokes them.
    """
    people = of_event(at.state, how.named, how.late)
    hand_out(at.client, people, at.state.name, how, at.access, at.as_data)


@command("finish", asks=True)
def finish_command(at: At) -> None:
    """End the event. Its results can still be corrected."""
    found = at.client.end_tournament(at.id, preview=True)
    s = at.state
    if found.going_on:
        text = "round {n} has not ended: kifu event end"
        later = "round {n} has not ended: kifu event end, once tables have their results"
        raise Failed(phrase(later if found.missing else text, n=found.going_on))
    at.confirm(say(tournament_consequences.tournament_ends(s, found.calls)))
    done = at.client.end_tournament(at.id)
    at.answer(done, phrase("{name} has ended: kifu event standings", name=s.name))
