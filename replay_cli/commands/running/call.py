"""`kifu call`: a player, or who keeps the record of his table, calls a judge there.

Which table that is follows from the token: that of the match that one has joined. What officials do
about calls is at `kifu event call`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import click

from domain.telling.names import countdown, letter
from domain.tournament import record as ev
from domain.tournament.state import State, place_of
from domain.words.phrases import joined, phrase
from replay_cli.output import FORBIDDEN, BadValue, Failed, as_json, console, json_option, say
from replay_cli.reaching.connection import Access, access_options

if TYPE_CHECKING:
    from service.client.client import Client

EXAMPLES = """\b
kifu call                               a judge to your table
kifu call "a trigger was missed" --wait what about, and wait until he was there
kifu call --player A                    a scorekeeper, for one of the players
"""


class Here(NamedTuple):
    """The caller's table: of which event and round."""

    event: str
    round: int
    table: int


@click.command("call", epilog=EXAMPLES)
@click.argument("text", required=False, default="")
@click.option("--player", default="", metavar="A", help="Who calls, where you are the scorekeeper.")
@click.option("--wait", is_flag=True, help="Say who comes, and stay until the call is settled.")
@access_options
@json_option
def call_command(text: str, player: str, wait: bool, access: Access, as_data: bool) -> None:
    """Call a judge to your table; TEXT says what about.

    You are known by the code that you have joined with, or by a token of the match. Officials see
    calls with `kifu event call list`.
    """
    with access.open(adds=True) as client:
        here = _here(client)
        state = client.get_tournament(here.event)
        number = client.raise_call(here.event, here.table, text, player=_seat(state, here, player))
        if as_data:
            as_json({"event": here.event, "table": here.table, "call": number})
        else:
            called = phrase("A judge is called to table {n}.", n=here.table)
            console().print(say(called))
        if wait:
            for line in _followed(client, here.event, number, state.seq):
                console(stderr=as_data).print(line)


def _here(client: Client) -> Here:
    """The table of the match that one's token is for; raises `Failed`."""
    match = client.who_am_i().match_id
    place = place_of(match)
    if place is not None:
        return Here(*place)
    if match:
        raise Failed(
            phrase("match {match} belongs to no event: no judge would see a call", match=match)
        )
    raise Failed(
        phrase("your token is for no table"), FORBIDDEN,
        [phrase("join by the code on your slip: kifu join CODE;"),
         phrase("officials call with kifu event call raise TABLE")],
    )  # fmt: skip


def _seat(s: State, here: Here, player: str) -> int:
    """The number of the player at the table whose letter this is; 0: none was named."""
    if not player:
        return 0
    players = s.rounds[here.round - 1].tables[here.table].players
    found = {letter(seat): number for seat, number in enumerate(players)}
    if player.upper() not in found:
        raise BadValue(
            phrase("{player!r} is not one of {found}", player=player, found=joined(", ", found)),
            param_hint="--player",
        )
    return found[player.upper()]


def _followed(client: Client, event: str, call: int, after: int) -> Iterator[str]:
    """The states of a call, one after the other, until it is settled."""
    raised = taken = 0
    for entry in client.watch_tournament(event, after):
        match entry.event:
            case ev.CallRaised(call=n) if n == call:
                raised = entry.time
            case ev.CallTaken(call=n) if n == call:
                waited, taken = countdown(entry.time - raised), entry.time
                yield say(phrase("{who} comes, after {waited}.", who=entry.by, waited=waited))
            case ev.CallAnswered(call=n, text=text, seconds=seconds) if n == call:
                spent = countdown(entry.time - (taken or raised))
                found = phrase("Settled in {spent}.", spent=spent)
                if seconds:
                    more = countdown(seconds * 1000)
                    found = phrase("Settled in {spent}; {more} more.", spent=spent, more=more)
                yield f"{say(found)} {text}".rstrip()
                return
