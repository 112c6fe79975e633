"""The committer: makes the commands of many matches durable together.

Syncing a file costs the same for one command as for twenty. So while a thread waits for the disk,
commands queue up, and whatever has queued up is the next transaction; where nobody else writes, a
command is written at once. It is done only when its own transaction is. If somebody else has taken
one of the numbers, the works of that transaction are saved one by one, so that only the conflicting
one fails.

Nothing is queued up that could not be told: every entry is made a message of the contract first,
which whoever follows the match is then sent.

The thread does nothing but wait: rows are made on the loop, where no two threads fight over the
interpreter.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from threading import Thread
from typing import Any, NamedTuple

from service import wire
from service.store import Conflict, Records, StoreError, Work

#: Works that share a transaction at most.
MOST = 256
#: How long works gather after a transaction that others were waiting for, in seconds.
GATHER = 0.003


class Waiting(NamedTuple):
    """A work, and who waits for it."""

    work: Work
    done: asyncio.Future[Sequence[Any]]

    def tell(self, wrong: Exception | None) -> None:
        """Say that it is durable, or what is wrong."""
        if self.done.cancelled():
            return  # whoever asked has gone; the others must hear all the same
        if wrong is None:
            self.done.set_result(self.work.sent or ())
        else:
            self.done.set_exception(wrong)


class Committer:
    """Writes, while everything else goes on. To be made within a running loop."""

    def __init__(self, records: Records, seen: Callable[[int], None] = lambda works: None) -> None:
        """`seen` is told how many works shared a transaction."""
        self._records = records
        self._seen = seen
        self._loop = asyncio.get_running_loop()
        self._waiting: list[Waiting] = []
        self._busy = False
        self._idle = asyncio.Event()
        self._idle.set()
        self._staged: SimpleQueue[list[Waiting] | None] = SimpleQueue()
        self._thread = Thread(target=self._settle, name="committer", daemon=True)
        self._thread.start()

    def submit(self, work: Work) -> asyncio.Future[Sequence[Any]]:
        """Queue a work up; the future is done when it is durable: its entries as messages.

        It raises `Conflict` or `StoreError` if it could not be saved. Cancelling it stops nothing.
        Raises `wire.Untellable` at once.
        """
        if work.sent is None:
            work = work._replace(sent=[*map(wire.packed, work.entries)])
        done = self._loop.create_future()
        self._waiting.append(Waiting(work, done))
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
        batch, self._waiting = self._waiting[:MOST], self._waiting[MOST:]
        try:
            self._records.stage(*(work for work, _ in batch))
        except Conflict:
            self._one_by_one(batch)
        except Exception as error:
            self._told(batch, _store_error(error))
        else:
            self._staged.put(batch)

    def _settle(self) -> None:
        while batch := self._staged.get():
            wrong: StoreError | None = None
            try:
                self._records.settle()
            except Exception as error:
                wrong = _store_error(error)
            self._loop.call_soon_threadsafe(self._told, batch, wrong)

    def _one_by_one(self, batch: Sequence[Waiting]) -> None:
        """Rare, so it may block."""
        for waiting in batch:
            try:
                self._records.write(waiting.work)
            except Exception as error:
                waiting.tell(error if isinstance(error, Conflict) else _store_error(error))
            else:
                waiting.tell(None)
        self._next()

    def _told(self, batch: Sequence[Waiting], wrong: StoreError | None) -> None:
        self._seen(len(batch))
        for waiting in batch:
            waiting.tell(wrong)
        self._next()

    def _next(self) -> None:
        if self._waiting:
            self._loop.call_later(GATHER, self._stage)  # there is a crowd: let more come along
        else:
            self._busy = False
            self._idle.set()


def _store_error(error: Exception) -> StoreError:
    return error if isinstance(error, StoreError) else StoreError(str(error))
