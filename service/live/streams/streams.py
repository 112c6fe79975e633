"""Streams: followers get the entries of a match from any number on, then live.

A stream has no buffer: it reads the recent entries of the match, or the store if it has fallen
behind those. So a slow reader costs nothing, and no entry is missed or sent twice. Streams that
stand at the same entry share a `Batch`, and with it the message that all viewers of one kind get.

What was stored and not published is read from the store once for all streams of a match
(`catching`): entries that another server has added, and those of a commit that was reported as
failed and made all the same. So the recent entries have no gap. Where the viewer has a `delay`
(`store.delay`), what is released is computed again whenever it may have changed. A rewind is sent
like any other entry, followed by the new line.

A stream ends with its match, unless its reader stays. Entries of officials after the end of a match
are sent to streams that stay, and to requests for entries after a number. If an end is taken back,
the match goes on, and its streams with it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import suppress

from domain.record.entries import Entry
from domain.record.proof.chain import Head
from service.live.lanes import Lanes
from service.live.streams.catching import Catching, page
from service.live.streams.channels import Audience, Batch, Channel, Closing, Recent
from service.live.streams.delivery import Delivering, Origin
from service.news.news import MATCH, News
from service.store import chains, delay
from service.store.delay import Delay, Released
from service.store.derived import listing
from service.store.history import History
from service.telemetry import tracing

#: A time that never comes, in milliseconds since 1970.
_NEVER = 1 << 62


class Streams:
    """All streams of a service."""

    def __init__(
        self,
        history: History,
        lanes: Lanes,
        clock: Callable[[], int],
        news: News,
        delivered: Callable[[float, bool], None] = lambda seconds, elsewhere: None,
    ) -> None:
        """`clock` gives milliseconds since 1970; `news` are told what is followed.

        `delivered` is called as in `delivery`.
        """
        self._in_thread = lanes.run
        self._history, self._records, self._clock = history, history.records, clock
        self._news, self._delivered = news, delivered
        self._channels: dict[str, Channel] = {}
        self._catching = Catching(self._records, lanes, self._channels)
        self._closing = False
        self.audience = Audience()

    def __len__(self) -> int:
        """How many streams there are."""
        return sum(channel.streams for channel in self._channels.values())

    def publish(
        self,
        match: str,
        entries: Sequence[Entry],
        heads: Sequence[Head] | None = None,
        place: tracing.Place | None = None,
    ) -> None:
        """Send entries of a match that are durable to its streams.

        `heads` are those after each of them, if they are known; `place` is where their trace is.
        """
        channel = self._channels.get(match)
        if channel is None:
            return
        if channel.published and entries[0].seq <= channel.published + 1:
            channel.publish(entries, heads or [None] * len(entries), Origin(place))
        else:  # there are others before, which are read along with these
            self._catching.look(match, entries[-1].seq)

    def recheck(self, match: str) -> None:
        """Look for entries of a failed commit, which may have been made all the same."""
        self._catching.look(match)

    def caught_up(self, match: str, seq: int = 0, place: tracing.Place | None = None) -> None:
        """Another server says that a match has entries up to this number; 0: perhaps.

        `place` is where their trace is.
        """
        self._catching.look(match, seq, place)

    def missed(self) -> None:
        """Other servers may have added to any match."""
        self._catching.look_everywhere()

    def drain(self) -> None:
        """Let the streams send what is durable, and end with `Closing`."""
        self._closing = True
        self._catching.close()
        for channel in self._channels.values():
            channel.changed.set()

    async def watch(
        self,
        match: str,
        after: int,
        late: Delay = delay.NONE,
        *,
        stay: bool = False,
        heads: bool = False,
    ) -> AsyncGenerator[Batch, None]:
        """The entries after number `after`, and those to come, until the match ends.

        `stay`: and on. Each comes when it is released, to who sees it so `late`; it is as if it
        happened then. `heads`: each has its head, if the match has a chain.
        """
        before: Head | None = None
        read, delivering = 0, Delivering(match, self._delivered, bool(late))
        channel = self._join(match)
        try:
            await self._begin(channel, match)
            while True:
                changed, over = channel.changed, channel.over
                upto, everything, wait = delay.EVERYTHING
                if late:
                    upto, everything, wait = await self._released(channel, match, late)
                batch = channel.since(after, upto)
                if batch is None:
                    found = await self._in_thread(page, self._records, match, after, upto)
                    batch = Batch([Recent(entry) for entry in found])
                if batch.lines:
                    after = read = batch.lines[-1].entry.seq
                    if read > channel.published:
                        self._catching.look(match, read)
                    if heads:
                        if any(line.head is None for line in batch.lines):
                            await self._in_thread(self._add_heads, match, batch.lines, before)
                        before = batch.lines[-1].head
                    span = delivering.span(batch.lines)
                    try:
                        yield batch
                    finally:
                        span.end()
                    delivering.sent(batch.lines)
                elif over and everything and not stay and read <= channel.published:
                    return
                elif channel.newer is not None:
                    raise channel.newer
                elif self._closing:
                    raise Closing
                elif wait < 0:
                    await changed.wait()  # as most streams do: for ever, and cheaply
                else:
                    with suppress(TimeoutError):
                        async with asyncio.timeout(wait / 1000):
                            await changed.wait()
        finally:
            self._part(channel, match)

    def _join(self, match: str) -> Channel:
        channel = self._channels.get(match)
        if channel is None:
            channel = self._channels[match] = Channel()
            self._news.follow(MATCH, match)
        channel.streams += 1
        return channel

    def _part(self, channel: Channel, match: str) -> None:
        channel.streams -= 1
        if not channel.streams and self._channels.get(match) is channel:
            del self._channels[match]
            self._news.leave(MATCH, match)

    async def _begin(self, channel: Channel, match: str) -> None:
        """See what there is of a match that somebody begins to follow; raises `NoSuchMatch`."""
        over, last = await self._in_thread(self._over_and_last, match)
        if not channel.published:
            channel.begin(last, over)
            if channel.due:
                self._catching.look(match)
        self._catching.look(match, last)
        while channel.published < last and not (self._closing or channel.newer):
            await channel.changed.wait()

    def _over_and_last(self, match: str) -> tuple[bool, int]:
        """Whether a match is over, and the number of its last entry, both at one time."""
        with self._records.reading():
            return listing.find(self._records, match).ended, self._records.last(match)

    def _add_heads(self, match: str, lines: Sequence[Recent], before: Head | None) -> None:
        """Find the heads of entries that were read from the store, if the match has a chain."""
        entries = [line.entry for line in lines]
        found = chains.heads_of(self._records, match, entries, before)
        for line, head in zip(lines, found, strict=False):
            line.head = head

    async def _released(self, channel: Channel, match: str, late: Delay) -> Released:
        """The released entries of a match; streams with the same delay share the work."""
        changed, now = channel.changed, self._clock()
        found, until = channel.released.get(late, (delay.EVERYTHING, 0))
        if until <= now:
            found = await self._in_thread(self._compute_released, match, late, now)
            until = now + found.wait if found.wait >= 0 else _NEVER
            if channel.changed is changed:
                channel.released[late] = found, until
        return found._replace(wait=until - now) if found.wait >= 0 else found

    def _compute_released(self, match: str, late: Delay, now: int) -> Released:
        return delay.released(self._history, listing.find(self._records, match), late, now)
