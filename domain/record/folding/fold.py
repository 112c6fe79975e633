"""The fold: applies one entry to a position. It knows no game and needs no rules.

It reads redacted entries as well as whole ones (masking comes before folding, never after): where
a number is sealed from the reader, a card is one of the zone's zeros. Everything an event says is
believed; whether it was legal is the rulebook's concern, whether it may be seen that of `views`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from domain.record import events as ev
from domain.record.entries import Entry
from domain.record.folding import cards, effects, flow
from domain.record.interventions import (
    Irregularity,
    Looked,
    Noted,
    Penalty,
    Rewound,
    Ruling,
    ShuffleWitnessed,
    Unreadable,
)
from domain.record.position import Position


def fold(p: Position, e: Entry) -> None:
    """Apply `e` to `p`, in place. O(cards it names)."""
    p.seq = e.seq
    p.time = e.time
    p.moment = e.moment
    event = e.event
    _APPLY[type(event)](p, e, event)


def fold_all(entries: Iterable[Entry], p: Position | None = None) -> Position:
    """The position that the entries of one active line add up to, from `p` or from nothing."""
    p = Position() if p is None else p
    for entry in entries:
        fold(p, entry)
    return p


def _nothing(p: Position, e: Entry, v: ev.Event) -> None:
    pass


#: Events that change no table by themselves; the events that follow from them do.
UNFOLDED = (
    ev.NotDone, ev.DamageDealt, ev.ChanceDrawn, Irregularity, Ruling, Penalty, Rewound, Noted,
    Looked, ShuffleWitnessed, Unreadable,
)  # fmt: skip

_APPLY: dict[type, Callable[..., None]] = {
    **dict.fromkeys(UNFOLDED, _nothing),
    **flow.APPLY,
    **cards.APPLY,
    **effects.APPLY,
}
