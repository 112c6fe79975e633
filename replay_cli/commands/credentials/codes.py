"""`kifu codes`: short codes for the people of a match or an event, on slips or on the screen.

They are shown once, when they are issued. Whom they are for is in `whom`, what one is exchanged for
in `join`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from domain.telling.names import letter
from domain.words.phrases import phrase
from replay_cli.commands.credentials.slips import How, hand_out, slip_options
from replay_cli.commands.credentials.whom import ROLES, of_event, of_match
from replay_cli.commands.event.at import find, id_of
from replay_cli.commands.groups import DefaultGroup
from replay_cli.output import Misused, as_json, console, json_option, say, table, write_table
from replay_cli.reaching.asking import confirmed
from replay_cli.reaching.connection import (
    Access,
    Reader,
    access_options,
    event_option,
    match_argument,
)

if TYPE_CHECKING:
    from kifu.v1.code_service_pb2 import IssuedCode

#: Holders that one call issues codes for at most (`service.api.credentials.IDS`).
MOST = 1000


class CodesGroup(DefaultGroup):
    """An argument that is no command's name is a match, for which codes are issued."""

    default = "issue"


@click.group("codes", cls=CodesGroup, no_args_is_help=True, subcommand_metavar="[MATCH] | COMMAND")
def codes_command() -> None:
    """Issue short codes for the people of MATCH or of an event, list them, revoke them."""


EXAMPLES = """\b
kifu codes k7f3q --qr                          for who plays a match, to be scanned
kifu codes --event cup25 --slips slips.html    for all players of an event, to be printed
kifu codes --event cup25 --for tables --for officials
kifu codes --event cup25 --for player=Ann --replace   her slip was lost
kifu codes --event cup25 --for official=Jo --once --qr   for one telephone, Jo's
"""


@codes_command.command("issue", epilog=EXAMPLES)
@match_argument
@event_option("For people of an event, by id or name.", named=False)
@slip_options
@access_options
@json_option
def issue_command(match: str, event: str, how: How, access: Access, as_data: bool) -> None:
    """Issue a code for each of the people of MATCH, or of an event. For organisers.

    A code is printed once. `kifu join CODE` exchanges it: a player of an event joins his seat in
    each round, a table's scorekeeper the match of that table.
    """
    if bool(match) == bool(event):
        raise Misused("name a match, or an event with --event")
    with access.open(adds=True) as client:
        if event:
            state = client.get_tournament(find(client, event))
            people, title = of_event(state, how.named, how.late), state.name
        else:
            reader = Reader(client, match)
            people = of_match(reader.summary, how.named, how.late)
            title = say(phrase("Match {match}", match=reader.id))
        hand_out(client, people, title, how, access, as_data)


@codes_command.command("list")
@match_argument
@event_option("Those of an event, by id or name.", named=False)
@click.option("--past", is_flag=True, help="Also those that were revoked or have expired.")
@click.option("-n", "--limit", type=click.IntRange(1), default=1000, show_default=True)
@access_options
@json_option
def list_command(
    match: str, event: str, past: bool, limit: int, access: Access, as_data: bool
) -> None:
    """List the codes that were issued (of MATCH, or of all); the codes themselves are not kept.

    For organisers, and for officials those of their match or event.
    """
    with access.open() as client:
        which = {"match_id": match, "event_id": id_of(client, event)}
        if not (match or event):
            who = client.who_am_i()
            which = {"match_id": who.match_id, "event_id": who.event_id}
        named: dict[str, Any] = {name: value for name, value in which.items() if value}
        found = [*islice(client.list_codes(past=past, **named), limit)]
    if as_data:
        as_json({"codes": found})
    elif found:
        _print_issued(found)
    else:
        console().print(say(phrase("No codes.")))


@codes_command.command("revoke")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--match", metavar="MATCH", default="", help="Those of a match.")
@event_option("Those of an event, by id or name.", named=False)
@click.option("--keep-tokens", is_flag=True, help="Keep the tokens that were exchanged for them.")
@click.option("--yes", is_flag=True, help="Ask nothing.")
@access_options
@json_option
def revoke_command(
    ids: tuple[str, ...], match: str, event: str, keep_tokens: bool, yes: bool,
    access: Access, as_data: bool,
) -> None:  # fmt: skip
    """Revoke codes, by ID or all of a match or event, and the tokens exchanged for them.

    For organisers, and for officials those of their match or event.
    """
    named = {"match_id": match, "event_id": event}
    which: dict[str, Any] = {name: value for name, value in named.items() if value}
    if bool(ids) == bool(which):
        raise Misused("name codes by their ID, or by --match or --event")
    with access.open(adds=True) as client:
        chosen = [*ids]
        if not ids:
            if event:
                which["event_id"] = id_of(client, event)
            found = [*client.list_codes(**which)]
            chosen = [one.id for one in found]
            if found and not (yes or as_data):
                _print_issued(found)
                text = "It will be revoked."
                if len(found) > 1:
                    text = "These {n} will be revoked."
                if not confirmed(say(phrase(text, n=len(found))), yes=False):
                    raise click.Abort
        codes = tokens = 0
        for at in range(0, len(chosen), MOST):
            some = client.revoke_codes(chosen[at : at + MOST], keep_tokens=keep_tokens)
            codes, tokens = codes + some[0], tokens + some[1]
    if as_data:
        as_json({"codes": codes, "tokens": tokens})
    else:
        text = "Revoked: {n} of the codes, {m} of the tokens issued for them."
        console().print(say(phrase(text, n=codes, m=tokens)))


def _print_issued(found: Sequence[IssuedCode]) -> None:
    """Codes that were issued, as a table."""
    shown = table("id", "for", "of", "exchanged", "good", whole=("id",))
    for one in found:
        count = f"{one.exchanges}×"
        if one.HasField("last_time"):
            count += f", {_time(one.last_time):%m-%d %H:%M}"
        text = "once, until {day}" if one.once else "until {day}"
        good = phrase(text, day=f"{_time(one.expire_time):%Y-%m-%d}")
        if one.once and one.exchanges:
            good = phrase("used up")
        elif one.HasField("revoke_time"):
            when = f"{_time(one.revoke_time):%m-%d %H:%M}"
            good = phrase("revoked {when} by {by}", when=when, by=one.revoked_by)
        place = one.holder.match_id or one.holder.event_id
        shown.add_row(one.id, _whose(one), place, count, good)
    write_table(shown)


def _whose(one: IssuedCode) -> str:
    """Whom a code is for, in short."""
    h = one.holder
    if h.HasField("seat"):
        return phrase("seat {letter}", letter=letter(h.seat))
    if h.player:
        return phrase("{name} (player {n})", name=h.name, n=h.player)
    role = ROLES[h.role]
    if h.name:
        return phrase("{name}, {what}", name=h.name, what=role)
    return phrase("{role} of table {n}", role=role, n=h.table) if h.table else role


def _time(stamp: Any) -> datetime:
    return datetime.fromtimestamp(stamp.seconds)
