"""The digest of a position, put together from parts: what no entry has touched is hashed once.

A card, on the table or departed, is a part by itself. The hashes of the parts are added up, so that
only those that were touched since are taken out and put in again: a digest costs what changed, not
what there is. All else in a position is small, and is hashed as a whole.

Every event touches all cards, unless `TOUCHED` says which: one that is missing there makes digests
slower, not wrong. A field that came after 1.0 is left out as long as it has its default, so that
older records keep their digests (FORMAT.md).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from hashlib import blake2b
from operator import attrgetter
from typing import Any

import msgspec
from msgspec import NODEFAULT, Struct
from msgspec.structs import FieldInfo, fields

from domain.record import events as ev
from domain.record import interventions as iv
from domain.record.entries import Entry
from domain.record.folding.fold import fold
from domain.record.position import (
    Attack,
    Card,
    Clock,
    Frame,
    Link,
    Modifier,
    Pending,
    Position,
    Result,
    Scheduled,
    zone_of,
)
from domain.record.values import Change, Ref

#: How many fields each struct of a position had in 1.0.
LAID_OUT: dict[type[Struct], int] = {
    Attack: 4,
    Card: 19,
    Change: 4,
    Clock: 3,
    Frame: 5,
    Link: 2,
    Modifier: 6,
    Pending: 15,
    Position: 39,
    Result: 4,
    Scheduled: 10,
}
#: What of a position is not hashed as a whole: cards are parts, the heading's data have digests of
#: their own, the causes of departures are with their cards, what is asked is in the next entries.
APART = {"heading", "cards", "departed", "departures", "decision"}

_WIDTH = 16  # bytes of a part's hash: so many that two sums are not the same by accident
_RANGE = 1 << 8 * _WIDTH
_ON_TABLE, _DEPARTED = b"\1", b"\0"
_encode = msgspec.msgpack.Encoder().encode


class Digester:
    """Folds entries into a position, and digests it at any point between them."""

    __slots__ = ("_hashes", "_pos", "_seq", "_sum", "_touched")

    def __init__(self, p: Position) -> None:
        self._pos, self._seq = p, -1

    def fold(self, e: Entry) -> None:
        """Apply an entry to the position."""
        p = self._pos
        find = TOUCHED.get(type(e.event), _all)
        if find is _all or p.seq != self._seq:
            fold(p, e)
            self._seq = -1
            return
        if find is not None:
            self._touched.update(find(p, e.event))
        fold(p, e)
        self._seq = e.seq

    def digest(self) -> bytes:
        """Eight bytes that stand for the position as it is now."""
        p = self._pos
        if p.seq != self._seq:  # all may have been touched
            self._hashes, self._sum, self._seq = dict[int, int](), 0, p.seq
            self._touched = set[Ref]((*p.cards, *p.departed))
        hashes, total = self._hashes, self._sum
        for number in self._touched:
            if isinstance(number, int):
                total -= hashes.pop(number, 0)
                if (card := p.cards.get(number)) is not None:
                    total += hashes.setdefault(number, _hash(number, _ON_TABLE, card))
                elif (card := p.departed.get(number)) is not None:
                    total += hashes.setdefault(number, _hash(number, _DEPARTED, card))
        self._touched.clear()
        self._sum = total % _RANGE
        rest = _rest(p), _filled(p, _LATER)
        return blake2b(self._sum.to_bytes(_WIDTH) + _encode_rest(rest), digest_size=8).digest()


def digest(p: Position) -> bytes:
    """Eight bytes that stand for a position."""
    return Digester(p).digest()


# -- which cards an entry touches, asked before it is folded ---------------------------------------


def _all(p: Position, v: Any) -> Iterable[Ref]:
    return (*p.cards, *p.departed)


def _listed(p: Position, v: Any) -> Iterable[Ref]:
    numbers: tuple[int, ...] = v.cards
    return numbers


def _made(p: Position, v: ev.CardsMade) -> Iterable[Ref]:
    return v.cards.value or ()


def _moved(p: Position, v: ev.CardsMoved) -> Iterator[Ref]:
    yield from _with_company(p, v.was.value or ())
    yield from v.now.value or range(p.next_card, p.next_card + v.n)
    if p.heading.mode == "table":  # all that lay there may be mixed up with them
        yield from p.zones.get(v.src, ())


def _with_company(p: Position, numbers: Iterable[int]) -> Iterator[int]:
    """Cards, what they are laid with, and what is laid with them and with that."""
    for number in numbers:
        yield number
        if (card := p.cards.get(number)) is not None:
            if card.host:
                yield card.host
            if card.attached:
                yield from _with_company(p, card.attached)


def _removed(p: Position, v: ev.CardsRemoved) -> Iterable[Ref]:
    return _with_company(p, v.cards)


def _known(p: Position, v: ev.CardsKnown) -> Iterable[Ref]:
    return (number for number, _ in v.cards.value or ())


def _ordered(p: Position, v: ev.CardsOrdered) -> Iterable[Ref]:
    return (*p.zones.get(v.place, ()), *range(v.base, v.base + v.n))


def _attached(p: Position, v: ev.CardsAttached) -> Iterable[Ref]:
    return (v.host, *_with_company(p, v.cards))


def _holders(p: Position, v: ev.CountersMoved) -> Iterable[Ref]:
    return v.src, v.dst


def _subjects(p: Position, v: ev.StatsSet) -> Iterable[Ref]:
    return (subject for subject, _, _ in v.stats.value or ())


def _subject(p: Position, v: ev.Marked) -> Iterable[Ref]:
    return (v.subject,)


def _named(p: Position, v: ev.DecisionMade | ev.Interjected) -> Iterable[Ref]:
    stated = v.stated.value
    return (number for number, _ in stated.names) if stated is not None else ()


def _departed(p: Position, v: ev.TurnBegan) -> Iterable[Ref]:
    return p.departed  # which are forgotten


#: Which cards an event touches, however many more; None: none.
TOUCHED: dict[type[ev.Event], Callable[[Position, Any], Iterable[Ref]] | None] = {
    **dict.fromkeys(
        (
            ev.StepBegan, ev.FrameOpened, ev.FrameClosed, ev.DecisionOpened, ev.OptionsOffered,
            ev.CardsLinked, ev.ModifierBegan, ev.ModifierEnded, ev.EffectTriggered, ev.ActDeclared,
            ev.ActResolving, ev.ActEnded, ev.NotDone, ev.EffectScheduled, ev.ScheduleEnded,
            ev.AttackDeclared, ev.AttackChanged, ev.AttackEnded, ev.DamageDealt, ev.ChanceDrawn,
            iv.ClockSet, iv.Paused, iv.Noted,
        )
    ),
    ev.CardsMade: _made,
    ev.CardsMoved: _moved,
    ev.CardsTurned: _listed,
    ev.CardsKnown: _known,
    ev.CardsOrdered: _ordered,
    ev.CardsControlled: _listed,
    ev.CardsAttached: _attached,
    ev.CardsDefined: _listed,
    ev.CardsRemoved: _removed,
    ev.DepartureBegan: _listed,
    ev.CountersMoved: _holders,
    ev.StatsSet: _subjects,
    ev.Marked: _subject,
    ev.DecisionMade: _named,
    ev.Interjected: _named,
    ev.TurnBegan: _departed,
}  # fmt: skip


def touches_zones(p: Position, v: ev.Event, zones: Collection[str]) -> bool:
    """Whether an event may touch a card that lies in one of these zones, or will; before it folds.

    Without zones, of an event that is not in the table, and of one that is known to touch no card
    but may touch what belongs to some, the answer is yes.
    """
    find = TOUCHED.get(type(v))
    if not zones or find is None:
        return True
    if isinstance(v, ev.CardsMoved):
        return zone_of(v.src) in zones or zone_of(v.dst) in zones
    for number in find(p, v):
        if isinstance(number, int) and number not in p.departed:
            card = p.cards.get(number)
            if card is None or zone_of(card.place) in zones:
                return True
    return False


# -- as bytes -----------------------------------------------------------------------------------


def _hash(number: int, where: bytes, card: Card) -> int:
    data = number.to_bytes(8) + where + _encode_card(card)
    return int.from_bytes(blake2b(data, digest_size=_WIDTH).digest())


def encoder(*types: type[Struct]) -> Callable[[Any], bytes]:
    """An encoder of values with these structs that leaves out later fields at their defaults.

    As long as none of them has grown since 1.0, that is how they are stored.
    """
    if not any(later(each) for each in types):
        return _encode
    return lambda value: _encode(_shortened(value))


def later(type_: type[Struct]) -> tuple[FieldInfo, ...]:
    """The fields that a struct has got since 1.0."""
    return fields(type_)[LAID_OUT.get(type_, 0) :]


def _filled(value: Struct, added: Iterable[FieldInfo]) -> list[tuple[str, Any]]:
    """Those of the later fields of a struct that do not have their defaults, by name."""
    return [
        (field.name, now)
        for field in added
        if (now := getattr(value, field.name)) != _default(field)
    ]


def _default(field: FieldInfo) -> Any:
    return field.default if field.default is not NODEFAULT else field.default_factory()


def _shortened(value: Any) -> Any:
    """A value whose structs are lists of their fields, without later ones at their defaults."""
    if isinstance(value, Struct) and value.__struct_config__.array_like:  # maps leave them out
        first = value.__struct_fields__[: LAID_OUT[type(value)]]
        return _shortened(
            [*(getattr(value, name) for name in first), *_filled(value, later(type(value)))]
        )
    if isinstance(value, dict):
        return {key: _shortened(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_shortened(each) for each in value]
    return value


_LATER = later(Position)
_rest = attrgetter(*(f for f in Position.__struct_fields__[: LAID_OUT[Position]] if f not in APART))
_encode_card = encoder(Card)
_encode_rest = encoder(*(type_ for type_ in LAID_OUT if type_ not in (Card, Position)))
