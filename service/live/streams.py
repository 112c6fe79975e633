"""Streams: followers get the entries of a match from any number on, then live.

A stream has no buffer: it reads the recent entries of the match, or the store if it has fallen
behind those. So a slow reader costs nothing, and no entry is missed or sent twice. Where the viewer
has a `delay`, what is released is worked out again whenever it may have changed. A rewind is sent
like any other entry, followed by the new line.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import suppress
from itertools import islice, repeat
from typing import Any

from domain.record.entries import Entry
from domain.record.events import MatchEnded
from service.live.turns import Turns
from service.store import delay, listing
from service.store.delay import Delay, Released
from service.store.history import History

#: How many of a match's last entries are kept for its streams.
RECENT = 64
#: How many entries a stream reads from the store at a time.
PAGE = 256
#: A time that never comes, in milliseconds since 1970.
_NEVER = 1 << 62


class Closing(Exception):
    """The service is shutting down; a stream may be resumed after its last entry."""


class Recent:
    """A recent entry, and what it looked like on the wire to each kind of viewer so far.

    `whole` is what it looks like to who sees all of it, if somebody has made that already.
    """

    __slots__ = ("entry", "sent", "whole")

    def __init__(self, entry: Entry, whole: Any = None) -> None:
        self.entry = entry
        self.whole = whole
        self.sent: dict[int, Any] = {}


class Channel:
    """What the streams of one match share. It exists as long as there are any."""

    def __init__(self) -> None:
        self.streams = 0
        self.over = False
        self.recent: deque[Recent] = deque(maxlen=RECENT)
        self.changed = asyncio.Event()
        self.released: dict[Delay, tuple[Released, int]] = {}  # and until when that is true

    def publish(self, entries: Sequence[Entry], messages: Iterable[Any]) -> None:
        """Hand on entries that are durable."""
        self.recent.extend(map(Recent, entries, messages))
        self.over = self.over or ends(entries)
        self.released.clear()
        self.changed.set()
        self.changed = asyncio.Event()

    def since(self, seq: int) -> list[Recent] | None:
        """The entries after number `seq`; None if they are no longer (or not yet) kept here."""
        if not self.recent or self.recent[0].entry.seq > seq + 1:
            return None
        return list(islice(self.recent, seq + 1 - self.recent[0].entry.seq, None))


class Streams:
    """All streams of a service."""

    def __init__(
        self,
        history: History,
        turns: Turns,
        clock: Callable[[], int],
        poll: float | None = None,
    ) -> None:
        """`clock` gives milliseconds since 1970.

        `poll`: another process writes, so look every so many seconds for what it has added.
        """
        self._aside = turns.do
        self._history, self._records, self._clock = history, history.records, clock
        self._poll = poll
        self._channels: dict[str, Channel] = {}
        self._closing = False

    def __len__(self) -> int:
        """How many are being followed."""
        return sum(channel.streams for channel in self._channels.values())

    def publish(
        self, match: str, entries: Sequence[Entry], messages: Iterable[Any] | None = None
    ) -> None:
        """Hand on entries of a match that are durable, and what they look like as `messages`."""
        if channel := self._channels.get(match):
            channel.publish(entries, repeat(None) if messages is None else messages)

    def drain(self) -> None:
        """Let the streams send what is durable, and end with `Closing`."""
        self._closing = True
        for channel in self._channels.values():
            channel.changed.set()

    async def watch(
        self, match: str, after: int, late: Delay = delay.NONE
    ) -> AsyncGenerator[list[Recent], None]:
        """The entries after number `after`, and those to come, until the match ends.

        Each comes when it is released, to who sees it so `late`; it is as if it happened then.
        """
        channel = self._channels.setdefault(match, Channel())
        channel.streams += 1
        try:
            listed = await self._aside(listing.find, self._records, match)
            channel.over = channel.over or listed.ended
            while True:
                changed, over = channel.changed, channel.over
                upto, everything, wait = await self._released(channel, match, late)
                lines = channel.since(after)
                if lines is None:
                    page = await self._aside(self._records.entries, match, after, upto, PAGE)
                    lines = [Recent(entry) for entry in page]
                lines = [line for line in lines if line.entry.seq <= upto]
                if lines:
                    after = lines[-1].entry.seq
                    yield lines
                elif over and everything:
                    return
                elif self._closing:
                    raise Closing
                else:
                    wait_for = wait / 1000 if wait >= 0 else self._poll
                    with suppress(TimeoutError):
                        await asyncio.wait_for(changed.wait(), wait_for)
                    if self._poll is not None:
                        channel.released.clear()
                        listed = await self._aside(listing.find, self._records, match)
                        channel.over = listed.ended
        finally:
            channel.streams -= 1
            if not channel.streams:
                self._channels.pop(match, None)

    async def _released(self, channel: Channel, match: str, late: Delay) -> Released:
        """What is released of a match; streams that are equally late share the work."""
        if not late:
            return delay.EVERYTHING
        changed, now = channel.changed, self._clock()
        found, until = channel.released.get(late, (delay.EVERYTHING, 0))
        if until <= now:
            found = await self._aside(self._work_out, match, late, now)
            until = now + found.wait if found.wait >= 0 else _NEVER
            if channel.changed is changed:
                channel.released[late] = found, until
        return found._replace(wait=until - now) if found.wait >= 0 else found

    def _work_out(self, match: str, late: Delay, now: int) -> Released:
        return delay.released(self._history, listing.find(self._records, match), late, now)


def ends(entries: Sequence[Entry]) -> bool:
    """Whether these entries end their match."""
    return any(type(entry.event) is MatchEnded for entry in entries)
