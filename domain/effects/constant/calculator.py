"""The calculator: figures from the modifiers in force, for every game.

`numbers` works out the numbers of a card from its print and the modifiers that act on it, in a
fixed order; `barring` and `permitting` find what forbids or allows an act. It reads the position
and changes nothing. Which texts a card has lost is in `silence`; which constant ones are in force,
and whether those that depend on each other's numbers settle, in `constant`; other rules for numbers
(a lower limit, a name) are the game's own.

A `Change` says what is done to a number. Its operation is one of

- `add` n, `set` n, `multiply` by n or by a fraction ("1/2"), `swap` with another number of the card
- `lose`: the card has none of it; what it gains afterwards it has

maybe after the name of a layer: `original set`. Layers are worked out one after the other
(`LAYERS`), and within a layer what began first comes first: so later changes win over earlier ones,
and an addition that came before a multiplication is multiplied. What is done to the *original*
value comes first of all, whenever it began; *late* and *last* changes wait for all others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, MutableMapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor
from typing import Literal

from domain.effects.language.vocabulary import Effect, Group
from domain.effects.select import (
    FIGHTING,
    FURTHER,
    Running,
    Terms,
    asks_for_riders,
    fits,
    members,
    related,
    resolved,
    shares,
    values,
    zones_of,
)
from domain.record.position import Modifier, Position
from domain.record.values import NEXT, Change, Ref, Value
from domain.words.phrases import phrase

#: `Modifier.until` of what lasts as long as its text holds.
CONSTANT = "constant"
#: The layers of a number, in the order in which they are worked out; "" is the usual one.
LAYERS = ("original", "", "late", "last")
LATE_LAYERS = LAYERS[2:]
#: What can be done to a number.
OPERATIONS = frozenset({"add", "set", "multiply", "swap", "lose"})
#: What a card has that can be lost as a whole and is no number: its texts (`silence`).
TEXTS = "texts"

Rounding = Literal["down", "up"]


# -- numbers ---------------------------------------------------------------------------------------


def numbers(
    base: Mapping[str, int], changes: Iterable[Change], rounding: Rounding = "down"
) -> dict[str, int]:
    """The numbers that changes, in order of time, make of those a card has to begin with.

    A number that it does not have counts as 0. Nothing is cut off: what is below 0 is the game's
    to read. `rounding` is where a fraction of a number goes.
    """
    sums = dict(base)
    for change in sorted(changes, key=_layer):
        _apply(sums, change, rounding)
    return sums


def operation(change: Change) -> str:
    """The operation of a change without its layer: `set` for `original set`."""
    return change.op.rpartition(" ")[2]


def _layer(change: Change) -> int:
    return LAYERS.index(change.op.rpartition(" ")[0])


def _apply(sums: MutableMapping[str, int], change: Change, rounding: Rounding) -> None:
    key, value, now = change.key, change.value, sums.get(change.key, 0)
    match operation(change):
        case "lose":
            sums.pop(key, None)
        case "add" if isinstance(value, int):
            sums[key] = now + value
        case "multiply":
            sums[key] = (floor if rounding == "down" else ceil)(now * factor(value))
        case "swap":
            sums[key], sums[str(value)] = sums.get(str(value), 0), now
        case _:  # a keyword that is there or not is had once, however often it is given
            sums[key] = value if isinstance(value, int) else True


def factor(value: Value) -> Fraction:
    """The factor of a number: `2`, `"1/2"`; raises `ValueError` if it is neither."""
    if value is None or isinstance(value, bool):
        raise ValueError(phrase("nothing is multiplied by {value!r}", value=value))
    try:
        return Fraction(value)
    except ZeroDivisionError:
        raise ValueError(phrase("nothing is multiplied by {value!r}", value=value)) from None


def numeric(
    game: Terms,
    p: Position,
    number: int,
    keys: Collection[str] | None = None,
    among: Sequence[Modifier] | None = None,
) -> list[Modifier]:
    """The modifiers that act on a card's numbers, those of `keys` alone if given, oldest first.

    `among`: what `counting` has found, where several cards are asked for.
    """
    return [
        modifier
        for modifier in (counting(p) if among is None else among)
        if (keys is None or modifier.change.key in keys) and applies(game, p, modifier, number)
    ]


def counting(p: Position) -> list[Modifier]:
    """The modifiers that change numbers, oldest first."""
    if not p.modifiers:
        return []
    return [modifier for modifier in p.modifiers.values() if _counts(modifier.change)]


@lru_cache(maxsize=1024)
def _counts(change: Change) -> bool:
    """Whether a change is one of numbers."""
    return operation(change) in OPERATIONS and change.key != TEXTS


# -- what a modifier acts on -----------------------------------------------------------------------


def applies(game: Terms, p: Position, modifier: Modifier, number: int) -> bool:
    """Whether a modifier acts on a card: by name, by its place, or by its scope's filter.

    None does that comes from a card by which this one is unaffected.
    """
    return _reached(game, p, modifier, number) and not game.unaffected(p, number, modifier.source)


def _reached(game: Terms, p: Position, modifier: Modifier, number: int) -> bool:
    if number in modifier.targets or p.cards[number].place in modifier.targets:
        return True
    group, source = modifier.scope, modifier.source
    if group is None:
        return False
    if not isinstance(source, int) or not p.present(source):
        return False
    return in_group(game, p, group, number, p.cards[source].controller, source)


def in_group(game: Terms, p: Position, group: Group, number: int, seat: int, this: Ref = 0) -> bool:
    """Whether a card belongs to a group, seen from a seat."""
    if group.besides is not None and in_group(game, p, group.besides, number, seat, this):
        return True
    card = p.cards[number]
    if group.zone in FURTHER:
        if group.zone != "anywhere" and number not in related(game, p, group.zone, this):
            return False
        if group.zone in FIGHTING and group.match and not card.seen:
            return False
    elif not _lies_in(game, p, group, number):
        return False
    if group.whose != "any" and (card.controller == seat) != (group.whose == "yours"):
        return False
    if group.other and number == this:
        return False
    run = Running(0, "", _LASTS, this if isinstance(this, int) else 0, seat, 0)
    if not fits(game, p, number, resolved(game, p, group.match, run)):
        return False
    if (group.most or group.least) and number not in members(game, p, group, run):
        return False
    if group.like is None:
        return True
    alike = values(game, p, group.like.key, members(game, p, group.like.of, run))
    return shares(game, p, number, group.like, alike) != group.like.unless


def _lies_in(game: Terms, p: Position, group: Group, number: int) -> bool:
    """Whether a card lies in a zone of a group; one below another if its filter may mean those."""
    card = p.cards[number]
    if card.host and (card.role in game.apart or not asks_for_riders(group)):
        return False
    return card.place in (game.place(zone, card.controller) for zone in zones_of(game, group))


#: The kinds of lasting effects, as far as filters use them.
_LASTS = Effect(kind="constant", name="lasting")


# -- what is forbidden, allowed --------------------------------------------------------------------


def barred(game: Terms, p: Position, number: int, act: str, other: int = 0) -> bool:
    """Whether a "cannot" in force stops an act of this card, or one done to it by another."""
    return bool(p.modifiers) and next(barring(game, p, number, act, other), None) is not None


def barring(game: Terms, p: Position, number: int, act: str, other: int = 0) -> Iterator[Modifier]:
    """Each "cannot" in force that stops an act of this card, or one done to it by another."""
    return _acting(game, p, number, "forbid", act, other)


def allowed(game: Terms, p: Position, number: int, act: str, other: int) -> bool:
    """Whether a text allows what the rules would not."""
    return bool(p.modifiers) and next(permitting(game, p, number, act, other), None) is not None


def permitting(
    game: Terms, p: Position, number: int, act: str, other: int = 0
) -> Iterator[Modifier]:
    """Each text in force that allows an act of this card, or one done to another."""
    return _acting(game, p, number, "allow", act, other)


def reducing(game: Terms, p: Position, number: int, act: str, other: int = 0) -> Iterator[Modifier]:
    """Each text in force that lowers what is done to a card by another, such as damage.

    Those for the next time alone (`NEXT`) come last.
    """
    for op in ("reduce", NEXT):
        yield from _acting(game, p, number, op, act, other)


def obliging(game: Terms, p: Position, number: int, act: str, other: int) -> list[Modifier]:
    """The texts in force by which another card is to do this to a card rather than to others."""
    return [*_acting(game, p, number, "oblige", act, other)]


def diverting(
    game: Terms, p: Position, number: int, act: str, other: int = 0
) -> Iterator[Modifier]:
    """Each text in force by which another card takes what is done to this one."""
    return _acting(game, p, number, "divert", act, other)


def redirecting(game: Terms, p: Position, number: int, zone: str) -> Modifier | None:
    """The text in force by which a card that would go to a zone goes elsewhere: the latest.

    One whose own card goes is not in force for that.
    """
    found = None
    for modifier in p.modifiers.values():
        change = modifier.change
        meant = change.op == "redirect" and change.key == zone
        if meant and modifier.source != number and applies(game, p, modifier, number):
            found = modifier
    return found


def texts(modifiers: Iterable[Modifier]) -> list[str]:
    """The card texts that lasting effects come from, to be cited."""
    return list(dict.fromkeys(modifier.text for modifier in modifiers if modifier.text))


def _acting(
    game: Terms, p: Position, number: int, op: str, act: str, other: int
) -> Iterator[Modifier]:
    for modifier in p.modifiers.values():
        change = modifier.change
        meant = change.op == op and change.key == act and applies(game, p, modifier, number)
        if meant and towards(game, p, change, number, other, modifier.source):
            yield modifier


def towards(
    game: Terms, p: Position, change: Change, number: int, other: int, source: Ref = 0
) -> bool:
    """Whether a prohibition or permission of a card concerns another one, as its text says.

    `source` is the card of that text.
    """
    if change.against is None:
        return True
    if change.against.other and other == number:
        return False
    return towards_card(game, p, change, p.cards[number].controller, other, source)


def towards_card(
    game: Terms, p: Position, change: Change, seat: int, other: int, source: Ref = 0
) -> bool:
    """The same, of what a player may not."""
    group = change.against or Group()
    if not (p.present(other) or other in p.departed):
        return False
    if group.whose != "any" and (p.card(other).controller == seat) != (group.whose == "yours"):
        return False
    run = Running(0, "", _LASTS, source if isinstance(source, int) else 0, seat, 0)
    return fits(game, p, other, resolved(game, p, group.match, run))
