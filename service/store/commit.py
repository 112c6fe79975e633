"""The committer: writes the commands of many matches in one transaction.

Syncing a file costs the same for one command as for twenty. While a thread waits for the disk,
commands queue up; the queue is the next transaction. A command is done when its own transaction is.
If another writer has taken one of the sequence numbers, or a match does not fit its chain, the
works of that transaction are written one by one, so that only the one in question fails.

Rows are made on the event loop, where no second thread competes for the interpreter, and the thread
only waits. What the loop can't write at once, because another program holds the file or there is
much of it, is left to the thread. Every entry is looked at before it is queued, so that nothing is
stored that can't be sent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import NamedTuple

from service import wire
from service.store.layout.chaining import Links
from service.store.records import ChainBroken, Conflict, Locked, Records, StoreError, Work

#: Works that share a transaction at most.
BATCH = 256
#: How long works gather after a transaction that others were waiting for, in seconds.
GATHER = 0.003
#: Entries that are written on the loop at most; making a row takes some 20 µs.
MOST_ON_LOOP = 200


class Submission(NamedTuple):
    """A work, and who waits for it."""

    work: Work
    done: asyncio.Future[Links | None]

    def resolve(self, outcome: Exception | Links | None) -> None:
        """Say that it is durable, or what is wrong."""
        if self.done.cancelled():
            return  # whoever asked has gone; the others must hear all the same
        if isinstance(outcome, Exception):
            self.done.set_exception(outcome)
        else:
            self.done.set_result(outcome)


#: What is wrong with each of several works, or how its entries were chained: then it is durable.
Outcomes = Sequence[Exception | Links | None]
#: Makes works durable.
Write = Callable[[Sequence[Submission]], Outcomes]


class Committer:
    """Writes, while everything else goes on. To be made within a running loop."""

    def __init__(
        self, records: Records, on_commit: Callable[[int], None] = lambda works: None
    ) -> None:
        """`on_commit` is told how many works shared a transaction."""
        self._records = records
        self._on_commit = on_commit
        self._loop = asyncio.get_running_loop()
        self._waiting: list[Submission] = []
        self._busy = False
        self._idle = asyncio.Event()
        self._idle.set()
        self._staged: SimpleQueue[tuple[list[Submission], Write] | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name="committer", daemon=True)
        self._thread.start()

    def submit(self, work: Work) -> asyncio.Future[Links | None]:
        """Queue a work up; the future is done when it is durable, and says how it was chained.

        It raises `Conflict` or `StoreError` if it could not be saved. Cancelling it stops nothing.
        Raises `wire.Unsendable` at once.
        """
        if work.sent is None:
            for entry in work.entries:
                wire.check(entry)
        done = self._loop.create_future()
        self._waiting.append(Submission(work, done))
        if not self._busy:
            self._busy = True
            self._idle.clear()
            self._loop.call_soon(self._stage)  # whoever is ready by then comes along
        return done

    async def close(self) -> None:
        """Write what is queued, and stop."""
        await self._idle.wait()
        self._staged.put(None)
        await asyncio.to_thread(self._thread.join)

    def _stage(self) -> None:
        batch, self._waiting = self._waiting[:BATCH], self._waiting[BATCH:]
        works = [submission.work for submission in batch]
        anew = any(work.since is not None for work in works)
        if anew or sum(len(work.entries) for work in works) > MOST_ON_LOOP:
            self._staged.put((batch, self._write))
            return
        try:
            links = self._records.stage(*works)
        except (ChainBroken, Conflict, Locked):
            self._staged.put((batch, self._write))
        except Exception as error:
            self._finished(batch, [_store_error(error)] * len(batch))
        else:
            self._staged.put((batch, partial(self._commit_staged, links)))

    # -- in the thread ---------------------------------------------------------------------------

    def _run(self) -> None:
        while found := self._staged.get():
            batch, write = found
            self._loop.call_soon_threadsafe(self._finished, batch, write(batch))

    def _commit_staged(
        self, links: Sequence[Links | None], batch: Sequence[Submission]
    ) -> Outcomes:
        try:
            self._records.commit()
        except Exception as error:
            return [_store_error(error)] * len(batch)
        return links

    def _write(self, batch: Sequence[Submission]) -> Outcomes:
        """All of it, or else one by one."""
        try:
            return self._records.write(*(submission.work for submission in batch))
        except (ChainBroken, Conflict) as error:
            if len(batch) == 1:
                return [error]
            return [outcome for submission in batch for outcome in self._write([submission])]
        except Exception as error:
            return [_store_error(error)] * len(batch)

    # -- on the loop -----------------------------------------------------------------------------

    def _finished(self, batch: Sequence[Submission], outcomes: Outcomes) -> None:
        self._on_commit(len(batch))
        for submission, outcome in zip(batch, outcomes, strict=True):
            submission.resolve(outcome)
        self._next()

    def _next(self) -> None:
        if self._waiting:
            self._loop.call_later(GATHER, self._stage)  # there is a crowd: let more come along
        else:
            self._busy = False
            self._idle.set()


def _store_error(error: Exception) -> StoreError:
    return error if isinstance(error, StoreError) else StoreError(str(error))
