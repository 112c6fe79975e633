"""Upkeep of derived data: brings snapshots up to date and rebuilds damaged rows in the background.

Derived data (`store.derived`, `store.history`) are a cache: a match without them is played and read
more slowly. So this waits until no command has come for a moment.
"""

from __future__ import annotations

import asyncio
import logging
import time
from functools import partial

from service.live.background import Background
from service.live.lanes import Lanes
from service.live.memory import Live, Memory
from service.store import chains
from service.store.commit import Committer
from service.store.derived import checks, listing
from service.store.history import History
from service.store.layout.repacking import repack_statements, to_repack
from service.store.records import (
    ChainBroken,
    Conflict,
    Gone,
    NoSuchMatch,
    Records,
    Statement,
    StoreError,
    Work,
)
from service.store.tables import lists
from service.telemetry.logs import log_event

#: Snapshots are made once no command came for so long, or after so long in any case, in seconds.
QUIET, PATIENCE = 0.05, 20.0


class Upkeep:
    """The queue of matches to be brought up to date. To be made within a running loop."""

    def __init__(
        self,
        history: History,
        memory: Memory,
        committer: Committer,
        lanes: Lanes,
        background: Background,
        keeping: bool,
    ) -> None:
        """`keeping`: else nothing is done, and nothing written."""
        self._history, self._records = history, history.records
        self._memory, self._committer = memory, committer
        self._in_thread = partial(lanes.run, unlimited=True)
        self._finish = background.finish
        self.last_command = 0.0  # as `time.monotonic` has it
        self._due: asyncio.Queue[str] = asyncio.Queue()
        self._keeping = keeping
        if not keeping:
            return
        if self._records.writable:
            soon = asyncio.get_running_loop().call_soon_threadsafe
            self._records.on_damage = lambda match: (soon(self.queue, match), None)[1]
        background.repeat("snapshots", self.snapshot)
        background.start("what is damaged", self.queue_damaged)

    def queue(self, match: str) -> None:
        """Queue a match whose snapshots are behind its record or whose derived data are damaged."""
        if self._keeping:
            self._due.put_nowait(match)

    def command_came(self) -> None:
        """Note that a command was carried out just now."""
        self.last_command = time.monotonic()

    def close(self) -> None:
        """Take no more reports of damage."""
        self._records.on_damage = lambda match: None

    async def snapshot(self) -> None:
        """Bring the snapshots of the next queued match up to date, once no commands come."""
        match = await self._due.get()
        for _ in range(int(PATIENCE / QUIET)):
            if time.monotonic() - self.last_command > QUIET:
                break
            await asyncio.sleep(QUIET)
        try:
            await self._bring_up(match)
        except Gone:
            self.queue(match)  # nobody else would: damage is reported once
            raise
        except Conflict:
            pass  # it has gone on, is archived, or another server was quicker

    async def _bring_up(self, match: str) -> None:
        if match in self._records.damaged:
            live = await self._memory.acquire(match)
            await self._finish(self._rebuild(live))
            return
        if await self._in_thread(_is_broken, self._records, match):
            return  # what there is of it is evidence, and stays as it is
        for derive, of in ((snapshots, self._history), (repack_statements, self._records)):
            due = await self._in_thread(derive, of, match)
            if due:
                await self._committer.submit(Work(match, (), due))

    async def queue_damaged(self) -> None:
        """Queue the matches that were not repacked, or are in no listing.

        The latter are looked for in a file alone. So are those of which the log has more than the
        store; they are only reported: in a database of many matches when each is read, and by
        `store check`.
        """
        try:
            waiting = list[str]()
            if await self._in_thread(self._records.driver.leading, "upkeep"):
                waiting += await self._in_thread(to_repack, self._records)
            for match in waiting:
                self.queue(match)
            if not self._records.shared:
                for match in await self._in_thread(checks.unlisted, self._records):
                    self._records.report_damage(match, "listing")
                for broken in await self._in_thread(lambda: [*chains.shorter(self._records)]):
                    text = str(broken)
                    log_event(logging.ERROR, "chain broken", match=broken.match, text=text)
        except StoreError as error:
            log_event(logging.ERROR, "the listing can't be read", wrong=error)

    async def _rebuild(self, live: Live) -> None:
        """Rebuild the derived data of a match, whose lock is held."""
        try:
            steps = checks.rebuild_statements(self._records, live.id)
            while (due := await self._in_thread(next, steps, None)) is not None:
                await self._committer.submit(Work(live.id, (), due))
            self._records.damaged.discard(live.id)
            log_event(logging.INFO, "derived data rebuilt", match=live.id)
        finally:
            self._memory.release(live)


def _is_broken(records: Records, match: str) -> bool:
    """Whether the entries of a match are not those that were chained."""
    try:
        chains.check(records, match, accepting=True)
    except ChainBroken:
        return True
    except NoSuchMatch:
        pass  # it was archived meanwhile
    return False


def snapshots(history: History, match: str) -> list[Statement]:
    """The statements for the snapshots of a match that are due, while it is in the store."""
    due = history.advance(match)
    if not due:
        return []
    opened = listing.find(history.records, match).heading.at
    return [lists.must_stand(listing.ALL, opened, match), *due]
