"""The payment of an option, which is filled in: alone, bound with other parts, and none."""

from __future__ import annotations

from domain.record.decisions import Limits, Offer, Option, Part, Sum, Term
from domain.record.fitting.steps import step
from domain.record.fitting.usual import paid, payment, price

POOLS = ((11, 12, 13), (21, 22))
PRICE = Limits(sums=(Sum("price", (Term(0), Term(1)), 3, 3),))
ALONE = Option("deploy", 5, (Part("host", 1), Part("pay", 0, 2, 2)))
BOUND = Option("summon", 5, (Part("pay", 0, 0, 3), Part("exile", 1, 0, 2, PRICE)))
NONE = Option("attack", 5, (Part("target", 1),))


def test_what_pays_and_how_much() -> None:
    assert (payment(ALONE), price(ALONE)) == ({1}, 2)
    assert (payment(BOUND), price(BOUND)) == ({0, 1}, 3)
    assert (payment(NONE), price(NONE)) == (set(), 0)


def test_it_is_filled_in_once_the_rest_is_chosen() -> None:
    offer = Offer((ALONE, BOUND, NONE), POOLS)
    first = step(offer, ALONE)
    assert paid(offer, ALONE, first) == first, "the host is not paid with"
    done = paid(offer, ALONE, step(offer, ALONE, ((22,),), 1))
    assert (done.at, done.picks) == (2, ((22,), (11, 12)))
    assert paid(offer, BOUND, step(offer, BOUND)).at == 2
    begun = step(offer, ALONE, ((22,), (13,)), 1)
    assert paid(offer, ALONE, begun) == begun, "somebody is choosing"
