"""Command streams: many commands of one sender on one stream, each answered as by its own method.

Whoever sends many commands spares what a call costs: metadata, a token to check, a task and a
status for each. Commands are carried out one at a time and answered in order; nothing further is
read before an answer is on its way, so a sender can't have more under way than the transport holds.
What fails is told in its answer (`Fault`), and the stream goes on.

The token is checked before each command. Streams that wait for one are ended when it runs out or is
revoked (`recheck`), and when the service stops (`drain`). Calls are in `calls.wrapper`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

import grpc
from grpc import StatusCode
from grpc.aio import ServicerContext

from service.api.calls.errors import Fault
from service.identity import BadToken, Keys
from service.live.streams import Closing

Context = ServicerContext[Any, Any]


class Answer(Protocol):
    """Carries out a command and answers it; raises what ends the stream."""

    async def __call__(self, request: Any) -> Any: ...


class CommandStream:
    """One stream: reads commands until it is told to end."""

    def __init__(self, token: str) -> None:
        self.token = token
        self._task = asyncio.current_task()
        self._reading = False
        self._why: Exception | None = None

    def end(self, why: Exception) -> None:
        """End it for this reason, once the command is answered that is under way."""
        if self._why is None:
            self._why = why
            if self._reading and self._task is not None:
                self._task.cancel()

    async def read(self, context: Context) -> Any:
        """The next command, or `grpc.aio.EOF`; raises what ends the stream."""
        if self._why is not None:
            raise self._why
        self._reading = True
        try:
            return await context.read()
        except asyncio.CancelledError:
            if self._why is None or self._task is None:
                raise
            self._task.uncancel()
            raise self._why from None
        finally:
            self._reading = False


class CommandStreams:
    """The command streams of a service. To be used within one loop."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys
        self._open = set[CommandStream]()

    async def serve(self, token: str, context: Context, answer: Answer) -> None:
        """Answer the commands of a stream until its sender ends it; raises what ends it else."""
        with self._opened(token) as stream:
            while (request := await stream.read(context)) is not grpc.aio.EOF:
                self._keys.check(token)
                await context.write(await answer(request))

    def recheck(self) -> None:
        """End the streams whose tokens are worth nothing any more."""
        for stream in [*self._open]:
            try:
                self._keys.check(stream.token)
            except BadToken as error:
                stream.end(error)

    def drain(self) -> None:
        """End all streams, each once its command is answered."""
        for stream in [*self._open]:
            stream.end(Closing())

    @contextmanager
    def _opened(self, token: str) -> Iterator[CommandStream]:
        stream, lasts = CommandStream(token), self._keys.check(token).expires - time.time()
        timer = asyncio.get_running_loop().call_later(lasts + 0.01, self.recheck)
        self._open.add(stream)
        try:
            yield stream
        finally:
            self._open.discard(stream)
            timer.cancel()


async def in_time(work: Callable[[], Any], milliseconds: int) -> Any:
    """Do something; raises `Fault` if it takes longer. What was begun is finished all the same."""
    if milliseconds <= 0:
        return await work()
    try:
        async with asyncio.timeout(milliseconds / 1000) as deadline:
            return await work()
    except TimeoutError:
        if not deadline.expired():
            raise
        text = "The command was not answered in time; it may be carried out all the same."
        raise Fault(StatusCode.DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED", text) from None
