"""Command streams: many commands of one sender on one stream, each answered as by its own method.

With many commands a stream saves what a call costs: metadata, a token to check, a task and a status
for each. Commands are carried out one at a time and answered in order; nothing further is read
before an answer is on its way, so a sender can't have more under way than the transport holds. A
failure is reported in the command's answer (`Fault`), and the stream goes on.

The token is checked before each command. Streams that wait for one are ended when it runs out or is
revoked (`recheck`), and when the service stops (`drain`); so are, but for the last, those on which
somebody follows a match, which wait for its next entries. Calls are in `calls.guard`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

import grpc
from grpc import StatusCode

from service.api.calls.errors import Fault
from service.identity import BadToken, Keys
from service.live.streams.channels import Closing

T = TypeVar("T")


class Commands(Protocol):
    """A stream of commands: `read` gives what comes next or `grpc.aio.EOF`, `write` answers it."""

    async def read(self) -> Any: ...

    async def write(self, message: Any) -> None: ...


class Answer(Protocol):
    """Carries out a command and answers it; raises what ends the stream."""

    async def __call__(self, request: Any) -> Any: ...


class OpenStream:
    """One stream, which waits for the next command until it is told to end."""

    def __init__(self, token: str) -> None:
        self.token = token
        self._task = asyncio.current_task()
        self._waiting = False
        self._why: Exception | None = None

    def end(self, why: Exception) -> None:
        """End it for this reason, once what has come is dealt with."""
        if self._why is None:
            self._why = why
            if self._waiting and self._task is not None:
                self._task.cancel()

    async def wait(self, coming: Awaitable[T]) -> T:
        """The next command; raises what ends the stream."""
        if self._why is not None:
            close = getattr(coming, "close", None)
            if close is not None:
                close()
            raise self._why
        self._waiting = True
        try:
            return await coming
        except asyncio.CancelledError:
            if self._why is None or self._task is None:
                raise
            self._task.uncancel()
            raise self._why from None
        finally:
            self._waiting = False


class OpenStreams:
    """The streams of a service. To be used within one loop."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys
        self._open = set[OpenStream]()
        self._commanding = set[OpenStream]()

    async def serve(self, token: str, commands: Commands, answer: Answer) -> None:
        """Answer the commands of a stream until its sender ends it; raises what ends it else."""
        with self.opened(token) as stream:
            self._commanding.add(stream)
            try:
                while (request := await stream.wait(commands.read())) is not grpc.aio.EOF:
                    self._keys.check(token)
                    await commands.write(await answer(request))
            finally:
                self._commanding.discard(stream)

    def recheck(self) -> None:
        """End the streams whose tokens are no longer valid."""
        for stream in [*self._open]:
            self._recheck(stream)

    def drain(self) -> None:
        """End all streams of commands, each once its command is answered."""
        for stream in [*self._commanding]:
            stream.end(Closing())

    def _recheck(self, stream: OpenStream) -> None:
        try:
            self._keys.check(stream.token)
        except BadToken as error:
            stream.end(error)

    @contextmanager
    def opened(self, token: str) -> Iterator[OpenStream]:
        """A stream, for as long as it is open: ended when its token is no longer valid."""
        stream, lasts = OpenStream(token), self._keys.check(token).expires - time.time()
        timer = asyncio.get_running_loop().call_later(lasts + 0.01, self._recheck, stream)
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
