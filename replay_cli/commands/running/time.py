"""`kifu time`: what officials do about the time of a match, and what its clocks show."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from domain.record.views import PUBLIC
from domain.telling.names import clock_name, countdown, player, time_left
from replay_cli.commands.running import desk_result
from replay_cli.commands.running.recording import Recorded, recording, seat_of, why_option
from replay_cli.output import console
from replay_cli.pages import Commands
from replay_cli.reaching.connection import Reader, milliseconds
from replay_cli.typed.rolls import rolls_option
from service.client.convert import Rolls


@click.group("time", cls=Commands)
def time_command() -> None:
    """Call time, decide, set clocks. For officials of the match, and organisers."""


def _show(reader: Reader, _: Recorded) -> None:
    """Print what the clocks show by then."""
    pos, out = reader.client.position(reader.id, view=PUBLIC), console()
    for name in pos.clocks:
        out.print(f"{clock_name(name)} shows {countdown(pos.left(name, pos.time))}")
    if pos.called and not pos.over:
        out.print(time_left(pos, pos.time))
    if pos.over:
        out.print(f"{player(pos.winner)} wins" if pos.winner >= 0 else "the match is a draw")


def _milliseconds(context: Any, option: Any, text: str) -> int | None:
    return milliseconds(text) if text else None


def _clock(reader: Reader, clock: str) -> str:
    return clock if clock == "round" else f"seat/{seat_of(reader, clock)}"


_command = partial(recording, time_command)


@_command("call", _show, consequence=desk_result.call_consequence, example="kifu time call k7f3q")
def call_command(r: Reader) -> Recorded:
    """The time of MATCH (default: the live one) is over: what the event says of that begins."""
    return r.client.call_time(r.id)


@_command(
    "decide", _show, consequence=desk_result.decision_consequence, example="kifu time decide k7f3q"
)
def decide_command(r: Reader) -> Recorded:
    """End MATCH here and now, by the event's tie-breaks; time must have been called."""
    return r.client.decide_by_time(r.id)


@_command(
    "flag",
    _show,
    click.argument("who"),
    rolls_option,
    consequence=desk_result.flag_consequence,
    example="kifu time flag B k7f3q",
)
def flag_command(r: Reader, who: str, rolls: Rolls) -> Recorded:
    """The clock of player WHO (A, B) has run out: what the event says of that follows."""
    return r.client.flag_clock(r.id, seat_of(r, who), rolls=rolls)


@_command(
    "extend",
    _show,
    click.argument("clock"),
    click.argument("by", callback=_milliseconds),
    why_option,
    example='kifu time extend round 4:00 --why "deck check"',
)
def extend_command(r: Reader, clock: str, by: int | None, why: str) -> Recorded:
    """Give more time on CLOCK (A, B, round), as minutes and seconds BY (`2:00`)."""
    return r.client.extend(r.id, _clock(r, clock), by or 0, why)


@_command(
    "set",
    _show,
    click.argument("clock"),
    click.option(
        "--to", metavar="M:SS", default="", callback=_milliseconds,
        help="What it shows from now on.",
    ),
    click.option("--run/--stop", "running", default=None, help="Start it, or stop it."),
    why_option,
    example='kifu time set A --to 12:30 --stop --why "it ran during a call"',
)  # fmt: skip
def set_command(r: Reader, clock: str, to: int | None, running: bool | None, why: str) -> Recorded:
    """Set CLOCK (A, B, round) of MATCH (default: the live one), start it or stop it."""
    return r.client.set_clock(r.id, _clock(r, clock), to, running, why)
