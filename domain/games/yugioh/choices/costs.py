"""The costs of activating a text, in the decision that activates it (ygo:base.cost.1).

A cost is a row of `COSTS`: what it may be paid with, whether it can be, and how it is paid. One
whose cards are picked is a part of the option.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from typing import NamedTuple

from domain.effects.constant.calculator import permitting
from domain.effects.interpreter import candidates
from domain.effects.language.vocabulary import Clause, Cost, Effect
from domain.effects.select import Running, fits, members
from domain.engine.signals import unknown
from domain.engine.table import Table
from domain.games.yugioh.choices import uses
from domain.games.yugioh.effects import figures, rules
from domain.games.yugioh.effects.field.places import send
from domain.games.yugioh.effects.figures import phase
from domain.games.yugioh.effects.processes import hurt, life
from domain.games.yugioh.effects.summons import tributes
from domain.games.yugioh.effects.summons.materials import beneath
from domain.games.yugioh.effects.texts import TERMS
from domain.record.decisions import NUMBER, Limits, Part, Supply
from domain.record.position import Position
from domain.record.values import Change, Ref

#: What the parts of an act are called by which costs are paid, in their order.
PARTS = ("cost", "cost-2", "cost-3")


class Way(NamedTuple):
    """A kind of cost: what there is to pay it with, and how it is paid.

    `pool` is None if nothing is picked; then `able` says whether it can be paid. `held` is how much
    of it each card of the pool can give; None: itself, once.
    """

    pay: Callable[[Table, Running, Cost, list[int], tuple[str, ...]], None]
    pool: Callable[[Position, Running, Cost], list[int]] | None = None
    able: Callable[[Position, Running, Cost], bool] = lambda p, run, cost: True
    held: Callable[[Position, Cost, int], int] | None = None


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
        given = list(dict.fromkeys(cards)) or [
            number for number in (run.this,) if t.pos.present(number)
        ]
        send(t, given, zone, why, *rules, *cites)

    return pay


def _hand(p: Position, run: Running, cost: Cost) -> list[int]:
    """Cards of the hand, but for the one that is activated out of it."""
    found = members(TERMS, p, cost.of, run, guess=True) if cost.of else p.zone("hand", run.seat)
    return [n for n in found if n != run.this]


def _monsters(p: Position, run: Running, cost: Cost) -> list[int]:
    """Monsters that fit: one's own, and what a text lends (`tributes`)."""
    lent = tributes.lent(p, run.seat)
    if cost.of is None:
        return list(dict.fromkeys((*figures.monsters(p, run.seat), *lent)))
    found = members(TERMS, p, cost.of, run, guess=True)
    return list(dict.fromkeys((*found, *(n for n in lent if fits(TERMS, p, n, cost.of.match)))))


def _tributable(p: Position, run: Running, cost: Cost) -> bool:
    return tributes.for_cost(p, run.seat, pool(p, run, cost), cost.n).possible()


def _swear(t: Table, run: Running, cost: Cost, cards: list[int], cites: tuple[str, ...]) -> None:
    """From now on the player can't do something this turn, even if the effect fails."""
    change = Change(cost.key, "forbid", against=cost.of)
    t.modify(run.this, (f"seat/{run.seat}",), change, "turn", "ygo:effect.oath.1", run.text)


def _kept(p: Position, run: Running, cost: Cost) -> bool:
    """Whether the player has not done this turn what he is to swear off."""
    if cost.key == "battle-phase":
        return phase(p) not in ("battle", "main2", "end")
    if cost.key != "attack":
        return True
    wanted = cost.of.match if cost.of is not None else {}
    own = figures.monsters(p, run.seat)
    attacked = [n for n in own if p.mark(n, "attacked") == p.turn]
    return not any(figures.matches(TERMS, p, n, wanted) for n in attacked)


def _itself(p: Position, run: Running, cost: Cost) -> bool:
    """It is still its player's to use, and face up if it lies on the field."""
    card = p.cards.get(run.this)
    if card is None or card.controller != run.seat:
        return False
    return card.up or not figures.on_field(p, run.this)


def _tributable_itself(p: Position, run: Running, cost: Cost) -> bool:
    lent = tributes.lent(p, run.seat)
    return _itself(p, run, cost) and (not lent or run.this in lent)


def _of(p: Position, run: Running, cost: Cost) -> list[int]:
    assert cost.of is not None
    return [n for n in members(TERMS, p, cost.of, run, guess=True) if n != run.this]


def _banishable(p: Position, run: Running, cost: Cost) -> list[int]:
    return [n for n in _of(p, run, cost) if not rules.unbanishable(TERMS, p, n, run.seat)]


def _banishable_itself(p: Position, run: Running, cost: Cost) -> bool:
    return _itself(p, run, cost) and not rules.unbanishable(TERMS, p, run.this, run.seat)


def hindering(p: Position, run: Running, cost: Cost) -> list[str]:
    """The texts by which a cost can't be paid with what there is: that can't be banished."""
    found = {"banish-this": [run.this]}.get(cost.do, [])
    if cost.do == "banish":
        found = _of(p, run, cost)
    return [*dict.fromkeys(one for n in found for one in rules.unbanishable(TERMS, p, n, run.seat))]


def _materials(p: Position, run: Running, cost: Cost) -> list[int]:
    """Its own Materials, and what is detached as one of them; or those of cards of a group."""
    if cost.of is not None:
        return [n for host in members(TERMS, p, cost.of, run) for n in beneath(p, host)]
    if not p.present(run.this):
        return []
    lent = permitting(TERMS, p, run.this, "detach")
    also = (m.source for m in lent if isinstance(m.source, int))
    mine = (n for n in also if p.cards[n].controller == p.cards[run.this].controller == run.seat)
    return [*beneath(p, run.this), *mine]


def _declare(
    t: Table, run: Running, cost: Cost, numbers: list[int], cites: tuple[str, ...]
) -> None:
    """A number is declared: it is x from now on."""
    run.x = numbers[0]


def _numbers(p: Position, run: Running, cost: Cost) -> list[int]:
    return [*range(1, cost.n + 1)]


def _overlaid(t: Table, run: Running, cost: Cost, cards: list[int], cites: tuple[str, ...]) -> None:
    """They are laid below the monster as it is placed: that is for its Summon (`special`)."""


def _counters(p: Position, cost: Cost, number: int) -> int:
    return p.counters(number, cost.key)


def _with_counters(p: Position, run: Running, cost: Cost) -> list[int]:
    assert cost.of is not None
    return [n for n in members(TERMS, p, cost.of, run) if _counters(p, cost, n)]


def _enough_counters(p: Position, run: Running, cost: Cost) -> bool:
    return _itself(p, run, cost) and _counters(p, cost, run.this) >= cost.n


def _take(t: Table, run: Running, cost: Cost, cards: list[int], cites: tuple[str, ...]) -> None:
    """Counters are taken off: one for each time that a card was picked."""
    with t.at_once():
        for number, n in Counter(cards or cost.n * [run.this]).items():
            t.counters(cost.key, n, *cites, src=number)


#: What may stand before the colon. `itself`: the card pays with itself.
COSTS: Mapping[str, Way] = {
    "life": Way(_pay_life, able=_enough_life),
    "half": Way(_pay_half),
    "discard": Way(_sent("grave", "discard"), _hand),
    "discard-this": Way(_sent("grave", "discard"), able=_itself),
    "tribute": Way(_sent("grave", "tribute"), _monsters, _tributable),
    "tribute-this": Way(_sent("grave", "tribute"), able=_tributable_itself),
    "send": Way(_sent("grave", "cost"), _of),
    "send-this": Way(_sent("grave", "cost"), able=_itself),
    "banish": Way(_sent("banished", "cost"), _banishable),
    "banish-this": Way(_sent("banished", "cost"), able=_banishable_itself),
    "oath": Way(_swear, able=_kept),
    "detach": Way(_sent("grave", "detach", "ygo:base.xyz.1"), _materials),
    "take": Way(_take, _with_counters, held=_counters),
    "take-this": Way(_take, able=_enough_counters),
    "declare": Way(_declare, _numbers),
    "overlay": Way(_overlaid, _of),
}


#: Costs by which the card itself leaves.
_GIVES_ITSELF = frozenset({"discard-this", "tribute-this", "send-this", "banish-this"})


def by(effect: Effect) -> str:
    """The rule by which a text's costs are paid: as it is activated, or as its card is Summoned."""
    return "ygo:special.condition.1" if uses.CONDITION in effect.at else "ygo:base.cost.1"


def picked(effect: Effect) -> Iterator[Cost]:
    """The costs of a text that are paid with something that is picked."""
    return (cost for cost in effect.cost if COSTS[cost.do].pool is not None)


def pool(p: Position, run: Running, cost: Cost) -> list[int]:
    """The pool for a cost; without the card itself if that is given for another."""
    of = COSTS[cost.do].pool
    assert of is not None
    found = of(p, run, cost)
    if cost.do == "declare" or not any(one.do in _GIVES_ITSELF for one in run.effect.cost):
        return found
    return [number for number in found if number != run.this]


#: Zones of which only their player can tell what they hold.
_UNSEEN = frozenset({"hand", "extra"})


def summoned_unseen(effect: Effect) -> Iterator[Clause]:
    """The clauses of a text that Special Summon a card of its player's hand or Extra Deck."""
    for clause in effect.do:
        of = clause.choose.of if clause.choose is not None and not clause.choose.may else None
        if clause.do == "deploy" and of is not None and of.besides is None and of.zone in _UNSEEN:
            yield clause


def fruitful(t: Table, p: Position, run: Running, cost: Cost) -> list[int]:
    """The pool for a cost that leaves the text a monster to Special Summon unseen.

    That may hang on a figure of the one card that is given (`Cost.noted`).
    """
    found = pool(p, run, cost)
    clauses = [*summoned_unseen(run.effect)]
    if not cost.noted or cost.n != 1 or not clauses:
        return found
    return [n for n in found if all(_finds(t, run, cost, n, clause) for clause in clauses)]


def _finds(t: Table, run: Running, cost: Cost, number: int, clause: Clause) -> bool:
    """Whether there is something for a clause once a card is given.

    With one that nobody has named, or that its player does not see, there may be.
    """
    if unknown(t.pos, number) or not t.pos.cards[number].seen & 1 << run.seat:
        return True
    paid = copy(run)
    paid.x += _noted(t.pos, cost, number)
    return any(one != number for one in candidates(t, TERMS, paid, clause))


def _noted(p: Position, cost: Cost, number: int) -> int:
    """The figure of a card that is given which the text goes on with, as though it lay face up.

    It is face up by then: as a cost it has moved to where all see it (ygo:base.face.1).
    """
    if not cost.noted:
        return 0
    with figures.TurnedUp(p, number):
        noted = TERMS.attribute(p, number, cost.noted)
    return noted if isinstance(noted, int) else 0


def promising(t: Table, run: Running) -> bool:
    """Whether all costs can be paid so that the text finds what it Special Summons unseen."""
    p = t.pos
    for cost in picked(run.effect):
        found = fruitful(t, p, run, cost) if cost.noted else ()
        if cost.noted and not _payable_with(p, run, cost, found):
            return False
    noted = any(cost.noted and cost.n == 1 for cost in picked(run.effect))
    return noted or all(candidates(t, TERMS, run, one) for one in summoned_unseen(run.effect))


def _payable_with(p: Position, run: Running, cost: Cost, found: Sequence[int]) -> bool:
    if cost.do == "tribute":
        return tributes.for_cost(p, run.seat, found, cost.n).possible()
    return _most(p, COSTS[cost.do], cost, found) >= cost.n


def parts(
    p: Position,
    run: Running,
    at: int,
    number: Callable[[tuple[Ref, ...]], int],
    pool: Callable[[Position, Running, Cost], list[int]] = pool,
) -> Iterator[Part]:
    """The picks for the costs of a text, as parts of an option from its `at`th on.

    `number` is that of a pool among those of the offer, `pool` says what is in it.
    """
    for place, cost in enumerate(picked(run.effect)):
        if cost.do == "declare":
            yield Part(PARTS[place], NUMBER, 1, cost.n)
            continue
        found = tuple(pool(p, run, cost))
        of = number(found)
        asked = _limits(p, run, cost, found, (at + place, of))
        yield Part(PARTS[place], of, cost.n, cost.n, asked)


def _limits(
    p: Position, run: Running, cost: Cost, found: Sequence[int], part: tuple[int, int]
) -> Limits | None:
    """The conditions on the picks for a cost: the number of its part, and of its pool."""
    held = COSTS[cost.do].held
    if held is not None:
        caps = tuple(held(p, cost, n) for n in found)
        return Limits(cap=cost.n, supplies=(Supply(part[:1], part[1], caps),))
    if cost.do == "tribute":
        return tributes.for_cost(p, run.seat, found, cost.n, part[0]).limits
    return None


def _most(p: Position, way: Way, cost: Cost, found: Sequence[int]) -> int:
    """How much of a cost these cards could pay."""
    return len(found) if way.held is None else sum(way.held(p, cost, n) for n in found)


def payable(p: Position, run: Running) -> Cost | None:
    """The first cost of a text that can't be paid; None if all can be."""
    for cost in run.effect.cost:
        way = COSTS[cost.do]
        enough = way.pool is None or _most(p, way, cost, pool(p, run, cost)) >= cost.n
        if not enough or not way.able(p, run, cost):
            return cost
    return None


def in_secret(p: Position, run: Running, cost: Cost) -> bool:
    """Whether only its player can tell what there is to pay a cost with: cards of his hand."""
    groups = [cost.of, cost.of.besides] if cost.of is not None else []
    hand = cost.do == "discard" or any(one is not None and one.zone == "hand" for one in groups)
    return hand and any(n != run.this for n in p.zone("hand", run.seat))


def pay(t: Table, run: Running, picks: Sequence[Sequence[Ref]]) -> None:
    """Pay everything, with what was picked for the costs that ask for it."""
    left, cites = [*picks], (by(run.effect), run.text)
    for cost in run.effect.cost:
        chosen = left.pop(0) if COSTS[cost.do].pool is not None and left else ()
        cards = [n for n in chosen if isinstance(n, int)]
        run.x += sum(_noted(t.pos, cost, n) for n in cards)
        COSTS[cost.do].pay(t, run, cost, cards, cites)
