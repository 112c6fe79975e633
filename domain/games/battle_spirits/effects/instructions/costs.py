"""The costs before the arrow of an activated effect: paid completely before the rest.

That is bs:9-1-6-2. A cost is a row of `WAYS`: what is picked for it, whether it can be done, and
how it is. One whose cards are picked is a part of the act, by its name; no effect is offered whose
costs can't all be met.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from domain.effects.constant.calculator import barred
from domain.effects.language.vocabulary import Cost
from domain.effects.select import Running, members
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.battle_spirits.effects import figures
from domain.games.battle_spirits.effects.departing import DESTROYED, Going, depart
from domain.games.battle_spirits.effects.instructions.lying import exhaust
from domain.games.battle_spirits.effects.texts import TERMS
from domain.games.battle_spirits.manifest import REFRESHED
from domain.record.position import Position

RULE = "bs:9-1-6-2"


class Way(NamedTuple):
    """How a kind of cost is met: whether all of it was done.

    `pool` is what is picked from; None: nothing is picked, and `able` says whether it can be done.
    """

    pay: Callable[[Table, Running, Sequence[int], tuple[str, ...]], Play]
    pool: Callable[[Position, Running, Cost], list[int]] | None = None
    able: Callable[[Position, Running], bool] = lambda p, run: True


def _exhaust(t: Table, run: Running, cards: Sequence[int], cites: tuple[str, ...]) -> Play:
    given = cards or run.itself(t.pos)
    there = [number for number in given if t.pos.present(number)]
    return len(exhaust(t, there, *cites)) == len(given) > 0
    yield


def _destroy(t: Table, run: Running, cards: Sequence[int], cites: tuple[str, ...]) -> Play:
    going = [Going(n, "trash", DESTROYED, run.this, cites) for n in run.itself(t.pos)]
    left = yield from depart(t, going)
    return len(left) == len(going) > 0


def _discard(t: Table, run: Running, cards: Sequence[int], cites: tuple[str, ...]) -> Play:
    there = [number for number in cards if t.pos.present(number)]
    t.move(there, f"trash/{run.seat}", "discard", "bs:5-13-1", *cites)
    return len(there) == len(cards)
    yield


def _show(t: Table, run: Running, cards: Sequence[int], cites: tuple[str, ...]) -> Play:
    there = [number for number in cards if t.pos.present(number)]
    t.reveal(there, "reveal", *cites)
    return len(there) == len(cards)
    yield


def _fitting(p: Position, run: Running, cost: Cost) -> list[int]:
    """The cards of the group; one of a real table that nobody has named may be one."""
    assert cost.of is not None
    return [n for n in members(TERMS, p, cost.of, run, guess=True) if n != run.this]


def _refreshed(p: Position, run: Running, cost: Cost) -> list[int]:
    """The cards of the group that can be exhausted, less one that is itself given otherwise."""
    assert cost.of is not None
    given = any(one.do in ("rest", "destroy") for one in run.effect.cost)
    found = [n for n in members(TERMS, p, cost.of, run) if _can_exhaust(p, n)]
    return [n for n in found if not (given and n == run.this)]


def _can_exhaust(p: Position, number: int) -> bool:
    return p.present(number) and p.cards[number].orient == REFRESHED


def _destructible(p: Position, run: Running) -> bool:
    return figures.on_field(p, run.this) and not barred(TERMS, p, run.this, DESTROYED)


WAYS: Mapping[str, Way] = {
    "rest": Way(_exhaust, able=lambda p, run: _can_exhaust(p, run.this)),
    "exhaust": Way(_exhaust, _refreshed),
    "destroy": Way(_destroy, able=_destructible),
    "discard": Way(_discard, _fitting),
    "show": Way(_show, _fitting),
}
#: What is picked for costs, in the order of the parts of the act.
PARTS = tuple(name for name, way in WAYS.items() if way.pool is not None)


def pools(p: Position, run: Running) -> Iterator[tuple[str, tuple[int, ...], int]]:
    """The parts that an effect's costs have: name, what is picked from, how many."""
    for name in PARTS:
        for cost in run.effect.cost:
            way = WAYS[cost.do]
            if cost.do == name and way.pool is not None:
                yield name, tuple(way.pool(p, run, cost)), cost.n


def payable(p: Position, run: Running) -> bool:
    """Whether all that stands before the arrow can be done."""
    if any(len(pool) < n for _, pool, n in pools(p, run)):
        return False
    return all(WAYS[cost.do].able(p, run) for cost in run.effect.cost)


def pay(t: Table, run: Running, picks: Mapping[str, Sequence[int]]) -> Play:
    """Do what stands before the arrow, in order; whether it was done wholly."""
    cites = (RULE, run.text)
    for cost in run.effect.cost:
        done = yield from WAYS[cost.do].pay(t, run, picks.get(cost.do, ()), cites)
        yield from TERMS.settle(t)
        if not done:
            t.not_done("activate", run.this, "cost", *cites)
            return False
    return True
