"""Build an act part by part: the next possible picks, so that no pick leads to a dead end.

The caller states the picks so far and how many parts are closed (`step`). What may be picked next,
and whether the part may be closed as it is, follows from what can still be completed
(`fit.feasible`). Where only one pick is left it is made, where none is the part is closed: the act
may be complete without another question.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, repeat
from typing import NamedTuple

from domain.record.decisions import (
    NUMBER,
    PLAIN,
    TEXTS,
    Limits,
    Misfit,
    Offer,
    Option,
    Part,
    joint,
)
from domain.record.fitting.fit import completed, feasible, fit
from domain.record.values import Ref

#: A range of numbers up to this long is tried one by one.
RANGE = 200

Picks = tuple[tuple[Ref, ...], ...]


class Step(NamedTuple):
    """How far an act is built: the picks of the parts up to `at`, which is being chosen.

    `can`: what may be picked for it, any one of them; of a long range of numbers and of a text
    nothing is listed. `enough`: it may be closed as it is. `at` is the number of parts once all are
    closed, and the picks are those of a whole act.
    """

    at: int
    picks: Picks
    can: tuple[Ref, ...] = ()
    enough: bool = False


def step(offer: Offer, option: Option, picks: Picks = (), closed: int = 0) -> Step:
    """The choices after these picks, with `closed` parts settled; raises `Misfit`."""
    if not 0 <= closed <= len(option.parts) or len(picks) > min(closed + 1, len(option.parts)):
        raise Misfit("too many parts")
    picks = (*picks, *repeat((), closed - len(picks)))
    _check(offer, option, picks[:closed], picks[closed] if len(picks) > closed else ())
    while closed < len(option.parts):
        part, picked = option.parts[closed], picks[closed] if len(picks) > closed else ()
        can, enough = _choices(offer, option, picks[:closed], closed, picked)
        if part.pool in TEXTS or (part.pool == NUMBER and not can):
            return Step(closed, (*picks[:closed], picked), (), False)
        if _all_of(part, picked, can, enough):
            spread = chain.from_iterable(_left(part, picked, ref) for ref in can)
            picks, closed = (*picks[:closed], (*picked, *spread)), closed + 1
        elif can and not enough and len(can) == 1:
            picks = (*picks[:closed], (*picked, *can))
            closed += part.pool == NUMBER
        elif can:
            return Step(closed, (*picks[:closed], picked), can, enough)
        else:
            picks, closed = (*picks[:closed], picked), closed + 1
    fit(offer, option.act(picks))
    return Step(closed, picks)


def rest(offer: Offer, option: Option, now: Step) -> Picks | None:
    """The picks of the whole act as they come by themselves from here on; None: a text is asked."""
    if any(part.pool in TEXTS for part in option.parts[now.at :]):
        return None
    given = dict(enumerate(now.picks[: now.at]))
    least = dict(enumerate(now.picks[now.at :], now.at))
    return completed(offer, option, given, least=least)


def _check(offer: Offer, option: Option, closed: Picks, least: tuple[Ref, ...]) -> None:
    """Whether picks can be completed; raises `Misfit` with what stands against it."""
    given, at = dict(enumerate(closed)), len(closed)
    for n, picked in given.items():
        if not feasible(offer, Option("", 0, (_by_itself(option.parts[n]),)), {0: picked}):
            raise Misfit("unknown pick", option.parts[n].name)
    if least and (option.parts[at].pool < 0 or not _in_reach(offer, option.parts[at], least)):
        raise Misfit("unknown pick", option.parts[at].name)
    if joint(option) and not feasible(offer, option, given, {at: least} if least else {}):
        raise Misfit("sum", option.parts[min(at, len(option.parts) - 1)].name)


def _by_itself(part: Part) -> Part:
    """A part without what it is asked beyond the number of its picks, which `joint` parts are."""
    limits = part.limits or PLAIN
    return Part(part.name, part.pool, part.low, part.high, Limits(limits.ordered, limits.cap))


def _in_reach(offer: Offer, part: Part, picked: tuple[Ref, ...]) -> bool:
    pool, cap = offer.pools[part.pool], (part.limits or PLAIN).cap
    return len(picked) <= part.high and all(
        ref in pool and picked.count(ref) <= cap for ref in picked
    )


def _left(part: Part, picked: tuple[Ref, ...], ref: Ref) -> Iterator[Ref]:
    return repeat(ref, (part.limits or PLAIN).cap - picked.count(ref))


def _all_of(part: Part, picked: tuple[Ref, ...], can: tuple[Ref, ...], ok: bool) -> bool:
    """Whether all that may be picked must be, and in no order."""
    limits = part.limits or PLAIN
    if ok or part.pool < 0 or limits.ordered:
        return False
    return len(picked) + sum(limits.cap - picked.count(ref) for ref in can) == part.low


def _choices(
    offer: Offer, option: Option, given: Picks, at: int, picked: tuple[Ref, ...]
) -> tuple[tuple[Ref, ...], bool]:
    """The further picks that a part may have, and whether it has enough."""
    part, before = option.parts[at], dict(enumerate(given))
    if part.pool in TEXTS:
        return (), False
    if part.pool == NUMBER:
        if part.high - part.low >= RANGE:
            return (), False
        numbers = range(part.low, part.high + 1)
        return tuple(n for n in numbers if _possible(offer, option, {**before, at: (n,)})), False
    enough = part.low <= len(picked) and _possible(offer, option, {**before, at: picked})
    if len(picked) >= part.high:
        return (), enough
    cap = (part.limits or PLAIN).cap
    free = [ref for ref in dict.fromkeys(offer.pools[part.pool]) if picked.count(ref) < cap]
    if joint(option):
        free = [ref for ref in free if feasible(offer, option, before, {at: (*picked, ref)})]
    return tuple(free), enough


def _possible(offer: Offer, option: Option, given: dict[int, tuple[Ref, ...]]) -> bool:
    return not joint(option) or feasible(offer, option, given)
