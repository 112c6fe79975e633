"""Background tasks of the service: what is carried to its end, and what is done over and over.

A command that has begun is finished even if its caller gives up (`finish`). What runs beside the
matches for as long as the service does is repeated, and a failure of it is logged and counted
(`repeat`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from service.logs import log_event

T = TypeVar("T")


class Background:
    """The tasks that are under way. To be used within one loop."""

    def __init__(
        self, failed: Callable[[str], None], orphaned: Callable[[Exception], None]
    ) -> None:
        """`failed` is told which repeated task failed.

        `orphaned` is told what a finished one raised whose caller had given up waiting.
        """
        self._failed, self._unheard = failed, orphaned
        self._finishing: set[asyncio.Task[Any]] = set()
        self._repeating: list[asyncio.Task[None]] = []

    async def finish(self, work: Coroutine[Any, Any, T]) -> T:
        """Carry something out to its end, even if whoever waits for it gives up."""
        task = asyncio.create_task(work)
        self._finishing.add(task)
        task.add_done_callback(self._finishing.discard)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(self._report)
            raise

    def _report(self, task: asyncio.Task[Any]) -> None:
        """Report what a task raised that nobody waits for any more."""
        if not task.cancelled() and isinstance(error := task.exception(), Exception):
            self._unheard(error)

    def repeat(self, name: str, once: Callable[[], Awaitable[None]]) -> None:
        """Do something over and over until `close`."""
        self._repeating.append(asyncio.create_task(self._repeated(name, once)))

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Begin something that `close` may cancel."""
        self._repeating.append(asyncio.create_task(work))

    async def _repeated(self, name: str, once: Callable[[], Awaitable[None]]) -> None:
        """A failure is logged and counted, and ends nothing."""
        while True:
            try:
                await once()
            except Exception as error:
                log_event(logging.ERROR, "background task failed", wrong=error, task=name)
                self._failed(name)

    async def close(self) -> None:
        """End what is repeated, finish what was begun."""
        for task in self._repeating:
            task.cancel()
        await asyncio.gather(*self._repeating, *self._finishing, return_exceptions=True)
