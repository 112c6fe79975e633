"""The committer: makes the commands of many matches durable together.

Syncing a file costs the same for one command as for twenty. So commands queue up while a thread
syncs, and whatever has queued up is the next transaction. A command is done only when its own
transaction is. If somebody else has taken one of the numbers, the works of that transaction are
saved one by one, so that only the conflicting one fails.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from threading import Thread

from service.store import Conflict, Records, StoreError, Work

#: A work, and what to tell its sender: None, or what went wrong.
Waiting = tuple[Work, "asyncio.Future[None]"]
Outcome = tuple["asyncio.Future[None]", Exception | None]
#: Works that share a transaction at most.
MOST = 256


class Committer:
    """A thread that writes, while everything else goes on. To be made within a running loop."""

    def __init__(self, records: Records, seen: Callable[[int], None] = lambda works: None) -> None:
        """`seen` is told how many works shared a transaction."""
        self._records = records
        self._seen = seen
        self._loop = asyncio.get_running_loop()
        self._queue: SimpleQueue[Waiting | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name="committer", daemon=True)
        self._thread.start()

    def submit(self, work: Work) -> asyncio.Future[None]:
        """Queue a work up; the future is done when it is durable.

        It raises `Conflict` or `StoreError` if it could not be saved. It is not to be cancelled.
        """
        done = self._loop.create_future()
        self._queue.put((work, done))
        return done

    async def close(self) -> None:
        """Write what is queued, and stop."""
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        closing = False
        while not closing:
            batch: list[Waiting] = []
            item = self._queue.get()
            while True:
                if item is None:
                    closing = True
                    break
                batch.append(item)
                if len(batch) == MOST:
                    break
                try:
                    item = self._queue.get_nowait()
                except Empty:
                    break
            if batch:
                self._loop.call_soon_threadsafe(_tell, self._write(batch))
                self._seen(len(batch))

    def _write(self, batch: Sequence[Waiting]) -> list[Outcome]:
        try:
            self._records.write(*(work for work, _ in batch))
        except Conflict as conflict:
            if len(batch) == 1:
                return [(batch[0][1], conflict)]
            return [outcome for one in batch for outcome in self._write([one])]
        except Exception as error:
            wrong = error if isinstance(error, StoreError) else StoreError(str(error))
            return [(done, wrong) for _, done in batch]
        return [(done, None) for _, done in batch]


def _tell(outcomes: Sequence[Outcome]) -> None:
    for done, wrong in outcomes:
        if done.cancelled():
            continue
        if wrong is None:
            done.set_result(None)
        else:
            done.set_exception(wrong)
