"""Which cards a text speaks of: filters, groups, conditions.

A game says what the attributes of a card are (`Terms.attribute`), where its zones lie and what else
a text may lean on; matching is the same for all. Asking the players to choose among the members of
a group is in `interpreter`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from domain.effects.language.vocabulary import (
    Clause,
    Condition,
    Effect,
    Filter,
    Group,
    Test,
    comparison,
)
from domain.engine.signals import NameRequired, Play, unknown
from domain.engine.table import Table
from domain.record.position import Pending, Position
from domain.record.values import EVERYONE, Ref

_OPERATORS = {
    "<=": int.__le__, ">=": int.__ge__, "<": int.__lt__, ">": int.__gt__, "!=": int.__ne__,
}  # fmt: skip


#: What a group may name beside zones.
SPECIAL = frozenset({"this", "it", "looked", "cause"})
#: A filter that asks for one of these may mean cards that lie beneath others.
_RIDERS = frozenset({"type", "role"})


class Done(NamedTuple):
    """What became of an instruction: how much was asked (cards, times, points), how much was done.

    What was asked not at all, or comes to nothing, was not done.
    """

    asked: int
    done: int

    @property
    def whole(self) -> bool:
        """Whether it was done to the last bit."""
        return 0 < self.asked <= self.done

    def and_(self, other: Done) -> Done:
        """What became of two of them together."""
        return Done(self.asked + other.asked, self.done + other.done)


NOTHING = Done(0, 0)


class Running:
    """An effect being carried out, and what its words point at.

    `this` is the source, `gone` the card that it has become where its text acts from there, `seat`
    its controller, `it` what was chosen last, `looked` what is being looked at, `cause` the card
    that set it off, `x` what was paid where that was free, `last` what became of the last clause
    and `total` of all so far.
    """

    __slots__ = (
        "act", "cause", "effect", "gone", "it", "last", "looked", "ref", "seat", "this", "total",
        "x",
    )  # fmt: skip

    def __init__(
        self, act: int, ref: str, effect: Effect, this: int, seat: int, cause: Ref
    ) -> None:
        self.act, self.ref, self.effect = act, ref, effect
        self.this, self.seat, self.cause = this, seat, cause
        self.gone = 0
        self.it: list[int] = []
        self.looked: list[int] = []
        self.x = 0
        self.last = Done(1, 1)
        self.total = NOTHING

    def amount(self, clause: Clause) -> int:
        """How much a clause is about."""
        return clause.n * self.x if clause.times else clause.n

    def itself(self, p: Position) -> list[int]:
        """The card that the effect calls itself, as far as it is still there."""
        return [number for number in (self.this, self.gone) if p.present(number)]

    @property
    def text(self) -> str:
        """The citation of the card text."""
        return f"card:{self.ref}"


class Terms(Protocol):
    """What the shared effect code asks of a game."""

    #: words of the shared code to the rules this game cites for them
    words: Mapping[str, tuple[str, ...]]
    #: whether an effect is void as a whole if the first clause that targets finds none (`able`);
    #: else that clause is
    void_whole: bool
    #: whether all targets are named before anything is done, else as clauses are reached
    targets_first: bool
    #: the roles in which a card that is laid with a host lies in no zone (`Manifest.apart`)
    apart: Collection[str]

    def attribute(self, p: Position, number: int, key: str) -> object:
        """A card's attribute for a filter: a figure, a word, several words, or None."""

    def place(self, zone: str, seat: int) -> str:
        """The place that a text means by a zone's name ("" is the usual one)."""

    def lying(self, p: Position, place: str) -> Sequence[int]:
        """The cards of a place that texts may touch and count, bottom to top."""

    def effect(self, p: Position, ref: str) -> Effect:
        """The effect named by `card id/name`, of the cards of the match."""

    def effects(self, p: Position, number: int) -> Sequence[tuple[str, Effect]]:
        """The effects that a card in play has, those it was lent by its riders included."""

    def workplaces(self, p: Position) -> Iterable[int]:
        """The cards whose texts are at work without being asked, in a fixed order."""

    def settle(self, t: Table) -> Play:
        """Carry out whatever the rules do by themselves after something happened.

        That, and what the instructions do (`Texts`), is known to the game on the table alone: its
        later chapters carry out texts, which come back to them.
        """

    def picks_replacement(self, p: Position, subject: Ref) -> int:
        """The seat that picks one of several texts that would replace what befalls a subject."""

    def permits(self, p: Position, run: Running, clause: Clause, number: int) -> bool:
        """Whether a clause means something for a card, filters aside, where it lies and as it is.

        It is asked of every card, before a clause may choose it and before anything is done to it,
        so that an instruction need not ask again.
        """


class Texts(NamedTuple):
    """What carrying texts out comes back to: the later chapters of the game on the table."""

    #: instruction to what carries it out, and returns `Done`; its targets are settled by then
    instructions: Mapping[str, Any]
    #: does whatever the rules do by themselves
    settle: Callable[[Table], Play]
    #: carries out an effect that a keyword stands for, by its name
    keywords: Mapping[str, Callable[[Table, Pending], Play]] = {}
    #: does what is due when no effect waits any more; whether anything was
    at_last: Callable[[Table], Play] | None = None


def passes(value: object, test: Test) -> bool:
    """Whether an attribute's value passes a filter's test."""
    if isinstance(test, list):
        return any(passes(value, one) for one in test)
    if isinstance(value, (list, tuple)):
        return any(passes(one, test) for one in value)
    if isinstance(test, str) and isinstance(value, int) and not isinstance(value, bool):
        compare = comparison(test)
        return compare is not None and _OPERATORS[compare[0]](value, compare[1])
    if isinstance(test, bool):
        return bool(value) == test
    return value == test


def contains(value: object, test: Test) -> bool:
    """Whether a text, or one of several, has the wanted text (or one of those) as a part of it."""
    texts = value if isinstance(value, (list, tuple)) else (value,)
    parts = test if isinstance(test, list) else [test]
    return any(str(part) in str(text) for text in texts for part in parts)


def fits(terms: Terms, p: Position, number: int, wanted: Filter) -> bool:
    """Whether a card matches a filter."""
    return all(
        (contains if key.endswith("-has") else passes)(terms.attribute(p, number, key), test)
        for key, test in wanted.items()
    )


def members(
    terms: Terms, p: Position, group: Group, run: Running, guess: bool = False
) -> list[int]:
    """The cards of a group, in the order they lie, the controller's first.

    With `guess`, a card that nobody has named is taken for one; else `NameRequired` is raised.
    """
    return [
        number
        for number in _candidates(terms, p, group, run)
        if not (group.other and number in (run.this, run.gone))
        and _whose(p, number, group, run)
        and ((guess and _may_be(p, number)) or fits(terms, p, number, group.match))
    ]


def _may_be(p: Position, number: int) -> bool:
    return unknown(p, number) and not p.card(number).defined


def _whose(p: Position, number: int, group: Group, run: Running) -> bool:
    if group.whose == "any":
        return True
    card = p.cards.get(number)
    return card is not None and (card.controller == run.seat) == (group.whose == "yours")


def _candidates(terms: Terms, p: Position, group: Group, run: Running) -> Iterator[int]:
    match group.zone:
        case "this":
            numbers: Sequence[Ref] = run.itself(p)
        case "it":
            numbers = run.it
        case "looked":
            numbers = run.looked
        case "cause":
            numbers = (_since(p, run.cause),)
        case _:
            yield from _in_zones(terms, p, group, run)
            return
    yield from (n for n in numbers if isinstance(n, int) and p.present(n))


def _in_zones(terms: Terms, p: Position, group: Group, run: Running) -> Iterator[int]:
    riders = asks_for_riders(group)
    for place in places(terms, p, group, run.seat):
        for number in terms.lying(p, place)[-group.top :]:
            if number:
                yield number
                yield from _beneath(terms, p, number) if riders else ()


def _beneath(terms: Terms, p: Position, host: int) -> list[int]:
    return [n for n in p.cards[host].attached if p.cards[n].role not in terms.apart]


def _since(p: Position, ref: Ref) -> Ref:
    """A card, or what it became as it left, if all could follow it: the card that was meant."""
    gone = p.departed.get(ref) if isinstance(ref, int) else None
    now = p.cards.get(gone.now) if gone is not None else None
    return gone.now if gone is not None and now is not None and now.follow == EVERYONE else ref


def asks_for_riders(group: Group) -> bool:
    """Whether a group takes in cards that lie beneath others: its filter asks what they are."""
    return not _RIDERS.isdisjoint(group.match)


def places(terms: Terms, p: Position, group: Group, seat: int) -> list[str]:
    """The places a group that names a zone means, those of the seat it is seen from first."""
    rival = p.rival(seat)
    seats = {"yours": [seat], "theirs": [rival]}.get(group.whose, [seat, rival])
    return list(dict.fromkeys(terms.place(group.zone, one) for one in seats))


def holds(terms: Terms, p: Position, condition: Condition, run: Running) -> bool:
    """Whether a condition holds for an effect, now."""
    return _holds(terms, p, condition, run) != condition.unless


def all_hold(terms: Terms, p: Position, conditions: Sequence[Condition], run: Running) -> bool:
    """Whether every one of them holds."""
    return not conditions or all(holds(terms, p, condition, run) for condition in conditions)


def may_hold(terms: Terms, p: Position, conditions: Sequence[Condition], run: Running) -> bool:
    """The same before anything is done: what only an unnamed card could tell may be so."""
    try:
        return all_hold(terms, p, conditions, run)
    except NameRequired:
        return True


def _holds(terms: Terms, p: Position, c: Condition, run: Running) -> bool:
    if c.turn and (p.turn_seat == run.seat) != (c.turn == "yours"):
        return False
    if c.attacking:
        attack = p.attack
        if attack is None or isinstance(attack.declared, str) != (c.attacking == "player"):
            return False
    if c.this and not _last_fits(terms, p, run.this, c.this):
        return False
    if c.it and not (run.it and all(_last_fits(terms, p, n, c.it) for n in run.it)):
        return False
    if c.count is not None:
        return c.least <= len(members(terms, p, c.count, run)) <= c.most
    return True


def _last_fits(terms: Terms, p: Position, number: int, wanted: Filter) -> bool:
    known = number in p.cards or number in p.departed
    return known and fits(terms, p, number, wanted)


def works(terms: Terms, p: Position, number: int, effect: Effect) -> bool:
    """Whether the pairing that an effect asks for stands: with a rider that fits, linked."""
    if effect.paired is not None:
        riders = riding(p, number)
        if not any(fits(terms, p, rider, effect.paired) for rider in riders):
            return False
    return not effect.linked or bool(terms.attribute(p, number, "linked"))


def riding(p: Position, number: int) -> list[int]:
    """The cards laid with a host, or that were when it left."""
    return list(p.card(number).attached)
