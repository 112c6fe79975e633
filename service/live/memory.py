"""The matches that are in memory: a cache in front of their records, each match behind a lock.

A match is used between `acquire` and `release` of its lock; `load` resumes it from its record if it
is not in memory. If other servers write as well, it is resumed again when its record has gone on:
the store is asked each time. The least recently used matches above a limit, and those that were
idle for long, are dropped. Commands are in `matches`.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple

from domain.engine.match import Match
from domain.engine.passes.autopass import AutoPasses
from domain.engine.rulebook import Rulebook
from domain.record.proof.chain import Head
from service.live.lanes import CALLER, Busy, Lanes
from service.store import chains
from service.store.derived import listing
from service.store.history import EVERY, History
from service.store.records import ChainBroken, Gone, Version
from service.store.tables import auto_passes, seeds
from service.telemetry import tracing
from service.telemetry.logs import About, log_event
from service.telemetry.shared import CacheMetrics

#: How many calls of one sender may wait for a match.
WAITING = 16
#: Of how many of its last entries a match in memory has the heads.
HEADS = 256


class Live:
    """A match in memory, or being loaded (`match` is None)."""

    __slots__ = (
        "auto_passes",
        "broken",
        "heads",
        "id",
        "lock",
        "match",
        "snapshot_seq",
        "used",
        "users",
        "version",
        "waiting",
    )  # fmt: skip

    def __init__(self, name: str) -> None:
        self.id = name
        self.match: Match | None = None
        self.lock = asyncio.Lock()
        self.users = 0  # who hold the lock or wait for it
        self.waiting: Counter[str] = Counter()  # and who of them wait, by their tokens
        self.used = 0.0
        self.snapshot_seq = 0  # the entry up to which snapshots are up to date
        self.auto_passes: AutoPasses = {}  # the auto-passes that are saved
        self.version = Version()  # how far the record was that it is
        self.heads: deque[Head] = deque(maxlen=HEADS)  # those after the last entries
        self.broken: ChainBroken | None = None  # why nothing is added to it


class Read(NamedTuple):
    """A match as it was read: the entry of its snapshot, how many entries came after, and how far.

    Its `head` if its entries fit their chain, or why they don't.
    """

    match: Match
    snapshot_seq: int
    tail: int
    head: Head | None
    broken: ChainBroken | None
    version: Version


class Memory:
    """The matches of a store that are in memory, the least recently used first."""

    def __init__(
        self,
        history: History,
        rulebook: Callable[[str], Rulebook],
        lanes: Lanes,
        on_stale: Callable[[str], None],
        metrics: CacheMetrics,
        *,
        most: int,
        idle: float,
    ) -> None:
        """At most `most` matches stay, and none that nobody used for `idle` seconds.

        `on_stale` is called for matches whose snapshots are far behind their records.
        """
        self._history, self._records = history, history.records
        self._rulebook, self._on_stale = rulebook, on_stale
        self._in_thread = partial(lanes.run, unlimited=True)  # what was begun is not refused midway
        self._most, self._idle, self._metrics = most, idle, metrics
        self.on_reload: list[Callable[[str], None]] = []
        self._live: OrderedDict[str, Live] = OrderedDict()
        self.loaded = 0  # matches that came into memory so far

    def __len__(self) -> int:
        """How many matches are in memory."""
        return len(self._live)

    def get(self, match: str) -> Match | None:
        """A match if it is in memory."""
        live = self._live.get(match)
        return live.match if live is not None else None

    def heads(self, match: str) -> Sequence[Head]:
        """The heads after the last entries of a match, if it is in memory and fits its chain."""
        live = self._live.get(match)
        return live.heads if live is not None else ()

    async def acquire(self, match: str) -> Live:
        """Take a match's lock, whether it is in memory or not; raises `Busy`."""
        live = self._live.get(match)
        if live is None:
            live = self._live[match] = Live(match)
        caller = CALLER.get()
        sender = caller.token if caller is not None else ""
        if caller is not None and live.waiting.get(sender, 0) >= WAITING:
            raise Busy(0.2)
        live.users += 1
        live.used = time.monotonic()
        self._live.move_to_end(match)
        if live.users == 1:
            await live.lock.acquire()  # at once: nobody holds it, or waits for it
            return live
        live.waiting[sender] += 1
        try:
            with tracing.span("wait for the match", {"match.id": match}):
                await live.lock.acquire()
        except BaseException:
            self._drop_unused(live)
            raise
        finally:
            live.waiting[sender] -= 1
            if not live.waiting[sender]:
                del live.waiting[sender]
        return live

    def release(self, live: Live) -> None:
        """Release the lock of a match."""
        live.lock.release()
        self._drop_unused(live)

    def _drop_unused(self, live: Live) -> None:
        live.users -= 1
        if live.match is None and not live.users and self._live.get(live.id) is live:
            del self._live[live.id]
        elif not live.users:
            self._drop_excess()

    async def load(self, live: Live, *, patient: bool = True) -> Match:
        """The match, resumed from its record unless it is in memory and up to date.

        Then all its entries are compared with its chain: O(entries), some microseconds each. If
        the store is `Gone`, who is not `patient` gets what is in memory.
        """
        if live.match is not None and self._records.shared:
            try:
                version = await self._in_thread(self._records.version, live.id)
            except Gone:
                if patient:
                    raise
                version = live.version
            if version != live.version:
                self._metrics.reloaded()
                live.match.close()
                live.match = None
        if live.match is None:
            live.heads.clear()
            with About(match=live.id), tracing.span("resume", {"match.id": live.id}) as span:
                found = await self._in_thread(self._read, live.id)
                span.note({"match.entry": found.match.pos.seq, "match.entries": found.tail})
            live.match, live.auto_passes = found.match, found.match.auto_passes
            live.snapshot_seq, live.version = found.snapshot_seq, found.version
            live.broken = found.broken
            if found.head is not None:
                live.heads.append(found.head)
            for reloaded in self.on_reload:
                reloaded(live.id)
            if found.tail >= 2 * EVERY:
                self._on_stale(live.id)
            self.loaded_one()
        return live.match

    def _read(self, match: str) -> Read:
        """A match as its record has it at one time, compared with its chain."""
        with self._records.reading():
            found, head, broken = self.resumed(match), None, None
            try:
                head = chains.check(self._records, match, accepting=True)
            except ChainBroken as error:
                log_event(logging.ERROR, "chain broken", match=match, text=str(error))
                broken = error
            return Read(*found, head, broken, self._records.version(match))

    def resumed(self, match: str) -> tuple[Match, int, int]:
        """A match from its record, the entry of its snapshot, and how many entries came after.

        It is nobody else's: the one in memory, if there is one, is another.
        """
        listed = listing.find(self._records, match)
        rules = self._rulebook(listed.heading.game)
        base = self._history.resting(match)
        start = base.seq if base is not None else 0
        tail = self._records.entries(match, start)
        found = Match.resume(rules, tail, seeds.dice(self._records, listed), base)
        found.auto_passes = auto_passes.find(self._records, match)
        return found, start, len(tail)

    def loaded_one(self) -> None:
        """Count a match that was loaded; it may be one too many."""
        self.loaded += 1
        self._drop_excess()

    def _drop_excess(self) -> None:
        """Drop the least recently used matches above the limit, but for those in use."""
        excess = len(self._live) - self._most
        if excess > 0:
            idle = (live for live in self._live.values() if not live.users)
            for live in list(islice(idle, excess)):
                self._drop(live)

    async def drop_idle(self) -> None:
        """Wait for a while, then drop the matches that nobody has used for `idle` seconds."""
        await asyncio.sleep(min(self._idle, 30.0))
        last = time.monotonic() - self._idle
        for live in [one for one in self._live.values() if not one.users and one.used < last]:
            self._drop(live)

    def _drop(self, live: Live) -> None:
        del self._live[live.id]
        if live.match is not None:
            live.match.close()
            live.match = None
