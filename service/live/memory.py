"""The matches that are in memory: a cache in front of their records, each match behind a lock.

A match is used between `acquire` and `release` of its lock; `load` resumes it from its record if it
is not in memory. The least recently used matches above a limit, and those that were idle for long,
are dropped. Commands are in `matches`.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice

from domain.engine.match import Match
from domain.engine.passes.standing import AllStanding
from domain.engine.rulebook import Rulebook
from domain.record.proof.chain import Head
from service.live.lanes import CALLER, Busy, Lanes
from service.logs import about, log_event
from service.store import chains, seeds, standing
from service.store.derived import listing
from service.store.history import EVERY, History
from service.store.records import ChainBroken

#: How many calls of one sender may wait for a match.
WAITING = 16
#: Of how many of its last entries a match in memory has the heads.
HEADS = 256


class Live:
    """A match in memory, or on its way there (`match` is None)."""

    __slots__ = (
        "broken", "heads", "id", "lock", "match", "snapshot_seq", "standing", "used", "users",
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
        self.standing: AllStanding = {}  # the standing answers that are saved
        self.heads: deque[Head] = deque(maxlen=HEADS)  # those after the last entries
        self.broken: ChainBroken | None = None  # why nothing is added to it


class Memory:
    """The matches of a store that are in memory, the least recently used first."""

    def __init__(
        self,
        history: History,
        rulebook: Callable[[str], Rulebook],
        lanes: Lanes,
        on_stale: Callable[[str], None],
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
        self._most, self._idle = most, idle
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
        if caller is not None and live.waiting[sender] >= WAITING:
            raise Busy(0.2)
        live.users += 1
        live.used = time.monotonic()
        self._live.move_to_end(match)
        live.waiting[sender] += 1
        try:
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

    async def load(self, live: Live) -> Match:
        """The match, resumed from its record if it is not in memory.

        Then all its entries are compared with its chain: O(entries), some microseconds each.
        """
        if live.match is None:
            with about(match=live.id):
                found = await self._in_thread(self.resumed, live.id)
                live.broken = await self._in_thread(self._compare, live)
            live.match, live.snapshot_seq, tail = found
            live.standing = live.match.standing
            if tail >= 2 * EVERY:
                self._on_stale(live.id)
            self.drop_excess()
        return live.match

    def _compare(self, live: Live) -> ChainBroken | None:
        """Why a match's entries do not fit its chain, if they don't; its head, if they do."""
        live.heads.clear()
        try:
            head = chains.check(self._records, live.id)
        except ChainBroken as error:
            log_event(logging.ERROR, "chain broken", match=live.id, text=str(error))
            return error
        if head is not None:
            live.heads.append(head)
        return None

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
        found.standing = standing.find(self._records, match)
        return found, start, len(tail)

    def drop_excess(self) -> None:
        """Count a match that was loaded; drop the least recently used ones above the limit."""
        self.loaded += 1
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
