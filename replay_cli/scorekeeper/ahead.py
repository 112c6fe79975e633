"""Where passes lead from the open decision, so that a line may be meant for a later one.

The service says which entries they would add (`Client.foresee`); here they are folded into the
positions at which somebody is asked. What a line means at one of them is for `input_line` to say.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from domain.record.entries import Entry
from domain.record.events import DecisionMade, OptionsOffered
from domain.record.folding.fold import fold
from domain.record.position import Decision, Position, decoded

#: Whence the answers come that the service foresees.
IMPLIED = "implied"


class Stop(Struct, frozen=True):
    """A later decision: how many passes lead to it, and the position there."""

    passes: int
    pos: Position

    @property
    def decision(self) -> Decision:
        """The decision."""
        assert self.pos.decision is not None
        return self.pos.decision


class Ahead(Struct, frozen=True):
    """The later decisions; `cut`: the last can be passed, but then a card must be named, say."""

    stops: tuple[Stop, ...] = ()
    cut: bool = False


def ahead(pos: Position, entries: Sequence[Entry], cut: bool) -> Ahead:
    """What is ahead of a position, from the entries that passes would add to it."""
    p, passes, stops = decoded(pos.encoded()), 0, dict[int, Stop]()
    for entry in entries:
        fold(p, entry)
        if isinstance(entry.event, DecisionMade) and entry.event.origin == IMPLIED:
            passes += 1
        elif isinstance(entry.event, OptionsOffered):
            stops[passes] = Stop(passes, decoded(p.encoded()))
    return Ahead(tuple(stop for stop in stops.values() if stop.pos.decision is not None), cut)
