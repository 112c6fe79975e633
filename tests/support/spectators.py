"""Spectators of a match over HTTP: each follows, and fetches what pages fetch for each entry."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence

_ID = re.compile(rb"\nid: ([0-9]+)\n")
_HEADS = re.compile(rb"HTTP/1\.1 ([0-9]+).*?\r\n\r\n", re.S)
_LENGTH = re.compile(rb"content-length: ([0-9]+)", re.I)


class Connection:
    """A connection that is kept, one request after the other."""

    def __init__(self, port: int) -> None:
        self._port = port

    async def get(self, path: str) -> tuple[int, bytes]:
        """The status and the body of an answer."""
        if not hasattr(self, "_streams"):
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        writer.write(f"GET {path} HTTP/1.1\r\nhost: x\r\naccept-encoding: gzip\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        length = _LENGTH.search(head)
        assert length is not None, head
        return int(head.split()[1]), await reader.readexactly(int(length[1]))

    def close(self) -> None:
        if hasattr(self, "_streams"):
            self._streams[1].close()


class Spectator:
    """Follows a match from an entry on; `fetched` are the bodies that he got, by address."""

    def __init__(self, port: int, match: str, after: int) -> None:
        self._port, self._root = port, f"/m/{match}"
        self.seq = after
        self.fetched: dict[str, bytes] = {}
        self._changed = asyncio.Event()
        self._pages = Connection(port)
        self._task = asyncio.create_task(self._follow())

    async def _follow(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        try:
            writer.write(
                f"GET {self._root}/follow?after={self.seq} HTTP/1.1\r\nhost: x\r\n\r\n".encode()
            )
            rest = b""
            while data := await reader.read(4096):
                rest += data
                for found in _ID.finditer(rest):
                    await self._step(int(found[1]))
                    rest = rest[rest.index(found[0]) + len(found[0]) :]
        finally:
            writer.close()
            self._pages.close()

    async def _step(self, seq: int) -> None:
        if seq > self.seq:
            span = f"{self.seq}-{seq}"
            await self.fetch([f"at/{seq}", f"lines/{span}", f"marks/{span}.json"])
            self.seq = seq
        self._changed.set()

    async def fetch(self, paths: Sequence[str]) -> None:
        """Fetch addresses of the match, which must be there."""
        for path in paths:
            status, body = await self._pages.get(f"{self._root}/{path}")
            assert status == 200, (path, status)
            self.fetched[path] = body

    async def reached(self, seq: int) -> None:
        """Wait until he knows of an entry and has fetched what there is of it."""
        while self.seq < seq:
            self._changed.clear()
            waiting = asyncio.create_task(self._changed.wait())
            await asyncio.wait({waiting, self._task}, return_when=asyncio.FIRST_COMPLETED)
            if self._task.done():
                waiting.cancel()
                assert self.seq >= seq, self._task.exception()

    async def leave(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
