"""`kifu list`: the matches of a server or a file, found, sorted, and looked at again and again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import click
from msgspec import Struct

from domain.record.position import seat_of
from domain.telling.names import countdown, letter
from domain.words.phrases import joined, phrase
from replay_cli.output import BadValue, as_json, console, json_option, say, table
from replay_cli.reaching import completing
from replay_cli.reaching.connection import Access, access_options, event_option
from replay_cli.reaching.rounds import Rounds
from replay_cli.sheet import Sheet

#: Matches that are looked through at most, to be sorted or searched.
MOST = 2000
LIVE, ENDED, WAITING = 1, 2, 3
EXAMPLES = """\b
kifu list --label round=3 --sort table      the tables of a round
kifu list --state live --sort left -w       who has least time, again every two seconds
kifu list --text ann                        all that contain "ann"
"""


class Wanted(Struct, frozen=True):
    """Which matches are listed, and in which order."""

    labels: dict[str, str]
    state: str
    game: str
    event: str
    text: str
    forks: bool
    order: str
    limit: int


def _number(text: str) -> tuple[float, str]:
    """Labels as they are counted: table 10 after table 9, words after numbers."""
    return (float(text), "") if text.isdecimal() else (float("inf"), text)


def _labelled(name: str) -> Callable[[Any], Any]:
    return lambda match: _number({one.name: one.value for one in match.labels}.get(name, ""))


def _left(match: Any) -> float:
    return min((one.left for one in match.progress.clocks), default=float("inf"))


#: How matches are put in order, by what they are sorted by; the newest first otherwise.
ORDERS: dict[str, Callable[[Any], Any]] = {
    "table": lambda match: (_labelled("round")(match), _labelled("table")(match)),
    "round": lambda match: (_labelled("round")(match), _labelled("table")(match)),
    "opened": lambda match: match.open_time.ToNanoseconds(),
    "left": lambda match: (match.state == ENDED, _left(match)),
    "turn": lambda match: (match.state == ENDED, -match.progress.game, -match.progress.turn),
}


@click.command("list", epilog=EXAMPLES)
@click.option(
    "--label", "labels", multiple=True, metavar="NAME=VALUE",
    help="Only matches with this label; may be given several times.",
)  # fmt: skip
@click.option(
    "--state", type=click.Choice(["waiting", "live", "ended"]), default=None,
    help="Only matches that have not begun, that are being played, or that are over.",
)  # fmt: skip
@click.option(
    "--game", default="", shell_complete=completing.games, help="Only matches of this game."
)
@event_option("Only matches of this event of organisers, by id or name.")
@click.option(
    "--text", default="", help="Only matches with this in an id, a name, a label or the game."
)
@click.option("--forks", is_flag=True, help="Forks as well: what-if copies of matches.")
@click.option(
    "--sort", "order", type=click.Choice([*ORDERS]), default=None,
    help="By table or round, by when they were opened, by the time left on their clocks, by how far"
    " they are (default: the newest first).",
)  # fmt: skip
@click.option("-n", "--limit", type=click.IntRange(1), default=50, show_default=True)
@click.option(
    "-w", "--watch", "every", type=click.FloatRange(0.2), is_flag=False, flag_value=2.0,
    metavar="[SECONDS]", help="Refresh the list until Ctrl-C (default: every 2 seconds).",
)  # fmt: skip
@access_options
@json_option
def list_command(
    labels: tuple[str, ...], state: str | None, game: str, event: str, text: str, forks: bool,
    order: str | None, limit: int, every: float | None, access: Access, as_data: bool,
) -> None:  # fmt: skip
    """List matches, the newest first: players, progress, time left, score."""
    wanted = Wanted(
        dict(_label(one) for one in labels), state or "", game, event, text, forks, order or "",
        limit,
    )  # fmt: skip
    with _found(access, wanted) as look:
        if every is not None:
            _watch(look, every)
        elif as_data:
            as_json(look())
        else:
            found = look()
            console().print(sheet(found, _now()) if found else say(phrase("no matches")))


@contextmanager
def _found(access: Access, wanted: Wanted) -> Iterator[Callable[[], list[Any]]]:
    """A search for the matches, once or again. A file is held only while it is read."""
    if not access.server:

        def opened() -> list[Any]:
            with access.open() as client:
                return _listed(client, wanted)

        yield opened
        return
    with access.open() as client:
        yield lambda: _listed(client, wanted)


def _listed(client: Any, wanted: Wanted) -> list[Any]:
    from replay_cli.commands.event.at import find  # which loads what events need

    whole = bool(wanted.order or wanted.text)
    event = find(client, wanted.event) if wanted.event else ""
    found, rounds = [], Rounds(client)
    for one in client.list_matches(
        wanted.labels, state=wanted.state, game=wanted.game, forks=wanted.forks,
        event=event, progress=True,
    ):  # fmt: skip
        if wanted.state in ("live", "waiting") and rounds.ended(one.id):
            continue  # nobody plays on there
        if _has(one, wanted.text):
            found.append(one)
        if len(found) == (MOST if whole else wanted.limit):
            break
    if wanted.order:
        found.sort(key=ORDERS[wanted.order])
    return found[: wanted.limit]


def _has(match: Any, text: str) -> bool:
    """Whether a match has all of these words in what is listed of it."""
    labels = (part for one in match.labels for part in (one.name, one.value))
    there = " ".join([match.id, match.game, *match.seats, *labels]).casefold()
    return all(word in there for word in text.casefold().split())


def _watch(look: Callable[[], list[Any]], every: float) -> None:
    """Show them again and again: in place on a terminal, else one list below the other."""
    from rich.live import Live

    out = console()
    try:
        if not out.is_terminal:
            while True:
                out.print(sheet(look(), _now()))
                time.sleep(every)
        with Live(console=out, auto_refresh=False, vertical_overflow="crop") as live:
            while True:
                live.update(sheet(look(), _now()), refresh=True)
                time.sleep(every)
    except KeyboardInterrupt:
        click.echo(err=True)


def _now() -> datetime:
    return datetime.now(UTC)


# -- rows ----------------------------------------------------------------------------------------


def sheet(found: list[Any], now: datetime) -> Sheet:
    """The matches as a table: what none of them has takes no column."""
    cells: tuple[Callable[[Any], str], ...] = (
        lambda one: one.id,
        lambda one: one.game,
        lambda one: ", ".join(f"{o.name} {o.value}" for o in one.labels),
        lambda one: " – ".join(one.seats),
        lambda one: _when(one.open_time, now),
        lambda one: _when(one.progress.last_time, now),
        _turn,
        _clocks,
        _state,
        lambda one: str(one.progress.followers or ""),
        lambda one: "–".join(map(str, one.score or one.progress.score)),
    )
    shown = table(
        "match", "game", "labels", "seats", "opened", "last act", "turn", "clocks", "state",
        "follow", "score", whole={"match", "turn", "score"},
    )  # fmt: skip
    for one in found:
        shown.add_row(*(say(cell(one)) for cell in cells))
    return shown.without_empty()


def _when(stamp: Any, now: datetime) -> str:
    """A time of today without its date, in the reader's time zone."""
    if not stamp.seconds:
        return ""
    at = stamp.ToDatetime(UTC).astimezone()
    return str(at.strftime("%H:%M" if at.date() == now.astimezone().date() else "%Y-%m-%d %H:%M"))


def _turn(match: Any) -> str:
    """The turn and whose it is; after a star, who is asked for something: `7 B *A`."""
    how = match.progress
    if not how.turn:
        return ""
    game = f"{how.game}/" if match.best_of > 1 else ""
    whose = f" {letter(how.turn_seat)}" if how.turn_seat >= 0 else ""
    asked = "".join(map(letter, how.deciding)) if match.state == LIVE else ""
    return f"{game}{how.turn}{whose}{f' *{asked}' if asked else ''}"


def _clocks(match: Any) -> str:
    """The display of the clocks; a star at those that run."""
    parts = []
    for one in match.progress.clocks:
        seat = seat_of(one.clock)
        name = f"{letter(seat)} " if seat >= 0 else ""
        parts.append(f"{name}{countdown(one.left)}{'*' if one.running else ''}")
    return ", ".join(parts)


def _state(match: Any) -> str:
    if match.unofficial:
        parts = [phrase("UNOFFICIAL, fork of {match}", match=match.fork.match)]
        return joined(", ", [*parts, phrase("over")] if match.state == ENDED else parts)
    if match.state == WAITING:
        parts = [phrase("waiting")]
    elif match.state == LIVE:
        parts = [phrase("paused") if match.progress.paused else phrase("live")]
    elif match.winner >= 0:
        parts = [phrase("{name} won", name=match.seats[match.winner])]
    else:
        parts = [phrase("a draw")]
    if match.imported:
        parts.append(phrase("imported"))
    elif match.chance == "seed":
        parts.append(phrase("SEEDED"))
    return joined(", ", [*parts, phrase("corrected")] if match.superseded else parts)


def _label(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise BadValue(phrase("{text!r} is not NAME=VALUE", text=text), param_hint="--label")
    return name, value
