"""Whether an act fits an offer, and which picks complete one.

One solver (`solver`) answers for offers, bots, notation and verification whether picks are valid
(`fit`), which picks are inferred for omitted ones (`completed`), and whether there are any
(`feasible`). Why the *rules* forbid an act that is not on offer is the rulebook's to say
(`rulebook.Rulebook.refusal`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import islice
from random import Random
from types import MappingProxyType

from msgspec.structs import replace

from domain.record.decisions import (
    NUMBER,
    PLAIN,
    REST,
    TEXTS,
    Act,
    Answer,
    Limits,
    Matching,
    Misfit,
    Offer,
    Option,
    Part,
    Sum,
    Term,
    joint,
    sums,
    supplies,
)
from domain.record.fitting import solver
from domain.record.values import Ref


def fit(offer: Offer, act: Act) -> Answer:
    """The answer that `act` gives to `offer`; raises `Misfit`."""
    meant = [at for at, option in enumerate(offer.options) if _names_option(option, act)]
    if not meant:
        raise Misfit("not offered")
    meant = [at for at in meant if offer.options[at].effect == act.effect] or meant
    if len({offer.options[at].effect for at in meant}) > 1:
        raise Misfit("which effect")
    index, option = meant[0], offer.options[meant[0]]
    if len(act.picks) > len(option.parts):
        raise Misfit("too many parts")
    given = {at: picked for at, picked in enumerate(act.picks) if REST not in picked}
    if len(given) == len(option.parts):
        picks = act.picks
    else:
        least = {at: _but_rest(picked) for at, picked in enumerate(act.picks) if at not in given}
        picks = completed(offer, option, given, least=least)
    for part, picked in zip(option.parts, picks, strict=True):
        _check(offer, part, picked)
    if joint(option):
        _check_together(offer, option, picks)
    return Answer(index, picks)


def _but_rest(picked: tuple[Ref, ...]) -> tuple[Ref, ...]:
    return tuple(ref for ref in picked if ref != REST)


def _names_option(option: Option, act: Act) -> bool:
    same = option.kind == act.kind and option.card == act.card
    return same and act.effect in ("", option.effect)


def completed(
    offer: Offer,
    option: Option,
    given: Mapping[int, tuple[Ref, ...]] | None = None,
    rng: Random | None = None,
    least: Mapping[int, tuple[Ref, ...]] | None = None,
) -> tuple[tuple[Ref, ...], ...]:
    """The picks of all parts: those given, and those inferred from them.

    Of parts in `least` that many are picked at least. With `rng` it is any of the ways, where picks
    hang together (`joint`). If there is none, each part is completed by itself, and `fit` says what
    is wrong.
    """
    given, least = given or {}, least or {}
    if joint(option):
        found = _solved(offer, option, given, rng, least)
        if found is not None:
            return found
    return tuple(
        given[at] if at in given else _filled(offer, part, least.get(at, ()))
        for at, part in enumerate(option.parts)
    )


def _filled(offer: Offer, part: Part, picked: tuple[Ref, ...]) -> tuple[Ref, ...]:
    """Some picks, and as many more as must be, from the front of the pool."""
    if not picked or part.pool < 0:
        return default(offer, part)
    cap = (part.limits or PLAIN).cap
    free = (ref for ref in offer.pools[part.pool] for _ in range(cap - picked.count(ref)))
    return (*picked, *islice(free, max(part.low - len(picked), 0)))


def feasible(
    offer: Offer,
    option: Option,
    given: Mapping[int, tuple[Ref, ...]] | None = None,
    least: Mapping[int, tuple[Ref, ...]] | None = None,
) -> bool:
    """Whether an option can be taken at all, beside what is given: else it is not to be offered."""
    task = _asked(offer, option, given or {}, least or {})
    return task is not None and solver.solvable(task)


def default(offer: Offer, part: Part) -> tuple[Ref, ...]:
    """The default picks of a part: the least, from the front of its pool.

    What other parts ask of it is in `completed`.
    """
    if part.pool == NUMBER:
        return (part.low,)
    if part.pool in TEXTS:
        return ("",)
    picked = offer.pools[part.pool][: part.low]
    if part.limits is None or _fault(offer, part, picked) is None:
        return picked
    found = _solved(offer, Option("", 0, (_without_joint(part),)), {}, None)
    return found[0] if found is not None else picked


def _without_joint(part: Part) -> Part:
    """A part without what it is asked together with others."""
    own = part.limits
    if own is not None and (own.sums or own.supplies):
        own = replace(own, sums=(), supplies=())
    return Part(part.name, part.pool, part.low, part.high, own)


# -- whether picks are what is asked for -----------------------------------------------------------


def _check(offer: Offer, part: Part, picked: tuple[Ref, ...]) -> None:
    fault = _fault(offer, part, picked)
    if fault is not None:
        raise Misfit(fault, part.name)


def _fault(offer: Offer, part: Part, picked: tuple[Ref, ...]) -> str | None:
    """The fault of the picks of a part by itself."""
    if part.pool < 0:
        return _fault_of_open(part, picked)
    pool = offer.pools[part.pool]
    if any(ref not in pool for ref in picked):
        return "unknown pick"
    if len(picked) < part.low:
        return "too few"
    if len(picked) > part.high:
        return "too many"
    limits = part.limits or PLAIN
    if picked and max(Counter(picked).values()) > limits.cap:
        return "repeated"
    if limits.weights and not _adds_up(
        limits, dict(zip(pool, limits.weights, strict=True)), picked
    ):
        return "sum"
    return None


def _fault_of_open(part: Part, picked: tuple[Ref, ...]) -> str | None:
    wanted = int if part.pool == NUMBER else str
    if len(picked) != 1 or not isinstance(picked[0], wanted):
        return "unknown pick"
    size = picked[0] if isinstance(picked[0], int) else len(picked[0])
    return "too few" if size < part.low else "too many" if size > part.high else None


def _check_together(offer: Offer, option: Option, picks: tuple[tuple[Ref, ...], ...]) -> None:
    """Raises `Misfit` where picks, each right for its part, are not right together."""
    parts = zip(option.parts, picks, strict=True)
    counts = [_counted(part, picked, at) for at, (part, picked) in enumerate(parts)]
    for supply in _supplies(offer, option):
        left = dict(supply.caps)
        for at in sorted(supply.parts):
            for ref, n in counts[at].items():
                if ref not in left:
                    continue
                left[ref] -= n
                if left[ref] < 0:
                    raise Misfit("repeated", option.parts[at].name)
    for one in sums(option):
        total = _total(offer, option, one)
        if not total.least <= total.of(counts) <= total.most:
            raise Misfit("sum", one.name)


# -- picks that are not there yet ------------------------------------------------------------------

#: The one member of a part whose pick is a number: how often it is picked is the number.
_UNIT = "#"
#: No limit to a sum.
_ANY = 1 << 30


def _solved(
    offer: Offer,
    option: Option,
    given: Mapping[int, tuple[Ref, ...]],
    rng: Random | None,
    least: Mapping[int, tuple[Ref, ...]] = MappingProxyType({}),
) -> tuple[tuple[Ref, ...], ...] | None:
    """The picks of all parts that fit together with those given; None if there are none."""
    task = _asked(offer, option, given, least)
    found = solver.solve(task, rng) if task is not None else None
    if found is None:
        return None
    return tuple(
        given[at] if at in given else _picked(part, counts, at, rng)
        for at, (part, counts) in enumerate(zip(option.parts, found, strict=True))
    )


def _asked(
    offer: Offer,
    option: Option,
    given: Mapping[int, tuple[Ref, ...]],
    least: Mapping[int, tuple[Ref, ...]],
) -> solver.Task | None:
    """The task for the picks that are not given; None if those given are wrong by themselves."""
    for at, picked in given.items():
        if _fault(offer, option.parts[at], picked) is not None:
            return None
    task = _task(offer, option, given)
    more = tuple(
        solver.Total({at: {ref: 1}}, n, _ANY)
        for at, picked in least.items()
        for ref, n in _counted(option.parts[at], picked, at).items()
    )
    return task._replace(totals=(*task.totals, *more)) if more else task


def _picked(part: Part, counts: Mapping[Ref, int], at: int, rng: Random | None) -> tuple[Ref, ...]:
    if part.pool in TEXTS:
        return ("",)
    if part.pool == NUMBER:
        return (counts.get(f"{_UNIT}{at}", 0),)
    picked = [ref for ref, n in counts.items() for _ in range(n)]
    if rng is not None and part.limits is not None and part.limits.ordered:
        rng.shuffle(picked)
    return tuple(picked)


def _counted(part: Part, picked: tuple[Ref, ...], at: int) -> dict[Ref, int]:
    if part.pool == NUMBER:
        return {f"{_UNIT}{at}": int(picked[0])}
    return {} if part.pool in TEXTS else dict(Counter(picked))


def _task(offer: Offer, option: Option, given: Mapping[int, tuple[Ref, ...]]) -> solver.Task:
    """An option as a task of the solver; the named sums come first."""
    totals = [_total(offer, option, one) for one in sums(option)]
    choices = []
    for at, part in enumerate(option.parts):
        fixed = _counted(part, given[at], at) if at in given else None
        choices.append(_choice(offer, part, at, fixed))
        limits = part.limits
        if limits is not None and limits.weights:
            worth = {at: _figures(offer, part, at, limits.weights)}
            totals.append(solver.Total(worth, limits.least, _most(limits)))
    return solver.Task(tuple(choices), tuple(_supplies(offer, option)), tuple(totals))


def _supplies(offer: Offer, option: Option) -> list[solver.Supply]:
    return [
        solver.Supply(frozenset(one.parts), dict(zip(offer.pools[one.pool], one.caps, strict=True)))
        for one in supplies(option)
    ]


def _choice(offer: Offer, part: Part, at: int, fixed: dict[Ref, int] | None) -> solver.Choice:
    if part.pool in TEXTS:
        return solver.Choice((), 0, 0, 0)
    if part.pool == NUMBER:
        return solver.Choice((f"{_UNIT}{at}",), part.low, part.high, part.high, fixed)
    limits = part.limits or PLAIN
    weights = _figures(offer, part, at, limits.weights) if limits.weights else {}
    pool = tuple(dict.fromkeys(offer.pools[part.pool]))
    return solver.Choice(
        pool, part.low, part.high, limits.cap, fixed, weights, limits.least, limits.minimal
    )


def _most(limits: Limits) -> int:
    """The most that the picks can add up to; if none may be superfluous, less than one too many."""
    if not limits.minimal:
        return limits.most
    return min(limits.most, max(limits.least + max(limits.weights) - 1, 0))


def _total(offer: Offer, option: Option, one: Sum) -> solver.Total:
    matching = one.matching or Matching(())
    return solver.Total(
        _terms(offer, option, one.terms),
        one.least,
        one.most,
        matching.wanted,
        matching.there,
        _terms(offer, option, matching.brought),
    )


def _terms(offer: Offer, option: Option, terms: tuple[Term, ...]) -> dict[int, Mapping[Ref, int]]:
    return {t.part: _figures(offer, option.parts[t.part], t.part, t.weights) for t in terms}


def _figures(offer: Offer, part: Part, at: int, weights: tuple[int, ...]) -> dict[Ref, int]:
    """The figures of the members of a part; 1 by default."""
    pool = offer.pools[part.pool] if part.pool >= 0 else (f"{_UNIT}{at}",)
    return dict(zip(pool, weights or (1,) * len(pool), strict=True))


def _adds_up(limits: Limits, weights: dict[Ref, int], picked: tuple[Ref, ...]) -> bool:
    total = sum(weights[ref] for ref in picked)
    if not limits.least <= total <= limits.most:
        return False
    return not (limits.minimal and any(total - weights[ref] >= limits.least for ref in picked))
