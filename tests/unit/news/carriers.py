"""What carries news in tests: the real thing, which can be killed, stopped and started again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from service.news.news import OK, Piece
from service.news.relay import Link, Relay
from service.telemetry.shared import NewsMetrics


class Hearer:
    """A server's end of the news: what it heard, and how often it was to look everywhere."""

    def __init__(self, link: Link) -> None:
        self.metrics = NewsMetrics()
        self.news = Relay(link, self.metrics)
        self.heard: list[Piece] = []
        self.missed = 0
        self.news.listen(self.heard.append, self._miss)

    def _miss(self) -> None:
        self.missed += 1

    async def start(self) -> None:
        """Start, and wait until news get through."""
        await self.news.start()
        await self.until(lambda: self.news.state == OK)

    async def until(self, true: Callable[[], bool], seconds: float = 20.0) -> None:
        """Wait until something is so."""
        try:
            async with asyncio.timeout(seconds):
                while not true():
                    await asyncio.sleep(0.01)
        except TimeoutError:
            raise AssertionError(f"{self.news.state}; heard {self.heard[-5:]}") from None

    async def is_heard_by(self, other: Hearer, piece: Piece) -> None:
        """Tell it until another hears it: the hub has to learn first who follows."""
        async with asyncio.timeout(20):
            while piece not in other.heard:
                self.news.tell(piece)
                await asyncio.sleep(0.1)

    async def hears(self, *pieces: Piece) -> None:
        """Wait until these were heard."""
        await self.until(lambda: {*pieces} <= {*self.heard})
