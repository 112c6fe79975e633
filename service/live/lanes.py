"""Lanes: thread pools shared fairly among callers.

Reads of the store and long computations run in a `Lane`. Each caller has a queue in it, and queues
take turns: by token, then by connection among those who share a token (the spectators of a match).
A token has a limited number of threads and of queued jobs; more is refused at once as `Busy`, with
a time to try again. The caller is in the context variable `CALLER`, which `api.calls.guard` sets.

Jobs of the service itself, and of streams (limited by `api.calls.admission`), queue without limit.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar, copy_context
from functools import partial
from typing import Any, NamedTuple, TypeVar, cast

T = TypeVar("T")


class Caller(NamedTuple):
    """The caller: his token (empty: none), and his connection.

    `unlimited`: his jobs are limited elsewhere, as those of streams are, and all of them queue.
    """

    token: str
    connection: str
    unlimited: bool = False


#: The service itself, for jobs that belong to no call; no token has this text.
SERVICE = Caller("the service", "", unlimited=True)
#: Who is being served; None: the service itself.
CALLER: ContextVar[Caller | None] = ContextVar("caller", default=None)


class Busy(Exception):
    """A caller has asked for too much at once; `after` so many seconds he may try again."""

    def __init__(self, after: float) -> None:
        super().__init__(f"too much was asked for at once; try again after {after:.1f} s")
        self.after = after


class Job(NamedTuple):
    """A piece of work, and who waits for it."""

    work: Callable[[], Any]
    done: asyncio.Future[Any]


class Share:
    """The share of one token in a lane: its work by connection, and how much of it is under way."""

    def __init__(self) -> None:
        self.running = 0
        self.queues: OrderedDict[str, deque[Job]] = OrderedDict()

    @property
    def waiting(self) -> int:
        return sum(map(len, self.queues.values()))

    def next(self) -> Job:
        """Take out what is next: each connection in its turn."""
        connection, queue = next(iter(self.queues.items()))
        job = queue.popleft()
        self.queues.move_to_end(connection)
        if not queue:
            del self.queues[connection]
        return job

    def drop(self, connection: str, job: Job) -> None:
        """Take out what nobody waits for any more."""
        queue = self.queues.get(connection, deque())
        if job in queue:
            queue.remove(job)
            if not queue:
                del self.queues[connection]


class Lane:
    """So many threads, and the work that waits for them. To be used within one loop."""

    def __init__(self, name: str, threads: int, each: int, most: int, most_each: int) -> None:
        """Of one token `each` run at a time; `most` wait for it, `most_each` of a connection."""
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._free, self._each, self._most, self._most_each = threads, each, most, most_each
        self._shares: OrderedDict[str, Share] = OrderedDict()
        self._mean_seconds = 0.01  # seconds that a piece of work takes, of late

    def __len__(self) -> int:
        """How much work waits."""
        return sum(share.waiting for share in self._shares.values())

    async def run(self, work: Callable[..., T], *args: Any, unlimited: bool = False) -> T:
        """Run a job in a thread, in the caller's turn; raises `Busy`, unless it is `unlimited`.

        Cancelling removes the job from its queue; one that runs already is finished.
        """
        token, connection, waits = CALLER.get() or SERVICE
        share = self._shares.get(token)
        if share is None:
            share = self._shares[token] = Share()
        if not (unlimited or waits):
            self._limit(share, connection)
        job = Job(
            partial(copy_context().run, work, *args), asyncio.get_running_loop().create_future()
        )
        share.queues.setdefault(connection, deque()).append(job)
        self._start_ready()
        try:
            return cast(T, await job.done)
        except asyncio.CancelledError:
            share.drop(connection, job)
            self._discard_idle(token, share)
            raise

    def close(self) -> None:
        """Let what is under way be finished."""
        self._threads.shutdown(wait=True, cancel_futures=True)

    def _limit(self, share: Share, connection: str) -> None:
        mine = len(share.queues.get(connection, ()))
        if mine >= self._most_each or share.waiting >= self._most:
            raise Busy(max(0.1, share.waiting * self._mean_seconds / self._each))

    def _start_ready(self) -> None:
        """Begin as much as there are threads for, each token in its turn."""
        while self._free:
            ready = (
                (token, share)
                for token, share in self._shares.items()
                if share.queues and share.running < self._each
            )
            token, share = next(ready, ("", None))
            if share is None:
                return
            self._shares.move_to_end(token)
            self._start(token, share, share.next())

    def _start(self, token: str, share: Share, job: Job) -> None:
        self._free -= 1
        share.running += 1
        began = time.perf_counter()
        running = asyncio.get_running_loop().run_in_executor(self._threads, job.work)

        def ended(result: asyncio.Future[Any]) -> None:
            self._mean_seconds += 0.1 * (time.perf_counter() - began - self._mean_seconds)
            self._free += 1
            share.running -= 1
            _resolve(job.done, result)
            self._discard_idle(token, share)
            self._start_ready()

        running.add_done_callback(ended)

    def _discard_idle(self, token: str, share: Share) -> None:
        if not share.queues and not share.running and self._shares.get(token) is share:
            del self._shares[token]


def _resolve(done: asyncio.Future[Any], result: asyncio.Future[Any]) -> None:
    error = result.exception() if not result.cancelled() else asyncio.CancelledError()
    if done.done():
        return  # the waiting caller has given up
    if isinstance(error, asyncio.CancelledError):
        done.cancel()
    elif error is not None:
        done.set_exception(error)
    else:
        done.set_result(result.result())


class Lanes:
    """The lanes of a service: `run` for jobs of milliseconds, `run_long` for jobs of seconds.

    `run_alone` is for calls that also take a lot of memory: one after the other, for all callers.
    """

    def __init__(self) -> None:
        self.quick = Lane("reader", threads=4, each=2, most=256, most_each=32)
        self.slow = Lane("worker", threads=2, each=1, most=8, most_each=4)
        self.single = Lane("importer", threads=1, each=1, most=4, most_each=2)
        self.run, self.run_long, self.run_alone = self.quick.run, self.slow.run, self.single.run

    def __len__(self) -> int:
        """How much work waits."""
        return len(self.quick) + len(self.slow) + len(self.single)

    def close(self) -> None:
        """Let what is under way be finished."""
        self.quick.close()
        self.slow.close()
        self.single.close()
