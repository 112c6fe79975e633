"""Conditions of texts: checked when they trigger, are used, or a clause is reached.

Of which cards they speak is in `select`, what they count in `amounts`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from domain.effects.amounts import counted
from domain.effects.language.vocabulary import Amount, Answers, Condition, Filter, every
from domain.effects.lately import has_happened
from domain.effects.select import Running, Terms, answered, fits, members, passes, resolved
from domain.engine.signals import NameRequired
from domain.record.position import Position


def holds(terms: Terms, p: Position, condition: Condition, run: Running) -> bool:
    """Whether a condition holds for an effect, now."""
    return _holds(terms, p, condition, run) != condition.unless


def all_hold(terms: Terms, p: Position, conditions: Sequence[Condition], run: Running) -> bool:
    """Whether every one of them holds."""
    return not conditions or all(_holds(terms, p, c, run) != c.unless for c in conditions)


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
        what, _, first = c.attacking.partition(" ")
        target = p.attack.declared if p.attack is not None and first else terms.attacked(p)
        if target is None or isinstance(target, str) != (what == "player"):
            return False
    if c.during and parts_of(terms.step(p)).isdisjoint(c.during):
        return False
    if c.rolled and not set(c.rolled).intersection(run.rolled):
        return False
    if c.playing is not None and not _plays(terms, p, c.playing, run):
        return False
    if c.answers is not None and not _answers(terms, p, c.answers, run):
        return False
    if c.happened is not None and not has_happened(terms, p, c.happened, run):
        return False
    if c.amount is not None and not _amounts(terms, p, c, c.amount, run):
        return False
    if c.this and not _last_fits(terms, p, run.this, resolved(terms, p, c.this, run)):
        return False
    if c.it:
        wanted = resolved(terms, p, c.it, run)
        if not (run.it and all(_last_fits(terms, p, n, wanted) for n in run.it)):
            return False
    if c.count is not None:
        return c.least <= len(members(terms, p, c.count, run)) <= c.most
    return True


@lru_cache(maxsize=256)
def parts_of(step: str) -> frozenset[str]:
    """A step, and those that it is a part of: `attack/block` is one of `attack`."""
    names = step.split("/")
    return frozenset("/".join(names[:n]) for n in range(1, len(names) + 1))


def _amounts(terms: Terms, p: Position, c: Condition, amount: Amount, run: Running) -> bool:
    found = counted(terms, p, amount, run, run.seat)
    if c.than is not None:
        return found > counted(terms, p, c.than, run, run.seat)
    return c.least <= found <= c.most


def _answers(terms: Terms, p: Position, wanted: Answers, run: Running) -> bool:
    """Whether an act waits that is as wanted, and this one would be the next."""
    act = answered(p, run)
    if act is None or (wanted.kind and act.kind not in wanted.kind):
        return False
    if wanted.whose != "any" and (act.seat == run.seat) != (wanted.whose == "yours"):
        return False
    if wanted.speed != "" and not passes(act.speed, wanted.speed):
        return False
    source = act.source if isinstance(act.source, int) else 0
    if wanted.match and not (source and _last_fits(terms, p, source, wanted.match)):
        return False
    if wanted.targets is not None and not any(
        isinstance(one, int) and _last_fits(terms, p, one, wanted.targets) for one in act.targets
    ):
        return False
    if not wanted.texts and not wanted.does:
        return True
    if not act.effect:
        return False
    effect = terms.effect(p, act.effect)
    if wanted.texts and effect.kind not in wanted.texts:
        return False
    return not wanted.does or not {clause.do for clause in every(effect.do)}.isdisjoint(wanted.does)


def _plays(terms: Terms, p: Position, wanted: Filter, run: Running) -> bool:
    return bool(run.playing) and fits(terms, p, run.playing, wanted)


def _last_fits(terms: Terms, p: Position, number: int, wanted: Filter) -> bool:
    known = number in p.cards or number in p.departed
    return known and fits(terms, p, number, wanted)
