"""Instructions of card texts that all books have and each carries out in its own way.

The common parts are here: targets, one moment, the records of too little, how much was asked and
done. What one of them does to a card or a player is the game's. Those that are the same down to
that are in `domain.effects.instructions`.
"""

from __future__ import annotations

from collections.abc import Callable

from domain.effects.foresight.doable import seats_of
from domain.effects.instructions.doing import short
from domain.effects.language.instruction import Run
from domain.effects.language.vocabulary import Clause
from domain.effects.select import NOTHING, Done, Running, Terms
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.record.position import Position

#: Does so much to a card; whether it was done.
ToCard = Callable[[Table, Running, int, int], object]
#: Does so much to players; returns the result.
ToPlayers = Callable[[Table, Running, list[int], int], Play]


def each(do: ToCard) -> Run:
    """It is done to one card after the other, at one moment."""

    def instruction(c: Clause, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
        n = run.amount(c)
        with t.at_once():
            done = sum(bool(do(t, run, number, n)) for number in numbers)
        return Done(len(numbers), done)
        yield  # an instruction is a generator, even one that asks nothing

    return instruction


def of_players(do: ToPlayers, about: str = "seat") -> Run:
    """It is done to players, the turn player first; `about` their places of that name."""

    def instruction(c: Clause, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
        n, seats = run.amount(c), seats_of(t, run, c)
        if n <= 0 or not seats:
            short(t, terms, run, c, f"{about}/{seats[0]}" if seats else run.this, n, 0)
            return NOTHING
        return (yield from do(t, run, seats, n))

    return instruction


def either(players: Run, cards: Run) -> Run:
    """It is done to players where the text names some, else to cards."""

    def instruction(c: Clause, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
        return (yield from (players if c.key else cards)(c, t, terms, run, numbers))

    return instruction


def attack(p: Position) -> object:
    """The attack in progress; None if there is none."""
    return p.attack


def in_battle(way: Run, *rules: str, battling: Callable[[Position], object] = attack) -> Run:
    """A lasting effect: outside of a battle nothing can last for one, by these rules."""

    def lasting(c: Clause, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
        if c.until == "battle" and not battling(t.pos):
            t.not_done(c.do, run.this, "impossible", *rules, run.text)
            return Done(max(1, len(numbers)), 0)
        return (yield from way(c, t, terms, run, numbers))

    return lasting
