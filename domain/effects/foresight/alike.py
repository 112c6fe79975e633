"""Whether the order of waiting effects can matter: not where they do the same for the same player.

Two copies of one text have the same result in either order if the text does not mention the card
that it is printed on, and the two cards have the same figures. Their order is not asked; the order
of other waiting effects is decided as the game's book says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from domain.effects.language.vocabulary import Amount, Clause, Condition, Effect, Group
from domain.effects.select import AGAINST, FURTHER, Running, Terms, compared_with, sibling
from domain.record.position import Pending, Position
from domain.record.values import Ref

#: Groups that mean something else for each source, or for each thing that set an effect off.
_ITS_OWN = frozenset({"this", "cause", AGAINST}) | FURTHER


def alike(terms: Terms, p: Position, acts: Sequence[Pending], one: bool = False) -> bool:
    """Whether waiting effects have the same result in any order.

    `one`: only one of them is activated, so that what they ask of their cards in advance is the
    same for all.
    """
    first = acts[0]
    if any((act.effect, act.seat) != (first.effect, first.seat) for act in acts):
        return False
    if any(_source_state(p, act.source) != _source_state(p, first.source) for act in acts):
        return False
    same = all(act.source == first.source for act in acts)
    effect = terms.effect(p, first.effect)
    run = Running(0, first.effect, effect, 0, first.seat, 0)
    if one and effect.do:
        return not any(_clause_asks_of_source(terms, p, run, clause) for clause in effect.do)
    return same or not _asks_of_source(terms, p, run, effect)


def _source_state(p: Position, source: Ref) -> tuple[object, ...]:
    """All that a text may ask about the source of an effect."""
    if not isinstance(source, int):
        return (source,)
    card = p.card(source)
    riders = [p.card(rider).id for rider in card.attached]
    return (card.id, card.owner, card.place, card.token, card.stats, card.counters, riders)


def _asks_of_source(terms: Terms, p: Position, run: Running, effect: Effect) -> bool:
    """Whether a text says anything of its own card; one that is declared may."""
    conditions = (*effect.when, *effect.provided)
    if (
        not effect.do
        or any(map(_names_source, _counted_groups(conditions)))
        or _asks_of_itself(conditions)
    ):
        return True
    return any(_clause_asks_of_source(terms, p, run, clause) for clause in effect.do)


def _clause_asks_of_source(terms: Terms, p: Position, run: Running, clause: Clause) -> bool:
    if clause.performs:
        return _asks_of_source(terms, p, run, terms.effect(p, sibling(run, clause)))
    if any(
        _clause_asks_of_source(terms, p, run, inner)
        for option in clause.options
        for inner in option
    ):
        return True
    aimed = clause.to is not None or clause.choose is not None
    if not clause.plain or (clause.on_itself and not aimed):
        return True
    if _asks_of_itself(clause.when) or _noted(clause.per):
        return True
    return any(map(_names_source, _groups(clause)))


def _asks_of_itself(conditions: Iterable[Condition]) -> bool:
    """Whether conditions ask what the source is, or what it answers, or has noted."""
    return any(
        one.this
        or one.answers is not None
        or one.happened is not None
        or _noted(one.amount)
        or _noted(one.than)
        for one in conditions
    )


def _noted(amount: Amount | None) -> bool:
    return amount is not None and bool(amount.noted)


def _names_source(group: Group) -> bool:
    return (
        group.other
        or group.zone in _ITS_OWN
        or not _ITS_OWN.isdisjoint(compared_with(group.match))
        or (group.besides is not None and _names_source(group.besides))
        or (group.like is not None and _names_source(group.like.of))
    )


def _groups(clause: Clause) -> Iterator[Group]:
    chosen = clause.choose.of if clause.choose else None
    given = (clause.to, clause.against, chosen, clause.using, _of(clause.per))
    yield from (group for group in given if group is not None)
    yield from _counted_groups(clause.when)


def _counted_groups(conditions: Iterable[Condition]) -> Iterator[Group]:
    for one in conditions:
        given = (one.count, _of(one.amount), _of(one.than))
        yield from (group for group in given if group is not None)


def _of(amount: Amount | None) -> Group | None:
    return amount.of if amount is not None else None
