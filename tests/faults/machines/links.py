"""A proxy between two programs that do as if it were not there, until it is told to fail.

A `Link` forwards TCP connections to one address, each way (`TO` the server, `FROM` it) by itself.
It can be cut, swallow what is sent, slow it down, and break a connection off in mid-message; what
was asked for ends with `heal`. All links share a thread with a loop of its own (`Links`).
"""

from __future__ import annotations

import asyncio
import socket
import struct
from contextlib import suppress
from threading import Thread
from typing import Any

TO, FROM = "to", "from"
BOTH = (TO, FROM)
#: How much is forwarded at a time, in bytes.
CHUNK = 65536


class Link:
    """Connections from one program to another, which fail as they are told to."""

    def __init__(self, links: Links, host: str, target: int) -> None:
        self._loop, self.target = links.loop, (host, target)
        self.port = 0
        self._pairs = set[tuple[asyncio.StreamWriter, asyncio.StreamWriter]]()
        self._pass = {way: asyncio.Event() for way in BOTH}
        self._tear = dict.fromkeys(BOTH, 0)
        self._cut, self._delay, self._rate = False, 0.0, 0.0
        for event in self._pass.values():
            event.set()

    # -- from any thread -------------------------------------------------------------------------

    def cut(self) -> None:
        """Break all connections, and every new one as soon as it is made."""
        self._call(self._do_cut)

    def swallow(self, *ways: str) -> None:
        """Forward nothing more these ways; connections stay, and learn nothing of it."""
        self._call(lambda: [self._pass[way].clear() for way in ways])

    def slow(self, delay: float = 0.0, rate: float = 0.0) -> None:
        """Forward each piece so many seconds later, and at most `rate` bytes a second."""
        self._call(lambda: self._set(delay, rate))

    def tear(self, way: str) -> None:
        """Break the connection that next sends something this way, half of it forwarded."""
        self._call(lambda: self._tear.update({way: 1}))

    def heal(self) -> None:
        """Forward everything again; what was swallowed is forwarded now, if it still can be."""
        self._call(self._do_heal)

    def _call(self, work: Any) -> None:
        self._loop.call_soon_threadsafe(work)

    # -- in the loop -----------------------------------------------------------------------------

    async def open(self, host: str) -> None:
        """Listen on a port of its own."""
        server = await asyncio.start_server(self._serve, host, 0)
        self.port = server.sockets[0].getsockname()[1]

    def _do_cut(self) -> None:
        self._cut = True
        for pair in [*self._pairs]:
            _reset(pair)

    def _set(self, delay: float, rate: float) -> None:
        self._delay, self._rate = delay, rate

    def _do_heal(self) -> None:
        self._cut = False
        self._set(0.0, 0.0)
        self._tear = dict.fromkeys(BOTH, 0)
        for event in self._pass.values():
            event.set()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            if self._cut:
                raise ConnectionError
            there, back = await asyncio.open_connection(*self.target)
        except OSError:
            _reset((writer, writer))
            return
        pair = (writer, back)
        self._pairs.add(pair)
        pumps = [
            asyncio.ensure_future(self._pump(TO, reader, back, pair)),
            asyncio.ensure_future(self._pump(FROM, there, writer, pair)),
        ]
        try:
            await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for pump in pumps:
                pump.cancel()
            await asyncio.gather(*pumps, return_exceptions=True)
            self._pairs.discard(pair)
            for side in pair:
                side.close()

    async def _pump(
        self, way: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, pair: Any
    ) -> None:
        with suppress(OSError):
            while data := await reader.read(CHUNK):
                await self._pass[way].wait()
                if self._tear[way]:
                    self._tear[way] = 0
                    writer.write(data[: len(data) // 2])
                    await writer.drain()
                    _reset(pair)
                    return
                if self._delay:
                    await asyncio.sleep(self._delay)
                if self._rate:
                    await asyncio.sleep(len(data) / self._rate)
                writer.write(data)
                await writer.drain()
            await self._pass[way].wait()


class Links:
    """The thread in which links forward."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = Thread(target=self.loop.run_forever, name="links", daemon=True)
        self._thread.start()

    def to(self, port: int, host: str = "127.0.0.1", at: str = "127.0.0.1") -> Link:
        """A link to a port of a host, which is reached at this address."""
        link = Link(self, host, port)
        asyncio.run_coroutine_threadsafe(link.open(at), self.loop).result(10)
        return link

    def close(self) -> None:
        """Forward nothing any more."""
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(10)


def _reset(pair: Any) -> None:
    """End both connections of a pair at once, as a machine does that has just been started."""
    for writer in pair:
        with suppress(OSError):
            found = writer.get_extra_info("socket")
            found.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()
