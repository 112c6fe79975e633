"""Which cards a text speaks of: filters and groups.

A game says what the attributes of a card are (`Terms.attribute`), where its zones lie and what else
a text may lean on; matching is the same for all. What is counted of them is in `amounts`, what must
hold in `conditions`. Asking the players to choose among the members of a group is in `interpreter`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from msgspec import Struct

from domain.effects.language.vocabulary import (
    Clause,
    Effect,
    Filter,
    Group,
    Like,
    Test,
    comparison,
)
from domain.engine.signals import Play, unknown
from domain.engine.table import Table
from domain.record.position import Pending, Position, seat_of
from domain.record.values import EVERYONE, Ref

_OPERATORS = {
    "<=": int.__le__, ">=": int.__ge__, "<": int.__lt__, ">": int.__gt__, "!=": int.__ne__,
}  # fmt: skip


#: What a group may name beside zones, in any game.
ALWAYS = frozenset({"this", "it", "looked", "cause"})
#: All that an effect has chosen so far, and what its last clause that moved cards has moved, where
#: a game's texts speak of it.
CHOSEN, MOVED = "chosen", "moved"
#: From or towards whom what has set a text off came: who dealt the damage, what was destroyed.
AGAINST = "against"
#: And where a game's texts speak of it (`Words.speaks`): the card that attacks, the one attacked,
#: the one that this card fights; the card that is answered; the card that this one is laid with or
#: belongs to, and those that belong to this one; the card that it was tied to (`bind`); of what
#: lasts, cards wherever they lie.
FURTHER = frozenset(
    {"attacker", "attacked", "foe", "answered", "host", "links", "bound", "anywhere"}
)
#: Those of them that fight.
FIGHTING = frozenset({"attacker", "attacked", "foe"})
#: The zone that stands for players themselves, where a lasting effect is about them.
PLAYER = "player"
#: A test of a number that stands for x, or compares with it.
X = re.compile(r"(<=|>=|<|>|!=|)x")
#: A test of a number by the same number of another card: of this one, of the last choice.
COMPARED_WITH = re.compile(r"(<=|>=|<|>)(this|it|cause|against|host)")
#: What two cards that were tied to each other have noted: the other one.
BOUND = "bound"
SPECIAL = ALWAYS | FURTHER | {CHOSEN, MOVED, AGAINST}
#: A filter that asks for one of these may mean cards that lie beneath others.
_RIDERS = frozenset({"type", "role"})


class Done(NamedTuple):
    """The result of an instruction: how much was asked (cards, times, points), how much was done.

    An instruction that asks nothing, or achieves nothing, was not done.
    """

    asked: int
    done: int

    @property
    def whole(self) -> bool:
        """Whether it was done completely."""
        return 0 < self.asked <= self.done

    def and_(self, other: Done) -> Done:
        """The result of two of them together."""
        return Done(self.asked + other.asked, self.done + other.done)


NOTHING = Done(0, 0)


class Exact(NamedTuple):
    """What an edition of a book has that says exactly what a target is, and what its joints mean.

    Cards of these `zones` are targets, of which a text needs as many as it chooses; it has to find
    those of its first part, which ends where `then` or another word joins the next one to it. What
    `if so` joins needs all before it in full, by the rules `unresolved`.
    """

    zones: Collection[str]
    unresolved: tuple[str, ...]


class Running(Struct, eq=False):
    """An effect being carried out, and what its words point at.

    `this` is the source, `gone` the card that it has become where its text acts from there, `seat`
    its controller, `it` what was chosen last, `chosen` all that was, `looked` what is being looked
    at, `moved` what the last clause that moves cards has moved, `cause` the card that set it off,
    `against` the other card in that, `x` what was paid where that was free, or how much it was,
    `last` what became of the last clause and `total` of all so far. `shares` is how much of that
    each player did, `per` how many times over each of them does the next (`amounts.count`),
    `rolled` what was rolled last, `playing` the card that its player is about to play, `began` the
    moment at which it began to be carried out. `resolved`: whether the part before the next joint
    (`Exact`) was carried out in full; None if it is passed over. `ahead` is a clause that has
    to find other cards than those that are chosen now.
    """

    act: int
    ref: str
    effect: Effect
    this: int
    seat: int
    cause: Ref
    gone: int = 0
    it: list[int] = []
    chosen: list[int] = []
    looked: list[int] = []
    moved: list[int] = []
    x: int = 0
    last: Done = Done(1, 1)
    total: Done = NOTHING
    shares: Mapping[int, int] = {}
    per: Mapping[int, int] = {}
    rolled: Sequence[int] = ()
    playing: int = 0
    began: int = 0
    resolved: bool | None = True
    ahead: Clause | None = None
    against: Ref = 0

    def amount(self, clause: Clause, seat: int | None = None) -> int:
        """How much a clause is about; for a seat, where it is about more than one of them."""
        n = clause.n * self.x if clause.times else clause.n
        return n * self.per.get(self.seat if seat is None else seat, 1)

    def itself(self, p: Position) -> list[int]:
        """The card that the effect calls itself, if it is still there."""
        return [number for number in (self.this, self.gone) if p.present(number)]

    @property
    def text(self) -> str:
        """The citation of the card text."""
        return f"card:{self.ref}"


class Terms(Protocol):
    """The questions of the shared effect code to a game."""

    #: words of the shared code to the rules this game cites for them
    words: Mapping[str, tuple[str, ...]]
    #: whether an effect is void as a whole if the first clause that targets finds none (`able`);
    #: else that clause is
    void_whole: bool
    #: whether all targets are named before anything is done, else as clauses are reached
    targets_first: bool
    #: the roles in which a card that is laid with a host lies in no zone (`Manifest.apart`)
    apart: Collection[str]
    #: the kinds of texts that trigger, and are activated, also if their card has lost them: they do
    #: nothing when they are carried out (`silence`)
    still: Collection[str]
    #: whether who chooses by what cards are that others do not see may say that none fits; he is
    #: not asked where there are none
    in_private: bool = False
    #: groups beside zones whose cards are targets that can be named in advance
    named: Collection[str] = ()
    #: words for several zones at once
    wide: Mapping[str, tuple[str, ...]] = MappingProxyType({})

    def attribute(self, p: Position, number: int, key: str) -> object:
        """A card's attribute for a filter: a figure, a word, several words, or None."""

    def hides(self, p: Position, number: int) -> bool:
        """Whether no text may ask what a card is that lies so, so that nobody need name it."""

    def targets(self, p: Position) -> Exact | None:
        """What this edition says exactly of targets; None: one of them is enough, from anywhere."""

    def step(self, p: Position) -> str:
        """The present step of the turn, under anything that came in between."""
        return p.step

    def fighting(self, p: Position) -> Sequence[Ref]:
        """Who attacks and who is attacked, or has stepped in; empty if nobody fights."""
        return attacking(p)

    def attacked(self, p: Position) -> Ref | None:
        """The target of the attack in progress that texts ask for, None if there is none."""

    def place(self, zone: str, seat: int) -> str:
        """The place that a text means by a zone's name ("" is the usual one)."""

    def lying(self, p: Position, place: str) -> Sequence[int]:
        """The cards of a place that texts may touch and count, bottom to top."""

    def held(self, p: Position, seat: int, counter: str) -> int:
        """How many counters of a kind, or what goes by that word, a player has."""
        return p.counters(f"seat/{seat}", counter)

    def effect(self, p: Position, ref: str) -> Effect:
        """The effect named by `card id/name`, of the cards of the match."""

    def effects(self, p: Position, number: int) -> Sequence[tuple[str, Effect]]:
        """The effects that a card in play has, those it was lent by its riders included."""

    def workplaces(self, p: Position) -> Iterable[int]:
        """The cards whose texts are at work without being asked, in a fixed order."""

    def settle(self, t: Table) -> Play:
        """Carry out the rules that act by themselves after an event.

        That, and what the instructions do (`Texts`), is known to the game on the table alone: its
        later chapters carry out texts, which come back to them.
        """

    def pause(self, t: Table, run: Running) -> Play:
        """Carry out what an effect has set off so far, where its next part waits for that."""

    def arranger(self, p: Position, run: Running, owner: int) -> int:
        """The seat that puts cards of an owner in order which an effect brings to one zone."""

    def picks_replacement(self, p: Position, subject: Ref) -> int:
        """The seat that picks one of several texts that would replace what befalls a subject."""

    def permits(self, p: Position, run: Running, clause: Clause, number: int) -> bool:
        """Whether a clause means something for a card, filters aside, where it lies and as it is.

        It is asked of every card, before a clause may choose it and before anything is done to it,
        so that an instruction need not ask again.
        """

    def unaffected(self, p: Position, number: int, by: Ref, do: str = "") -> bool:
        """Whether a card is beyond the effects of another one, which may aim at it all the same.

        `do`: the instruction that would be done to it; none: what lasts.
        """


class Texts(NamedTuple):
    """The functions of the game's later chapters that carrying texts out needs."""

    #: instruction to what carries it out, and returns `Done`; its targets are settled by then
    instructions: Mapping[str, Any]
    #: carries out the rules that act by themselves
    settle: Callable[[Table], Play]
    #: carries out an effect that a keyword stands for, by its name
    keywords: Mapping[str, Callable[[Table, Pending], Play]] = {}
    #: does what is due when no effect waits any more; whether anything was
    at_last: Callable[[Table], Play] | None = None
    #: instruction to whether there is as much as it asks for, of what is not its targets: they are
    #: given it, and it is asked where a clause is to be done wholly or not at all
    enough: Mapping[str, Callable[[Position, Running, Any, list[int]], bool]] = {}


def passes(value: object, test: Test) -> bool:
    """Whether an attribute's value passes a filter's test."""
    if isinstance(test, list):
        return any(passes(value, one) for one in test)
    if isinstance(test, str) and test.startswith("!=") and comparison(test) is None:
        return not passes(value, test.removeprefix("!="))
    if isinstance(value, (list, tuple)):
        return any(passes(one, test) for one in value)
    if isinstance(test, str) and isinstance(value, int) and not isinstance(value, bool):
        compare = comparison(test)
        return compare is not None and _OPERATORS[compare[0]](value, compare[1])
    if isinstance(test, bool):
        return bool(value) == test
    return value == test


def contains(value: object, test: Test) -> bool:
    """Whether a text, or one of several, has the wanted text (or one of those) as a part of it.

    `"!=Tide"`: none of them has.
    """
    if isinstance(test, str) and test.startswith("!="):
        return not contains(value, test.removeprefix("!="))
    texts = value if isinstance(value, (list, tuple)) else (value,)
    parts = test if isinstance(test, list) else [test]
    return any(str(part) in str(text) for text in texts for part in parts)


def fits(terms: Terms, p: Position, number: int, wanted: Filter) -> bool:
    """Whether a card matches a filter."""
    for key, test in wanted.items():
        met = contains if key.endswith("-has") else passes
        if not met(terms.attribute(p, number, key), test):
            return False
    return True


def members(
    terms: Terms, p: Position, group: Group, run: Running, guess: bool = False
) -> list[int]:
    """The cards of a group, in the order they lie, the controller's first.

    With `guess`, a card that nobody has named is taken for one; else `NameRequired` is raised.
    """
    wanted, like = resolved(terms, p, group.match, run), group.like
    alike = None if like is None else values(terms, p, like.key, meant(terms, p, like.of, run))
    found = [
        number
        for number in _candidates(terms, p, group, run)
        if not (group.other and number in (run.this, run.gone))
        and _whose(p, number, group, run)
        and (
            (guess and not terms.hides(p, number) and _may_be(p, number, wanted))
            or (
                fits(terms, p, number, wanted)
                and (like is None or shares(terms, p, number, like, alike or ()) != like.unless)
            )
        )
    ]
    if group.most or group.least:
        found = _extreme(terms, p, group, found)
    if group.besides is None:
        return found
    return list(dict.fromkeys((*found, *members(terms, p, group.besides, run, guess))))


def _extreme(terms: Terms, p: Position, group: Group, found: Sequence[int]) -> list[int]:
    """Those of some cards that have the most, or the least, of a number."""
    numbers = {n: terms.attribute(p, n, group.most or group.least) for n in found}
    had = {n: value for n, value in numbers.items() if isinstance(value, int)}
    wanted = (max if group.most else min)(had.values(), default=0)
    return [n for n, value in had.items() if value == wanted]


def meant(terms: Terms, p: Position, group: Group, run: Running) -> list[int]:
    """The cards of a group, and those chosen or to blame that are gone, as they last were."""
    refs: Mapping[str, Sequence[Ref]]
    refs = {"it": run.it, "cause": [run.cause], "this": [run.this], AGAINST: [run.against]}
    left = [
        n
        for n in refs.get(group.zone, ())
        if isinstance(n, int) and not p.present(n) and n in p.departed
    ]
    wanted = resolved(terms, p, group.match, run)
    here = members(terms, p, group, run)
    became = {p.departed[n].now for n in left}
    return [
        *(n for n in here if n not in became),
        *(n for n in left if fits(terms, p, n, wanted)),
    ]


def values(terms: Terms, p: Position, key: str, numbers: Iterable[int]) -> set[object]:
    """The values of an attribute of some cards: each of several on one card counts."""
    found: set[object] = set()
    for number in numbers:
        found.update(_several(terms.attribute(p, number, key)))
    return found - {None}


def _several(value: object) -> Iterable[object]:
    return value if isinstance(value, (list, tuple)) else (value,)


def shares(terms: Terms, p: Position, number: int, like: Like, alike: Collection[object]) -> bool:
    """Whether a card has one of these values of an attribute."""
    return not values(terms, p, like.key, (number,)).isdisjoint(alike)


def resolved(terms: Terms, p: Position, wanted: Filter, run: Running) -> Filter:
    """A filter in which numbers stand for x, and for those of other cards that it names."""
    if not any(isinstance(test, str) and _stands_for(test) for test in wanted.values()):
        return wanted
    return {key: _resolved(terms, p, key, test, run) for key, test in wanted.items()}


@lru_cache(maxsize=1024)
def _stands_for(test: str) -> re.Match[str] | None:
    """What a test is that names no number: X, or the number of another card."""
    return X.fullmatch(test) or COMPARED_WITH.fullmatch(test)


def _resolved(terms: Terms, p: Position, key: str, test: Test, run: Running) -> Test:
    """Of several cards that a number is compared with, the highest counts; without any none fits.

    A card that is gone counts as it last was.
    """
    found = _stands_for(test) if isinstance(test, str) else None
    if found is None:
        return test
    if found.re is X:
        return f"{found[1]}{run.x}" if found[1] else run.x
    had = (terms.attribute(p, n, key) for n in meant(terms, p, Group(zone=found[2]), run))
    highest = max((n for n in had if isinstance(n, int)), default=None)
    return [] if highest is None else f"{found[1]}{highest}"


def compared_with(wanted: Filter) -> Iterator[str]:
    """The other cards by whose numbers a filter tests."""
    for test in wanted.values():
        found = COMPARED_WITH.fullmatch(test) if isinstance(test, str) else None
        if found:
            yield found[2]


def _may_be(p: Position, number: int, wanted: Filter) -> bool:
    """Whether a card that nobody has named may be what is wanted: how it lies all can see."""
    card = p.card(number)
    return unknown(p, number) and not card.defined and wanted.get("up", card.up) == card.up


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
        case "chosen":
            numbers = run.chosen
        case "moved":
            numbers = [one for one in _now(p, run.moved) if p.cards[one].seen == EVERYONE]
        case "cause":
            numbers = (_since(p, run.cause),)
        case "against":
            numbers = (run.against,)
        case "answered":
            act = answered(p, run)
            numbers = () if act is None else (_since(p, act.source),)
        case "attacker" | "attacked" | "foe" | "host" | "links" | "bound" | "anywhere":
            numbers = [_since(p, one) for one in related(terms, p, group.zone, run.this)]
        case _:
            yield from _in_zones(terms, p, group, run)
            return
    yield from (n for n in numbers if isinstance(n, int) and p.present(n) and _shown(p, group, n))


def _shown(p: Position, group: Group, number: int) -> bool:
    """Whether a card may be of a group that fights: one that nobody has seen passes no filter."""
    return group.zone not in FIGHTING or not group.match or bool(p.cards[number].seen)


def _in_zones(terms: Terms, p: Position, group: Group, run: Running) -> Iterator[int]:
    riders = asks_for_riders(group)
    for stack in stacks(terms, p, group, run.seat):
        lying = [number for place in stack for number in terms.lying(p, place)]
        for number in lying[-group.top :]:
            if number:
                yield number
                yield from _beneath(terms, p, number) if riders else ()


def _beneath(terms: Terms, p: Position, host: int) -> list[int]:
    return [n for n in p.cards[host].attached if p.cards[n].role not in terms.apart]


def attacking(p: Position) -> Sequence[Ref]:
    """The attacker, and whom the attack is on."""
    attack = p.attack
    return () if attack is None else (attack.attacker, attack.defender or attack.target)


def related(terms: Terms, p: Position, what: str, this: Ref) -> Sequence[Ref]:
    """The cards that fight, or that belong to this one or it to them."""
    known = isinstance(this, int) and (this in p.cards or this in p.departed)
    if what == "bound":
        tied = p.mark(this, BOUND) if known else None
        return (tied,) if isinstance(tied, int) else ()
    if what == "host":
        link = p.links.get(this) if isinstance(this, int) else None
        laid = p.cards[this].host if isinstance(this, int) and this in p.cards else 0
        return (laid,) if laid else () if link is None else (link.host,)
    if what == "links":
        laid_with = p.card(this).attached if isinstance(this, int) and known else ()
        return (*laid_with, *(p.linked(this) if isinstance(this, int) else ()))
    fight = terms.fighting(p)
    if not fight:
        return ()
    attacker, defends = fight
    if what == "foe":
        foes = {attacker: defends, defends: attacker}
        return tuple(foe for one, foe in foes.items() if this == one or _became(p, one) == this)
    return (attacker,) if what == "attacker" else (defends,)


def _became(p: Position, ref: Ref) -> Ref:
    """The card that one has become which left: its texts may act from there."""
    gone = p.departed.get(ref) if isinstance(ref, int) else None
    return gone.now if gone is not None else ref


def answered(p: Position, run: Running) -> Pending | None:
    """The act that is answered: the last that was declared before this one, and waits."""
    waiting = [act for act in p.declared() if not run.act or act.id < run.act]
    return waiting[-1] if waiting else None


def _since(p: Position, ref: Ref) -> Ref:
    """A card, or what it became as it left, if all could follow it: the card that was meant."""
    gone = p.departed.get(ref) if isinstance(ref, int) else None
    now = p.cards.get(gone.now) if gone is not None else None
    return gone.now if gone is not None and now is not None and now.follow == EVERYONE else ref


def _now(p: Position, numbers: Iterable[int]) -> Iterator[int]:
    """Those cards, or what they became, that everybody could follow."""
    return (n for n in (_since(p, one) for one in numbers) if isinstance(n, int) and p.present(n))


def asks_for_riders(group: Group) -> bool:
    """Whether a group takes in cards that lie beneath others: its filter asks what they are."""
    return not _RIDERS.isdisjoint(group.match)


def places(terms: Terms, p: Position, group: Group, seat: int) -> list[str]:
    """The places a group that names a zone means, those of the seat it is seen from first.

    What it takes in besides is not among them.
    """
    rival = p.rival(seat)
    seats = {"yours": [seat], "theirs": [rival]}.get(group.whose, [seat, rival])
    zones = zones_of(terms, group)
    return list(dict.fromkeys(terms.place(zone, one) for one in seats for zone in zones))


def stacks(terms: Terms, p: Position, group: Group, seat: int) -> list[list[str]]:
    """The places of a group in which `top` counts together, lowest first: those of a wide zone.

    The zone that its word names first is the uppermost.
    """
    there = places(terms, p, group, seat)
    if not group.top or len(zones_of(terms, group)) == 1:
        return [[place] for place in there]
    seats = dict.fromkeys(map(seat_of, there))
    return [[place for place in reversed(there) if seat_of(place) == one] for one in seats]


def zones_of(terms: Terms, group: Group) -> tuple[str, ...]:
    """The zones that a group means by its word for one."""
    return terms.wide.get(group.zone, (group.zone,))


def place_meant(clause: Clause) -> bool:
    """Whether a clause speaks of a place, newcomers included, and not of the cards in it."""
    group = clause.to
    return (
        clause.lasts
        and group is not None
        and group.zone not in SPECIAL
        and (group.whose != "any" or group.zone == PLAYER)
        and not any((group.match, group.other, group.top, group.like, group.besides))
        and not (group.most or group.least)
    )


def sibling(run: Running, clause: Clause) -> str:
    """The other effect of the same card that a clause speaks of."""
    return f"{run.ref.partition('/')[0]}/{clause.effect}"


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
