"""The payment of an option: the parts that are filled in as they come unless somebody wants to say.

Those are the part called `PAY`, in every game that has one, and the parts that something is asked
of together with it: what is placed from the same cores, what takes off the price.
"""

from __future__ import annotations

from domain.record.decisions import Offer, Option, sums, supplies
from domain.record.fitting.steps import Step, rest, step

PAY = "pay"


def payment(option: Option) -> frozenset[int]:
    """The parts of an option, by place, that pay for it."""
    paid = {at for at, part in enumerate(option.parts) if part.name == PAY}
    together = [{term.part for term in one.terms} for one in sums(option)]
    together += [
        {term.part for term in one.matching.brought} for one in sums(option) if one.matching
    ]
    together += [set(one.parts) for one in supplies(option)]
    for some in together if paid else ():
        paid |= some
    return frozenset(paid)


def price(option: Option) -> int:
    """The price that an option states, in picks of its payment; 0: none, or it varies."""
    if not payment(option):
        return 0
    for one in sums(option):
        if one.least == one.most:
            return one.least
    paid = next(part for part in option.parts if part.name == PAY)
    return paid.low if paid.low == paid.high else 0


def paid(offer: Offer, option: Option, now: Step) -> Step:
    """A step of an act with its payment filled in, wherever nothing is picked for it yet."""
    while now.at in payment(option) and not (len(now.picks) > now.at and now.picks[now.at]):
        whole = rest(offer, option, now)
        if whole is None:
            return now
        now = step(offer, option, whole[: now.at + 1], now.at + 1)
    return now
