"""`kifu auto-pass`: set, show or withdraw the auto-pass of a seat."""

from __future__ import annotations

from typing import Any

import click

from domain.engine.passes.autopass import AutoPass
from domain.engine.passes.switches import ABLE, MARKED, Switch
from domain.record.views import PUBLIC
from domain.telling.names import player
from domain.text import autopass
from domain.words.phrases import joined, labelled, phrase
from replay_cli.commands.running.acting import seat_of
from replay_cli.output import REFUSED, Failed, Misused, as_json, console, json_option
from replay_cli.reaching.asking import match_to_write
from replay_cli.reaching.connection import Access, Reader, access_options, match_argument

EXAMPLES = """\b
kifu auto-pass --until turn --until rival        pass, until either of them
kifu auto-pass --until game --in main/action     in this step only, and in those within it
kifu auto-pass --withdraw
kifu auto-pass --seat B --until turn             for B, at a real table
kifu auto-pass --ask able                        ask where you could do anything but pass
kifu auto-pass --ask marked --mark chain         ask at these decisions only
kifu auto-pass --ask always
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
    "--ask",
    type=click.Choice(["always", ABLE, MARKED]),
    help="For the whole match: when you are asked where you may pass.",
)
@click.option(
    "--mark",
    "marked",
    metavar="DECISION",
    multiple=True,
    help="With --ask: ask at these in any case.",
)
@click.option(
    "--seat", "who", default="", help="Whose auto-pass (A, B), if you enter for both seats."
)
@access_options
@json_option
def auto_pass_command(
    match: str, until: tuple[str, ...], steps: tuple[str, ...], withdraw: bool, ask: str | None,
    marked: tuple[str, ...], who: str, access: Access, as_data: bool,
) -> None:  # fmt: skip
    """Set an auto-pass in MATCH (default: the live one), or show the one that is set.

    Each decision of yours that may be passed is passed at once, until the auto-pass ends. Nobody
    else sees that it is set. With --ask, each at which you are not asked is passed after a while
    that tells nobody whether you could have done anything.
    """
    if withdraw and (until or steps):
        raise Misused("set an auto-pass or withdraw it: not both")
    if ask and (withdraw or until or steps):
        raise Misused("--ask goes alone")
    if marked and ask in (None, "always"):
        raise Misused("--mark goes with --ask able or --ask marked")
    with access.open(adds=bool(withdraw or until or steps or ask)) as client:
        reader = Reader(client, match_to_write(client, match))
        seat = seat_of(reader, who) if who else None
        left: AutoPass | None
        if ask:
            client.set_switch(reader.id, "" if ask == "always" else ask, marked, seat=seat)
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
        _show(reader, seat, left, client.switch(reader.id, seat), as_data)


def _show(
    reader: Reader, seat: int | None, left: AutoPass | None, switch: Switch | None, as_data: bool
) -> None:
    if as_data:
        as_json(_data(left, switch))
        return
    manifest, out = reader.book.manifest, console()

    def show(text: str) -> None:
        out.print(labelled(player(seat), text) if seat is not None else text)

    if switch is not None:
        show(autopass.write_switch(switch, manifest))
    if left is None:
        show(phrase("no auto-pass is set"))
        return
    show(autopass.write(left, manifest))
    passes = joined(", ", [manifest.label("acts", act) for act in manifest.passes])
    out.print(phrase("what passes: {passes}", passes=passes), style="dim")


def _data(left: AutoPass | None, switch: Switch | None) -> dict[str, Any] | None:
    asks = {"ask": switch.asks, "marked": list(switch.marked)} if switch is not None else {}
    if left is None:
        return asks or None
    return asks | {
        "until": [end for end, set_ in (("turn", left.turn), ("rival", left.rival)) if set_],
        "steps": list(left.steps),
    }
