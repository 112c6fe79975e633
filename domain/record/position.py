"""The position: everything on the table at one point of the record, and all one may ask of it.

It is what `folding.fold` makes of the entries so far, and is plain data: it can be encoded,
digested, compared and kept as a snapshot. It holds what a rulebook may need to go on (waiting
effects, allocators, marks), so that a game can be resumed from it without anything else.

Nothing here computes: it answers. A viewer's position is made by folding the entries that he may
see (`views.position`); numbers he can't follow stand in his zones as 0, cards he can't name have an
empty `id`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from functools import lru_cache
from sys import intern
from typing import Any, NoReturn

import msgspec
from msgspec import Struct, field

from domain.record.decisions import Offer
from domain.record.groups import Group
from domain.record.schema.policy import Policy
from domain.record.values import EVERYONE, Change, Fact, Ref, Value

#: What stands for a card of a real table of which nobody noted which it is.
UNKNOWN = "????"
#: What people call the seats, from seat 0 on.
SEATS = "ABCDEFGH"
NOBODY = -1


def _shared(self: object, *args: object, **kwargs: object) -> NoReturn:
    raise TypeError("this is shared by all that have nothing: give the card a table of its own")


#: A table that holds nothing and never will. Most cards have no use for most of theirs, and a match
#: has more than a hundred cards: the fold gives a card a table of its own once it has something.
NOTHING: dict[str, Any] = type(
    "Nothing",
    (dict,),
    dict.fromkeys(
        (
            "__setitem__",
            "__delitem__",
            "__ior__",
            "setdefault",
            "update",
            "pop",
            "popitem",
            "clear",
        ),
        _shared,
    ),
)()


class Card(Struct, array_like=True, gc=False):
    """One card object, for as long as it stays the same object.

    `seen` and `follow` are masks: who knows which card it is, who can tell its number apart.
    `stats` are the derived numbers in force, `marks` facts about it, `counters` by kind.
    `came` is the turn it arrived, `departing` why it is on its way out, `now` its number after it
    left.
    """

    id: str
    owner: int
    controller: int
    place: str
    up: bool
    orient: str
    seen: int = 0
    follow: int = 0
    token: bool = False
    came: int = 0
    host: int = 0
    role: str = ""
    attached: tuple[int, ...] = ()
    counters: dict[str, int] = NOTHING
    stats: dict[str, Value] = NOTHING
    marks: dict[str, Value] = NOTHING
    defined: dict[str, Value] = NOTHING
    departing: str = ""
    now: int = 0

    def stat(self, key: str, default: int = 0) -> int:
        """A derived number in force, or `default`."""
        value = self.stats.get(key, default)
        return value if isinstance(value, int) else default


class Modifier(Struct, array_like=True, gc=False):
    """A lasting effect in force. `text` is the card text that it comes from, as it was cited."""

    source: Ref
    targets: list[Ref]
    change: Change
    until: str
    scope: Group | None
    text: str = ""


class Frame(Struct, array_like=True, gc=False):
    """An open frame; see `events.FrameOpened`."""

    id: int
    kind: str
    parent: int
    cause: int
    facts: dict[str, Fact]


class Departure(Struct, array_like=True, gc=False):
    """Why and where a card goes, and what it was when it began to (`events.DepartureBegan`).

    `first` is where it was to go before a later departure replaced the first one, `seq` the latest
    one's entry. `controller`, `stats` and `counters` are the card's when it began to depart.
    """

    cause: str
    responsible: Ref
    to: str
    first: str
    seq: int
    controller: int
    stats: dict[str, Value] = field(default_factory=dict)
    counters: dict[str, int] = field(default_factory=dict)


class Link(Struct, array_like=True, gc=False):
    """As what a card belongs to another one that lies elsewhere; see `events.CardsLinked`."""

    host: int
    role: str


class Scheduled(Struct, array_like=True, gc=False):
    """An effect that is due later; see `events.EffectScheduled`.

    `cause` is the entry that scheduled it.
    """

    kind: str
    effect: str
    source: Ref
    seat: int
    due: str
    turn: int
    whose: int
    targets: tuple[Ref, ...]
    x: int
    cause: int


class Pending(Struct, array_like=True, gc=False):
    """An effect that waits, or an act that was declared and is not over.

    `group` tells triggers that wait together from later ones: a number that grows. `moment` is
    when it triggered, `about` the card that it befell.
    """

    id: int
    kind: str
    effect: str
    source: Ref
    seat: int
    cause: int
    group: int
    optional: bool = False
    resolving: bool = False
    targets: tuple[Ref, ...] = ()
    x: int = 0
    speed: int = 0
    mode: str = ""
    moment: int = 0
    about: Ref = 0


class Attack(Struct, array_like=True, gc=False):
    """The attack in progress. `declared` is the first target, `target` the current one."""

    attacker: int
    declared: Ref
    target: Ref
    defender: int = 0


class Decision(Struct, array_like=True, gc=False):
    """The open decision, and what is on offer to the seats that have not answered yet.

    `audience` is who reads all that is on offer; of one seat's and its answer ask `readers`.
    """

    n: int
    seats: list[int]
    kind: str
    about: Ref
    seq: int
    time: int
    offers: dict[int, Offer | None]
    audience: int = 0
    rest: bool = False  # the rulebook can be started again from here

    def readers(self, seat: int) -> int:
        """The audience of what is on offer to a seat, and so of its answer."""
        return EVERYONE if self.audience == EVERYONE else 1 << seat


class Clock(Struct, array_like=True, gc=False):
    """A clock: how much was `left` at time `since`, both in milliseconds.

    The round's runs with the time of the match; a seat's is charged with each of its answers.
    """

    left: int
    running: bool
    since: int


class Result(Struct, array_like=True, frozen=True, gc=False):
    """A result that was reported: who won (-1: nobody), games won seat by seat, by which entry.

    `lost` are the seats that have lost the whole match by penalties after its end.
    """

    winner: int
    score: tuple[int, ...]
    seq: int
    lost: tuple[int, ...] = ()


class Heading(Struct, array_like=True, gc=False):
    """The settings made when the match was opened; not part of the digest.

    `parts` says of the cards of a real table which part of a list they are from. It is of use to
    those who name them, and nothing that is played depends on it.
    """

    game: str = ""
    engine: str = ""
    mode: str = "dealer"
    best_of: int = 1
    at: int = 0
    seats: tuple[str, ...] = ()
    digests: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    options: dict[str, Value] = field(default_factory=dict)
    decks: dict[int, tuple[str, dict[str, tuple[str, ...]] | None]] = field(default_factory=dict)
    policy: Policy = Policy()
    prints: tuple[str, ...] = ()
    fork: str = ""  # the match it is a fork of; such a match is unofficial
    parts: dict[int, str] = field(default_factory=dict)  # of real cards, if known
    chance: str = ""  # where it comes from (`proof.draws`); empty: the record does not say
    waits: str = ""  # for what the match waits to begin; empty: it has begun
    commitment: bytes = b""  # of the service, to its seed for chance
    commitments: dict[int, bytes] = field(default_factory=dict)  # of seats; empty: it gives none
    seeds: dict[int, bytes] = field(default_factory=dict)  # of seats, if visible
    opened: bool = False  # whether all seeds are
    later: int = 0  # how many of its prints, the last ones, it brought after it was opened

    @property
    def added(self) -> tuple[str, ...]:
        """The ids of the cards that it brought after it was opened: no list could name them."""
        tables = self.prints[-self.later :] if self.later else ()
        return tuple(str(msgspec.json.decode(one)["id"]) for one in tables)


class Position(Struct, array_like=True):
    """The whole table after entry `seq`. Zones list card numbers from bottom to top."""

    heading: Heading = field(default_factory=Heading)
    seq: int = 0
    time: int = 0
    moment: int = 0
    game: int = 0
    turn: int = 0
    turn_seat: int = NOBODY
    step: str = ""
    over: bool = False
    winner: int = NOBODY
    why: str = ""
    score: list[int] = field(default_factory=list)
    lost: dict[int, str] = field(default_factory=dict)
    zones: dict[str, list[int]] = field(default_factory=dict)
    cards: dict[int, Card] = field(default_factory=dict)
    departed: dict[int, Card] = field(default_factory=dict)
    holders: dict[str, dict[str, int]] = field(default_factory=dict)
    marks: dict[str, dict[str, Value]] = field(default_factory=dict)
    stats: dict[str, dict[str, Value]] = field(default_factory=dict)
    modifiers: dict[int, Modifier] = field(default_factory=dict)
    frames: list[Frame] = field(default_factory=list)
    pending: dict[int, Pending] = field(default_factory=dict)
    attack: Attack | None = None
    decision: Decision | None = None
    decisions: int = 0
    clocks: dict[str, Clock] = field(default_factory=dict)
    paused: int = -1  # since when the match is paused; -1: it does not
    called: bool = False  # whether the round's time is over
    extra: int = -1  # turns that may still begin, -1: no count
    deadline: int = 0  # when it is over for good, 0: no such time
    named: dict[int, str] = field(default_factory=dict)  # cards to come that were named already
    next_card: int = 1
    next_frame: int = 1
    next_modifier: int = 1
    next_act: int = 1
    links: dict[int, Link] = field(default_factory=dict)
    scheduled: dict[int, Scheduled] = field(default_factory=dict)
    departures: dict[int, Departure] = field(default_factory=dict)  # of cards and of departed ones
    results: list[Result] = field(default_factory=list)  # once it is over; the last one stands
    took: int = 0  # which seats, as a mask, took a card last out of zones that a tie-break watches
    took_at: int = 0  # the moment when they did

    # -- questions -------------------------------------------------------------------------------

    def zone(self, name: str, seat: int | None = None) -> list[int]:
        """The numbers in a zone, bottom to top; empty where nothing ever lay."""
        return self.zones.get(name if seat is None else f"{name}/{seat}", [])

    def card(self, number: int) -> Card:
        """The card of that number, as it is or as it last was; `KeyError` if it does not exist."""
        card = self.cards.get(number)
        return card if card is not None else self.departed[number]

    def with_cards(self, cards: Mapping[int, Card]) -> Position:
        """A view of this position that has other cards under these numbers, to be asked things.

        Everything else is this position's own, and so is not to be changed through it. O(cards).
        """
        view = copy(self)
        view.cards = {**self.cards, **cards}
        return view

    def present(self, number: Ref) -> bool:
        """Whether that number still is a card on the table."""
        return number in self.cards

    def latest(self, number: int) -> int:
        """The number a card goes by now, however often it moved; 0 if it can't be followed."""
        while number not in self.cards:
            gone = self.departed.get(number)
            if gone is None or not gone.now:
                return 0
            number = gone.now
        return number

    def counters(self, holder: Ref, kind: str) -> int:
        """How many counters of a kind a card, a zone or a seat holds."""
        return self.counted(holder).get(kind, 0)

    def counted(self, holder: Ref) -> Mapping[str, int]:
        """The counters that a card, a zone or a seat holds, by kind."""
        if isinstance(holder, int):
            return self.card(holder).counters
        there: Mapping[str, int] = self.holders.get(holder, NOTHING)
        return there

    def mark(self, subject: Ref, key: str) -> Value:
        """The note on a card or anything else under `key`; None if there is none."""
        if isinstance(subject, int):
            return self.card(subject).marks.get(key)
        return self.marks.get(subject, {}).get(key)

    def left(self, clock: str, now: int) -> int:
        """Milliseconds left on a clock at a time of the match, below 0 once it has run out."""
        c = self.clocks[clock]
        if self.paused >= 0:
            now = min(now, self.paused)
        if clock == "round":
            return c.left - (max(now - c.since, 0) if c.running else 0)
        seat, decision = seat_of(clock), self.decision
        if not c.running or decision is None or seat not in decision.seats:
            return c.left
        return c.left - max(now - max(c.since, decision.time), 0)

    def linked(self, host: int, role: str = "") -> list[int]:
        """The cards that belong to one from where they lie, in a role or in any."""
        links = self.links.items()
        return [n for n, link in links if link.host == host and role in ("", link.role)]

    def due(self, when: str) -> Iterator[tuple[int, Scheduled]]:
        """The effects that come due with this in the present turn, oldest first."""
        for number, one in self.scheduled.items():
            timely = one.due == when and one.turn <= self.turn
            if timely and one.whose in (NOBODY, self.turn_seat):
                yield number, one

    def waiting(self) -> Iterator[Pending]:
        """Effects that were triggered and are not being carried out yet, oldest first."""
        acts = self.pending.values()
        return (act for act in acts if not act.resolving and act.kind == "triggered")

    def declared(self) -> Iterator[Pending]:
        """Acts that were declared and are not being carried out yet, oldest first."""
        acts = self.pending.values()
        return (act for act in acts if not act.resolving and act.kind != "triggered")

    def link(self, act: int) -> int:
        """The 1-based index of an act among those that wait or are carried out; 0: none of them."""
        acts = [one.id for one in self.pending.values() if one.kind != "triggered"]
        return acts.index(act) + 1 if act in acts else 0

    @property
    def stands_in(self) -> str:
        """The step that is being played; none once the match is over, be it between two games."""
        return "" if self.over else self.step

    @property
    def frame(self) -> int:
        """The innermost open frame; 0 if none is."""
        return self.frames[-1].id if self.frames else 0

    def rival(self, seat: int) -> int:
        """The other seat of two."""
        return 1 - seat

    def seats(self) -> tuple[int, int]:
        """Both seats, the turn player's first; before the first turn they stand in order."""
        return (1, 0) if self.turn_seat == 1 else (0, 1)

    # -- as data ---------------------------------------------------------------------------------

    def encoded(self) -> bytes:
        """The position as bytes, for snapshots and copies."""
        return _encode(self)

    def slimmed(self) -> Position:
        """Itself, with what cards have in common shared again: worth it for one that is kept."""
        for cards in (self.cards, self.departed):
            for card in cards.values():
                card.id, card.place = intern(card.id), intern(card.place)
                card.orient = intern(card.orient)
                card.counters = card.counters or NOTHING
                card.stats = card.stats or NOTHING
                card.marks = card.marks or NOTHING
                card.defined = card.defined or NOTHING
        for seat, (name, parts) in self.heading.decks.items():
            if parts is not None:
                same = {part: tuple(map(intern, ids)) for part, ids in parts.items()}
                self.heading.decks[seat] = name, same
        return self


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Position).decode


def decoded(data: bytes) -> Position:
    """The position that `Position.encoded` wrote."""
    return _decode(data)


def seat_letter(seat: int) -> str:
    """How a seat is written: `A`, `B` and so on."""
    return SEATS[seat]


@lru_cache(maxsize=256)
def seat_of(place: str) -> int:
    """Whose zone it is: `hand/0` is seat 0's; `NOBODY` for a shared one."""
    parts = place.split("/", 2)
    return int(parts[1]) if len(parts) > 1 else NOBODY


@lru_cache(maxsize=256)
def zone_of(place: str) -> str:
    """The kind of a zone: `hand/0` is a `hand`."""
    return place.partition("/")[0]
