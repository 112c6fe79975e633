"""`kifu time`: what officials do about the time of a match, and what its clocks show."""

from __future__ import annotations

from collections.abc import Callable

import click
from kifu.v1 import desk_service_pb2

from replay_cli.connection import (
    Access,
    Reader,
    access_options,
    match_argument,
    milliseconds,
    viewer_of,
)
from replay_cli.drawing.names import clock_name, countdown, player, time_left
from replay_cli.output import as_json, console, json_option
from replay_cli.typed.rolls import rolls_option
from service.client.desk import Rolls

Recorded = desk_service_pb2.Recorded


@click.group("time")
def time_command() -> None:
    """Call time, decide, set clocks. For officials of the match, and organisers."""


@time_command.command("call")
@match_argument
@access_options
@json_option
def call_command(match: str, access: Access, as_data: bool) -> None:
    """The time of MATCH (default: the newest) is over: what the event says of that begins."""
    _do(match, access, as_data, lambda reader: reader.client.call_time(reader.id))


@time_command.command("decide")
@match_argument
@access_options
@json_option
def decide_command(match: str, access: Access, as_data: bool) -> None:
    """End MATCH here and now, by the event's tie-breaks; time must have been called."""
    _do(match, access, as_data, lambda reader: reader.client.decide_by_time(reader.id))


@time_command.command("flag")
@click.argument("who")
@match_argument
@rolls_option
@access_options
@json_option
def flag_command(who: str, match: str, rolls: Rolls, access: Access, as_data: bool) -> None:
    """The clock of player WHO (A, B) has run out: what the event says of that follows."""
    _do(match, access, as_data, lambda r: r.client.flag_clock(r.id, _seat(r, who), rolls=rolls))


@time_command.command("extend")
@click.argument("clock")
@click.argument("by")
@match_argument
@click.option("--why", default="", help="The reason, for the record.")
@access_options
@json_option
def extend_command(
    clock: str, by: str, match: str, why: str, access: Access, as_data: bool
) -> None:
    """Give more time on CLOCK (A, B, round), as minutes and seconds BY (`2:00`)."""
    ms = milliseconds(by)
    _do(match, access, as_data, lambda r: r.client.extend(r.id, _clock(r, clock), ms, why))


@time_command.command("set")
@click.argument("clock")
@match_argument
@click.option("--to", metavar="M:SS", default="", help="What it shows from now on.")
@click.option("--run/--stop", "running", default=None, help="Start it, or stop it.")
@click.option("--why", default="", help="The reason, for the record.")
@access_options
@json_option
def set_command(
    clock: str, match: str, to: str, running: bool | None, why: str, access: Access, as_data: bool
) -> None:
    """Set CLOCK (A, B, round) of MATCH (default: the newest), start it or stop it."""
    left = milliseconds(to) if to else None
    _do(
        match, access, as_data,
        lambda r: r.client.set_clock(r.id, _clock(r, clock), left, running, why),
    )  # fmt: skip


def _do(match: str, access: Access, as_data: bool, say: Callable[[Reader], Recorded]) -> None:
    """Carry out a command, and show what the clocks show by then."""
    with access.open(adds=True) as client:
        reader = Reader(client, match)
        recorded = say(reader)
        if as_data:
            as_json(recorded)
            return
        pos = client.position(reader.id)
    out = console()
    for name in pos.clocks:
        out.print(f"{clock_name(name)} shows {countdown(pos.left(name, pos.time))}")
    if pos.called and not pos.over:
        out.print(time_left(pos, pos.time))
    if pos.over:
        out.print(f"{player(pos.winner)} wins" if pos.winner >= 0 else "the match is a draw")


def _clock(reader: Reader, said: str) -> str:
    return said if said == "round" else f"seat/{_seat(reader, said)}"


def _seat(reader: Reader, said: str) -> int:
    seat = viewer_of(said, reader.book)
    if seat is None or seat < 0:
        raise click.BadParameter(f"{said!r} is no player")
    return seat
