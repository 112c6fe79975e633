"""What the instructions do that a game takes up beside those that all games share.

A game lists them among its words (`language.words.FURTHER`) and adds `FURTHER` to what it starts
from (`instructions.SHARED`). Lasting effects and cards that come back at a later time are scheduled
here (`lasting`); what is done then is in the kit (`games.kit.effects.later`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from msgspec.structs import replace

from domain.effects.constant.texts import change_of
from domain.effects.foresight.doable import seats_of
from domain.effects.instructions.shared import (
    SHARED,
    Instruction,
    already,
    change,
    cited,
    lasting_on,
    short,
)
from domain.effects.interpreter import sibling
from domain.effects.language.vocabulary import Clause
from domain.effects.language.words import LASTING
from domain.effects.select import BOUND, Done, Running, Terms
from domain.engine.signals import Chance, Over, Play
from domain.engine.table import Table
from domain.record.events import SeatLost
from domain.record.position import NOBODY, Position, Scheduled
from domain.record.values import EVERYONE, Ref

#: `Modifier.until` of what lasts until something that is scheduled ends it.
LATER = "later"
#: What is scheduled (`EffectScheduled.kind`), beside effects of texts: a lasting effect ends, cards
#: come back from where they went, they go back to who controlled them.
LAPSE, RETURN, REVERT = "lapse", "return", "revert"
#: What is noted of a card of which control has changed for a time: whose it is beneath what is in
#: force, where the first of that has ended; since which entry it is somebody's for good.
UNDER, KEPT = "under", "kept"


class Due(NamedTuple):
    """When something is due: not before a turn, and only in those of a seat, if of one."""

    turn: int
    whose: int


def due(p: Position, c: Clause, seat: int) -> Due:
    """When what a clause says comes, as a player sees it: the next time, or a later one.

    The present turn counts as one of those to come, if it is that player's.
    """
    if c.whose == "its":
        c = replace(c, whose="yours")
    if not c.whose:
        return Due(p.turn + c.nth - 1, NOBODY)
    whose = seat if c.whose == "yours" else p.rival(seat)
    first = p.turn if p.turn_seat == whose else p.turn + 1
    return Due(first + 2 * (c.nth - 1), whose)


def scheduled(c: Clause) -> bool:
    """Whether what a clause starts ends at a time of its own, and not with the next of its kind."""
    return bool(c.whose) or c.nth > 1


def lasting(*times: str) -> Instruction:
    """A lasting effect (`instructions.change`), maybe one until a later time.

    What lasts until one of `times` is scheduled whichever of them it is: games in which players say
    in what order it ends there.
    """

    def instruction(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
        if not scheduled(c) and c.until not in times:
            return (yield from change(t, terms, run, c, numbers))
        asked, targets = lasting_on(t, terms, run, c, numbers)
        cites = cited(terms, run, c.do)
        if targets:
            with t.at_once():
                began = t.modify(run.this, targets, change_of(c, run), LATER, *cites)
                _schedule(t, run, c, LAPSE, *cites, x=began)
        return Done(asked, len(targets))

    return instruction


def _schedule(
    t: Table, run: Running, c: Clause, kind: str, *cites: str, targets: tuple[Ref, ...] = (),
    x: int = 0, effect: str = "", its: int = NOBODY,
) -> None:  # fmt: skip
    when = due(t.pos, c, its if c.whose == "its" else run.seat)
    t.schedule(
        effect or run.ref, run.this, run.seat, c.until, *cites, kind=kind,
        turn=when.turn, whose=when.whose, targets=targets, x=x,
    )  # fmt: skip


def taken(p: Position, number: int) -> list[Scheduled]:
    """The changes of control for a time that are in force on a card, oldest first."""
    jobs = (one for one in p.scheduled.values() if one.kind == REVERT and number in one.targets)
    return [one for one in jobs if not kept(p, number, one)]


def kept(p: Position, number: int, change: Scheduled) -> bool:
    """Whether a card is somebody's for good since control of it has changed for a time."""
    since = p.mark(number, KEPT)
    return isinstance(since, int) and change.cause <= since


def keep(t: Table, numbers: Iterable[int], *cites: str) -> None:
    """Who has cards now keeps them: no change of control so far ends for them any more."""
    for number in numbers:
        if t.pos.present(number) and taken(t.pos, number):
            t.mark(number, KEPT, t.pos.seq, *cites)
            t.mark(number, UNDER, None, *cites)


def for_a_time(instruction: Instruction, kind: str) -> Instruction:
    """The instruction (a move, a change of control), which is undone at a later time if it says.

    Where cards come back to is read from what they were (`Position.departed`), who controlled them
    is noted. Control that changes for good ends what has changed it for a time.
    """

    def temporary(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
        p = t.pos
        had = {number: p.cards[number].controller for number in numbers}
        done: Done = yield from instruction(t, terms, run, c, numbers)
        if kind == REVERT and not c.until:
            ours = [n for n in numbers if p.present(n) and p.cards[n].controller == run.seat]
            keep(t, ours, *cited(terms, run, c.do))
        if c.until and done.done:
            for seat in sorted(set(had.values())):
                some = [number for number in numbers if had[number] == seat]
                went = tuple(
                    now for number in some if (now := p.latest(number)) and t.in_sight(now)
                )
                if kind == REVERT:
                    went = tuple(n for n in went if p.cards[n].controller != seat)
                if went:
                    words = cited(terms, run, c.do)
                    _schedule(t, run, c, kind, *words, targets=went, x=seat, its=seat)
        return done

    return temporary


def turn_over(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    """Cards are turned over, or sideways, or both; those that lie so already are not."""
    seen = [number for number in numbers if t.in_sight(number)]  # what is hidden lies as it does
    turned = t.turn(seen, *cited(terms, run, c.do), up=c.up, orient=c.orient or None)
    return already(t, terms, run, c, numbers, len(turned))
    yield


def place_counters(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    """`n` counters come to each card."""
    n = run.amount(c)
    with t.at_once():
        done = sum(
            bool(t.counters(c.key, n, *cited(terms, run, c.do), dst=number))
            for number in numbers
            if t.in_sight(number)
        )
    return Done(len(numbers), done)
    yield


def take_counters(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    """Up to `n` counters are taken off each card."""
    n, cites = run.amount(c), cited(terms, run, c.do)
    with t.at_once():
        seen = [number for number in numbers if t.in_sight(number)]
        taken = [t.counters(c.key, n, *cites, src=number) for number in seen]
    if sum(taken) < n * len(numbers):
        short(t, terms, run, c, run.this, n * len(numbers), sum(taken))
    return Done(n * len(numbers), sum(taken))
    yield


def reveal(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    """Cards are shown to all, and stay where they are."""
    now = dict(zip(numbers, t.reveal(numbers, "reveal", *cited(terms, run, c.do)), strict=True))
    for meant in (run.it, run.chosen, run.looked):
        meant[:] = [now.get(number, number) for number in meant]
    run.this = now.get(run.this, run.this)
    return Done(len(numbers), len(numbers))
    yield


def roll(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    """A die is rolled, a coin tossed: one of `n` outcomes, from 1 on."""
    n = max(run.amount(c), 2)
    (fell,) = yield Chance(c.key, n, cited(terms, run, c.do), EVERYONE)
    run.rolled = (fell + 1,)
    return Done(1, 1)


def later(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    """Another effect of the card is carried out then, with what was chosen last, and x."""
    about = tuple(number for number in numbers or run.it if t.in_sight(number))
    x = run.x if c.n == 1 and c.per is None else run.amount(c)
    _schedule(t, run, c, "", *cited(terms, run, c.do), targets=about, x=x, effect=sibling(run, c))
    return Done(1, 1)
    yield


def bind(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    """Tie the card and another one to each other: each notes which the other is."""
    cites, here = cited(terms, run, c.do), run.itself(t.pos)
    tied = [number for number in numbers if here and t.in_sight(number)][:1]
    with t.at_once():
        for number in tied:
            t.mark(here[0], BOUND, number, *cites)
            t.mark(number, BOUND, here[0], *cites)
    return Done(len(numbers), len(tied))
    yield


def target(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    """Cards are chosen, and nothing is done to them yet: clauses after it mean what is `chosen`."""
    return Done(len(numbers), len(numbers))
    yield


def nothing(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    """What a card does that is activated for what it does as long as it lies there."""
    return Done(1, 1)
    yield


def count_up(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    """A number is counted: it is x from here on."""
    run.x = run.amount(c)
    return Done(1, 1)
    yield


def defeat(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    """A player loses by what a text says."""
    t.emit(SeatLost(tuple(seats_of(t, run, c)), "text"), *cited(terms, run, c.do))
    raise Over
    yield


FURTHER: dict[str, Instruction] = {
    **dict.fromkeys(LASTING - {"charge"}, lasting()),
    "control": for_a_time(SHARED["control"], REVERT),
    "move": for_a_time(SHARED["move"], RETURN),
    "turn": turn_over,
    "place": place_counters,
    "take": take_counters,
    "reveal": reveal,
    "roll": roll,
    "later": later,
    "defeat": defeat,
    "bind": bind,
    "target": target,
    "nothing": nothing,
}
#: Those that games take up one by one (`language.words.SINGLE`).
SINGLE: dict[str, Instruction] = {"count": count_up, "charge": lasting()}
