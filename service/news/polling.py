"""The fallback: a server polls for new entries every few seconds.

It finds entries without news: lost ones, those of a server that could send none, and all where
there are none. How often it looks is asked each time: seldom while news get through.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable
from contextlib import suppress

from service.news.news import News, Piece
from service.telemetry.logs import log_event

#: How often to look while news get through, and where they do not; seconds.
SELDOM, OFTEN = 15.0, 1.0


class Polling(News):
    """News without anybody who carries them: every server looks by itself."""

    def __init__(self, every: Callable[[], float] = lambda: OFTEN) -> None:
        """`every`: how many seconds from now to look again."""
        self._every = every
        self._missed: Callable[[], None] = lambda: None
        self._task: asyncio.Task[None] | None = None

    def listen(self, heard: Callable[[Piece], None], missed: Callable[[], None]) -> None:
        """Set the poller."""
        self._missed = missed

    async def start(self) -> None:
        """Begin to look."""
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Look no more."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        waited = 0.0
        while True:
            # in short steps: how often to look may change meanwhile
            step = min(OFTEN, self._every())
            await asyncio.sleep(step * random.uniform(0.8, 1.2))
            waited += step
            if waited < self._every():
                continue
            waited = 0.0
            try:
                self._missed()
            except Exception as error:
                log_event(logging.ERROR, "news not taken", wrong=error)
