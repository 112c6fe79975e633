"""The resources that a server opens before it serves: the records, the key of tokens, the port.

What it is made of is put together in `service.server`.
"""

from __future__ import annotations

import socket
from pathlib import Path

import grpc

from domain.words.phrases import phrase
from service.credentials.sharing import require_same_key
from service.identity import BadKey, Keys
from service.settings import CantServe, Settings
from service.store.records import Records, Unwritable
from service.store.schema import KEPT


def records(settings: Settings) -> tuple[Records, bool]:
    """The records, and whether they can only be read; raises `StoreError`."""
    try:
        return Records(settings.where, patience=settings.patience, path=settings.data), False
    except Unwritable as error:
        if not settings.reading:
            raise
        found = Records(settings.where, reading=True, path=settings.data)
        found.read_only_reason = str(error)
        return found, True


def require_not_lost(records: Records, settings: Settings) -> None:
    """Raises `CantServe` if a server has kept matches here, and nothing of it is in the store.

    The organiser's token is written beside a store once that has it. One that is empty then is not
    the one that there was: its file was lost, or what was on its way into it (`-wal`).
    """
    if settings.anew or not settings.token_file.exists():
        return
    names = [table.name for table in KEPT if table.name != "dictionaries"]
    if any(records.row(f"SELECT 1 FROM {name} LIMIT 1") for name in names):
        return
    records.close()
    raise CantServe(
        phrase(
            "{where} is empty, and {token} beside it is that of a store: it was lost, or its -wal"
            " file was. Put it back; or, to begin another one, serve it with --anew",
            where=records.where, token=settings.token_file.name,
        )
    )  # fmt: skip


def keys(records: Records, path: Path, reading: bool) -> Keys:
    """The key of the records, which servers that share them have in common; raises `BadKey`.

    Where nothing can be written any will do. A new one that the others don't have is not kept.
    """
    new = not path.exists()
    found = _keys(path, reading)
    try:
        require_same_key(records, found)
    except BadKey:
        if new:
            path.unlink(missing_ok=True)
        raise
    return found


def _keys(path: Path, reading: bool) -> Keys:
    try:
        return Keys.at(path) if path.exists() or not reading else Keys.once()
    except BadKey:
        if not reading:
            raise
        return Keys.once()


def bound(server: grpc.aio.Server, settings: Settings) -> int:
    """Have a server listen where it is to; the port. Raises `CantServe`."""
    address = f"{settings.host}:{settings.port}"
    try:
        if settings.tls_cert is None or settings.tls_key is None:
            return int(server.add_insecure_port(address))
        pair = (settings.tls_key.read_bytes(), settings.tls_cert.read_bytes())
        return int(server.add_secure_port(address, grpc.ssl_server_credentials([pair])))
    except (RuntimeError, OSError, ValueError) as error:
        why = _unbound(settings.host, settings.port) or str(error)
        raise CantServe(
            phrase("can't listen on {address}: {why}", address=address, why=why)
        ) from error


def _unbound(host: str, port: int) -> str:
    """Why a port can't be had, in the words of the operating system; empty: nothing shows."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(
            host.strip("[]"), port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind) as found:
            found.bind(address)
    except OSError as error:
        return (error.strerror or str(error)).lower()
    return ""
