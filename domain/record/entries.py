"""The entries: events at their places in the record, how they are stored, and the active line.

The events themselves are in `events` (what happens in a game) and `interventions` (what officials
and the recorder put in); together they are a closed union.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec
from msgspec import Struct

from domain.record import events as ev
from domain.record import interventions as iv
from domain.record.values import RULES

AnyEvent = (
    ev.MatchOpened | ev.DeckRegistered | ev.GameBegan | ev.SeatLost | ev.GameEnded | ev.MatchEnded
    | ev.TurnBegan | ev.StepBegan | ev.FrameOpened | ev.FrameClosed
    | ev.DecisionOpened | ev.OptionsOffered | ev.DecisionMade | ev.Interjected
    | ev.CardsMade | ev.CardsMoved | ev.CardsTurned | ev.CardsKnown | ev.CardsOrdered
    | ev.CardsControlled | ev.CardsAttached | ev.CardsDefined | ev.CardsRemoved | ev.DepartureBegan
    | ev.CardsLinked
    | ev.CountersMoved | ev.ModifierBegan | ev.ModifierEnded | ev.StatsSet | ev.Marked
    | ev.EffectTriggered | ev.ActDeclared | ev.ActResolving | ev.ActEnded | ev.NotDone
    | ev.EffectScheduled | ev.ScheduleEnded
    | ev.AttackDeclared | ev.AttackChanged | ev.AttackEnded | ev.DamageDealt
    | ev.ChanceDrawn
    | iv.Irregularity | iv.Ruling | iv.Penalty | iv.Rewound | iv.ClockSet | iv.EngineChanged
    | iv.Noted | iv.Paused | iv.TimeCalled | iv.Looked | iv.MatchBegan | iv.ResultCorrected
    | iv.SeedCommitted | iv.SeedsOpened | iv.ShuffleWitnessed | iv.CardsBrought | iv.SeedGiven
    | iv.Unreadable
)  # fmt: skip

#: Every event type, by its tag.
TYPES: dict[int, type[ev.Event]] = {cls.__struct_config__.tag: cls for cls in AnyEvent.__args__}


class Entry(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """One line of the record.

    `seq` counts from 1 without gaps; `time` is milliseconds since the match was opened; entries
    that happen at once share a `moment`; `frame` is the innermost open frame (0: none). `by` says
    who put it in: `RULES` for what follows from the entries before; anybody else's is an *input*,
    which no rulebook could compute. `cites` names the rules that mandate the event or, for a
    choice, allow it, the narrowest first.
    """

    seq: int
    time: int
    moment: int
    frame: int
    by: int
    cites: tuple[str, ...]
    event: AnyEvent

    @property
    def input(self) -> bool:
        """Whether this came in from outside."""
        return self.by != RULES


encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(Entry).decode


def name_of(event: ev.Event | type[ev.Event]) -> str:
    """The public name of an event or event type: `CardsMoved` is `cards.moved`."""
    cls = event if isinstance(event, type) else type(event)
    return _NAMES[cls]


def _dotted(cls: type[ev.Event]) -> str:
    first, *rest = re.findall("[A-Z][a-z]+", cls.__name__)
    return (
        ".".join([first.lower(), "-".join(word.lower() for word in rest)])
        if rest
        else first.lower()
    )


_NAMES = {cls: _dotted(cls) for cls in TYPES.values()}


def active(entries: Iterable[Entry]) -> list[Entry]:
    """The active line: entries that no later rewind abandoned, rewinds themselves left out.

    An entry's number is its place in the log, so the active line may have gaps in its numbers.
    """
    line: list[Entry] = []
    for entry in entries:
        if isinstance(entry.event, iv.Rewound):
            while line and line[-1].seq > entry.event.to:
                line.pop()
        else:
            line.append(entry)
    return line


def prints_in(entries: Iterable[Entry]) -> tuple[str, ...]:
    """The cards outside the catalogue that these entries bring, as JSON."""
    bringing = (e.event for e in entries if isinstance(e.event, ev.MatchOpened | iv.CardsBrought))
    return tuple(one for event in bringing for one in event.prints)


def undone(rewinds: Iterable[tuple[int, int]], seq: int) -> int:
    """The rewind that abandoned an entry; 0: it stands.

    Of each rewind its own entry is given, and the one that it went back to.
    """
    return next((at for at, back in rewinds if back < seq < at), 0)
