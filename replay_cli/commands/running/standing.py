"""`kifu standing`: what a seat has left to be answered for it: shown, left, withdrawn."""

from __future__ import annotations

from typing import Any

import click

from domain.engine.passes.standing import Standing
from domain.record.views import PUBLIC
from domain.telling.names import player
from domain.text import standing
from replay_cli.commands.running.recording import seat_of
from replay_cli.output import REFUSED, Failed, as_json, console, json_option
from replay_cli.reaching.asking import match_to_write
from replay_cli.reaching.connection import Access, Reader, access_options, match_argument

EXAMPLES = """\b
kifu standing --until turn --until rival        pass, until either of them
kifu standing --until game --in main/action     in this step only, and in those within it
kifu standing --withdraw
kifu standing --seat B --until turn             for B, at a real table
"""


@click.command("standing", epilog=EXAMPLES)
@match_argument
@click.option(
    "--until",
    type=click.Choice(["turn", "rival", "game"]),
    multiple=True,
    help="Pass until this turn ends, the rival does something, or the game ends.",
)
@click.option("--in", "steps", metavar="STEP", multiple=True, help="Pass in these steps only.")
@click.option("--withdraw", is_flag=True, help="Withdraw what was left.")
@click.option("--seat", "who", default="", help="Whose (A, B), where you enter for both.")
@access_options
@json_option
def standing_command(
    match: str, until: tuple[str, ...], steps: tuple[str, ...], withdraw: bool, who: str,
    access: Access, as_data: bool,
) -> None:  # fmt: skip
    """Leave that you pass in MATCH (default: the live one), or show what you have left.

    Whatever of yours is asked from now on and may be passed is passed at once; nobody else is told.
    """
    if withdraw and (until or steps):
        raise click.UsageError("withdraw what was left, or leave something: not both")
    with access.open(adds=bool(withdraw or until or steps)) as client:
        reader = Reader(client, match_to_write(client, match))
        seat = seat_of(reader, who) if who else None
        left: Standing | None
        if withdraw:
            client.withdraw(reader.id, seat=seat)
            left = None
        elif until or steps:
            decision = client.position(reader.id, view=PUBLIC).decision
            if decision is None:
                raise Failed("nothing is left to answer", REFUSED)
            left = client.leave(
                reader.id, decision.n, until_turn_ends="turn" in until,
                until_rival_acts="rival" in until, steps=steps, seat=seat,
            ).standing  # fmt: skip
        else:
            left = client.standing(reader.id, seat)
        _show(reader, seat, left, as_data)


def _show(reader: Reader, seat: int | None, left: Standing | None, as_data: bool) -> None:
    if as_data:
        as_json(_data(left))
        return
    manifest, out = reader.book.manifest, console()
    whose = f"{player(seat)}: " if seat is not None else ""
    if left is None:
        out.print(f"{whose}nothing is left to be answered")
        return
    out.print(f"{whose}{standing.write(left, manifest)}")
    passes = ", ".join(manifest.label("acts", act) for act in manifest.passes)
    out.print(f"what passes: {passes}", style="dim")


def _data(left: Standing | None) -> dict[str, Any] | None:
    if left is None:
        return None
    return {
        "until": [end for end, said in (("turn", left.turn), ("rival", left.rival)) if said],
        "steps": list(left.steps),
    }
