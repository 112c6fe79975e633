"""Upkeep of derived data: brings snapshots up to date and rebuilds damaged rows, beside the play.

What is derived (`store.derived`, `store.history`) is a cache: a match that lacks it is played and
read all the same, only slower. So this waits until no command has come for a moment.
"""

from __future__ import annotations

import asyncio
import logging
import time
from functools import partial

from service.live.background import Background
from service.live.memory import Live, Memory
from service.live.turns import Turns
from service.logs import log_event
from service.store import derived
from service.store.commit import Committer
from service.store.history import History
from service.store.layout.repacking import repacked, waiting
from service.store.records import StoreError, Work

#: Snapshots are made once no command came for so long, or after so long in any case, in seconds.
QUIET, PATIENCE = 0.05, 20.0


class Upkeep:
    """What is to be brought up to date. To be made within a running loop."""

    def __init__(
        self,
        history: History,
        memory: Memory,
        committer: Committer,
        turns: Turns,
        background: Background,
    ) -> None:
        self._history, self._records = history, history.records
        self._memory, self._committer = memory, committer
        self._aside = partial(turns.do, patient=True)
        self._finish = background.finish
        self.last_command = 0.0  # as `time.monotonic` has it
        self._due: asyncio.Queue[str] = asyncio.Queue()
        if self._records.hold is not None:
            soon = asyncio.get_running_loop().call_soon_threadsafe
            self._records.doubted = lambda match: (soon(self.behind, match), None)[1]
        background.repeat("snapshots", self.snapshot)
        background.start(self.find_unlisted())

    def behind(self, match: str) -> None:
        """Snapshots of a match are behind its record, or what is derived of it is damaged."""
        self._due.put_nowait(match)

    def commanded(self) -> None:
        """A command was carried out just now."""
        self.last_command = time.monotonic()

    def close(self) -> None:
        """Take no more reports of damage."""
        self._records.doubted = lambda match: None

    async def snapshot(self) -> None:
        """Bring the snapshots of a match up to date (`history`), when nobody waits."""
        match = await self._due.get()
        for _ in range(int(PATIENCE / QUIET)):
            if time.monotonic() - self.last_command > QUIET:
                break
            await asyncio.sleep(QUIET)
        if match in self._records.doubts:
            live = await self._memory.hold(match)
            await self._finish(self._rebuild(live))
            return
        for derive in (self._history.advance, partial(repacked, self._records)):
            due = await self._aside(derive, match)
            if due:
                await self._committer.submit(Work(match, (), due))

    async def find_unlisted(self) -> None:
        """Find the matches that are in no listing, or have ended and were not repacked."""
        try:
            if self._records.hold is not None:
                for match in await self._aside(waiting, self._records):
                    self.behind(match)
            for match in await self._aside(derived.missing, self._records):
                self._records.doubt(match, "listing")
        except StoreError as error:
            log_event(logging.ERROR, "the listing can't be read", wrong=error)

    async def _rebuild(self, live: Live) -> None:
        """Make all that is derived of a match anew, while nothing else happens to it."""
        try:
            steps = derived.anew(self._records, live.id)
            while (due := await self._aside(next, steps, None)) is not None:
                await self._committer.submit(Work(live.id, (), due))
            self._records.doubts.discard(live.id)
            log_event(logging.INFO, "derived data made anew", match=live.id)
        finally:
            self._memory.leave(live)
