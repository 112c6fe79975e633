"""What parts ask for together, in a whole game: a toy that pays from places it also places on.

A card costs 3 points, less one for each symbol that the cards in play meet, to be paid from the
player and his cards in play; 1 or 2 more from there are laid on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from msgspec.structs import replace

from domain.engine.match import Deck, Match, Opening
from domain.engine.rulebook import go
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.engine.verify import EXACT, verify
from domain.record.decisions import (
    Act,
    Joint,
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
from domain.text.notation import parse, write
from replay_cli.drawing.book import Book
from replay_cli.drawing.choices import acts
from replay_cli.drawing.names import Names
from replay_cli.playing.bots import Bot
from replay_cli.scorekeeper.suggestions.habits import Habits
from replay_cli.scorekeeper.suggestions.suggest import Table as Clerk
from replay_cli.scorekeeper.suggestions.suggest import offered
from service import wire
from tests.toy import Toy, words

RED, BLUE = 1, 2


class Purse(Toy):
    """The toy, with a price for its cards."""

    def __init__(self) -> None:
        super().__init__()
        self.manifest = replace(self.manifest, parts=words("target", "pay", "place", "price"))
        self.digests = {**self.digests, "manifest": self.manifest.digest()}

    def setup(self, t: Table) -> Play:
        yield from super().setup(t)
        for seat in (0, 1):
            t.counters("points", 12, "toy:3", dst=f"seat/{seat}")

    def options(self, t: Table, seat: int) -> Offer:
        p, field = t.pos, t.pos.zone("field", seat)
        sources = (f"seat/{seat}", *field)
        held = tuple(p.counters(ref, "points") for ref in sources)
        there = tuple(RED if self.cards[p.cards[n].id].figure % 2 else BLUE for n in field)
        price = Sum("price", (Term(0),), 3, 3, Matching((RED, BLUE), there))
        joint = Joint(cap=9, sums=(price,), supplies=(Supply((0, 1), 0, held),))
        parts = (Part("pay", 0, 0, 3, Limits(cap=9)), Part("place", 0, 1, 2, joint))
        played = p.mark(f"seat/{seat}", "played") == p.turn
        plays = [Option("play", card, parts) for card in p.zone("hand", seat) if not played]
        offer = Offer((*plays, Option("pass")), (sources,))
        return Offer(tuple(o for o in offer.options if feasible(offer, o)), offer.pools)

    def main(self, t: Table) -> Play:
        seat = t.pos.turn_seat
        act = yield from t.ask(seat, "main", self.options(t, seat), "toy:4")
        if act.kind == "pass":
            go(t, "draw", "toy:5")
            return
        for ref in act.picks[0]:
            t.counters("points", 1, "toy:4", src=ref)
        (card,) = t.move([int(act.card)], f"field/{seat}", "play", "toy:4")
        for ref in act.picks[1]:
            t.counters("points", 1, "toy:4", src=ref, dst=card)
        t.mark(f"seat/{seat}", "played", t.pos.turn, "toy:4")
        go(t, "main", "toy:4")


RULES = Purse()
BOOK = Book.of(RULES)


def dice(kind: str, of: int) -> tuple[int, ...]:
    return tuple(range(of)) if kind == "shuffle" else (0,)


def played(seed: int = 1) -> Iterator[tuple[Match, int, Offer, Act, list[Entry]]]:
    """A match of bots: each decision, with the act that will answer it and the record so far."""
    decks = tuple(Deck(name, RULES.decks[name]) for name in ("ones", "tens"))
    match = Match.open(RULES, Opening(("Ann", "Ben"), decks, 0, options={"turns": 12}), dice)
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
    assert sum(act.kind == "play" for *_, act, _ in played(seed)) > 4
    assert [fault for entry in log for fault in wording.faults(RULES.manifest, entry)] == []
    assert Match.resume(RULES, log[:-9], dice).pos.decision is not None


def test_what_is_recorded_reads_the_same_from_store_and_wire() -> None:
    for entry in whole():
        assert decode(encode(entry)) == entry
        assert wire.entry_of(wire.entry(entry)) == entry


def test_prices_fall_with_the_symbols_in_play() -> None:
    for match, seat, offer, act, _ in played():
        if act.kind != "play":
            continue
        ids = [RULES.cards[match.pos.cards[n].id].figure % 2 for n in match.pos.zone("field", seat)]
        assert len(act.picks[0]) == 3 - len(set(ids))
        assert fit(offer, act).picks == act.picks


def test_each_way_that_is_written_drawn_or_suggested_answers_the_offer() -> None:
    for match, seat, offer, act, _ in played():
        text = write(act, match.pos, RULES, seat, offer)
        assert fit(offer, parse(text, match.pos, RULES, seat, offer)) == fit(offer, act), text
        rows = offered(Clerk(BOOK, match.pos, seat, offer, Habits(BOOK)))
        assert {row.command.act.kind for row in rows} == {o.kind for o in offer.options}
        for some in [*(row.command.act for row in rows), *(a for _, a in acts(offer))]:
            assert match.why_not(seat, some) is None


def test_an_option_says_what_it_adds_up_to() -> None:
    match, _, offer, *_ = next(iter(played()))
    assert "Price 3" in Names(BOOK, match.pos).option(offer, offer.options[0])


# -- by hand ---------------------------------------------------------------------------------------

#: Three points in reserve, two on a card: a price of 3, and 1 or 2 more to be placed.
SOURCES = Supply((0, 1), 0, (3, 2))
PRICE = Sum("price", (Term(0),), 3, 3)
PAY = Part("pay", 0, 0, 9, Limits(cap=9))
PLACE = Part("place", 0, 1, 2, Joint(cap=9, sums=(PRICE,), supplies=(SOURCES,)))
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


def test_what_is_left_out_is_found_beside_what_was_picked() -> None:
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
    parts = (Part("tuner", 0), Part("others", 1, 1, 2, Joint(sums=(levels,))))
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
        Part("pay", 1, 0, 4, Joint(cap=4, sums=(Sum("price", (Term(1),), 4, 4, matching),))),
    )
    offer = Offer((Option("summon", 5, parts),), ((31, 32), ("reserve",)))
    assert fit(offer, Act("summon", 5, (exiled,))).picks == (exiled, ("reserve",) * paid)
    with pytest.raises(Misfit, match="price: sum"):
        fit(offer, Act("summon", 5, (exiled, ("reserve",) * (paid - 1))))


def test_limits_of_one_part_have_the_shorter_form() -> None:
    with pytest.raises(ValueError, match="one part alone"):
        Joint(cap=2)


def test_a_large_offer_is_settled_at_once() -> None:
    """Twenty places of six points each, and a level that none of many cards can make up."""
    places = tuple(range(1, 21))
    price = Sum("price", (Term(0),), 40, 40)
    joint = Joint(cap=99, sums=(price,), supplies=(Supply((0, 1), 0, (6,) * 20),))
    parts = (Part("pay", 0, 0, 99, Limits(cap=99)), Part("place", 0, 5, 9, joint))
    offer = Offer((Option("summon", 50, parts),), (places,))
    pay, place = completed(offer, offer.options[0])
    assert (len(pay), len(place)) == (40, 5)
    even = Joint(sums=(Sum("levels", (Term(0, (2,) * 20),), 21, 21),))
    odd = Offer((Option("ritual", 9, (Part("tribute", 0, 1, 20, even),)),), (places,))
    assert not feasible(odd, odd.options[0])
