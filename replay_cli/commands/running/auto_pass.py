"""`kifu auto-pass`: set, show or withdraw the auto-pass of a seat."""

from __future__ import annotations

from typing import Any

import click

from domain.engine.passes.autopass import AutoPass
from domain.record.views import PUBLIC
from domain.telling.names import player
from domain.text import autopass
from replay_cli.commands.running.acting import seat_of
from replay_cli.output import REFUSED, Failed, as_json, console, json_option
from replay_cli.reaching.asking import match_to_write
from replay_cli.reaching.connection import Access, Reader, access_options, match_argument

EXAMPLES = """\b
kifu auto-pass --until turn --until rival        pass, until either of them
kifu auto-pass --until game --in main/action     in this step only, and in those within it
kifu auto-pass --withdraw
kifu auto-pass --seat B --until turn             for B, at a real table
"""


@click.command("auto-pass", epilog=EXAMPLES)
@match_argument
@click.option(
    "--until",
    type=click.Choice(["turn", "rival", "game"]),
    multiple=True,
    help="Pass until this turn ends, the rival does something, or the game ends.",
)
@click.option("--in", "steps", metavar="STEP", multiple=True, help="Pass in these steps only.")
@click.option("--withdraw", is_flag=True, help="Withdraw the auto-pass.")
@click.option(
    "--seat", "who", default="", help="Whose auto-pass (A, B), if you enter for both seats."
)
@access_options
@json_option
def auto_pass_command(
    match: str, until: tuple[str, ...], steps: tuple[str, ...], withdraw: bool, who: str,
    access: Access, as_data: bool,
) -> None:  # fmt: skip
    """Set an auto-pass in MATCH (default: the live one), or show the one that is set.

    Each decision of yours that may be passed is passed at once, until the auto-pass ends. Nobody
    else sees that it is set.
    """
    if withdraw and (until or steps):
        raise click.UsageError("set an auto-pass or withdraw it: not both")
    with access.open(adds=bool(withdraw or until or steps)) as client:
        reader = Reader(client, match_to_write(client, match))
        seat = seat_of(reader, who) if who else None
        left: AutoPass | None
        if withdraw:
            client.withdraw_auto_pass(reader.id, seat=seat)
            left = None
        elif until or steps:
            decision = client.position(reader.id, view=PUBLIC).decision
            if decision is None:
                raise Failed("no decision is open", REFUSED)
            left = client.set_auto_pass(
                reader.id, decision.n, until_turn_ends="turn" in until,
                until_rival_acts="rival" in until, steps=steps, seat=seat,
            ).auto_pass  # fmt: skip
        else:
            left = client.auto_pass(reader.id, seat)
        _show(reader, seat, left, as_data)


def _show(reader: Reader, seat: int | None, left: AutoPass | None, as_data: bool) -> None:
    if as_data:
        as_json(_data(left))
        return
    manifest, out = reader.book.manifest, console()
    whose = f"{player(seat)}: " if seat is not None else ""
    if left is None:
        out.print(f"{whose}no auto-pass is set")
        return
    out.print(f"{whose}{autopass.write(left, manifest)}")
    passes = ", ".join(manifest.label("acts", act) for act in manifest.passes)
    out.print(f"what passes: {passes}", style="dim")


def _data(left: AutoPass | None) -> dict[str, Any] | None:
    if left is None:
        return None
    return {
        "until": [end for end, set_ in (("turn", left.turn), ("rival", left.rival)) if set_],
        "steps": list(left.steps),
    }
