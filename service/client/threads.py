"""Runs gRPC calls in threads of their own, for `connection` and `playing`.

An interrupt is raised wherever the main thread happens to be. Raised within gRPC, it leaves locks
held and calls begun that nobody ends, so that closing the channel waits for them forever. Other
threads get none, so calls are begun, read and ended there; a waiting thread holds nothing
meanwhile.
"""

from __future__ import annotations

from _thread import start_new_thread  # `Thread.start` waits, and holds a lock
from collections.abc import Callable, Iterator
from contextvars import copy_context
from queue import SimpleQueue  # it is written in C: an interrupt leaves it whole
from threading import current_thread, main_thread
from typing import Any

#: How many messages are taken from the server before they are asked for.
AHEAD = 4


def answer(call: Callable[[], Any]) -> Any:
    """The result of a call with one answer; raises what it raises.

    An interrupted caller no longer waits for it, and it goes on to its deadline.
    """
    if current_thread() is not main_thread():
        return call()
    found: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()

    def run() -> None:
        try:
            found.put((call(), None))
        except BaseException as error:  # of any kind, it is for the one who waits
            found.put((None, error))

    in_thread(run)
    result, error = found.get()
    if error is not None:
        raise error
    return result


def read(begin: Callable[[], Any]) -> Iterator[Any]:
    """The messages of the call that `begin` begins; a reader that stops ends it.

    Raises what the call raises.
    """
    stream = _Stream(begin)
    try:
        in_thread(stream.run)
        yield from stream
    finally:
        stream.leave()


def in_thread(run: Callable[[], Any]) -> None:
    """Run something in a thread, in the caller's context."""
    start_new_thread(copy_context().run, (run,))


class Call:
    """A call that is begun in a thread, and may be ended from any, also before it has begun."""

    def __init__(self, begin: Callable[[], Any]) -> None:
        self._begin, self._call, self._left = begin, None, False

    def begin(self) -> Any:
        """Begin it; its messages."""
        self._call = call = self._begin()
        if self._left:
            call.cancel()
        return call

    def over(self) -> None:
        """It has ended by itself."""
        self._call = None

    def leave(self) -> None:
        """End it, if it has not ended; nobody waits for that."""
        self._left = True
        if self._call is not None:
            in_thread(self._call.cancel)


class _Stream:
    """A call that one thread runs and another one reads."""

    def __init__(self, begin: Callable[[], Any]) -> None:
        self._call = Call(begin)
        self._found: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()
        self._asked: SimpleQueue[None] = SimpleQueue()
        for _ in range(AHEAD):
            self._asked.put(None)

    def run(self) -> None:
        """Begin the call, and hand over its messages as they are asked for."""
        try:
            call = self._call.begin()
            while True:
                self._asked.get()
                self._found.put((next(call), None))
        except BaseException as error:  # of any kind, it is for the one who reads
            self._call.over()
            self._found.put((None, error))

    def __iter__(self) -> Iterator[Any]:
        while True:
            message, error = self._found.get()
            if isinstance(error, StopIteration):
                return
            if error is not None:
                raise error
            self._asked.put(None)
            yield message

    def leave(self) -> None:
        """End the call, if it has not ended."""
        self._asked.put(None)
        self._call.leave()
