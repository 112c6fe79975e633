"""`kifu tokens`: new tokens for the people of a match, those that were issued, revoking them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

import click
from msgspec.structs import asdict

from domain.telling.names import letter
from domain.words.phrases import phrase
from replay_cli.commands.groups import DefaultGroup
from replay_cli.commands.running.grants import print_token, print_tokens, role_name
from replay_cli.output import (
    BadValue,
    Misused,
    as_json,
    console,
    json_option,
    say,
    table,
    write_table,
)
from replay_cli.reaching.asking import confirmed, match_to_write
from replay_cli.reaching.connection import (
    Access,
    Reader,
    access_options,
    event_option,
    match_argument,
)

if TYPE_CHECKING:
    from kifu.v1.identity_service_pb2 import IssuedToken

    from service.client.client import Client

F = TypeVar("F", bound=Callable[..., Any])
ROLES = ("official", "scorekeeper", "seat", "public", "organiser")
#: Tokens that are shown before all of them are revoked.
SHOWN = 20
#: Tokens that one call revokes at most (`service.api.identities.IDS`).
IDS = 1000


class TokensGroup(DefaultGroup):
    """An argument that is no command's name is a match, for which tokens are issued."""

    default, alone = "issue", True


@click.group("tokens", cls=TokensGroup, subcommand_metavar="[MATCH] | COMMAND")
def tokens_command() -> None:
    """Issue tokens for the people of MATCH, list those that were issued, revoke them."""


LATE = """\b
kifu tokens k7f3q                         for the official, the seats and the public of a match
kifu tokens k7f3q --delay "5 decisions"   the public's sees as late as that
kifu tokens list k7f3q                    who has one, since when, of whom
kifu tokens revoke --match k7f3q --seat A
"""


@tokens_command.command("issue", epilog=LATE)
@match_argument
@click.option(
    "--delay",
    metavar="LATE",
    help="The delay of the public: 300s, '5 decisions', game, or none."
    " Default: the delay of the event's policy.",
)
@access_options
@json_option
def issue_command(match: str, delay: str | None, access: Access, as_data: bool) -> None:
    """Issue new tokens for the people of MATCH (default: the live one). For organisers.

    A public token with a delay gives nothing that is not released yet, by any command: it can be
    given to streams, overlays and web pages. Tokens issued before stay valid.
    """
    with access.open(adds=True) as client:
        reader = Reader(client, match_to_write(client, match))
        issued = client.issue_tokens(reader.id, "" if delay == "none" else delay)
    if as_data:
        as_json({key: value for key, value in asdict(issued).items() if value})
    else:
        print_tokens(issued)


def filter_options(command: F) -> F:
    """`--event`, `--role`, `--seat` and `--code`: which tokens are meant."""
    for option in (
        click.option(
            "--code",
            "code",
            metavar="ID",
            default="",
            help="Those that were exchanged for this code.",
        ),
        click.option("--seat", metavar="A", default="", help="Those of a seat, by its letter."),
        click.option("--role", type=click.Choice(ROLES), help="Those of a role."),
        event_option("Those of an event, by id or name, and of its matches.", named=False),
    ):
        command = option(command)
    return command


@tokens_command.command("list")
@match_argument
@filter_options
@click.option("--past", is_flag=True, help="Also those that were revoked or have expired.")
@click.option("-n", "--limit", type=click.IntRange(1), default=200, show_default=True)
@access_options
@json_option
def list_command(
    match: str, event: str, role: str | None, seat: str, code: str, past: bool, limit: int,
    access: Access, as_data: bool,
) -> None:  # fmt: skip
    """List the tokens that were issued (of MATCH, or of all), the newest first.

    For organisers, and for officials those of their match or event. No token itself is kept.
    """
    which = _which(match, event, role, seat, code)
    with access.open() as client:
        which = _by_id(client, which)
        which = which if _placed(which) else {**which, **_own(client)}
        found = [*islice(client.list_tokens(past=past, **which), limit + 1)]
    found, more = found[:limit], len(found) > limit
    if as_data:
        as_json({"tokens": found})
        return
    if not found:
        console().print(say(phrase("No tokens.")))
        return
    _print(found)
    if more:
        console().print(say(phrase("There are more: --limit")), style="dim")


@tokens_command.command("revoke")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--match", metavar="MATCH", default="", help="Those of a match.")
@filter_options
@click.option("--yes", is_flag=True, help="Ask nothing.")
@access_options
@json_option
def revoke_command(
    ids: tuple[str, ...], match: str, event: str, role: str | None, seat: str, code: str,
    yes: bool, access: Access, as_data: bool,
) -> None:  # fmt: skip
    """Revoke tokens permanently: those with these IDs, or all that match.

    `--role organiser` alone revokes the tokens of all organisers, including the one in use; the new
    one is written next to the file. For organisers, and for officials those of their match or
    event.
    """
    which = _which(match, event, role, seat, code)
    if bool(ids) == bool(which):
        raise Misused("name tokens by their ID, or by --match, --event, --role, --seat")
    with access.open(adds=True) as client:
        which = _by_id(client, which)
        if which == {"role": "organiser"}:
            _revoke_organisers(client, yes, as_data)
            return
        if not (ids or _placed(which)):
            which |= _own(client)
        chosen = [*ids] if ids else _chosen(client, which, yes or as_data)
        revoked = sum(
            client.withdraw_tokens(chosen[at : at + IDS]) for at in range(0, len(chosen), IDS)
        )
    if as_data:
        as_json({"revoked": revoked})
    else:
        text = "{n} token is revoked." if revoked == 1 else "{n} tokens are revoked."
        console().print(say(phrase(text, n=revoked)))


def _which(match: str, event: str, role: str | None, seat: str, code: str) -> dict[str, Any]:
    """The filter that the options name (`service.client.credentials`)."""
    named = {"match_id": match, "event_id": event, "role": role, "code_id": code}
    found: dict[str, Any] = {name: value for name, value in named.items() if value}
    if seat:
        number = next((n for n in range(26) if letter(n) == seat.upper()), None)
        if number is None:
            raise BadValue(
                phrase("{seat!r} is no letter of a seat", seat=seat), param_hint="--seat"
            )
        found["seat"] = number
    return found


def _by_id(client: Client, which: dict[str, Any]) -> dict[str, Any]:
    """The filter with the id of its event, which may be called by its name."""
    from replay_cli.commands.event.at import id_of  # which loads what events need

    event = which.get("event_id", "")
    return {**which, "event_id": id_of(client, event)} if event else which


def _placed(which: dict[str, Any]) -> bool:
    return not which.keys().isdisjoint({"match_id", "event_id"})


def _own(client: Client) -> dict[str, str]:
    """The match or event of a user who is limited to one."""
    who = client.who_am_i()
    named = {"match_id": who.match_id, "event_id": who.event_id}
    return {name: value for name, value in named.items() if value}


def _chosen(client: Client, which: dict[str, Any], sure: bool) -> list[str]:
    """The ids of the tokens that fit, except the one in use, once the user confirms."""
    own = client.who_am_i().token_id
    found = [one for one in client.list_tokens(**which) if one.id != own]
    if found and not sure:
        _print(found[:SHOWN])
        if len(found) > SHOWN:
            console().print(say(phrase("… and {n} more", n=len(found) - SHOWN)))
        text = "It will be revoked."
        if len(found) > 1:
            text = "These {n} will be revoked."
        if not confirmed(say(phrase(text, n=len(found))), yes=False):
            raise click.Abort
    return [one.id for one in found]


def _revoke_organisers(client: Client, yes: bool, as_data: bool) -> None:
    if not (yes or as_data):
        text = phrase("Every organiser's token will be revoked, this one included.")
        if not confirmed(say(text), yes=False):
            raise click.Abort
    token = client.revoke_tokens()
    if as_data:
        as_json({"token": token})
    else:
        print_token("organiser", token)


def _print(found: Sequence[IssuedToken]) -> None:
    """Tokens as a table."""
    shown = table("id", "for", "match", "issued", "by", "good", whole=("id", "match", "issued"))
    for one in found:
        role = role_name(one.role)
        if one.HasField("seat"):
            role = phrase("seat {letter}", letter=letter(one.seat))
        if one.delay:
            role = phrase("{role} ({delay})", role=role, delay=one.delay)
        code = phrase("{by}, code {code}", by=one.issued_by, code=one.code_id)
        by = code if one.code_id else one.issued_by
        good = phrase("until {day}", day=f"{_time(one.expire_time):%Y-%m-%d}")
        if one.HasField("revoke_time"):
            when = f"{_time(one.revoke_time):%m-%d %H:%M}"
            good = phrase("revoked {when} by {by}", when=when, by=one.revoked_by)
        issued = f"{_time(one.issue_time):%m-%d %H:%M}"
        shown.add_row(one.id, role, one.match_id or one.event_id, issued, by, good)
    write_table(shown)


def _time(stamp: Any) -> datetime:
    return datetime.fromtimestamp(stamp.seconds)
