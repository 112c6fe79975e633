"""`kifu join`: a player takes his seat, by a code or with its token, and gives his part to chance.

Codes are for others, too: a scorekeeper, an official and the public join by theirs.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click
from msgspec.structs import replace

from domain.telling.names import player
from domain.words.phrases import Phrase, phrase
from replay_cli.output import MISSING, Failed, Misused, console, say
from replay_cli.reaching import joined
from replay_cli.reaching.asking import match_to_write
from replay_cli.reaching.connection import DATA, Access, Reader, access_options
from replay_cli.reaching.hosting import running
from replay_cli.reaching.joined import Joined
from service.credentials import spelling

if TYPE_CHECKING:
    from kifu.v1.code_service_pb2 import ExchangeCodeResponse

    from service.client.client import Client

EXAMPLES = """\b
kifu join 7K2M-9QXR --server 10.0.0.5:7777   the code of a slip
kifu join 'kifu://10.0.0.5:7777/join#7K2M-9QXR'
kifu join                                    the next round, by the code that was kept
kifu join k7f3q --token …                    a seat of a match, with its token
"""


@click.command("join", epilog=EXAMPLES)
@click.argument("match", required=False, default="", metavar="[CODE|MATCH]")
@access_options
def join_command(match: str, access: Access) -> None:
    """Take your seat by CODE, the one on your slip, or in MATCH with its token.

    The token is saved for your user, and later commands use it: in the next round `kifu join` is
    enough. A scorekeeper, an official and a viewer join by their codes, too.

    Where chance is shared, a seed of yours goes into every shuffle and die: your seat is bound to
    it before anybody shows his, and it is opened to all at the end of the match. Then this waits
    until the match begins.
    """
    code = spelling.in_link(match) or match if spelling.looks_like(match) else ""
    if code:
        access = _at(match, access)
    elif not (match or access.token or access.data) and (kept := _kept(access)) is not None:
        code, access = kept.code, kept.access
    if code:
        found, access = _exchanged(code, access)
        if not found.HasField("seat"):
            return
        match = found.match_id
    with access.open(adds=True) as client:
        reader = Reader(client, match_to_write(client, match))
        if not client.who_am_i().HasField("seat"):
            raise Misused("this is a player's to do: give the token of a seat (--token)")
        _sit(client, reader)


def _sit(client: Client, reader: Reader) -> None:
    """Take a seat, and wait until the match begins if its chance is shared."""
    with client.join(reader.id) as part:
        while not part.wait(0.5):  # so that Ctrl+C is heard
            pass
    waits = client.match(reader.id).waits
    text = "You have joined match {id}: it has begun."
    if waits:
        text = "You have joined match {id}: an official has it begin."
    console().print(phrase(text, id=reader.id))


def _at(text: str, access: Access) -> Access:
    """How the server is reached for which somebody has a code; raises `Failed`."""
    server, tls = spelling.server_of(text)
    if access.server or not server:
        server = access.server or running(access.data or DATA)
    if not server:
        raise Failed(
            "no server was named", MISSING,
            [phrase("name the one that the slip names: --server HOST:PORT")],
        )  # fmt: skip
    return replace(access, server=server, data=None, token="", tls=access.tls or tls)


class _Kept(NamedTuple):
    """A code that was kept, and how its server is reached."""

    code: str
    access: Access


def _kept(access: Access) -> _Kept | None:
    """Where one has joined before: at the server that is named, or else last of all."""
    found = joined.find(access.server) if access.server else joined.newest()
    if found is None or (not access.server and DATA.exists()):
        return None
    root = Path(found.tls_root) if found.tls_root else access.tls_root
    tls = found.tls or access.tls
    return _Kept(found.code, replace(access, server=found.server, tls=tls, tls_root=root))


def _exchanged(code: str, access: Access) -> tuple[ExchangeCodeResponse, Access]:
    """The token for a code, which is kept; and how matches are reached with it."""
    from service.client.connection import CallError

    try:
        whole = spelling.read(code)
    except spelling.Mistyped:
        text = phrase("no code is written like {code}: a letter is wrong", code=code)
        raise Failed(text) from None
    root = str(access.tls_root.resolve()) if access.tls_root is not None else ""
    place = Joined(access.server, whole, tls=access.tls, tls_root=root)
    with replace(access, token="").open() as client:
        try:
            found = client.exchange_code(whole)
        except CallError as error:
            if "round" in error.metadata:  # it is right, and will be good for something
                _keep(place)
            raise
    _keep(
        replace(place, token=found.token, expires=found.expire_time.seconds, match=found.match_id)
    )
    console().print(say(_welcome(found)))
    return found, replace(access, token=found.token)


def _keep(place: Joined) -> None:
    try:
        joined.keep(place)
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise Failed(
            phrase("{file} can't be written: {why}", file=joined.file(), why=why)
        ) from error


def _welcome(found: ExchangeCodeResponse) -> Phrase:
    """The identity of the user, and the place."""
    what = player(found.seat) if found.HasField("seat") else _ROLES[found.role]
    who = phrase("{name}, {what}", name=found.name, what=what) if found.name else what
    if not found.match_id:
        return phrase("You are {who} of event {event}.", who=who, event=found.event_id)
    where = phrase("match {match}", match=found.match_id)
    if found.round:
        text = "match {match}: round {round}, table {table}"
        where = phrase(text, match=found.match_id, round=found.round, table=found.table)
    return phrase("You are {who} of {where}.", who=who, where=where)


#: What people call roles.
_ROLES = {
    "official": phrase("an official"),
    "scorekeeper": phrase("the scorekeeper"),
    "public": phrase("a viewer"),
}
