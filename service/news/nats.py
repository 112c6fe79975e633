"""News through NATS: core subjects, one for each followed match and event.

A server subscribes to the matches that it has followers of and to no other. So news of a match go
only to servers with its followers; if each server received all news and dropped most, every commit
would cost every server some microseconds.

The library's own reconnection is not used: it gives up after some errors, and does not know what is
followed. `relay` connects again instead.
"""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from msgspec import Struct
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import NoServersError, SecureConnRequiredError, SlowConsumerError

#: What waits to be sent at most, in bytes; and what waits to be taken, of one topic.
OUTGOING, MESSAGES, BYTES = 1 << 20, 1024, 1 << 16
#: How long a connection may take; how often it is tried, and how often in vain; seconds.
CONNECT, PING, PINGS = 3, 5, 2
_PREFIX = re.compile(r"[\w-]+(\.[\w-]+)*", re.ASCII)
_FILES = ("creds", "nkey", "ca", "cert", "key")


class Address(Struct, frozen=True):
    """Servers of one NATS, and how to get in. Files of: credentials, or a seed; certificates."""

    servers: tuple[str, ...]
    prefix: str = "kifu"
    creds: str = ""
    nkey: str = ""
    ca: str = ""
    cert: str = ""
    key: str = ""

    @property
    def encrypted(self) -> bool:
        """Whether to refuse a connection without TLS."""
        return bool(self.ca or self.cert) or any(one.startswith("tls:") for one in self.servers)

    @property
    def where(self) -> str:
        """The servers, without users and passwords."""
        return ",".join(one.rpartition("@")[2].rpartition("/")[2] for one in self.servers)


def address(text: str) -> Address:
    """Read `nats://[USER:PASSWORD@]HOST[:PORT][?prefix=…&creds=…],…`; raises `ValueError`.

    `tls://` in the place of `nats://`: by TLS or not at all.
    """
    servers, options = list[str](), dict[str, str]()
    for part in text.split(","):
        url = urlsplit(part.strip())
        if url.scheme not in ("nats", "tls") or not url.hostname or url.path not in ("", "/"):
            raise ValueError("an address of NATS is nats://HOST:PORT or tls://HOST:PORT")
        servers.append(f"{url.scheme}://{url.netloc if url.port else f'{url.netloc}:4222'}")
        options |= parse_qsl(url.query, keep_blank_values=True, strict_parsing=bool(url.query))
    for name, value in options.items():
        if name not in ("prefix", *_FILES):
            raise ValueError(f"{name} is no option of NATS")
        if name in _FILES and not Path(value).is_file():
            raise ValueError(f"{name}: {value} is no file")
    found = Address(tuple(servers), **options)
    if not _PREFIX.fullmatch(found.prefix):
        raise ValueError(f"{found.prefix} can't be what subjects begin with")
    return found


class Nats:
    """A `relay.Link` to NATS."""

    pause = 0.0

    def __init__(self, to: Address) -> None:
        self.where = to.where
        self._to = to
        self._client = _Client(to.encrypted)
        self._subscriptions = dict[str, Subscription]()
        self._ended: asyncio.Future[None]
        self._received: Callable[[str, bytes], None]
        self._lost: Callable[[], None]
        self._why: Exception | None = None

    async def open(self, received: Callable[[str, bytes], None], lost: Callable[[], None]) -> None:
        """Connect to one of the servers."""
        self._received, self._lost, self._why = received, lost, None
        self._ended = asyncio.get_running_loop().create_future()
        self._client = _Client(self._to.encrypted)
        try:
            await self._client.connect(
                list(self._to.servers),
                name="kifu",
                allow_reconnect=False,
                max_reconnect_attempts=1,
                reconnect_time_wait=0,
                connect_timeout=CONNECT,
                ping_interval=PING,
                max_outstanding_pings=PINGS,
                pending_size=OUTGOING,
                error_cb=self._failed,
                closed_cb=self._closed,
                **self._entrance(),
            )
        except NoServersError as error:
            raise self._why or error from None

    def _entrance(self) -> dict[str, Any]:
        """How to get in. Files are read each time, so that what is in them may be replaced."""
        to, found = self._to, dict[str, Any]()
        if to.creds:
            found["user_credentials"] = to.creds
        if to.nkey:
            found["nkeys_seed"] = to.nkey
        if to.encrypted:
            found["tls"] = ssl.create_default_context(cafile=to.ca or None)
            if to.cert:
                found["tls"].load_cert_chain(to.cert, to.key or None)
        return found

    async def gone(self) -> None:
        """Wait until the connection is lost."""
        await self._ended

    async def send(self, messages: Sequence[tuple[str, bytes]]) -> None:
        """Publish something to subjects."""
        for name, data in messages:
            await self._client.publish(f"{self._to.prefix}.{name}", data)

    async def follow(self, topics: Sequence[str]) -> None:
        """Subscribe to subjects; on return the server that this is connected to knows."""
        for name in topics:
            if name not in self._subscriptions:
                self._subscriptions[name] = await self._client.subscribe(
                    f"{self._to.prefix}.{name}",
                    cb=self._message,
                    pending_msgs_limit=MESSAGES,
                    pending_bytes_limit=BYTES,
                )
        await self._client.flush(CONNECT)

    async def leave(self, topics: Sequence[str]) -> None:
        """Unsubscribe."""
        for name in topics:
            if (found := self._subscriptions.pop(name, None)) is not None:
                await found.unsubscribe()

    async def close(self) -> None:
        """Close the connection."""
        self._subscriptions.clear()
        await self._client.close()

    async def _message(self, message: Msg) -> None:
        self._received(message.subject[len(self._to.prefix) + 1 :], message.data)

    async def _failed(self, error: Exception) -> None:
        """Called by the library, often before it closes the connection."""
        if isinstance(error, SlowConsumerError):
            self._lost()
            return
        self._why = error
        if "permissions violation" in str(error).lower():
            self._end(error)

    async def _closed(self) -> None:
        self._end(self._client.last_error or self._why or ConnectionError("it was closed"))

    def _end(self, why: Exception) -> None:
        if not self._ended.done():
            self._ended.set_exception(why)
            self._ended.exception()  # its caller, if any, gets the error


class _Client(Client):
    """The library's client; `encrypted`: it says nothing, passwords least of all, without TLS."""

    def __init__(self, encrypted: bool) -> None:
        super().__init__()
        self._encrypted = encrypted

    def _connect_command(self) -> bytes:
        if self._encrypted and not self._server_info.get("tls_required"):
            raise SecureConnRequiredError
        return super()._connect_command()
