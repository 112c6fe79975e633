"""News that are old, doubled, out of order or made up, told to servers in the middle of true ones.

What is told is collected as it passes; while it is asked to `forge`, it is told again at random,
with other numbers, with other ids, and as bytes that mean nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from random import Random
from threading import Event, Thread
from typing import Any

from nats.aio.client import Client

#: How many pieces of news are kept to be told again.
KEPT = 500
#: A connection that is lost is another one's to make again.
_ONCE: dict[str, Any] = {"allow_reconnect": False, "connect_timeout": 1}
#: How often something is forged, in seconds.
EVERY = 0.005


class Forger:
    """Forges news at a NATS server, in a thread of its own, whatever becomes of that server."""

    def __init__(self, port: int) -> None:
        self._url = f"nats://127.0.0.1:{port}"
        self._heard: list[tuple[str, bytes]] = []
        self._rng: Random | None = None
        self._closed = Event()
        self._thread = Thread(target=lambda: asyncio.run(self._run()), name="forger", daemon=True)
        self._thread.start()
        self.forged = 0

    def forge(self, rng: Random) -> Callable[[], None]:
        """Begin to forge; what ends it."""
        self._rng = rng
        return self._rest

    def close(self) -> None:
        """End it all."""
        self._closed.set()
        self._thread.join(10)

    def _rest(self) -> None:
        self._rng = None

    async def _run(self) -> None:
        while not self._closed.is_set():
            client = Client()
            with suppress(Exception):
                await client.connect(self._url, error_cb=_ignore, **_ONCE)
                await client.subscribe("kifu.>", cb=self._hear)
                while not self._closed.is_set() and client.is_connected:
                    if self._rng is not None and self._heard:
                        await client.publish(*self._forged(self._rng))
                        self.forged += 1
                    await asyncio.sleep(EVERY)
            with suppress(Exception):
                await client.close()
            await asyncio.sleep(0.1)

    async def _hear(self, message: object) -> None:
        self._heard.append((message.subject, message.data))  # type: ignore[attr-defined]
        del self._heard[:-KEPT]

    def _forged(self, rng: Random) -> tuple[str, bytes]:
        subject, data = rng.choice(self._heard)
        match rng.randrange(4):
            case 0:  # once more
                return subject, data
            case 1:  # of another match
                return rng.choice(self._heard)[0], data
            case 2:  # of entries that there are not, or were long ago
                server, _, _ = data.partition(b" ")
                return subject, b"%s %d" % (server, rng.choice((0, 1, rng.randrange(1 << 31))))
        return subject, rng.randbytes(rng.randrange(20))


async def _ignore(error: Exception) -> None:
    """The server is killed again and again: the library need not say so."""
