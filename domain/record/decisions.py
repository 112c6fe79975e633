"""Decisions: the options of a seat, the act it asks for, and its answer.

An `Offer` lists legal options only. An option is one whole act: its parts (host, targets, payment)
are chosen with it, so that a play that can't be completed is never begun. An `Act` is what somebody
wants to do, legal or not, in the words of the game; `fitting.fit` turns it into an `Answer` to an
offer, or says what is wrong with it (`Misfit`).

What is asked of one part, or of several together (a sum to be paid from places that are also placed
from), is in its `Limits`.

An offer has thousands of structures. So that they are hashed as they are, without a look at each,
all the fields that a type had in 1.0 are hashed always (`ALWAYS_HASHED`, see `proof.canonical`):
that number stays when a field is added.
"""

from __future__ import annotations

from msgspec import Struct

from domain.record.values import Ref


class Term(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """The weight of the picks of a part in a sum: a figure for each member of its pool.

    No figures: each pick counts 1; of a part that is a number, the number does.
    """

    ALWAYS_HASHED = 2
    part: int
    weights: tuple[int, ...] = ()


class Matching(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """Symbols that meet symbols, each of them once, as many as can: how many counts in a sum.

    A symbol is a mask of colours, and meets another that has one of them. `wanted` are asked for,
    `there` meets them whatever is picked, `brought` is what a pick of each member brings (0: none).
    """

    ALWAYS_HASHED = 3
    wanted: tuple[int, ...]
    there: tuple[int, ...] = ()
    brought: tuple[Term, ...] = ()


class Sum(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """The sum of the picks of several parts, from `least` to `most`; a word of the manifest.

    With a `matching`, its size is added: the price that is left once each symbol met takes one off
    is a sum of what is paid and of the matching.
    """

    ALWAYS_HASHED = 5
    name: str
    terms: tuple[Term, ...]
    least: int = 0
    most: int = 0
    matching: Matching | None = None


class Supply(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """How often each member of a pool may be picked for some parts together."""

    ALWAYS_HASHED = 3
    parts: tuple[int, ...]
    pool: int
    caps: tuple[int, ...]


class Limits(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """Conditions that most choices do not have: on the picks of a part, and of several together.

    `ordered`: the order of the picks matters. `cap` is how often one member may be picked.
    `weights`, one a member, must add up to a sum from `least` to `most`; `minimal`: no pick may be
    left out of it without falling short. `sums` and `supplies` bind several parts; they stand with
    any one of these.
    """

    ALWAYS_HASHED = 8
    ordered: bool = False
    cap: int = 1
    weights: tuple[int, ...] = ()
    least: int = 0
    most: int = 0
    minimal: bool = False
    sums: tuple[Sum, ...] = ()
    supplies: tuple[Supply, ...] = ()


#: Among the picks of an act: and others, as they come.
REST = "..."
NUMBER, TEXT, SECRET = -1, -2, -3
#: A secret text at a real table that the scorekeeper does not know.
UNSTATED = "?"
#: What a rulebook reads.
TEXTS = (TEXT, SECRET)
PLAIN, ORDERED = Limits(), Limits(ordered=True)


class Part(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """One choice inside an option: between `low` and `high` picks out of a pool of the offer.

    `pool` is an index into `Offer.pools`; `NUMBER`: the pick is a number from `low` to `high`;
    `TEXT`: it is a text of `high` characters at the most, which the rulebook reads; `SECRET`: one
    of which others see nothing where they see that an answer was given (`views.seen_by_all`).
    """

    ALWAYS_HASHED = 5
    name: str
    pool: int
    low: int = 1
    high: int = 1
    limits: Limits | None = None


class Option(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """One act on offer: what it is (`deploy`, `pass`), with which card (0: none), and its parts."""

    ALWAYS_HASHED = 4
    kind: str
    card: Ref = 0
    parts: tuple[Part, ...] = ()
    effect: str = ""

    def act(self, picks: tuple[tuple[Ref, ...], ...] = ()) -> Act:
        """The act that takes this option, with the picks of its parts that are given."""
        return Act(self.kind, self.card, picks, self.effect)


class Offer(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """All that a seat may answer. Pools are shared between options, since payments usually are."""

    ALWAYS_HASHED = 2
    options: tuple[Option, ...]
    pools: tuple[tuple[Ref, ...], ...] = ()


class Answer(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """An option of the offer, by index, and the picks for each of its parts."""

    option: int
    picks: tuple[tuple[Ref, ...], ...] = ()


class Act(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """An act that somebody wants to do. Picks that are left out take the part's default.

    So do those of a part that `REST` is among: the others are picked at least.
    """

    kind: str
    card: Ref = 0
    picks: tuple[tuple[Ref, ...], ...] = ()
    effect: str = ""


class Misfit(Exception):
    """An act that does not answer an offer.

    `fault` is one of `not offered`, `which effect` (several of its card are), `unknown pick`, `too
    few`, `too many`, `repeated`, `sum`, `too many parts`; `part` names the part it concerns, if
    one, or the sum of several. `repeated` also names the part with which more of a member is picked
    than there is for all of them.
    """

    def __init__(self, fault: str, part: str = "") -> None:
        super().__init__(f"{part}: {fault}" if part else fault)
        self.fault, self.part = fault, part


def joint(option: Option) -> bool:
    """Whether its picks hang together: they add up, or something is asked of several parts."""
    limits = (part.limits for part in option.parts if part.limits is not None)
    return any(one.weights or one.sums or one.supplies for one in limits)


def sums(option: Option) -> list[Sum]:
    """The sums of an option, in the order in which they are checked."""
    return [one for part in option.parts if part.limits is not None for one in part.limits.sums]


def supplies(option: Option) -> list[Supply]:
    """The supplies of an option, in the order in which they are checked."""
    return [one for part in option.parts if part.limits is not None for one in part.limits.supplies]


def act_of(offer: Offer, answer: Answer) -> Act:
    """The act that an answer stands for."""
    return offer.options[answer.option].act(answer.picks)


def alone(act: Act, *names: str) -> Offer:
    """An offer of just this act, legal or not; its parts have these names, if given."""
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
    return option.act(tuple(found))
