"""The events of officials, and of the recorder itself: rulings, penalties, clocks, going back.

Nothing here is any game's. What officials change on a table is written with the events of games
(`events`), in a frame of theirs; that what they do is legal is for `officials` to see to.
"""

from __future__ import annotations

from domain.record.events import Event
from domain.record.values import Open, Sealed


class Irregularity(Event, frozen=True, tag=61):
    """The next, or last, act of a seat broke a rule, and stands because an official says so."""

    rule: Open[str]
    note: Open[str]
    seat: Open[int] = -1


class Ruling(Event, frozen=True, tag=62):
    """An official rules on entry `about`, or on a decision; the rules applied are cited.

    `evidence` is the entry of a look at hidden information that it rests on; 0: none.
    """

    about: Open[int]
    text: Open[str]
    decision: Open[int] = 0
    evidence: Open[int] = 0


class Penalty(Event, frozen=True, tag=63):
    """An official penalises a seat, by the event's scheme; `effect` is what it leads to."""

    seat: Open[int]
    kind: Open[str]
    note: Open[str]
    effect: Open[str] = ""


class Rewound(Event, frozen=True, tag=64):
    """The game goes back: the entries after `to` are no longer on the active line."""

    to: Open[int]
    note: Open[str]
    who: Open[str] = ""


class ClockSet(Event, frozen=True, tag=65):
    """A clock (`round`, `seat/0`) starts, stops or is set; `left` in milliseconds."""

    clock: Open[str]
    left: Open[int]
    running: Open[bool]


class EngineChanged(Event, frozen=True, tag=66):
    """The match goes on under another version of its rulebook, from a resting point."""

    engine: Open[str]
    digests: Open[dict[str, str]]


class Noted(Event, frozen=True, tag=67):
    """An official writes something down; about entry `about`, or nothing in particular (0)."""

    about: Open[int]
    text: Sealed[str]


class Paused(Event, frozen=True, tag=68):
    """The match stands still, or goes on: while it does, no seat decides and no clock runs."""

    on: Open[bool]
    note: Open[str]


class TimeCalled(Event, frozen=True, tag=69):
    """The round's time is over: `turns` more are played (-1: no count), or `ms` milliseconds."""

    turns: Open[int]
    ms: Open[int]


class Looked(Event, frozen=True, tag=70):
    """An official looked at hidden information of the live match, through somebody's eyes."""

    view: Open[str]
    why: Sealed[str]


class MatchBegan(Event, frozen=True, tag=71):
    """A match that waited begins. `without`: seats that gave no seed to chance, and how so."""

    without: Open[tuple[tuple[int, str], ...]] = ()


class ResultCorrected(Event, frozen=True, tag=76):
    """An official corrects the result of a match that is over; the one before it is superseded.

    `winner` is a seat, or -1: a draw. `lost` are the seats that have lost the whole match by
    penalties, independent of the score.
    """

    winner: Open[int]
    score: Open[tuple[int, ...]]
    note: Open[str]
    lost: Open[tuple[int, ...]] = ()


class SeedCommitted(Event, frozen=True, tag=72):
    """A seat is bound to its seed for chance (`proof.draws`); by nothing: it goes on without."""

    seat: Open[int]
    commitment: Open[bytes]


class SeedsOpened(Event, frozen=True, tag=73):
    """All seeds are opened: the service's, empty if it has lost it, and those of the seats."""

    service: Open[bytes]
    seats: Open[tuple[bytes, ...]]


class ShuffleWitnessed(Event, frozen=True, tag=74):
    """At a real table the cards of a seat were shuffled: by whom, who cut, what was checked.

    `shuffler` and `cutter` are seats, or `values.BY_OFFICIAL`; a `cutter` of -1: nobody cut.
    """

    seat: Open[int]
    shuffler: Open[int]
    cutter: Open[int] = -1
    checked: Open[str] = ""


class CardsBrought(Event, frozen=True, tag=77):
    """The match brings cards outside the catalogue, besides those that it was opened with.

    `prints` are as in `events.MatchOpened`.
    """

    prints: Open[tuple[str, ...]]


class SeedGiven(Event, frozen=True, tag=75):
    """A seat opens its seed to the service: it fits what the seat had committed to."""

    seat: Open[int]
    seed: Sealed[bytes]


class Unreadable(Event, frozen=True, tag=90):
    """An entry that can't be read here: it replaces the event, and is never stored.

    `event` is its public name. Nothing of it is known, so it changes no table: what is folded on
    from here may lack it.
    """

    event: Open[str]
    reason: Open[str]
