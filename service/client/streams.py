"""Reads a stream of the server in a thread of its own; `connection` is what begins one.

An interrupt is raised wherever the main thread happens to be. Raised within gRPC, it leaves locks
held and calls begun that nobody ends, so that closing the channel waits for them forever. Other
threads get none, so that is where streams are begun and read; the one who waits for their messages
holds nothing meanwhile. (A call with one answer is no such place: gRPC gives it a queue of its own,
which goes with it.)
"""

from __future__ import annotations

from _thread import start_new_thread  # `Thread.start` waits, and holds a lock
from collections.abc import Callable, Iterator
from queue import SimpleQueue  # it is written in C: an interrupt leaves it whole
from typing import Any

#: How many messages are taken from the server before they are asked for.
AHEAD = 4


def read(begin: Callable[[], Any]) -> Iterator[Any]:
    """The messages of the call that `begin` begins; whoever stops reading ends it.

    Raises what the call raises.
    """
    stream = _Stream(begin)
    try:
        start_new_thread(stream.run, ())
        yield from stream
    finally:
        stream.leave()


class _Stream:
    """A call that one thread runs and another one reads."""

    def __init__(self, begin: Callable[[], Any]) -> None:
        self._begin, self._call, self._left = begin, None, False
        self._found: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()
        self._asked: SimpleQueue[None] = SimpleQueue()
        for _ in range(AHEAD):
            self._asked.put(None)

    def run(self) -> None:
        """Begin the call, and hand over what it gives as far as that is asked for."""
        try:
            self._call = call = self._begin()
            if self._left:
                call.cancel()
            while True:
                self._asked.get()
                self._found.put((next(call), None))
        except BaseException as error:  # whatever it is, it is for the one who reads
            self._call = None  # it has ended
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
        """End the call, if it has not ended; nobody waits for that."""
        self._left = True
        self._asked.put(None)
        if self._call is not None:
            start_new_thread(self._call.cancel, ())
