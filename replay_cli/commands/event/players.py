"""`kifu event players` and `check-in`: who takes part, from a table or one by one; who is here."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from domain.telling import tournament_consequences
from domain.telling.names import count
from domain.tournament.acts import rows as acts
from domain.words.phrases import phrase
from replay_cli.commands.event import decks
from replay_cli.commands.event.at import At, command, doing
from replay_cli.commands.groups import DefaultGroup
from replay_cli.output import Misused, console, say, table
from replay_cli.tournament import exporting
from replay_cli.tournament.reading import players as reading

#: How far a list has come, for people.
LISTED = {"accepted": phrase("accepted"), "handed in": phrase("handed in")}


class PlayersGroup(DefaultGroup):
    """Without a word, those there are."""

    default, alone = "list", True


@click.group("players", cls=PlayersGroup, subcommand_metavar="[COMMAND]")
def players_command() -> None:
    """Enter players, correct, drop and reinstate them; list them without a subcommand."""


@command("list", group=players_command, adds=False)
def list_command(at: At) -> None:
    """List the players."""
    rows = exporting.players(at.state)
    if at.as_data:
        at.answer(rows)
        return
    shown = table("no", "name", "key", "list", "", right=("no",))
    for row in rows:
        shown.add_row(
            str(row["number"]), str(row["name"]), str(row["key"]),
            say(LISTED.get(str(row["list"]), phrase(""))),
            say(phrase("dropped")) if row["dropped"] else "",
        )  # fmt: skip
    console().print(shown if rows else say(phrase("there are no players")))


@command(
    "add",
    click.argument("names", nargs=-1, required=True, metavar="NAME…"),
    click.option("--key", default="", help="Your own key for him, if you add one player."),
    group=players_command,
)
def add_command(at: At, names: Sequence[str], key: str) -> None:
    """Enter players by name, also late."""
    if key and len(names) > 1:
        raise Misused("a key is for one player")
    found = at.client.enter_players(at.id, dict.fromkeys(names, key))
    pairs = zip(names, found, strict=True)
    lines = [phrase("{name} is player {n}.", name=name, n=n) for name, n in pairs]
    at.answer({"players": found}, *lines)


@command("import", click.argument("file", type=decks.FILE), group=players_command)
def import_command(at: At, file: Path) -> None:
    """Enter the players of FILE (CSV: name, key, deck), all or none.

    Their lists are handed in as well; lists without a fault are accepted.
    """
    read = reading.players(file, [one.name for one in at.state.players.values()])
    found = reading.decks(file, read.players, decks.book_of(at))
    numbers = at.client.enter_players(at.id, {one.name: one.key for one in read.players})
    entered = dict(zip((one.name for one in read.players), numbers, strict=True))
    lines: list[str] = [count(len(numbers), "{n} player was entered.", "{n} players were entered.")]
    if found:
        lines += decks.handed_in(at, {entered[name]: deck for name, deck in found.items()})
    lines += read.notes
    at.answer({"players": numbers, "ignored": read.ignored}, *lines)


def _drops(at: At, act: acts.DropPlayer) -> str:
    return say(tournament_consequences.player_drops(at.state, act.player))


@doing("drop", acts.DropPlayer, ask=_drops, group=players_command)
def drop_command(at: At, act: acts.DropPlayer, _: object) -> Sequence[str]:
    """Have player WHO (a number, a key, a name) play no further rounds.

    Where the event's file says so (conceding), he gives up the match that he is paired for.
    """
    return [phrase("{player} has dropped.", player=at.name(act.player))]


@doing("bar", acts.BarPlayer, group=players_command)
def bar_command(at: At, act: acts.BarPlayer, _: object) -> Sequence[str]:
    """Bar NAME (a name, or your key for him) from the event; it is not entered then."""
    return [
        phrase("{name} is barred no longer." if act.lift else "{name} is barred.", name=act.name)
    ]


@doing("check-in", acts.CheckIn)
def check_in_command(at: At, act: acts.CheckIn, _: object) -> Sequence[str]:
    """Check player WHO in (a number, a key, a name), also late: he is here."""
    here = sum(one.present for one in at.state.players.values() if not one.dropped)
    playing = sum(not one.dropped for one in at.state.players.values())
    text = "{player} is here: {n} of {all} are checked in."
    if act.absent:
        text = "{player} is not here: {n} of {all} are checked in."
    return [phrase(text, player=at.name(act.player), n=here, all=playing)]


@doing("reinstate", acts.ReinstatePlayer, group=players_command)
def reinstate_command(at: At, act: acts.ReinstatePlayer, _: object) -> Sequence[str]:
    """Have player WHO, who had dropped, play on."""
    return [phrase("{player} plays on.", player=at.name(act.player))]


@command(
    "correct",
    click.argument("who"),
    click.option("--name", default=None, help="His name."),
    click.option("--key", default=None, help="Your own key for him."),
    group=players_command,
)
def correct_command(at: At, who: str, name: str | None, key: str | None) -> None:
    """Change the name or the key of player WHO."""
    one = at.person(who)
    name, key = one.name if name is None else name, one.key if key is None else key
    done = at.client.correct_player(at.id, one.number, name, key)
    text = "player {n} is {name} ({key})." if key else "player {n} is {name}."
    at.answer(done, phrase(text, n=one.number, name=name, key=key))
