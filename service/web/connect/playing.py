"""Streams of commands over HTTP: a request is read, carried out and answered, then the next.

Over HTTP/1.1 most clients send all of their commands before they read the first answer. A client
that can read while it sends gets each answer at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeVar

import grpc
from connectrpc.errors import ConnectError

from service.api.calls.commands import Commands
from service.web.connect.failures import fault_of

T = TypeVar("T")


class Exchange(Commands):
    """Commands as they come, and their answers: one waits at most."""

    def __init__(
        self,
        coming: AsyncIterator[T],
        parsed: Callable[[T], Awaitable[Any]],
        encoded: Callable[[Any], Awaitable[bytes]],
    ) -> None:
        self._coming, self._parsed, self._encoded = coming, parsed, encoded
        self._answers = asyncio.Queue[bytes | None](1)

    async def read(self) -> Any:
        """The next command, or the end; raises `Fault`."""
        try:
            return await self._parsed(await anext(self._coming))
        except StopAsyncIteration:
            return grpc.aio.EOF
        except ConnectError as error:
            raise fault_of(error) from error

    async def write(self, message: Any) -> None:
        """Answer a command."""
        await self._answers.put(await self._encoded(message))

    async def answers(self, serve: Callable[[Commands], Awaitable[None]]) -> AsyncIterator[bytes]:
        """The answers that `serve` gives to the commands; raises what it raises."""

        async def serving() -> None:
            try:
                await serve(self)
            finally:
                if not task.cancelling():  # else nobody takes what is put there
                    await self._answers.put(None)

        task = asyncio.create_task(serving())
        try:
            while (answer := await self._answers.get()) is not None:
                yield answer
            await task
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await task
