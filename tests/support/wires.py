"""A way to PostgreSQL that counts round trips, and loses answers that say what is durable."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

from tests.faults.machines.links import CHUNK, FROM, Link, Links, _reset

#: How PostgreSQL says that a transaction is durable, or a row that was one by itself: then no
#: transaction is open.
COMMITTED = (b"COMMIT\0", b"INSERT 0 1\0Z\0\0\0\5I")

#: How PostgreSQL ends what it answers to one request, however many pieces either came in.
READY = re.compile(b"Z\0\0\0\x05[ITE]")


class Wire(Link):
    """Forwards connections to a database."""

    def __init__(self, links: Links, url: str) -> None:
        parts = urlsplit(url)
        super().__init__(links, parts.hostname or "", parts.port or 0)
        self._url = parts
        self.trips = self.losing = self.lost = 0

    @property
    def url(self) -> str:
        """The database's address by this way."""
        return self._url._replace(netloc=f"postgres@127.0.0.1:{self.port}").geturl()

    async def _pump(
        self, way: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, pair: Any
    ) -> None:
        last = b""
        with suppress(OSError):
            while data := await reader.read(CHUNK):
                if way == FROM:
                    self.trips += len(READY.findall(last + data))
                    last = data[-5:]  # one byte less than what is looked for: none is counted twice
                if way == FROM and self.losing and any(words in data for words in COMMITTED):
                    self.losing, self.lost = self.losing - 1, self.lost + 1
                    _reset(pair)
                    return
                await self._pass[way].wait()
                writer.write(data)
                await writer.drain()


@contextmanager
def to(url: str) -> Iterator[Wire]:
    """A way to a database, for as long as it is used."""
    links = Links()
    wire = Wire(links, url)
    asyncio.run_coroutine_threadsafe(wire.open("127.0.0.1"), links.loop).result(10)
    try:
        yield wire
    finally:
        wire.cut()
        asyncio.run_coroutine_threadsafe(asyncio.sleep(0.05), links.loop).result(10)
        links.close()
