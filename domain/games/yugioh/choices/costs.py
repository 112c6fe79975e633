"""What is paid as a text is activated, in the decision that activates it (ygo:base.cost.1).

A cost is a row of `COSTS`: what it may be paid with, whether it can be, and how it is paid. One
whose cards are picked is a part of the option.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from domain.effects.language.vocabulary import Cost, Effect
from domain.effects.select import Running, members
from domain.engine.table import Table
from domain.games.yugioh.effects import figures
from domain.games.yugioh.effects.places import send
from domain.games.yugioh.effects.processes import hurt, life
from domain.games.yugioh.effects.texts import TERMS
from domain.record.position import Position
from domain.record.values import Ref

RULE = "ygo:base.cost.1"


class Way(NamedTuple):
    """A kind of cost: what there is to pay it with, and how it is paid.

    `pool` is None where nothing is picked; then `able` says whether it can be paid.
    """

    pay: Callable[[Table, Running, Cost, list[int], tuple[str, ...]], None]
    pool: Callable[[Position, Running, Cost], list[int]] | None = None
    able: Callable[[Position, Running, Cost], bool] = lambda p, run, cost: True


def _pay_life(t: Table, run: Running, cost: Cost, cards: list[int], cites: tuple[str, ...]) -> None:
    hurt(t, run.seat, cost.n, "ygo:base.life.3", *cites)


def _pay_half(t: Table, run: Running, cost: Cost, cards: list[int], cites: tuple[str, ...]) -> None:
    """The half that is left is rounded up (ygo:base.life.4)."""
    hurt(t, run.seat, life(t.pos, run.seat) // 2, "ygo:base.life.4", *cites)


def _enough_life(p: Position, run: Running, cost: Cost) -> bool:
    return life(p, run.seat) >= cost.n


def _sent(zone: str, why: str, *rules: str) -> Callable[..., None]:
    """The cards are sent to a zone of their owners."""

    def pay(t: Table, run: Running, cost: Cost, cards: list[int], cites: tuple[str, ...]) -> None:
        send(t, cards or [run.this], zone, why, *rules, *cites)

    return pay


def _hand(p: Position, run: Running, cost: Cost) -> list[int]:
    """Cards of the hand, but for the one that is activated out of it."""
    found = members(TERMS, p, cost.of, run, guess=True) if cost.of else p.zone("hand", run.seat)
    return [n for n in found if n != run.this]


def _monsters(p: Position, run: Running, cost: Cost) -> list[int]:
    own = figures.monsters(p, run.seat)
    return own if cost.of is None else members(TERMS, p, cost.of, run, guess=True)


def _of(p: Position, run: Running, cost: Cost) -> list[int]:
    assert cost.of is not None
    return [n for n in members(TERMS, p, cost.of, run, guess=True) if n != run.this]


def _materials(p: Position, run: Running, cost: Cost) -> list[int]:
    return [n for n in p.cards[run.this].attached if p.cards[n].role == "material"]


#: What may stand before the colon. `itself`: the card pays with itself.
COSTS: Mapping[str, Way] = {
    "life": Way(_pay_life, able=_enough_life),
    "half": Way(_pay_half),
    "discard": Way(_sent("grave", "discard"), _hand),
    "discard-this": Way(_sent("grave", "discard")),
    "tribute": Way(_sent("grave", "tribute"), _monsters),
    "tribute-this": Way(_sent("grave", "tribute")),
    "send": Way(_sent("grave", "cost"), _of),
    "send-this": Way(_sent("grave", "cost")),
    "banish": Way(_sent("banished", "cost"), _of),
    "banish-this": Way(_sent("banished", "cost")),
    "detach": Way(_sent("grave", "detach", "ygo:base.xyz.1"), _materials),
}


def picked(effect: Effect) -> Iterator[Cost]:
    """The costs of a text that are paid with something that is picked."""
    return (cost for cost in effect.cost if COSTS[cost.do].pool is not None)


def pool(p: Position, run: Running, cost: Cost) -> list[int]:
    """What a cost may be paid with."""
    of = COSTS[cost.do].pool
    assert of is not None
    return of(p, run, cost)


def payable(p: Position, run: Running) -> Cost | None:
    """The first cost of a text that can't be paid; None if all can be."""
    for cost in run.effect.cost:
        way = COSTS[cost.do]
        enough = way.pool is None or len(way.pool(p, run, cost)) >= cost.n
        if not enough or not way.able(p, run, cost):
            return cost
    return None


def pay(t: Table, run: Running, picks: Sequence[Sequence[Ref]]) -> None:
    """Pay everything, with what was picked for the costs that ask for it."""
    left = [*picks]
    for cost in run.effect.cost:
        chosen = left.pop(0) if COSTS[cost.do].pool is not None and left else ()
        cards = [n for n in chosen if isinstance(n, int)]
        if cost.noted:
            given = (TERMS.attribute(t.pos, n, cost.noted) for n in cards)
            run.x += sum(n for n in given if isinstance(n, int))
        COSTS[cost.do].pay(t, run, cost, cards, (RULE, run.text))
