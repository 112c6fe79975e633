"""Whether an act answers an offer, and what is wrong with it if it does not."""

from __future__ import annotations

import pytest

from domain.record.decisions import (
    NUMBER,
    TEXT,
    Act,
    Answer,
    Limits,
    Misfit,
    Offer,
    Option,
    Part,
    act_of,
)
from domain.record.fitting.fit import default, fit

PAY = Part("pay", 0, 2, 2)
UP_TO = Part("target", 1, 0, 2)
OFFER = Offer(
    (
        Option("play", 7, (PAY,)),
        Option("play", 7, (PAY, UP_TO), "T1/b"),
        Option("attack", 8, (UP_TO,)),
        Option("bid", 0, (Part("n", NUMBER, 1, 5),)),
        Option("say", 0, (Part("text", TEXT, 1, 5),)),
        Option("pass"),
        Option("use", 9, (), "T1/c"),
        Option("use", 9, (), "T1/d"),
    ),
    ((11, 12, 13), ("seat/1", 21)),
)


def fault(act: Act, offer: Offer = OFFER) -> tuple[str, str]:
    with pytest.raises(Misfit) as misfit:
        fit(offer, act)
    return misfit.value.fault, misfit.value.part


def test_an_act_is_found_by_kind_card_and_effect() -> None:
    assert fit(OFFER, Act("pass")) == Answer(5)
    assert fit(OFFER, Act("play", 7, ((11, 13),))) == Answer(0, ((11, 13),))
    assert fit(OFFER, Act("play", 7, ((11, 13), (21,)), "T1/b")) == Answer(1, ((11, 13), (21,)))


def test_picks_that_are_left_out_take_the_default() -> None:
    assert fit(OFFER, Act("play", 7)).picks == ((11, 12),)
    assert fit(OFFER, Act("attack", 8)).picks == ((),)
    assert fit(OFFER, Act("bid")).picks == ((1,),)


@pytest.mark.parametrize(
    ("act", "found"),
    [
        (Act("play", 8), ("not offered", "")),
        (Act("fly"), ("not offered", "")),
        (Act("use", 9), ("which effect", "")),
        (Act("play", 7, effect="T1/c"), ("not offered", "")),
        (Act("pass", 0, ((1,),)), ("too many parts", "")),
        (Act("play", 7, ((11, 99),)), ("unknown pick", "pay")),
        (Act("play", 7, ((11,),)), ("too few", "pay")),
        (Act("play", 7, ((11, 12, 13),)), ("too many", "pay")),
        (Act("play", 7, ((11, 11),)), ("repeated", "pay")),
        (Act("play", 7, ((),)), ("too few", "pay")),
        (Act("bid", 0, ((0,),)), ("too few", "n")),
        (Act("bid", 0, ((6,),)), ("too many", "n")),
        (Act("bid", 0, (("5",),)), ("unknown pick", "n")),
        (Act("bid", 0, ((1, 2),)), ("unknown pick", "n")),
        (Act("say", 0, (("",),)), ("too few", "text")),
        (Act("say", 0, (("x" * 6,),)), ("too many", "text")),
        (Act("say", 0, ((5,),)), ("unknown pick", "text")),
    ],
)
def test_what_is_wrong_with_an_act_is_named(act: Act, found: tuple[str, str]) -> None:
    assert fault(act) == found


def test_an_answer_stands_for_the_act_it_came_from() -> None:
    act = Act("play", 7, ((12, 13), ("seat/1",)), "T1/b")
    assert act_of(OFFER, fit(OFFER, act)) == act


def test_a_member_may_be_picked_as_often_as_its_cap() -> None:
    offer = Offer((Option("move", 0, (Part("cores", 0, 1, 4, Limits(cap=3)),)),), ((1, 2),))
    assert fit(offer, Act("move", 0, ((1, 1, 1, 2),))).picks == ((1, 1, 1, 2),)
    assert fault(Act("move", 0, ((1, 1, 1, 1),)), offer) == ("repeated", "cores")


def test_weights_must_add_up_and_no_pick_be_wasted() -> None:
    limits = Limits(weights=(1, 2, 4), least=4, most=6, minimal=True)
    part = Part("sum", 0, 1, 3, limits)
    offer = Offer((Option("tribute", 0, (part,)),), ((1, 2, 3),))
    assert fit(offer, Act("tribute", 0, ((3,),))).picks == ((3,),)
    for picks in [(1, 2), (1, 2, 3), (2, 3), (1, 3)]:
        assert fault(Act("tribute", 0, (picks,)), offer) == ("sum", "sum")


def test_the_default_of_a_sum_reaches_it_from_the_front() -> None:
    part = Part("sum", 0, 1, 3, Limits(weights=(1, 2, 4), least=3, most=3))
    assert default(Offer((), ((7, 8, 9),)), part) == (7, 8)
