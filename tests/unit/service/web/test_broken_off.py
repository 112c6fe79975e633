"""Whoever goes away in the middle of an answer, wherever it waits just then, leaves nothing behind.

No task, no stream that counts, nobody who is still told: the connection is cut at each await of the
answer, and each time that something is sent.
"""

from __future__ import annotations

import asyncio
import struct
from contextlib import suppress
from itertools import count
from typing import Any

import pytest

from service.web.connect import feeds
from service.web.positions import following
from tests.support.halls import Hall, started
from tests.support.in_process import HEAD, KEYS, Cut
from tests.support.pages import Pages


def _frame(text: str) -> bytes:
    return struct.pack(">BI", 0, len(text)) + text.encode()


#: After how many parts of an answer nothing is taken any more: each has so many at once.
PARTS = 2
#: Answers without an end: their addresses, and what is sent there.
ENDLESS = {
    "entries announced": ("/m/{match}/follow?after=0", ""),
    "an event announced": ("/e/{event}/follow", ""),
    "a feed of entries": ("/api/feeds/{match}/entries", ""),
    "a feed of positions": ("/api/feeds/{match}/positions", ""),
    "a stream": ("/api/kifu.v1.MatchService/WatchEvents", '{{"matchId": "{match}"}}'),
}


class Reader:
    """Who reads so many parts of an answer, and nothing more; what is sent once he left is lost."""

    def __init__(self, most: int) -> None:
        self._left = most
        self.stuck, self._gone = asyncio.Event(), asyncio.Event()

    async def take(self, message: Any) -> None:
        """Take a part."""
        self._left -= 1
        if self._left <= 0:
            self.stuck.set()
            await self._gone.wait()

    async def leave(self, asking: asyncio.Task[None]) -> None:
        """Break off what was asked, once nothing more is taken of it."""
        stuck = asyncio.create_task(self.stuck.wait())
        await asyncio.wait((asking, stuck), return_when=asyncio.FIRST_COMPLETED)
        stuck.cancel()
        asking.cancel()
        self._gone.set()
        with suppress(asyncio.CancelledError):
            await asking


@pytest.mark.parametrize("kind", ENDLESS)
async def test_an_answer_that_is_broken_off_leaves_nothing(
    kind: str, monkeypatch: pytest.MonkeyPatch, h: Hall
) -> None:
    """As it waits for the k-th time, or as it sends its n-th part to somebody who reads no more."""
    monkeypatch.setattr(feeds, "BEAT", 0.02)
    monkeypatch.setattr(following, "BEAT", 0.02)
    await started(h)
    await h.servicers.following.settled()
    pages = Pages(h.servicers)
    path, body = (text.format(match=f"{h.id}.r1.t1", event=h.id) for text in ENDLESS[kind])
    headers = {"authorization": f"Bearer {KEYS.issue(HEAD, 1.0)[0]}"}
    if body:
        headers["content_type"] = "application/connect+json"

    async def broken_off(parts: int, cut: Cut) -> None:
        reader = Reader(parts)
        asked = pages.ask(path, reader.take, _frame(body) if body else b"", **headers)
        await reader.leave(asyncio.create_task(cut(asked)))

    for parts in range(1, PARTS):
        await broken_off(parts, Cut(0))
        assert not await pages.left(), f"part {parts}"
    for k in count(1):
        await broken_off(PARTS, cut := Cut(k))
        assert not await pages.left(), f"await {k}"
        if not cut.happened:
            break
    assert k > 1
