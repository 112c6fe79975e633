"""Streams: followers get the entries of a match from any number on, then live.

A stream has no buffer: it reads the recent entries of the match, or the store if it has fallen
behind those. So a slow reader costs nothing, and no entry is missed or sent twice. Streams that
stand at the same entry share a `Batch`, and with it the message that all viewers of one kind get.

A commit that was reported as failed may have been made all the same; its entries are stored and
were not published. So the recent entries have no gap (`Channel.publish`), and after such a failure
the streams read the store again (`Streams.recheck`). Where the viewer has a `delay`
(`store.delay`), what is released is computed again whenever it may have changed. A rewind is sent
like any other entry, followed by the new line.

A stream ends with its match, unless its reader stays. What officials add to a match that is over is
sent to those who stay, and to whoever asks for what comes after the entry that he has. An end that
is taken back is none: the match goes on, and its streams with it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any

from domain.record.entries import Entry
from domain.record.events import MatchEnded
from domain.record.interventions import Rewound
from domain.record.proof.chain import Head
from service.live.lanes import Lanes
from service.store import chains, delay
from service.store.delay import Delay, Released
from service.store.derived import listing
from service.store.history import History

#: How many of a match's last entries are kept for its streams.
RECENT = 256
#: How many entries a stream reads from the store at a time.
PAGE = 256
#: How often to ask the store again whether a match is over, if that fails, in seconds.
RETRY = 0.2
#: A time that never comes, in milliseconds since 1970.
_NEVER = 1 << 62


class Closing(Exception):
    """The service is shutting down; a stream may be resumed after its last entry."""


class Recent:
    """A recent entry, and what it looked like on the wire to each kind of viewer so far."""

    __slots__ = ("entry", "head", "sent")

    def __init__(self, entry: Entry, head: Head | None = None) -> None:
        self.entry = entry
        self.head = head  # after it, if it is known
        self.sent: dict[int, Any] = {}


class Batch:
    """Entries that a stream is given at once; `sent` has them as messages, by who gets the same.

    Streams that get the same batches share what they need to go on from one to the next (`kept`);
    None: this one is read for one stream alone.
    """

    __slots__ = ("kept", "lines", "sent")

    def __init__(self, lines: Sequence[Recent], kept: dict[Any, Any] | None = None) -> None:
        self.lines, self.kept = lines, kept
        self.sent: dict[Any, Any] = {}


class Channel:
    """What the streams of one match share. It exists as long as there are any."""

    def __init__(self) -> None:
        self.streams = 0
        self.over = False
        self.turned = 0  # how often entries were published that end the match, or take its end back
        self.recent: deque[Recent] = deque(maxlen=RECENT)  # without a gap
        self.changed = asyncio.Event()
        self.kept: dict[Any, Any] = {}  # by those who read them (`Batch`)
        self._batches: dict[tuple[int, int], Batch] = {}  # those of `recent`, by where they begin
        self.released: dict[Delay, tuple[Released, int]] = {}  # and until when that is true

    def publish(self, entries: Sequence[Entry], heads: Sequence[Head | None]) -> None:
        """Wake the streams for entries that are durable, each with the head after it."""
        if self.recent and self.recent[-1].entry.seq + 1 != entries[0].seq:
            self.recent.clear()  # what lies in between is read from the store
        self.recent.extend(map(Recent, entries, heads))
        self.turn(ends(entries, self.over))
        self.wake()

    def turn(self, over: bool) -> None:
        """Note whether the match is over by now."""
        self.turned += over != self.over
        self.over = over

    def clear(self) -> None:
        """Drop the recent entries, so that every stream reads the store for what comes next."""
        self.recent.clear()
        self.wake()

    def wake(self) -> None:
        """Wake every stream, to look for what comes next."""
        self._batches.clear()
        self.released.clear()
        self.changed.set()
        self.changed = asyncio.Event()

    def since(self, seq: int, upto: int) -> Batch | None:
        """The entries after `seq` up to `upto`; None if they are no longer (or not yet) here."""
        if not self.recent or self.recent[0].entry.seq > seq + 1:
            return None
        found = self._batches.get((seq, upto))
        if found is None:
            lines = islice(self.recent, seq + 1 - self.recent[0].entry.seq, None)
            found = Batch([line for line in lines if line.entry.seq <= upto], self.kept)
            self._batches[seq, upto] = found
        return found


class Streams:
    """All streams of a service."""

    def __init__(
        self,
        history: History,
        lanes: Lanes,
        clock: Callable[[], int],
        poll: float | None = None,
    ) -> None:
        """`clock` gives milliseconds since 1970.

        `poll`: another process writes, so look every so many seconds for what it has added.
        """
        self._in_thread = lanes.run
        self._history, self._records, self._clock = history, history.records, clock
        self._poll = poll
        self._channels: dict[str, Channel] = {}
        self._rechecking = set[asyncio.Task[None]]()
        self._closing = False

    def __len__(self) -> int:
        """How many streams there are."""
        return sum(channel.streams for channel in self._channels.values())

    def publish(
        self, match: str, entries: Sequence[Entry], heads: Sequence[Head] | None = None
    ) -> None:
        """Send entries of a match that are durable to its streams.

        `heads` are those after each of them, if they are known.
        """
        if channel := self._channels.get(match):
            channel.publish(entries, heads or [None] * len(entries))

    def recheck(self, match: str) -> None:
        """Have the streams of a match read the store, which may have entries of a failed commit."""
        if channel := self._channels.get(match):
            task = asyncio.create_task(self._recheck(channel, match))
            self._rechecking.add(task)
            task.add_done_callback(self._rechecking.discard)

    async def _recheck(self, channel: Channel, match: str) -> None:
        while channel.streams and not self._closing:
            before = channel.turned
            try:
                listed = await self._in_thread(listing.find, self._records, match, unlimited=True)
            except Exception:  # the store fails: whoever reads it is told, the others wait
                await asyncio.sleep(RETRY)
                continue
            if channel.turned == before:  # or it is older than what was published meanwhile
                channel.turn(listed.ended)
                channel.clear()
                return

    def drain(self) -> None:
        """Let the streams send what is durable, and end with `Closing`."""
        self._closing = True
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
        channel = self._channels.setdefault(match, Channel())
        channel.streams += 1
        try:
            await self._begin(channel, match)
            while True:
                changed, over = channel.changed, channel.over
                upto, everything, wait = delay.EVERYTHING
                if late:
                    upto, everything, wait = await self._released(channel, match, late)
                batch = channel.since(after, upto)
                if batch is None:
                    page = await self._in_thread(self._records.entries, match, after, upto, PAGE)
                    batch = Batch([Recent(entry) for entry in page])
                if batch.lines:
                    after = batch.lines[-1].entry.seq
                    if heads:
                        if any(line.head is None for line in batch.lines):
                            await self._in_thread(self._add_heads, match, batch.lines, before)
                        before = batch.lines[-1].head
                    yield batch
                elif over and everything and not stay:
                    return
                elif self._closing:
                    raise Closing
                else:
                    await _wait_for_change(changed, wait / 1000 if wait >= 0 else self._poll)
                    if self._poll is not None:
                        channel.released.clear()
                        listed = await self._in_thread(listing.find, self._records, match)
                        channel.over = listed.ended
        finally:
            channel.streams -= 1
            if not channel.streams:
                self._channels.pop(match, None)

    async def _begin(self, channel: Channel, match: str) -> None:
        """See whether a match is over that somebody begins to follow; raises `NoSuchMatch`."""
        while True:
            before = channel.turned
            listed = await self._in_thread(listing.find, self._records, match)
            if channel.turned == before:  # or it is older than what was published meanwhile
                break
        if listed.ended != channel.over:
            channel.turn(listed.ended)
            channel.clear()  # its last entries may be stored, and published by nobody

    def _add_heads(self, match: str, lines: Sequence[Recent], before: Head | None) -> None:
        """Find the heads of entries that were read from the store, if the match has a chain."""
        entries = [line.entry for line in lines]
        found = chains.heads_of(self._records, match, entries, before)
        for line, head in zip(lines, found, strict=False):
            line.head = head

    async def _released(self, channel: Channel, match: str, late: Delay) -> Released:
        """What is released of a match; streams that are equally late share the work."""
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


async def _wait_for_change(changed: asyncio.Event, seconds: float | None) -> None:
    """Wait for a change, for so many seconds at most; most streams wait for ever, and cheaply."""
    if seconds is None:
        await changed.wait()
        return
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await changed.wait()


def ends(entries: Sequence[Entry], over: bool = False) -> bool:
    """Whether a match is over after these entries, which was or was not before them."""
    for entry in entries:
        if type(entry.event) is MatchEnded:
            over = True
        elif type(entry.event) is Rewound:  # nobody goes back to an end
            over = False
    return over
