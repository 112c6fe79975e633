"""Background tasks of the service: tasks that are completed, and repeated ones.

A command that has begun is finished even if its caller gives up (`finish`). What runs beside the
matches for as long as the service does is repeated, and a failure of it is logged and counted
(`repeat`). What is asked for by many, more than once, is done once for all of them (`Shared`,
`Underway`, `Made`). What a conflict with another server prevented is attempted again (`repeated`).
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Hashable
from typing import Any, Generic, TypeVar

from service.store.errors import Conflict, Gone, StoreError
from service.telemetry.logs import log_event

T = TypeVar("T")
#: How long a task waits for a store that is gone, in seconds.
GONE = 1.0
#: How long work that is done over and over rests; how long after it has failed, at first and at
#: most; seconds.
REST, FAILED, LONGEST = 0.05, 0.2, 5.0


def heeded(task: asyncio.Future[Any]) -> None:
    """Note that a task which several wait for has failed, though all of them may have gone.

    It is added as a callback: otherwise the exception of a task whose caller gave up would be
    logged.
    """
    if not task.cancelled():
        task.exception()


async def repeated(
    attempt: Callable[[], Awaitable[T]], times: int, forestalled: Callable[[], bool]
) -> T:
    """The result of an attempt, which is made at most so many `times`.

    After a `Conflict` it is made again if it was `forestalled`; other conflicts, and the last, are
    raised.
    """
    for _ in range(times - 1):
        try:
            return await attempt()
        except Conflict:
            if not forestalled():
                raise
    return await attempt()


class Shared:
    """Work that is asked for by a call, and begins after it: once for all calls until it begins.

    One that fails is tried again. To be used within one loop.
    """

    def __init__(self, work: Callable[[], Awaitable[None]]) -> None:
        self._work, self._asked = work, False
        self._task: asyncio.Task[None] | None = None

    def __call__(self) -> None:
        """Ask for it."""
        self._asked = True
        if self._task is None:
            self._task = asyncio.create_task(self._run())

    def close(self) -> None:
        """Give it up."""
        if self._task is not None:
            self._task.cancel()

    async def _run(self) -> None:
        wait = FAILED
        while self._asked:
            self._asked = False
            try:
                await self._work()
            except Exception as error:
                if not isinstance(error, StoreError):  # which is reported to its reader
                    log_event(logging.ERROR, "shared work failed", wrong=error)
                self._asked = True
                await asyncio.sleep(wait)
                wait = min(2 * wait, LONGEST)
                continue
            wait = FAILED
            await asyncio.sleep(REST)
        self._task = None


class Underway(Generic[T]):
    """Work under way: whoever asks for the same meanwhile shares it. To be used within one loop."""

    def __init__(self) -> None:
        self._tasks: dict[Hashable, asyncio.Task[T]] = {}

    async def of(self, key: Hashable, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """The result of the work for a key, which begins unless it is under way."""
        task = self._tasks.get(key)
        if task is None:
            task = self._tasks[key] = asyncio.create_task(work())
            task.add_done_callback(lambda _: self._tasks.pop(key))
            task.add_done_callback(heeded)
        return await asyncio.shield(task)


class Made(Generic[T]):
    """What was made for the last keys: once for all who ask. To be used within one loop."""

    def __init__(self, most: int) -> None:
        """`most`: of how many keys it is kept."""
        self._most, self._made = most, OrderedDict[Hashable, asyncio.Task[T]]()

    async def of(self, key: Hashable, make: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """What is made for a key; if that fails, all who wait for it get the failure."""
        task = self._made.get(key)
        if task is None or (task.done() and (task.cancelled() or task.exception() is not None)):
            task = self._made[key] = asyncio.create_task(make())
            task.add_done_callback(heeded)
            while len(self._made) > self._most:
                self._made.popitem(last=False)
        return await asyncio.shield(task)


class Background:
    """The tasks that are under way. To be used within one loop."""

    def __init__(
        self, failed: Callable[[str], None], orphaned: Callable[[Exception], None]
    ) -> None:
        """`failed` is called with the name of a repeated task that failed.

        `orphaned` is called with the exception of a task whose caller had given up waiting.
        """
        self._failed, self._unheard = failed, orphaned
        self._finishing: set[asyncio.Task[Any]] = set()
        self._repeating: list[asyncio.Task[Any]] = []

    async def finish(self, work: Coroutine[Any, Any, T]) -> T:
        """Carry something out to its end, even if its caller gives up."""
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

    def start(self, name: str, once: Callable[[], Awaitable[None]]) -> None:
        """Begin something that `close` may cancel."""
        self._repeating.append(asyncio.create_task(self._tried(name, once)))

    async def _repeated(self, name: str, once: Callable[[], Awaitable[None]]) -> None:
        while True:
            await asyncio.sleep(await self._tried(name, once))

    async def _tried(self, name: str, once: Callable[[], Awaitable[None]]) -> float:
        """Do something; a failure is logged and counted, and ends nothing: how long to wait."""
        try:
            await once()
        except Gone as error:  # others say so as well, and it comes back
            log_event(logging.WARNING, "task waits for the store", task=name, text=str(error))
            return GONE
        except Exception as error:
            log_event(logging.ERROR, "background task failed", wrong=error, task=name)
            self._failed(name)
            return FAILED
        return 0.0

    async def close(self) -> None:
        """End what is repeated, finish what was begun."""
        for task in self._repeating:
            task.cancel()
        await asyncio.gather(*self._repeating, *self._finishing, return_exceptions=True)
