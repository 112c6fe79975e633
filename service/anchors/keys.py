"""The log's key: a file next to the matches, made at first start, readable by its owner only.

It holds one line, the private key as signed notes have it (`domain.record.proof.anchors.notes`);
the name in it is the log's. How it is changed for another one is in `ledger`, what to do when it is
lost in ANCHORS.md.
"""

from __future__ import annotations

import re
import secrets
import socket
from pathlib import Path

from domain.record.proof.anchors.encoding import Malformed
from domain.record.proof.anchors.notes import ED25519, KEY, SigningKey, fresh, signing_key
from domain.words.phrases import phrase
from service.identity import BadKey, is_private, write_private

#: What the file's name ends with, and that of a key which is to take its place.
SUFFIX, NEXT = "-log-key", "-log-key-next"


def are_kept(data: Path) -> bool:
    """Whether a server has kept a log there: its key lies beside the data, and a token of its own.

    That is written once the server answers calls; what is played from then on is in the log.
    """
    return key_file(data).exists() and data.with_name(f"{data.name}-token").exists()


def key_file(data: Path) -> Path:
    """Where the key of a file of matches lies."""
    return data.with_name(data.name + SUFFIX)


def next_file(data: Path) -> Path:
    """Where a key lies that is to take its place."""
    return data.with_name(data.name + NEXT)


def default_origin(data: Path) -> str:
    """The name of a log that nobody named: the machine's and the file's."""
    return "/".join(
        re.sub(r"[\s+\x00-\x20\x7f/]+", "-", part) or "kifu"
        for part in (socket.gethostname(), data.stem)
    )


def new_key(origin: str) -> SigningKey:
    """A key that nobody had before; raises `BadKey` for a name that no log can have."""
    try:
        return fresh(origin, secrets.token_bytes(KEY))
    except Malformed as error:
        raise BadKey(
            phrase("{origin!r} can't be the name of a log: {error}", origin=origin, error=error)
        ) from error


def key_at(path: Path, origin: str = "", default: str = "") -> SigningKey:
    """The key in a file, created if there is none; raises `BadKey`.

    `origin` is the name that its log should have, if given, `default` that of a new log.
    """
    if not path.exists():
        key = new_key(origin or default)
        save(path, key)
        return key
    key = read(path)
    if origin and origin != key.name:
        raise BadKey(
            phrase(
                "{path} is the key of the log {name}, not of {origin}; a log of another "
                "name is begun by: kifu audit key rotate --name {origin}",
                path=path,
                name=key.name,
                origin=origin,
            )
        )
    return key


def read(path: Path) -> SigningKey:
    """The key in a file; raises `BadKey`."""
    try:
        if not is_private(path):
            raise BadKey(
                phrase("{path} can be read by others; make it yours alone (chmod 600)", path=path)
            )
        key = signing_key(path.read_text().rstrip("\n"))
    except (OSError, ValueError) as error:
        raise BadKey(
            phrase("{path} is not the key of a log: {error}", path=path, error=error)
        ) from error
    if key.type != ED25519:
        raise BadKey(phrase("{path} is a witness's key, not a log's", path=path))
    return key


def save(path: Path, key: SigningKey) -> None:
    """Keep a key in a file: all of it or nothing, for its owner alone. Raises `BadKey`."""
    half = path.with_name(f"{path.name}-new")
    try:
        half.unlink(missing_ok=True)
        write_private(half, key.text)
        half.replace(path)
    except OSError as error:
        raise BadKey(
            phrase("{path} can't be written: {strerror}", path=path, strerror=error.strerror)
        ) from error
