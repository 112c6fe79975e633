"""Reads entries that another server stored, once, and publishes them to this server's streams.

Another server has added it, or a commit that was reported as failed. Announcements may be wrong and
frequent: of each match one reading is under way, for all its streams, and one that found nothing is
not repeated at once.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping, Sequence
from functools import partial

from domain.record.entries import Entry
from domain.record.proof.chain import Head
from service.live.background import FAILED, LONGEST, REST, Shared
from service.live.lanes import Lanes
from service.live.streams.channels import Channel
from service.live.streams.delivery import Origin
from service.store import chains
from service.store.layout.newer import Newer
from service.store.records import Records
from service.telemetry import tracing
from service.telemetry.logs import log_event

#: How many entries are read from the store at a time; how many matches are looked at at a time.
PAGE, MATCHES = 256, 64


class Catching:
    """Reads what is missing in the channels of matches. To be used within one loop."""

    def __init__(self, records: Records, lanes: Lanes, channels: Mapping[str, Channel]) -> None:
        self._records, self._channels = records, channels
        self._in_thread = partial(lanes.run, unlimited=True)
        self._tasks = set[asyncio.Task[None]]()
        self._closing = False
        #: Any match may have more.
        self.look_everywhere = Shared(self._look_at_all)

    def close(self) -> None:
        """Begin nothing more."""
        self._closing = True
        self.look_everywhere.close()

    def look(self, match: str, seq: int = 0, place: tracing.Place | None = None) -> None:
        """A match has entries up to this number, somebody says; 0: it may have more.

        `place` is where their trace is, if that is known.
        """
        channel = self._channels.get(match)
        if channel is None or 0 < seq <= channel.published:
            return
        if not channel.due:
            channel.heard_at, channel.heard_from = time.monotonic(), None
        channel.heard_from = place or channel.heard_from
        channel.due, channel.heard = True, max(channel.heard, seq)
        if channel.published and not channel.catching:
            channel.catching = True
            task = asyncio.create_task(self._catch_up(channel, match))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _catch_up(self, channel: Channel, match: str) -> None:
        wait = FAILED
        while channel.due and channel.streams and not self._closing:
            channel.due, origin = False, (channel.heard_from, channel.heard_at)
            try:
                found = await self._in_thread(self._missing, match, channel.published, channel.head)
            except Newer as newer:  # another server can serve the follower better
                channel.newer = newer
                channel.wake()
                return
            except Exception as error:  # the reader of the store gets the error, the streams wait
                if wait == FAILED:
                    log_event(logging.WARNING, "can't read on", match=match, text=str(error))
                channel.due = True
                await asyncio.sleep(wait)
                wait = min(2 * wait, LONGEST)
                continue
            wait = FAILED
            entries, heads = found
            if entries:
                channel.publish(entries, heads, Origin(*origin, elsewhere=True))
                channel.due |= len(entries) == PAGE or channel.published < channel.heard
            else:
                channel.heard = channel.published
                await asyncio.sleep(REST)
        channel.catching = False

    def _missing(
        self, match: str, after: int, before: Head | None
    ) -> tuple[Sequence[Entry], Sequence[Head | None]]:
        """The entries after a number, and the head after each."""
        entries = page(self._records, match, after)
        heads = chains.heads_of(self._records, match, entries, before)
        return entries, heads or [None] * len(entries)

    async def _look_at_all(self) -> None:
        matches = [match for match, channel in self._channels.items() if channel.published]
        for at in range(0, len(matches), MATCHES):
            found = await self._in_thread(self._last, matches[at : at + MATCHES])
            for match, last in found.items():
                if last:
                    self.look(match, last)

    def _last(self, matches: Sequence[str]) -> Mapping[str, int]:
        """The number of the last entry of each."""
        with self._records.reading():
            return {match: self._records.last(match) for match in matches}


def page(records: Records, match: str, after: int, upto: int | None = None) -> Sequence[Entry]:
    """The next entries that are stored; raises `Newer` if this version can't read the first."""
    try:
        return records.entries(match, after, upto, PAGE)
    except Newer as newer:
        if newer.seq <= after + 1:
            raise
        return records.entries(match, after, newer.seq - 1, PAGE)
