"""Commands at one event: which event is meant, how it is reached, how an answer is given.

A command is a function of the event (`At`) and of what was typed; `command` makes it one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from domain.tournament.acts.rows import EventAct
from domain.tournament.state import Round, State
from domain.words.fields import Kind, Typed, typed
from domain.words.phrases import phrase
from replay_cli.output import MISSING, USAGE, BadValue, Failed, as_json, console, json_option, say
from replay_cli.reaching.asking import confirmed
from replay_cli.reaching.connection import Access, access_options, event_option, milliseconds
from replay_cli.tournament import overview
from replay_cli.tournament.reading.people import Nobody, People, Person

if TYPE_CHECKING:
    from service.client.client import Client

Option = Callable[[Any], Any]
#: How many events are named to choose from.
NAMED = 8

#: Which event is meant.
EVENT = "The event, by id or name (default: the only one that is open)."

yes_option = click.option("-y", "--yes", is_flag=True, help="Do not ask first.")
why_option = click.option("--why", default="", help="The reason, for the record.")
round_option = click.option(
    "--round", "number", type=click.IntRange(0), default=0, help="Which round (default: the last)."
)


class At:
    """An event as a command finds it, and how the command answers."""

    def __init__(
        self, client: Client, event: str, access: Access, as_data: bool, yes: bool = False
    ) -> None:
        self.client, self.id, self.access = client, event, access
        self.as_data, self.yes = as_data, yes
        self.look()

    def look(self) -> State:
        """See how it stands now."""
        self.state, self.now = self.client.get_tournament_and_time(self.id)
        return self.state

    @property
    def people(self) -> People:
        """Its players, to be found by what somebody calls them."""
        return overview.people(self.state)

    def name(self, player: int) -> str:
        """The name of a player."""
        return self.state.players[player].name

    def person(self, text: str) -> Person:
        """The player who is meant."""
        return self.persons([text])[0]

    def persons(self, texts: Iterable[str]) -> list[Person]:
        """The players who are meant."""
        try:
            return self.people.find_all([*texts])
        except Nobody as error:
            raise Failed(str(error), MISSING) from None

    def round(self, number: int = 0) -> Round:
        """A round; 0: the last. Raises `Failed` if it does not exist."""
        rounds = self.state.rounds
        if not rounds:
            raise Failed(phrase("no round of {name} is paired yet", name=self.state.name), MISSING)
        if number > len(rounds):
            raise Failed(
                phrase("there are {n} rounds, and no round {number}", n=len(rounds), number=number),
                MISSING,
            )
        return rounds[number - 1]

    def confirm(self, warning: str) -> None:
        """Ask whether that is wanted, and end the command if it is not."""
        if not confirmed(warning, self.yes):
            raise click.exceptions.Exit(0)

    def answer(self, data: Any, *lines: str) -> None:
        """Say what was done: the data for programs, the lines for people."""
        if self.as_data:
            as_json(data)
        else:
            for line in lines:
                console().print(say(line))

    def reports(self, tables: Iterable[Any]) -> list[str]:
        """The failures at tables when a round was opened, started or stopped."""
        return [
            phrase("table {n}: {text}", n=one.table, text=one.text or one.reason)
            for one in tables
            if one.state == "failed"
        ]


def command(
    name: str, *options: Option, adds: bool = True, asks: bool = False, group: Any = click
) -> Option:
    """Make a command of a function; the event, the access to it and `--json` are added."""

    def decorate(act: Callable[..., None]) -> click.Command:
        def run(event: str, access: Access, as_data: bool, yes: bool = False, **typed: Any) -> None:
            with access.open(adds=adds) as client:
                act(At(client, find(client, event), access, as_data, yes), **typed)

        made: Any = run
        asking = (yes_option,) if asks else ()
        for option in reversed(
            (*options, *asking, event_option(EVENT), access_options, json_option)
        ):
            made = option(made)
        found: click.Command = group.command(name, help=act.__doc__)(made)
        return found

    return decorate


def doing(
    name: str,
    row: type[EventAct],
    *,
    ask: Callable[[At, Any], str] | None = None,
    group: Any = click,
) -> Option:
    """Make a command of an act: its options are the fields of its row.

    The function says what to print once it is done, of the act and of what was answered; `ask` what
    is to be confirmed before, if anything.
    """
    fields = [one for one in typed(row).values() if one.field.kind != Kind.SEEN]

    def decorate(lines: Callable[[At, Any, Any], Sequence[str]]) -> click.Command:
        def run(at: At, **given: Any) -> None:
            act = row(**{one.name: _meant(at, one, given[one.name]) for one in fields})
            if ask is not None and (warning := ask(at, act)):
                at.confirm(warning)
            found = at.client.do(at.id, act)
            at.look()
            at.answer(found, *lines(at, act, found))

        run.__doc__ = lines.__doc__
        made: click.Command = command(
            name, *map(_option, fields), asks=ask is not None, group=group
        )(run)
        return made

    return decorate


def _option(one: Typed) -> Option:
    """A field of an act as an argument in its place, or as an option."""
    field, number = one.field, one.field.kind in (Kind.NUMBER, Kind.ROUND)
    more: dict[str, Any] = {
        "type": click.IntRange(field.least) if number else None,
        "callback": {Kind.TABLES: _tables, Kind.SECONDS: seconds}.get(field.kind),
        "required": one.needed,
    }
    if field.kind == Kind.PLAYERS:
        more["nargs"] = -1
    elif not one.needed:
        more["default"] = one.default if number else ""
    if field.kind == Kind.YES:
        return click.option(*field.flags, one.name, is_flag=True, help=f"{field.help}.")
    if not field.flags:
        metavar = one.word if one.needed else f"[{one.word}]"
        return click.argument(one.name, metavar=metavar, **more)
    return click.option(
        *field.flags, one.name, metavar=field.word or None, help=f"{field.help}.", **more
    )


def _meant(at: At, one: Typed, given: Any) -> Any:
    """The typed value of a field, by the event."""
    match one.field.kind:
        case Kind.PLAYER:
            return at.person(given).number if given else 0
        case Kind.PLAYERS:
            return [person.number for person in at.persons(given)]
    return given


def find(client: Client, wanted: str) -> str:
    """The event that is meant: by id or name, or the only one there is; raises `Failed`."""
    found = [*client.list_tournaments()]
    if not found:
        raise Failed("there are no events: make one with kifu event new FILE", MISSING)
    if wanted:
        named = [one for one in found if wanted == one.event_id]
        named = named or [one for one in found if one.name.casefold() == wanted.casefold()]
        if not named:
            raise Failed(
                phrase("there is no event {wanted!r}; there are:", wanted=wanted),
                MISSING,
                _names(found),
            )
    else:
        named = [one for one in found if not (one.ended or one.broken)] or found
    if len(named) == 1:
        return str(named[0].event_id)
    raise Failed("several events may be meant: name one with --event", USAGE, _names(named))


def id_of(client: Client, wanted: str) -> str:
    """The id of the event that is named; what names none is taken for an id, as of an archived one.

    Empty: none is wanted.
    """
    named = [*client.list_tournaments()] if wanted else []
    found = [one.event_id for one in named if one.name.casefold() == wanted.casefold()]
    known = wanted in (one.event_id for one in named) or len(found) != 1
    return wanted if known else str(found[0])


def _names(events: Sequence[Any]) -> list[str]:
    more = len(events) - NAMED
    found: list[str] = [f"{one.event_id}  {one.broken or one.name}" for one in events[:NAMED]]
    return found + [phrase("and {n} more: kifu event list", n=more)] * (more > 0)


def _tables(ctx: object, param: object, text: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not all(part.isascii() and part.isdecimal() for part in parts):
        raise BadValue(phrase("{text!r} are no tables such as 3,5", text=text))
    return tuple(int(part) for part in parts)


def seconds(ctx: object, param: object, text: str) -> int:
    """A span of time as it is typed: `5` minutes, `1:30`, `-2`."""
    if not text:
        return 0
    sign = -1 if text.startswith("-") else 1
    text = text.removeprefix("-")
    found = milliseconds(text if ":" in text else f"{text}:00") // 1000
    return sign * found
