"""Where passes lead from the open decision, so that a line may be meant for a later one.

The service says which entries they would add (`Client.foresee`); here they are folded into the
positions at which somebody is asked. What a line means at one of them is for `later` to say.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct, field

from domain.record.entries import Entry
from domain.record.events import DecisionMade, OptionsOffered
from domain.record.folding.fold import fold
from domain.record.position import Decision, Position, decoded
from domain.scorekeeping.suggestions.guess import Guesses
from domain.scorekeeping.suggestions.suggest import Row

#: Whence the answers come that the service foresees.
IMPLIED = "implied"


class Stop(Struct, frozen=True):
    """A later decision: how many passes lead to it, and the position there.

    `ends` are the acts among them that end the turn, or a phase of it. `suggested` is what may be
    done there, by seat, once that was worked out.
    """

    passes: int
    pos: Position
    ends: tuple[str, ...] = ()
    suggested: dict[int, tuple[list[Row], Guesses]] = field(default_factory=dict)

    @property
    def decision(self) -> Decision:
        """The decision."""
        assert self.pos.decision is not None
        return self.pos.decision


class Ahead(Struct, frozen=True):
    """The later decisions; `cut`: the last can be passed, but then a card must be named, say."""

    stops: tuple[Stop, ...] = ()
    cut: bool = False


def ahead(
    pos: Position, entries: Sequence[Entry], cut: bool, passing: Collection[str] = ()
) -> Ahead:
    """The positions ahead, from the entries that passes would add.

    Acts of other kinds than `passing` end the turn, or a phase of it.
    """
    p, passes, stops = decoded(pos.encoded()), 0, dict[int, Stop]()
    ends: tuple[str, ...] = ()
    for entry in entries:
        made = entry.event
        if isinstance(made, DecisionMade) and made.origin == IMPLIED:
            passes += 1
            kind = _kind(p, made)
            ends += (kind,) if kind not in passing else ()
        fold(p, entry)
        if isinstance(made, OptionsOffered):
            stops[passes] = Stop(passes, decoded(p.encoded()), ends)
    return Ahead(tuple(stop for stop in stops.values() if stop.pos.decision is not None), cut)


def _kind(p: Position, made: DecisionMade) -> str:
    """The kind of the act that answers the open decision."""
    offer = p.decision.offers.get(made.seat) if p.decision is not None else None
    answer = made.answer.value
    return offer.options[answer.option].kind if offer is not None and answer is not None else ""
