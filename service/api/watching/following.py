"""Streams of positions: the changes of the table by entries, step by step.

The entries come from `live.streams`, in batches that streams which stand at the same entry share.
So they share the work too: the first stream that comes to a batch folds and compares it for all
with the same view, and its result is kept for the next batch. A stream that has fallen behind reads
its position from the store. Nothing waits for a slow reader, and nothing is kept for him.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Any

from kifu.v1 import match_service_pb2 as pb
from msgspec import Struct

from domain.record.entries import Entry
from domain.record.events import OptionsOffered
from domain.record.folding.changes import Compared
from domain.record.interventions import Rewound
from domain.record.points import Point
from domain.record.position import Position
from domain.record.views import redact
from service import changes, wire
from service.live.background import heeded
from service.live.streams.catching import PAGE
from service.live.streams.channels import Batch
from service.store.delay import NONE, Delay
from service.store.history import History, fold_entry

#: Entries whose steps are made and sent at once, in one message if it is not too large.
SLICE = 32
#: A message gets no further steps once it has so many bytes.
ENOUGH = 256 * 1024

Tallies = Mapping[str, Sequence[int]]


class Kind(Struct, frozen=True):
    """The streams that get the same steps: same view, same delay, same options."""

    viewer: int
    late: Delay = NONE
    each: int = pb.POSITION_EACH_ENTRY
    whole: bool = False


class Stand(Struct):
    """How the table stood after entry `seq`, and what was sent of it last: after entry `sent`."""

    seq: int
    sent: int
    pos: Position
    compared: Compared | None
    tallies: Tallies


class Following:
    """One stream of positions of a match."""

    def __init__(
        self,
        match: str,
        kind: Kind,
        history: History,
        tallies: Callable[[Position], Tallies],
        in_thread: Callable[..., Awaitable[Any]],
    ) -> None:
        """`tallies`: what overlays show of a position; `in_thread` runs a function there."""
        self._match, self._kind, self._history = match, kind, history
        self._tallies, self._in_thread = tallies, in_thread
        self._own: Stand | None = None  # unless it is kept where others find it
        self._sent = 0

    def first(self, seq: int) -> bytes:
        """The position after an entry as a message, for a stream that goes on after it."""
        stand = self._begin(seq, seq)
        step = pb.PositionStep(seq=seq, position=wire.clamped(wire.table, stand.pos))
        step.tallies.extend(wire.tally_values(stand.tallies))
        self._own, self._sent = stand, seq
        return pb.WatchPositionResponse(steps=[step], seq=seq).SerializeToString()

    def begin(self, seq: int) -> None:
        """Go on after an entry, after which somebody has the position."""
        self._sent = seq

    async def messages(self, batch: Batch, after: int) -> Sequence[bytes]:
        """The steps that the entries of a batch, which come after `after`, make, as messages."""
        every = list[bytes]()
        for start in range(0, len(batch.lines), SLICE):
            key = self._kind, start, self._sent
            found = batch.sent.get(key)
            if found is None:
                work = self._work(batch, start, after)
                found = batch.sent[key] = asyncio.ensure_future(work)
                found.add_done_callback(heeded)
            if not found.done():
                await asyncio.shield(found)
            messages, self._sent = found.result()
            every += messages
            after = batch.lines[: start + SLICE][-1].entry.seq
        return every

    async def _work(self, batch: Batch, start: int, after: int) -> tuple[list[bytes], int]:
        """Make messages of a slice, from a position that was already sent."""
        entries = [line.entry for line in batch.lines[start : start + SLICE + 1]]
        kept = batch.kept if batch.kept is not None else {}
        stand, self._own = self._own, None
        if stand is None or (stand.seq, stand.sent) != (after, self._sent):
            stand = kept.get(self._kind)
            if stand is None or (stand.seq, stand.sent) != (after, self._sent):
                stand = None
            else:
                del kept[self._kind]  # nobody else may change it meanwhile
        cut = start + SLICE >= len(batch.lines) >= PAGE  # what follows is read next
        found, stand = await self._in_thread(self._make, stand, after, self._sent, entries, cut)
        if batch.kept is None:
            self._own = stand
        else:
            kept[self._kind] = stand
        return found, stand.sent

    def _make(
        self, stand: Stand | None, after: int, sent: int, entries: Sequence[Entry], cut: bool
    ) -> tuple[list[bytes], Stand]:
        stand = stand or self._begin(after, sent)
        found, steps, size = list[bytes](), list[pb.PositionStep](), 0
        for step in self._steps(stand, entries, cut):
            steps.append(step)
            size += step.ByteSize()
            if size > ENOUGH:
                found.append(_message(steps))
                steps, size = [], 0
        return [*found, *([_message(steps)] if steps else [])], stand

    def _begin(self, seq: int, sent: int) -> Stand:
        """The table after an entry, as the store has it, which was sent before."""
        pos, shown = self._stored(seq), self._stored(sent)
        compared = None if self._kind.whole else Compared(shown)
        return Stand(seq, sent, pos, compared, self._tallies(shown))

    def _stored(self, seq: int) -> Position:
        if not seq:
            return Position()
        return self._history.position(self._match, self._kind.viewer, Point(seq=seq))

    # -- steps -----------------------------------------------------------------------------------

    def _steps(
        self, stand: Stand, entries: Sequence[Entry], cut: bool
    ) -> Iterator[pb.PositionStep]:
        """The steps of a slice; its entries end with the first one beyond it, if that is known."""
        held = self._kind.each == pb.POSITION_EACH_MOMENT and stand.sent < stand.seq
        if held and entries[0].moment != stand.pos.moment:
            yield self._step(stand)
        for at, entry in enumerate(entries[:SLICE]):
            stand.seq, back = entry.seq, 0
            if isinstance(entry.event, Rewound):
                back, there = entry.event.to, Point(seq=entry.seq)
                stand.pos = self._history.position(self._match, self._kind.viewer, there)
            else:
                fold_entry(self._match, stand.pos, redact(entry, self._kind.viewer))
            following = entries[at + 1] if at + 1 < len(entries) else None
            if back or self._is_due(stand.pos, following, cut):
                yield self._step(stand, back)

    def _is_due(self, pos: Position, following: Entry | None, cut: bool) -> bool:
        """Whether to tell of a position, now that it is known which entry follows; None: none yet.

        `cut`: there may be one all the same, which is read next.
        """
        if self._kind.each == pb.POSITION_EACH_MOMENT:
            if following is not None:
                return following.moment != pos.moment
            return not cut or _waits(pos)
        if self._kind.each == pb.POSITION_EACH_DECISION:
            last = following is None or not isinstance(following.event, OptionsOffered)
            return last and _waits(pos)
        return True

    def _step(self, stand: Stand, back: int = 0) -> pb.PositionStep:
        """The message for a position; the next changes are relative to it."""
        pos, stand.sent = stand.pos, stand.seq
        step = pb.PositionStep(seq=stand.seq, rewound_to=back)
        if stand.compared is None:
            step.position.CopyFrom(wire.clamped(wire.table, pos))
        else:
            step.changes.CopyFrom(changes.message(stand.compared.changes(pos)))
        tallies = self._tallies(pos)
        if tallies != stand.tallies or stand.compared is None:
            step.tallies.extend(wire.tally_values(tallies))
            stand.tallies = tallies
        return step


def _waits(pos: Position) -> bool:
    """Whether somebody has all that he may choose from before him, or nothing will be chosen."""
    decision = pos.decision
    return pos.over or (decision is not None and {*decision.seats} <= decision.offers.keys())


def _message(steps: Sequence[pb.PositionStep]) -> bytes:
    return pb.WatchPositionResponse(steps=steps, seq=steps[-1].seq).SerializeToString()
