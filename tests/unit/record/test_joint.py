"""What parts ask for together: in a whole game (Lamps), and by hand.

A lamp costs oil, less one if its colour burns already, out of the store and of the lamps in play;
1 or 2 of it are filled into the new lamp.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from domain.engine.checks.verify import EXACT, verify
from domain.engine.match import Match
from domain.record.decisions import (
    Act,
    Limits,
    Matching,
    Misfit,
    Offer,
    Option,
    Part,
    Sum,
    Supply,
    Term,
)
from domain.record.entries import Entry, decode, encode
from domain.record.fitting.fit import completed, feasible, fit
from domain.record.schema import wording
from domain.scorekeeping.suggestions.habits import Habits
from domain.scorekeeping.suggestions.suggest import Table as SuggestionTable
from domain.scorekeeping.suggestions.suggest import offered
from domain.telling.book import Book
from domain.telling.names import Names
from domain.text.notation import parse, write
from replay_cli.drawing.choices import acts
from replay_cli.playing.bots import Bot
from service import wire
from tests.playouts import Setup, begin, resume, rulebook

RED, BLUE = 1, 2
RULES = rulebook("lamps")
BOOK = Book.of(RULES)


def played(seed: int = 1) -> Iterator[tuple[Match, int, Offer, Act, list[Entry]]]:
    """A match of bots: each decision, with the act that will answer it and the record so far."""
    setup = Setup(seed, ("bright", "windy"))
    match = begin(setup)
    bots = [Bot(RULES.manifest, seat, seed) for seat in (0, 1)]
    log = match.collect()
    while not match.pos.over:
        decision = match.pos.decision
        assert decision is not None
        seat = decision.seats[0]
        offer = decision.offers[seat]
        assert offer is not None
        act = bots[seat].choose(offer, match.pos)
        yield match, seat, offer, act, log
        match.choose(seat, decision.n, act, match.pos.time + 1)
        log += match.collect()


def whole(seed: int = 1) -> list[Entry]:
    return [*played(seed)][-1][-1]


@pytest.mark.parametrize("seed", [1, 2])
def test_a_match_is_played_resumed_and_verified(seed: int) -> None:
    log = whole(seed)
    assert verify(log, RULES).kind == EXACT
    assert sum(act.kind == "light" for *_, act, _ in played(seed)) > 4
    assert [fault for entry in log for fault in wording.faults(RULES.manifest, entry)] == []
    assert resume(Setup(seed, ("bright", "windy")), log[:-9]).pos.decision is not None


def test_what_is_recorded_reads_the_same_from_store_and_wire() -> None:
    for entry in whole():
        assert decode(encode(entry)) == entry
        assert wire.entry_of(wire.entry(entry)) == entry


def test_prices_fall_with_the_colours_that_burn() -> None:
    cheaper = 0
    for match, seat, offer, act, _ in played():
        if act.kind != "light":
            continue
        cards, facts = match.pos.cards, RULES.cards
        burning = {facts[cards[n].id].color for n in match.pos.zone("quay", seat)} - {""}
        lamp = facts[cards[int(act.card)].id]
        assert sum(map(len, act.picks)) == lamp.price - (lamp.color in burning)
        assert fit(offer, act).picks == act.picks
        cheaper += lamp.color in burning
    assert cheaper


def test_each_way_that_is_written_drawn_or_suggested_answers_the_offer() -> None:
    for match, seat, offer, act, _ in played():
        text = write(act, match.pos, RULES, seat, offer)
        assert fit(offer, parse(text, match.pos, RULES, seat, offer)) == fit(offer, act), text
        rows = offered(SuggestionTable(BOOK, match.pos, seat, offer, Habits(BOOK)))
        assert {row.command.act.kind for row in rows} == {o.kind for o in offer.options}
        for some in [*(row.command.act for row in rows), *(a for _, a in acts(offer))]:
            assert match.why_not(seat, some) is None


def test_an_option_says_what_it_adds_up_to() -> None:
    found = [
        Names(BOOK, match.pos).option(offer, option)
        for match, _, offer, *_ in played()
        for option in offer.options
        if option.kind == "light"
    ]
    assert any("price 2" in text for text in found), found[:3]


# -- by hand ---------------------------------------------------------------------------------------

#: Three points in reserve, two on a card: a price of 3, and 1 or 2 more to be placed.
SOURCES = Supply((0, 1), 0, (3, 2))
PRICE = Sum("price", (Term(0),), 3, 3)
PAY = Part("pay", 0, 0, 9, Limits(cap=9))
PLACE = Part("place", 0, 1, 2, Limits(cap=9, sums=(PRICE,), supplies=(SOURCES,)))
OFFER = Offer(
    (Option("summon", 5, (PAY, PLACE)),),
    (("reserve", 7),),
)  # fmt: skip


@pytest.mark.parametrize(
    ("pay", "place", "fault"),
    [
        (("reserve",) * 3, (7,), ""),
        (("reserve", "reserve", 7), ("reserve", 7), ""),
        (("reserve", "reserve"), (7,), "price: sum"),
        (("reserve", "reserve", 7, 7), ("reserve",), "price: sum"),
        (("reserve",) * 3, ("reserve",), "place: repeated"),
        (("reserve", 7, 7), (7,), "place: repeated"),
        (("reserve",) * 4, (7,), "pay: repeated"),
        (("reserve",) * 3, (), "place: too few"),
        (("reserve",) * 3, (7, 7, 7), "place: too many"),
        (("reserve",) * 3, (8,), "place: unknown pick"),
    ],
)
def test_a_price_is_paid_exactly_from_places_that_are_placed_from(
    pay: tuple[str, ...], place: tuple[int, ...], fault: str
) -> None:
    act = Act("summon", 5, (pay, place))
    if not fault:
        assert fit(OFFER, act).picks == act.picks
        return
    with pytest.raises(Misfit) as misfit:
        fit(OFFER, act)
    assert str(misfit.value) == fault


def test_left_out_picks_are_completed() -> None:
    (option,) = OFFER.options
    assert completed(OFFER, option) == (("reserve",) * 3, (7,))
    assert completed(OFFER, option, {0: ("reserve", 7, 7)})[1] == ("reserve",)
    assert completed(OFFER, option, {1: ("reserve",)})[0] == ("reserve", "reserve", 7)
    assert {completed(OFFER, option, {}, Random(n)) for n in range(30)} > {completed(OFFER, option)}


@pytest.mark.parametrize(
    ("level", "possible"), [(2, False), (3, True), (5, True), (7, True), (8, False)]
)
def test_the_levels_of_a_tuner_and_others_make_up_the_level(level: int, possible: bool) -> None:
    """One tuner (levels 2 and 3) and at least one other (1, 3 and 1) of that level in all."""
    levels = Sum("levels", (Term(0, (2, 3)), Term(1, (1, 3, 1))), level, level)
    parts = (Part("tuner", 0), Part("others", 1, 1, 2, Limits(sums=(levels,))))
    offer = Offer((Option("synchro", 9, parts),), ((1, 2), (3, 4, 5)))
    assert feasible(offer, offer.options[0]) == possible
    if possible:
        (tuner,), others = fit(offer, Act("synchro", 9)).picks
        assert {1: 2, 2: 3}[int(tuner)] + sum({3: 1, 4: 3, 5: 1}[int(n)] for n in others) == level
    with pytest.raises(Misfit, match="levels: sum"):
        fit(offer, Act("synchro", 9, ((1,), (3, 5))))


@pytest.mark.parametrize(
    ("there", "exiled", "paid"),
    [
        ((), (), 4),
        ((RED,), (), 3),
        ((RED, RED, RED), (), 2),  # a symbol that is asked for is met once
        ((BLUE, BLUE), (), 3),
        ((RED | BLUE, RED), (), 2),
        ((RED | BLUE, RED, RED), (), 1),  # the one of both colours is kept for blue
        ((RED,), (31,), 2),
        ((RED, RED), (31, 32), 1),
        ((RED, RED, BLUE), (31,), 1),  # one too many helps nobody
    ],
)
def test_each_symbol_met_takes_one_off_the_price(
    there: tuple[int, ...], exiled: tuple[int, ...], paid: int
) -> None:
    """A price of 4 with two red symbols and a blue one to be met; exiled cards meet any."""
    matching = Matching((RED, RED, BLUE), there, (Term(0, (RED | BLUE,) * 2),))
    parts = (
        Part("exile", 0, 0, 2),
        Part("pay", 1, 0, 4, Limits(cap=4, sums=(Sum("price", (Term(1),), 4, 4, matching),))),
    )
    offer = Offer((Option("summon", 5, parts),), ((31, 32), ("reserve",)))
    assert fit(offer, Act("summon", 5, (exiled,))).picks == (exiled, ("reserve",) * paid)
    with pytest.raises(Misfit, match="price: sum"):
        fit(offer, Act("summon", 5, (exiled, ("reserve",) * (paid - 1))))


def test_a_large_offer_is_settled_at_once() -> None:
    """Twenty places of six points each, and a level that none of many cards can make up."""
    places = tuple(range(1, 21))
    price = Sum("price", (Term(0),), 40, 40)
    joint = Limits(cap=99, sums=(price,), supplies=(Supply((0, 1), 0, (6,) * 20),))
    parts = (Part("pay", 0, 0, 99, Limits(cap=99)), Part("place", 0, 5, 9, joint))
    offer = Offer((Option("summon", 50, parts),), (places,))
    pay, place = completed(offer, offer.options[0])
    assert (len(pay), len(place)) == (40, 5)
    even = Limits(sums=(Sum("levels", (Term(0, (2,) * 20),), 21, 21),))
    odd = Offer((Option("ritual", 9, (Part("tribute", 0, 1, 20, even),)),), (places,))
    assert not feasible(odd, odd.options[0])
