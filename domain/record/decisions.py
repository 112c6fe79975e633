"""Decisions: what a seat may choose from, what it chose, and whether the one fits the other.

An `Offer` lists legal options only. An option is one whole act: its parts (host, targets, payment)
are chosen with it, so that a play that can't be completed is never begun. An `Act` is what somebody
wants to do, legal or not, in the words of the game; `fit` turns it into an `Answer` to an offer, or
says what is wrong with it. Why the *rules* forbid an act that is not on offer is the rulebook's to
say (`rulebook.Rulebook.refusal`).
"""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

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
    limits: Limits | None = None


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
    if one.
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
    given = act.picks + ((),) * (len(option.parts) - len(act.picks))
    defaulted = range(len(act.picks), len(option.parts))
    picks = tuple(
        default(offer, part) if at in defaulted else picked
        for at, (part, picked) in enumerate(zip(option.parts, given, strict=True))
    )
    for part, picked in zip(option.parts, picks, strict=True):
        _check(offer, part, picked)
    return Answer(index, picks)


def _meant(option: Option, act: Act) -> bool:
    same = option.kind == act.kind and option.card == act.card
    return same and act.effect in ("", option.effect)


def default(offer: Offer, part: Part) -> tuple[Ref, ...]:
    """What a part comes to where nothing was picked: the least, from the front of its pool."""
    if part.pool == NUMBER:
        return (part.low,)
    if part.pool in TEXTS:
        return ("",)
    limits = part.limits
    if limits is None or not limits.weights:
        return offer.pools[part.pool][: part.low]
    total = 0
    picked: list[Ref] = []
    for ref, weight in zip(offer.pools[part.pool], limits.weights, strict=True):
        if total < limits.least and total + weight <= limits.most:
            total, picked = total + weight, [*picked, ref]
    return tuple(picked)


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


def _check(offer: Offer, part: Part, picked: tuple[Ref, ...]) -> None:
    if part.pool < 0:
        _check_open(part, picked)
        return
    pool = offer.pools[part.pool]
    if any(ref not in pool for ref in picked):
        raise Misfit("unknown pick", part.name)
    if len(picked) < part.low:
        raise Misfit("too few", part.name)
    if len(picked) > part.high:
        raise Misfit("too many", part.name)
    limits = part.limits or PLAIN
    if picked and max(Counter(picked).values()) > limits.cap:
        raise Misfit("repeated", part.name)
    if limits.weights and not _adds_up(
        limits, dict(zip(pool, limits.weights, strict=True)), picked
    ):
        raise Misfit("sum", part.name)


def _check_open(part: Part, picked: tuple[Ref, ...]) -> None:
    wanted = int if part.pool == NUMBER else str
    if len(picked) != 1 or not isinstance(picked[0], wanted):
        raise Misfit("unknown pick", part.name)
    size = picked[0] if isinstance(picked[0], int) else len(picked[0])
    if size < part.low:
        raise Misfit("too few", part.name)
    if size > part.high:
        raise Misfit("too many", part.name)


def _adds_up(limits: Limits, weights: dict[Ref, int], picked: tuple[Ref, ...]) -> bool:
    total = sum(weights[ref] for ref in picked)
    if not limits.least <= total <= limits.most:
        return False
    return not (limits.minimal and any(total - weights[ref] >= limits.least for ref in picked))
