"""Where one has joined: the token for a code, kept for the commands that follow.

`kifu join` keeps it in a file of the user's own (`joined.json` in `click.get_app_dir`), which
nobody else can read: one place a server, the newest first. The code is kept as well, so that the
next round's token is one word away.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import click
import msgspec
from msgspec import Struct

#: Servers that are remembered.
MOST = 20


class Joined(Struct, frozen=True):
    """A place at a server: the token (empty: none yet), until when it is good, and the code.

    `expires` is in seconds since 1970.
    """

    server: str
    code: str
    token: str = ""
    expires: int = 0
    match: str = ""
    tls: bool = False
    tls_root: str = ""


def file() -> Path:
    """Where all of them are kept."""
    return Path(click.get_app_dir("kifu")) / "joined.json"


def keep(place: Joined) -> Path:
    """Keep a place, instead of the one that was kept of its server; raises `OSError`."""
    others = [one for one in _all() if one.server != place.server]
    _write([place, *others][:MOST])
    return file()


def find(server: str = "") -> Joined | None:
    """The place at a server, or the newest at all whose token is still good, if there is one."""
    for one in _all():
        if one.server == server or (not server and one.token and one.expires > time.time()):
            return one
    return None


def token(server: str) -> str:
    """The token that one has for a server; empty: none that is still good."""
    found = find(server)
    return found.token if found is not None and found.expires > time.time() else ""


def newest() -> Joined | None:
    """The place where one joined last, whether its token is still good or not."""
    return next(iter(_all()), None)


def _all() -> list[Joined]:
    """All places; none where the file can't be read, or could be read by others."""
    try:
        if os.name == "posix" and file().stat().st_mode & 0o077:
            return []
        return msgspec.json.decode(file().read_bytes(), type=list[Joined])
    except (OSError, msgspec.MsgspecError):
        return []


def _write(places: Sequence[Joined]) -> None:
    """Write the file again, so that it is there whole or as it was."""
    path, new = file(), file().with_suffix(".new")
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with suppress(FileNotFoundError):
        new.unlink()
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as out:
        out.write(msgspec.json.encode([*places]))
    new.replace(path)
