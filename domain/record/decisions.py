"""Decisions: what a seat may choose from, what it chose, and whether the one fits the other.

An `Offer` lists legal options only. An option is one whole act: its parts (host, targets, payment)
are chosen with it, so that a play that can't be completed is never begun. An `Act` is what somebody
wants to do, legal or not, in the words of the game; `fit` turns it into an `Answer` to an offer, or
says what is wrong with it. Why the *rules* forbid an act that is not on offer is the rulebook's to
say (`rulebook.Rulebook.refusal`).

What is asked of one part is in its `Limits`, what is asked of several together in a `Joint` (a sum
to be paid from places that are also placed from). Whether picks meet it (`fit`), what picks that
were left out come to (`completed`) and whether there are any at all (`feasible`) is one question
(`solver`), for offers, bots, notation and verification alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from msgspec import Struct

from domain.record import solver

Ref = int | str


class Limits(Struct, array_like=True, frozen=True, gc=False):
    """What most choices do not ask for.

    `ordered`: the order of the picks matters. `cap` is how often one member may be picked.
    `weights`, one a member, must add up to a sum from `least` to `most`; `minimal`: no pick may be
    left out of it without falling short.
    """

    ordered: bool = False
    cap: int = 1
    weights: tuple[int, ...] = ()
    least: int = 0
    most: int = 0
    minimal: bool = False


class Term(Struct, array_like=True, frozen=True, gc=False):
    """What the picks of a part count in a sum: a figure for each member of its pool.

    No figures: each pick counts 1; of a part that is a number, the number does.
    """

    part: int
    weights: tuple[int, ...] = ()


class Matching(Struct, array_like=True, frozen=True, gc=False):
    """Symbols that meet symbols, each of them once, as many as can: how many counts in a sum.

    A symbol is a mask of colours, and meets another that has one of them. `wanted` are asked for,
    `there` meets them whatever is picked, `brought` is what a pick of each member brings (0: none).
    """

    wanted: tuple[int, ...]
    there: tuple[int, ...] = ()
    brought: tuple[Term, ...] = ()


class Sum(Struct, array_like=True, frozen=True, gc=False):
    """What the picks of several parts add up to, from `least` to `most`; a word of the manifest.

    With a `matching`, its size is added: the price that is left once each symbol met takes one off
    is a sum of what is paid and of the matching.
    """

    name: str
    terms: tuple[Term, ...]
    least: int = 0
    most: int = 0
    matching: Matching | None = None


class Supply(Struct, array_like=True, frozen=True, gc=False):
    """How often each member of a pool may be picked for some parts together."""

    parts: tuple[int, ...]
    pool: int
    caps: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Joint:
    """The longer form of `Limits`: of a part, and of that part together with others.

    It stands with any one of the parts that it binds. It is written as a map and only where it is
    needed, so that the records and digests of all other offers are the same bytes as before there
    was such a thing.
    """

    ordered: bool = False
    cap: int = 1
    weights: tuple[int, ...] = ()
    least: int = 0
    most: int = 0
    minimal: bool = False
    sums: tuple[Sum, ...] = ()
    supplies: tuple[Supply, ...] = ()

    def __post_init__(self) -> None:
        if not (self.sums or self.supplies):
            raise ValueError("limits of one part alone are `Limits`")


NUMBER, TEXT, SECRET = -1, -2, -3
#: What a rulebook reads.
TEXTS = (TEXT, SECRET)
PLAIN, ORDERED = Limits(), Limits(ordered=True)


class Part(Struct, array_like=True, frozen=True, gc=False):
    """One choice inside an option: between `low` and `high` picks out of a pool of the offer.

    `pool` is an index into `Offer.pools`; `NUMBER`: the pick is a number from `low` to `high`;
    `TEXT`: it is a text of `high` characters at the most, which the rulebook reads; `SECRET`: one
    of which others see nothing where they see that an answer was given (`views.seen_by_all`).
    """

    name: str
    pool: int
    low: int = 1
    high: int = 1
    limits: Limits | Joint | None = None


class Option(Struct, array_like=True, frozen=True, gc=False):
    """One act on offer: what it is (`deploy`, `pass`), with which card (0: none), and its parts."""

    kind: str
    card: Ref = 0
    parts: tuple[Part, ...] = ()
    effect: str = ""


class Offer(Struct, array_like=True, frozen=True, gc=False):
    """All that a seat may answer. Pools are shared between options, since payments usually are."""

    options: tuple[Option, ...]
    pools: tuple[tuple[Ref, ...], ...] = ()


class Answer(Struct, array_like=True, frozen=True, gc=False):
    """An option of the offer, by index, and the picks for each of its parts."""

    option: int
    picks: tuple[tuple[Ref, ...], ...] = ()


class Act(Struct, array_like=True, frozen=True, gc=False):
    """What somebody wants to do. Picks that are left out take the part's default."""

    kind: str
    card: Ref = 0
    picks: tuple[tuple[Ref, ...], ...] = ()
    effect: str = ""


class Misfit(Exception):
    """An act that does not answer an offer.

    `fault` is one of `not offered`, `which effect` (several of its card are), `unknown pick`,
    `too few`, `too many`, `repeated`, `sum`, `too many parts`; `part` names the part it concerns,
    if one, or the sum of several. `repeated` is also said of the part with which more of a member
    is picked than there is for all of them.
    """

    def __init__(self, fault: str, part: str = "") -> None:
        super().__init__(f"{part}: {fault}" if part else fault)
        self.fault, self.part = fault, part


def fit(offer: Offer, act: Act) -> Answer:
    """The answer that `act` gives to `offer`; raises `Misfit`."""
    meant = [at for at, option in enumerate(offer.options) if _meant(option, act)]
    if not meant:
        raise Misfit("not offered")
    meant = [at for at in meant if offer.options[at].effect == act.effect] or meant
    if len({offer.options[at].effect for at in meant}) > 1:
        raise Misfit("which effect")
    index, option = meant[0], offer.options[meant[0]]
    if len(act.picks) > len(option.parts):
        raise Misfit("too many parts")
    if len(act.picks) == len(option.parts):
        picks = act.picks
    else:
        picks = completed(offer, option, dict(enumerate(act.picks)))
    for part, picked in zip(option.parts, picks, strict=True):
        _check(offer, part, picked)
    if joint(option):
        _check_together(offer, option, picks)
    return Answer(index, picks)


def _meant(option: Option, act: Act) -> bool:
    same = option.kind == act.kind and option.card == act.card
    return same and act.effect in ("", option.effect)


def joint(option: Option) -> bool:
    """Whether its picks hang together: they add up, or something is asked of several parts."""
    return any(
        part.limits is not None and (type(part.limits) is Joint or part.limits.weights)
        for part in option.parts
    )


def completed(
    offer: Offer,
    option: Option,
    given: Mapping[int, tuple[Ref, ...]] | None = None,
    rng: Random | None = None,
) -> tuple[tuple[Ref, ...], ...]:
    """The picks of all parts: those given, and what the others come to beside them.

    With `rng` it is any of the ways, where picks hang together (`joint`). Where there is none, each
    part comes to what it would by itself, and `fit` says what is wrong.
    """
    given = given or {}
    if joint(option):
        found = _solved(offer, option, given, rng)
        if found is not None:
            return found
    return tuple(
        given[at] if at in given else default(offer, part) for at, part in enumerate(option.parts)
    )


def feasible(
    offer: Offer, option: Option, given: Mapping[int, tuple[Ref, ...]] | None = None
) -> bool:
    """Whether an option can be taken at all, beside what is given: else it is not to be offered."""
    return _solved(offer, option, given or {}, None) is not None


def default(offer: Offer, part: Part) -> tuple[Ref, ...]:
    """What a part comes to where nothing was picked: the least, from the front of its pool.

    What other parts ask of it is in `completed`.
    """
    if part.pool == NUMBER:
        return (part.low,)
    if part.pool in TEXTS:
        return ("",)
    picked = offer.pools[part.pool][: part.low]
    if part.limits is None or _fault(offer, part, picked) is None:
        return picked
    found = _solved(offer, Option("", 0, (_by_itself(part),)), {}, None)
    return found[0] if found is not None else picked


def _by_itself(part: Part) -> Part:
    """A part without what it is asked together with others."""
    own = part.limits
    if type(own) is Joint:
        own = Limits(own.ordered, own.cap, own.weights, own.least, own.most, own.minimal)
    return Part(part.name, part.pool, part.low, part.high, own)


def act_of(offer: Offer, answer: Answer) -> Act:
    """The act that an answer stands for."""
    option = offer.options[answer.option]
    return Act(option.kind, option.card, answer.picks, option.effect)


def alone(act: Act, *names: str) -> Offer:
    """An offer of just this act, legal or not; its parts have these names, as far as they go."""
    parts = tuple(
        Part(names[at] if at < len(names) else "", at, len(picks), len(picks), Limits(cap=400))
        for at, picks in enumerate(act.picks)
    )
    return Offer((Option(act.kind, act.card, parts, act.effect),), act.picks)


def spread(offer: Offer, picks: tuple[Ref, ...]) -> Act:
    """The act of an offer of `alone`, from its picks one after the other."""
    option, found, at = offer.options[0], list[tuple[Ref, ...]](), 0
    for part in option.parts:
        found.append(picks[at : at + part.low])
        at += part.low
    return Act(option.kind, option.card, tuple(found), option.effect)


# -- whether picks are what is asked for -----------------------------------------------------------


def _check(offer: Offer, part: Part, picked: tuple[Ref, ...]) -> None:
    fault = _fault(offer, part, picked)
    if fault is not None:
        raise Misfit(fault, part.name)


def _fault(offer: Offer, part: Part, picked: tuple[Ref, ...]) -> str | None:
    """What is wrong with the picks of a part by itself."""
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
    task = _task(offer, option, {})
    parts = zip(option.parts, picks, strict=True)
    counts = [_counted(part, picked, at) for at, (part, picked) in enumerate(parts)]
    for supply in task.supplies:
        left = dict(supply.caps)
        for at in sorted(supply.parts):
            for ref, n in counts[at].items():
                if ref not in left:
                    continue
                left[ref] -= n
                if left[ref] < 0:
                    raise Misfit("repeated", option.parts[at].name)
    for one, total in zip(sums(option), task.totals, strict=False):
        if not total.least <= total.of(counts) <= total.most:
            raise Misfit("sum", one.name)


def sums(option: Option) -> list[Sum]:
    """The sums of an option, in the order in which they are checked."""
    return [one for limits in _joints(option) for one in limits.sums]


def _joints(option: Option) -> list[Joint]:
    return [part.limits for part in option.parts if isinstance(part.limits, Joint)]


# -- picks that are not there yet ------------------------------------------------------------------

#: The one member of a part whose pick is a number: how often it is picked is the number.
_UNIT = "#"


def _solved(
    offer: Offer, option: Option, given: Mapping[int, tuple[Ref, ...]], rng: Random | None
) -> tuple[tuple[Ref, ...], ...] | None:
    """The picks of all parts that fit together with those given; None if there are none."""
    for at, picked in given.items():
        if _fault(offer, option.parts[at], picked) is not None:
            return None
    found = solver.solve(_task(offer, option, given), rng)
    if found is None:
        return None
    return tuple(
        given[at] if at in given else _picked(part, counts, at, rng)
        for at, (part, counts) in enumerate(zip(option.parts, found, strict=True))
    )


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
    """What an option asks, in the words of the solver; the named sums come first."""
    joints = _joints(option)
    totals = [_total(offer, option, one) for one in sums(option)]
    choices = []
    for at, part in enumerate(option.parts):
        fixed = _counted(part, given[at], at) if at in given else None
        choices.append(_choice(offer, part, at, fixed))
        limits = part.limits
        if limits is not None and limits.weights:
            worth = {at: _figures(offer, part, at, limits.weights)}
            totals.append(solver.Total(worth, limits.least, limits.most))
    supplies = [
        solver.Supply(frozenset(one.parts), dict(zip(offer.pools[one.pool], one.caps, strict=True)))
        for limits in joints
        for one in limits.supplies
    ]
    return solver.Task(tuple(choices), tuple(supplies), tuple(totals))


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
    """What each member of a part counts; 1 where nothing is said."""
    pool = offer.pools[part.pool] if part.pool >= 0 else (f"{_UNIT}{at}",)
    return dict(zip(pool, weights or (1,) * len(pool), strict=True))


def _adds_up(limits: Limits | Joint, weights: dict[Ref, int], picked: tuple[Ref, ...]) -> bool:
    total = sum(weights[ref] for ref in picked)
    if not limits.least <= total <= limits.most:
        return False
    return not (limits.minimal and any(total - weights[ref] >= limits.least for ref in picked))
