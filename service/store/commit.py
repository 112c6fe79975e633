"""The committer: writes the commands of many matches in one transaction.

Syncing a file costs the same for one command as for twenty. While a thread waits for the disk,
commands queue up; the queue is the next transaction. A command is done when its own transaction is.
If another writer has taken one of the sequence numbers, or a match does not fit its chain, the
works of that transaction are written one by one, so that only the one in question fails.

The loop hands works over and takes outcomes back; all else is the thread's: making rows, hashing,
writing, waiting. A database elsewhere is written by several threads, each with a transaction of its
own. Every entry is looked at before it is written, so that nothing is stored that can't be sent.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from queue import SimpleQueue
from threading import Thread
from typing import NamedTuple

from service import wire
from service.store.layout.chaining import Links
from service.store.records import ChainBroken, Conflict, Records, StoreError, Unstorable, Work
from service.telemetry import tracing
from service.telemetry.shared import StoreMetrics

#: Works that share a transaction at most.
BATCH = 256
#: How long works gather after a transaction that others were waiting for, in seconds.
GATHER = 0.003
#: Transactions that are under way at the same time in a database that does not lie in a file.
WRITERS = 4


class Submission(NamedTuple):
    """A work, who waits for it, since when (`time.monotonic`), and the span of that."""

    work: Work
    done: asyncio.Future[Links | None]
    since: float
    span: tracing.Span = tracing.NOTHING

    def resolve(self, outcome: Exception | Links | None) -> None:
        """Say that it is durable, or what is wrong."""
        if isinstance(outcome, Exception):
            self.span.fail(type(outcome).__name__)
        self.span.end()
        if self.done.cancelled():
            return  # the caller has gone; the others must get their answers
        if isinstance(outcome, Exception):
            self.done.set_exception(outcome)
        else:
            self.done.set_result(outcome)


#: What is wrong with one work, and hinders no other.
_OF_ONE = (ChainBroken, Conflict, Unstorable, wire.Unsendable)
#: What a transaction is counted as in which something of this kind went wrong.
_OUTCOMES = ((Conflict, "conflict"), (ChainBroken, "broken"))


class Batch:
    """Submissions that share a transaction, when it began (`time.monotonic`), and its span."""

    def __init__(self, submissions: Sequence[Submission], began: float, span: tracing.Span) -> None:
        self.submissions, self.began, self.span = submissions, began, span


#: What is wrong with each of several works, or how its entries were chained: then it is durable.
Outcomes = Sequence[Exception | Links | None]


class Committer:
    """Writes, while everything else goes on. To be made within a running loop."""

    def __init__(self, records: Records, metrics: StoreMetrics | None = None) -> None:
        """`metrics` count transactions, and read how long works wait."""
        self._records = records
        self._metrics = metrics or StoreMetrics()
        self._metrics.lag(self._lag)
        self._loop = asyncio.get_running_loop()
        self._waiting: list[Submission] = []
        self._writing: list[Batch] = []
        self._due = False  # a batch is about to be handed over
        self._idle = asyncio.Event()
        self._idle.set()
        self._batches: SimpleQueue[Batch | None] = SimpleQueue()
        self._threads = [
            Thread(target=self._run, name=f"committer-{n}", daemon=True)
            for n in range(1 if records.driver.stages else WRITERS)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, work: Work) -> asyncio.Future[Links | None]:
        """Queue a work up; the future is done when it is durable, and says how it was chained.

        It raises `Conflict`, `StoreError` or `wire.Unsendable` if it could not be saved. Cancelling
        it stops nothing.
        """
        done = self._loop.create_future()
        span = _waiting_span(work)
        self._waiting.append(Submission(work, done, time.monotonic(), span))
        self._idle.clear()
        if not self._due and len(self._writing) < len(self._threads):
            self._due = True
            self._loop.call_soon(self._hand_over)  # who is ready by then joins
        return done

    async def close(self) -> None:
        """Write what is queued, and stop."""
        await self._idle.wait()
        for _ in self._threads:
            self._batches.put(None)
        for thread in self._threads:
            await asyncio.to_thread(thread.join)

    def _hand_over(self) -> None:
        self._due = False
        gathered, self._waiting = self._waiting[:BATCH], self._waiting[BATCH:]
        batch = Batch(gathered, time.monotonic(), self._transaction(gathered))
        self._writing.append(batch)
        self._batches.put(batch)

    # -- in the thread ---------------------------------------------------------------------------

    def _run(self) -> None:
        while batch := self._batches.get():
            self._loop.call_soon_threadsafe(self._finished, batch, self._save(batch))

    def _save(self, batch: Batch) -> Outcomes:
        outcomes = self._write([submission.work for submission in batch.submissions])
        self._count(batch, outcomes)
        return outcomes

    def _write(self, works: Sequence[Work]) -> Outcomes:
        """All of them, or else one by one."""
        try:
            for entry in (entry for work in works for entry in work.entries):
                wire.check(entry)
            return self._records.write(*works)
        except _OF_ONE as error:
            if len(works) == 1:
                return [error]
            return [outcome for work in works for outcome in self._write([work])]
        except Exception as error:
            return [_store_error(error)] * len(works)

    def _count(self, batch: Batch, outcomes: Outcomes) -> None:
        """Tell the metrics, and the trace, the outcome of a transaction."""
        kinds = {type(one) for one in outcomes if isinstance(one, Exception)}
        outcome = next((name for kind, name in _OUTCOMES if kind in kinds), "")
        outcome = outcome or ("failed" if kinds else "saved")
        if outcome == "failed":
            batch.span.fail(outcome)
        batch.span.end()
        self._metrics.transaction(outcome, len(outcomes), time.monotonic() - batch.began)
        for one in outcomes:
            if isinstance(one, Conflict):
                self._metrics.conflict()

    # -- on the loop -----------------------------------------------------------------------------

    def _finished(self, batch: Batch, outcomes: Outcomes) -> None:
        self._writing.remove(batch)
        for submission, outcome in zip(batch.submissions, outcomes, strict=True):
            submission.resolve(outcome)
        self._next()

    def _transaction(self, batch: Sequence[Submission]) -> tracing.Span:
        """The span of a transaction, which is linked to those who share it, and they to it."""
        if not tracing.enabled():
            return tracing.NOTHING
        places = [one.span.place for one in batch if one.span.place is not None]
        if not places:
            return tracing.NOTHING
        attributes: tracing.Attributes = {
            "db.system.name": "postgresql" if self._records.shared else "sqlite",
            "db.operation.name": "INSERT",
            "db.collection.name": "entries",
            "db.operation.batch.size": len(batch),
        }
        first, *others = places
        span = tracing.span("INSERT entries", attributes, "client", first, others)
        for submission in batch:
            if submission.span.place not in (None, first):
                submission.span.link(span.place)
        return span

    def _lag(self) -> float:
        """For how long the oldest work has waited that is not durable yet, in seconds."""
        written = [batch.submissions[0] for batch in self._writing[:1]]
        oldest = (*written, *self._waiting[:1])
        return time.monotonic() - oldest[0].since if oldest else 0.0

    def _next(self) -> None:
        if self._waiting and not self._due:
            self._due = True
            self._loop.call_later(GATHER, self._hand_over)  # there is a crowd: let more come along
        elif not (self._waiting or self._writing or self._due):
            self._idle.set()


def _waiting_span(work: Work) -> tracing.Span:
    """The span of waiting for a commit; what the service does by itself is no part of anything."""
    if tracing.place() is None:
        return tracing.NOTHING
    facts: tracing.Attributes = {"match.id": work.match, "match.entries": len(work.entries)}
    return tracing.span("wait for commit", facts)


def _store_error(error: Exception) -> StoreError:
    return error if isinstance(error, StoreError) else StoreError(str(error))
