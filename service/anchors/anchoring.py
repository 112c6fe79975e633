"""Anchoring: adds heads of matches to the log, in the background, and signs checkpoints.

No command waits for it: once one is durable its match is noted (`changed`), and a round takes up
all that are noted. A round comes at once where a match ended or an official did something, else
`every` so many seconds. What it adds is written in one transaction; if the program ends before, the
next start finds the matches whose heads are no leaves yet. A round that failed reads the log again
from the file, so that nothing is ever signed twice over.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from domain.record.entries import Entry
from domain.record.events import MatchEnded
from domain.record.interventions import Rewound
from domain.record.values import BY_OFFICIAL
from service.anchors.ledger import Grown, Ledger, LogBroken, Signed
from service.store import chains
from service.store.commit import Committer
from service.store.records import Work
from service.telemetry.logs import log_event

#: How long a round waits for more where it need not wait, and after one that failed, in seconds.
GATHER, AFTER_FAILURE = 0.02, 1.0
#: How long a server that does not keep the log up waits until it asks again whether it is to.
LEAD_RETRY = 2.0
#: Matches under one checkpoint at most: their leaves are written on the loop, 10 µs each.
MOST = 400
#: Events that change a result or its history, besides all entries of officials.
URGENT = (MatchEnded, Rewound)


class Anchoring:
    """The rounds. To be used within one running loop."""

    def __init__(
        self,
        ledger: Ledger,
        committer: Committer,
        *,
        every: float,
        signed: Callable[[Signed], Awaitable[None]],
    ) -> None:
        """`signed` is called with each checkpoint, once it is durable."""
        self._ledger, self._committer = ledger, committer
        self._every, self._signed = every, signed
        self._noted: dict[str, None] = {}
        self._some, self._urgent = asyncio.Event(), asyncio.Event()
        self._last = 0.0  # when a round was last begun, as `time.monotonic` has it
        self._working = asyncio.Lock()
        self._term = 0 if ledger.records.shared else ledger.records.driver.term("log")
        self._reported = False  # that the log has another key
        self.broken = False

    @property
    def leads(self) -> bool:
        """Whether this server is, as far as it knows, the one that writes the log."""
        return self._term != 0 and self._ledger.records.driver.term("log") == self._term

    def changed(self, match: str, entries: Sequence[Entry] = ()) -> None:
        """Note that a match has further entries, which are durable; none are given of an event."""
        self._note(match)
        if not entries or any(type(e.event) in URGENT or e.by == BY_OFFICIAL for e in entries):
            self._urgent.set()

    def _note(self, match: str) -> None:
        self._noted[match] = None
        self._some.set()

    async def catch_up(self) -> None:
        """Note the heads that are not in the log yet, for example from before the program ended."""

        def missing() -> list[str]:
            found = self._ledger.unanchored(chains.heads(self._ledger.records))
            return [leaf.match for leaf in found]

        for match in await asyncio.to_thread(missing):
            self._note(match)

    async def round(self) -> None:
        """Wait until something is due, and anchor it."""
        await self._some.wait()
        wait = self._last + self._every - time.monotonic()
        if wait > 0 and not self._urgent.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._urgent.wait(), wait)
        await asyncio.sleep(GATHER)
        if not await self.lead():
            await asyncio.sleep(LEAD_RETRY)
            return
        try:
            await self.flush()
        except Exception:
            await asyncio.sleep(AFTER_FAILURE)
            raise

    async def lead(self) -> bool:
        """Whether it is this server that keeps the log up; with each new term it is read again.

        One that has another key than the log leaves it to the others.
        """
        async with self._working:
            shared = self._ledger.records.shared
            if shared and not await asyncio.to_thread(self._ledger.is_ours):
                if not self._reported:
                    log_event(logging.WARNING, "the log has another key: others keep it up")
                self._reported, self._term = True, 0
                return False
            term = await asyncio.to_thread(self._ledger.records.driver.leading, "log")
            if term not in (0, self._term):
                await asyncio.to_thread(self._ledger.load)
            self._term = term
            return self.leads

    async def flush(self) -> None:
        """Anchor all noted heads."""
        async with self._working:
            while self._noted and self.leads and not self.broken:
                self._last = time.monotonic()
                self._urgent.clear()
                matches = [*self._noted][:MOST]
                for match in matches:
                    del self._noted[match]
                try:
                    await self._anchor(matches)
                except BaseException as error:
                    await self._failed(matches, error)
                    raise
            self._some.clear()

    async def _anchor(self, matches: Sequence[str]) -> None:
        grown = await asyncio.to_thread(self._grown, matches)
        if grown is None:
            return
        await self._committer.submit(Work("", (), grown.statements))
        self._ledger.take(grown)
        await self._signed(grown.newest)

    def _grown(self, matches: Sequence[str]) -> Grown | None:
        """The leaves that these matches add to the log, if any."""
        ledger = self._ledger
        leaves = ledger.unanchored(ledger.heads(matches))
        if not leaves:
            return None
        return ledger.grow(leaves)

    async def _failed(self, matches: Sequence[str], error: BaseException) -> None:
        """The file knows the outcome; the matches are anchored again."""
        for match in matches:
            self._note(match)
        if isinstance(error, Exception):
            try:
                await asyncio.to_thread(self._ledger.load)
            except LogBroken as broken:
                self.broken = True
                log_event(logging.ERROR, "the log is broken, nothing is anchored", wrong=broken)
