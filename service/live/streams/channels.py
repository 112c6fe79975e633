"""Shared by the streams of one match: its recent entries, and whether it is over.

Streams that stand at the same entry share a `Batch`, and with it the message that all viewers of
one kind get.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice, repeat
from typing import Any

from domain.record.entries import Entry
from domain.record.events import MatchEnded
from domain.record.interventions import Rewound
from domain.record.proof.chain import Head
from service.live.streams.delivery import Origin
from service.store.delay import Delay, Released
from service.store.layout.newer import Newer
from service.telemetry import tracing

#: How many of a match's last entries are kept for its streams.
RECENT = 256


class Closing(Exception):
    """The service is shutting down; a stream may be resumed after its last entry."""


class Recent:
    """A recent entry, and what it looked like on the wire to each kind of viewer so far."""

    __slots__ = ("entry", "head", "origin", "sent")

    def __init__(
        self, entry: Entry, head: Head | None = None, origin: Origin | None = None
    ) -> None:
        self.entry = entry
        self.head = head  # after it, if it is known
        self.origin = origin  # the commit that it came with, if it was followed from there
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
    """The state that the streams of one match share. It exists as long as there are any.

    It has begun once it is known up to which entry it is `published`; 0: not yet.
    """

    def __init__(self) -> None:
        self.streams = 0
        self.published = 0
        self.over = False  # after that entry
        self.head: Head | None = None  # and the head after it, if it is known
        self.due = self.catching = False  # there may be more in the store; that is looked at
        self.heard, self.heard_at = 0, 0.0  # up to which entry there are more, as announced; when
        self.heard_from: tracing.Place | None = None  # and where the trace of what was added is
        self.newer: Newer | None = None  # why what comes next can't be read here
        self.recent: deque[Recent] = deque(maxlen=RECENT)  # without a gap
        self.changed = asyncio.Event()
        self.kept: dict[Any, Any] = {}  # by those who read them (`Batch`)
        self._batches: dict[tuple[int, int], Batch] = {}  # those of `recent`, by where they begin
        self.released: dict[Delay, tuple[Released, int]] = {}  # and until when that is true

    def begin(self, published: int, over: bool) -> None:
        """Say up to which entry streams may read the store, and whether the match is over then."""
        self.published, self.over = published, over

    def publish(
        self,
        entries: Sequence[Entry],
        heads: Sequence[Head | None],
        origin: Origin | None = None,
    ) -> None:
        """Wake the streams for entries that are durable, each with the head after it.

        They follow the last one that was published, or overlap with it.
        """
        known = self.published + 1 - entries[0].seq
        entries, heads = entries[known:], heads[known:]
        if entries:
            self.recent.extend(map(Recent, entries, heads, repeat(origin)))
            self.published, self.head = entries[-1].seq, heads[-1]
            self.over = ends(entries, self.over)
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


class Audience:
    """Counts those who follow each match at this server, by any transport.

    Streams of the API are counted one by one (`service.api.watching`); so are pages, though they
    share one stream (`service.web.positions.following`).
    """

    def __init__(self) -> None:
        self._following: dict[str, int] = {}

    def __getitem__(self, match: str) -> int:
        """How many follow a match."""
        return self._following.get(match, 0)

    @contextmanager
    def follower(self, match: str) -> Iterator[None]:
        """Somebody who follows a match for as long as this lasts."""
        self._following[match] = self[match] + 1
        try:
            yield
        finally:
            self._following[match] -= 1
            if not self._following[match]:
                del self._following[match]


def ends(entries: Sequence[Entry], over: bool = False) -> bool:
    """Whether a match is over after these entries, which was or was not before them."""
    for entry in entries:
        if type(entry.event) is MatchEnded:
            over = True
        elif type(entry.event) is Rewound:  # nobody goes back to an end
            over = False
    return over
