"""Instructions that are done to cards: how they lie, where they go, whose they are."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Annotated, Any, ClassVar, Literal

from domain.effects.foresight.doable import lies_there
from domain.effects.instructions.doing import (
    already,
    arrange,
    by_turn,
    cited,
    newly,
    short,
    tokens_and_others,
    with_riders,
)
from domain.effects.language.instruction import (
    Aimed,
    Instruction,
    Lies,
    Numbered,
    OnItself,
    OnItselfNumbered,
    Place,
    Player,
    Returns,
    Time,
)
from domain.effects.language.vocabulary import Choose, Effect, Of, Phrases
from domain.effects.select import BOUND, Done, Running, Terms
from domain.engine.signals import Chance, Play
from domain.engine.table import Table
from domain.record.position import Position
from domain.record.values import EVERYONE
from domain.words.phrases import Phrase, phrase

TokenId = Annotated[str, Of("token")]


class Damage(OnItselfNumbered, tag="damage"):
    """Deals effect damage to each card.

    Each shield that is dealt any is destroyed, and what is more than enough goes nowhere. `to = {
    zone = "shield", whose = "theirs", top = 1 }` hits the top shield. Or with `key = "opponent"`
    and no targets, to a player.
    """

    key: Player = ""

    plain: ClassVar[bool] = True
    example = 'n = 2, to = { zone = "it" }'
    phrases: ClassVar[Phrases] = {
        "": phrase("deal {n} damage to {cards}"),
        "you": phrase("take {n} damage"),
        "opponent": phrase("deal {n} damage to your opponent"),
        "both": phrase("deal {n} damage to each player"),
        "its": phrase("deal {n} damage to its controller"),
    }

    @property
    def on_itself(self) -> bool:
        return not self.key

    def check(self, effect: Effect, words: Any) -> Iterator[Phrase]:
        if bool(self.key) == self.named:
            yield phrase("it is dealt to cards or to a player")
        yield from super().check(effect, words)


class Recover(OnItselfNumbered, tag="recover"):
    """Takes up to `n` damage off each card."""

    key: Annotated[str, Of("player", "returns")] = ""

    plain: ClassVar[bool] = True
    example = 'n = 2, to = { zone = "this" }'
    phrases: ClassVar[Phrases] = {"": phrase("take off up to {n} damage from {cards}")}

    @property
    def on_itself(self) -> bool:
        return not self.key

    def done_already(self, t: Table, terms: Terms, number: int) -> bool:
        return not t.pos.cards[number].counters.get("damage")

    def check(self, effect: Effect, words: Any) -> Iterator[Phrase]:
        if self.key and self.named:
            yield phrase("it is done to cards or to a player")
        yield from super().check(effect, words)


class Destroy(OnItself, tag="destroy"):
    """Destroys the cards, all at once.

    The top shield is `{ zone = "shield", whose = "theirs", top = 1 }`.
    """

    plain: ClassVar[bool] = True
    example = 'to = { zone = "it" }'
    phrases: ClassVar[Phrases] = {"": phrase("destroy {cards}")}


class Rest(OnItself, tag="rest"):
    """Turns cards sideways; to those that lie so already it was not done."""

    plain: ClassVar[bool] = True
    example = 'to = { zone = "it" }'
    phrases: ClassVar[Phrases] = {"": phrase("rest {cards}")}
    #: which of the ways to lie of a card's zone
    _lies: ClassVar[int] = 1

    def done_already(self, t: Table, terms: Terms, number: int) -> bool:
        card = t.pos.cards[number]
        orients = t.manifest.zone(card.place).orients
        return len(orients) < 2 or card.orient == orients[self._lies]

    def carry_out(self, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
        turned = 0
        with t.at_once():
            for lies, alike in groupby(numbers, lambda number: self._orient(t, number)):
                turned += len(t.turn(alike, *cited(terms, run, self.do), orient=lies))
        return already(t, terms, run, self, numbers, turned)
        yield

    def _orient(self, t: Table, number: int) -> str:
        return t.manifest.zone(t.pos.cards[number].place).orients[self._lies]


class Ready(Rest, tag="ready"):
    """Turns cards upright; to those that lie so already it was not done."""

    example = 'to = { zone = "this" }'
    phrases: ClassVar[Phrases] = {"": phrase("ready {cards}")}
    _lies: ClassVar[int] = 0


class Turn(OnItself, tag="turn"):
    """Cards are turned over, or sideways, or both."""

    up: bool | None = None
    orient: Lies = ""

    example = 'up = false, orient = "rested"'
    phrases: ClassVar[Phrases] = {
        "": phrase("turn {cards} over"),
        "orient": phrase("turn {cards} so that they lie {orient}"),
    }

    def carry_out(self, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
        seen = [
            number for number in numbers if t.in_sight(number)
        ]  # what is hidden lies as it does
        words = cited(terms, run, self.do)
        turned = t.turn(seen, *words, up=self.up, orient=self.orient or None)
        return already(t, terms, run, self, numbers, len(turned))
        yield


class Control(OnItself, tag="control"):
    """You become their controller; their owner stays who he is.

    Where players have areas of their own they come to yours, with what lies beneath them, and stay
    the cards they are.
    """

    until: Annotated[str, Of("duration", "returns")] = ""
    whose: Annotated[Time, Returns] = ""
    nth: Annotated[int, Returns] = 1

    plain: ClassVar[bool] = True
    example = 'to = { zone = "it" }'
    phrases: ClassVar[Phrases] = {"": phrase("take control of {cards}")}

    def carry_out(self, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
        others = [number for number in numbers if t.pos.cards[number].controller != run.seat]
        t.control(others, run.seat, *cited(terms, run, "control"))
        return already(t, terms, run, self, numbers, len(others))
        yield


class Move(OnItselfNumbered, tag="move", kw_only=True):
    """Cards go to `place` of their owners, with what lies beneath them.

    `at = "bottom"` of it (else `"top"`); `random = true` in random order (else their owner orders
    them, where order counts); `reveal = true` shows them to all first; `orient` says how they lie.
    From a group whose faces nobody sees (a deck, shields) only the topmost `n` of each player's go,
    1 if left out, or as many as its `top` says.
    """

    place: Place
    at: Literal["top", "bottom"] = "top"
    random: bool = False
    reveal: bool = False
    orient: Lies = ""
    up: Annotated[bool | None, Returns] = None
    until: Annotated[str, Of("duration", "returns")] = ""
    whose: Annotated[Time, Returns] = ""
    nth: Annotated[int, Returns] = 1

    plain: ClassVar[bool] = True
    from_stack: ClassVar[bool] = True
    moves: ClassVar[bool] = True
    sends: ClassVar[bool] = True
    example = 'to = { zone = "it" }, place = "hand"'
    phrases: ClassVar[Phrases] = {
        "": phrase("put {cards} into {place}"),
        "bottom": phrase("put {cards} at the bottom of {place}"),
        "top": phrase("put {cards} on top of {place}"),
    }

    def lies(self, words: Any) -> Collection[str]:
        zone = words.layout.get(self.place)
        return zone.orients if zone is not None else ()

    def done_already(self, t: Table, terms: Terms, number: int) -> bool:
        return lies_there(t, terms, self, number)

    def carry_out(self, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
        return (yield from _move_cards(self, t, terms, run, numbers))


@newly
def _move_cards(c: Move, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """Cards go to a zone of their owners, at one moment, with what is laid with them.

    Several that enter an ordered zone are ordered by their owner, unless chance orders them; the
    turn player first, and before any of them has moved.
    """
    narrow = f"move {c.place}"
    cites = cited(terms, run, narrow if narrow in terms.words else "move")
    whole = with_riders(t.pos, numbers)
    groups = yield from bound(t, terms, run, c, whole, cites)
    mixed = c.random and t.pos.heading.mode == "table"
    with t.at_once():
        for dst, cards in groups.items():
            at = 0 if c.at == "bottom" else None
            orient = c.orient or None
            also = _as_riders(t.pos, terms, cards, whole)
            tokens, rest = tokens_and_others(t.pos, cards) if c.random else ([], cards)
            for some, hide in ((tokens, False), (rest, c.random)):
                t.move(
                    some, dst, "effect", *cites, *also,
                    at=at, hide=hide, orient=orient, mixed=hide and mixed,
                )  # fmt: skip
    run.looked = [number for number in run.looked if number not in numbers]
    run.moved += numbers
    return Done(len(numbers), len(numbers))


def _as_riders(
    p: Position, terms: Terms, cards: Iterable[int], whole: Sequence[int]
) -> tuple[str, ...]:
    """The rules by which some of these cards go as those beneath others do, that go as well."""
    found = [p.cards[number] for number in cards if p.cards[number].host in whole]
    apart = any(card.owner != p.cards[card.host].owner for card in found)
    words = ("riders", "riders of others")[: len(found[:1]) + apart]
    return tuple(rule for word in words for rule in terms.words.get(word, ()))


def bound(
    t: Table, terms: Terms, run: Running, c: Move, numbers: list[int], cites: tuple[str, ...]
) -> Play:
    """Order cards to move: by their destination, in the order in which they arrive."""
    p = t.pos
    if c.reveal:
        t.show(_as_they_lie(p, numbers), EVERYONE, "reveal", *cites)
    if c.random and numbers:
        seen = t.manifest.follow(terms.place(c.place, run.seat)) == EVERYONE  # which lies where
        kind = "order" if seen else "shuffle"
        tokens, rest = tokens_and_others(p, numbers)
        order = yield Chance(kind, len(rest), cited(terms, run, "random"))
        numbers = [*tokens, *([rest[at] for at in order] or rest)]
    groups: dict[str, list[int]] = {}
    for owner in by_turn(p, {p.cards[number].owner for number in numbers}):
        dst = terms.place(c.place, owner)
        cards = [number for number in numbers if p.cards[number].owner == owner]
        if len(cards) > 1 and t.manifest.zone(dst).ordered and not c.random:
            seat = terms.arranger(p, run, owner)
            cards = yield from arrange(t, terms, run, seat, cards, dst)
        for number in cards:  # against the rules, others than his may have been arranged
            groups.setdefault(terms.place(c.place, p.cards[number].owner), []).append(number)
    return groups


def _as_they_lie(p: Position, numbers: Iterable[int]) -> list[int]:
    """Cards that lie by themselves, zone by zone, from the lowest up."""
    found = {number: p.cards[number].place for number in numbers if not p.cards[number].host}
    return sorted(found, key=lambda n: (found[n], p.zones[found[n]].index(n)))


class Deploy(OnItself, tag="deploy"):
    """Puts cards onto the field without paying; `orient` if not as usual."""

    orient: Lies = ""

    plain: ClassVar[bool] = True
    example = 'choose = { of = { zone = "hand", whose = "yours", match = { type = "unit" } }, may = true }'  # noqa: E501
    phrases: ClassVar[Phrases] = {"": phrase("deploy {cards} without paying")}


class Pair(Instruction, tag="pair", kw_only=True):
    """Lays the chosen rider with this card."""

    choose: Choose

    example = 'choose = { of = { zone = "hand", whose = "yours", match = { type = "pilot" } } }'
    phrases: ClassVar[Phrases] = {"": phrase("pair {cards} with this card")}


class Token(Numbered, tag="token", kw_only=True):
    """Places `n` tokens of that id."""

    token: TokenId
    orient: Lies = ""

    plain: ClassVar[bool] = True
    example = 'token = "T-001", n = 2, orient = "rested"'
    phrases: ClassVar[Phrases] = {"": phrase("place {n} × {token}")}


class PlaceCounters(OnItselfNumbered, tag="place", kw_only=True):
    """That many counters of the kind are put on each card."""

    key: Annotated[str, Of("counter")]

    example = 'key = "fuel", n = 2'
    phrases: ClassVar[Phrases] = {"": phrase("put {n} {key} on {cards}")}

    def carry_out(self, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
        n, cites = run.amount(self), cited(terms, run, self.do)
        with t.at_once():
            done = sum(
                bool(t.counters(self.key, n, *cites, dst=number))
                for number in numbers
                if t.in_sight(number)
            )
        return Done(len(numbers), done)
        yield


class TakeCounters(OnItselfNumbered, tag="take", kw_only=True):
    """Up to that many counters of the kind are taken off each card."""

    key: Annotated[str, Of("counter")]

    example = 'key = "fuel", n = 2'
    phrases: ClassVar[Phrases] = {"": phrase("take {n} {key} off {cards}")}

    def carry_out(self, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
        n, cites = run.amount(self), cited(terms, run, self.do)
        with t.at_once():
            seen = [number for number in numbers if t.in_sight(number)]
            taken = [t.counters(self.key, n, *cites, src=number) for number in seen]
        if sum(taken) < n * len(numbers):
            short(t, terms, run, self, run.this, n * len(numbers), sum(taken))
        return Done(n * len(numbers), sum(taken))
        yield


class Reveal(OnItself, tag="reveal"):
    """The cards are shown to everybody."""

    example = 'to = { zone = "it" }'
    phrases: ClassVar[Phrases] = {"": phrase("reveal {cards}")}

    def carry_out(self, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
        shown = t.reveal(numbers, "reveal", *cited(terms, run, self.do))
        now = dict(zip(numbers, shown, strict=True))
        for meant in (run.it, run.chosen, run.looked):
            meant[:] = [now.get(number, number) for number in meant]
        run.this = now.get(run.this, run.this)
        return Done(len(numbers), len(numbers))
        yield


class Bind(Aimed, tag="bind"):
    """Ties the two cards to each other: each is the other's `bound`."""

    example = 'to = { zone = "it" }'
    phrases: ClassVar[Phrases] = {"": phrase("tie {cards} to this card")}

    def carry_out(self, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
        cites, here = cited(terms, run, self.do), run.itself(t.pos)
        tied = [number for number in numbers if here and t.in_sight(number)][:1]
        with t.at_once():
            for number in tied:
                t.mark(here[0], BOUND, number, *cites)
                t.mark(number, BOUND, here[0], *cites)
        return Done(len(numbers), len(tied))
        yield


class Target(Instruction, tag="target", kw_only=True):
    """Cards are chosen, others than before; a later clause acts on all that are `chosen`."""

    choose: Choose

    anew: ClassVar[bool] = True
    example = 'choose = { of = { zone = "battle" } }'
    ruled: ClassVar[bool] = False
    phrases: ClassVar[Phrases] = {"": phrase("choose {cards}")}

    def carry_out(self, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
        return Done(len(numbers), len(numbers))
        yield
