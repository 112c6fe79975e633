"""What comes before a game, the hand, and what may be wrong with a list: the kit by itself."""

from __future__ import annotations

import pytest

from domain.engine.table import Table
from domain.games.kit.flow.setup import Deck, first_hands, lay_out, redraw, who_begins
from domain.games.kit.lists import decks
from domain.games.kit.zones.hand import discard_down, draw
from domain.record.decisions import ORDERED, Act
from domain.record.events import CardsKnown, DecisionOpened
from tests.unit.kit.flows import drive, table

CARDS = [f"T{n:02}" for n in range(1, 9)]
MAIN = Deck("main", "deck", ("toy:2",), shuffled=("toy:2", "toy:3"))


def held(t: Table, place: str) -> list[str]:
    return [t.pos.cards[number].id for number in t.pos.zone(place)]


def dealt(n: int) -> Table:
    """Both decks are laid out, lowest card first, and the seats hold `n` cards."""
    t = table(CARDS, CARDS)
    drive(lay_out(t, MAIN))
    first_hands(t, 0, "deck", n, "toy:3")
    return t


def test_a_deck_is_known_to_its_owner_until_it_is_shuffled() -> None:
    t = table(CARDS[:2], CARDS[:3])
    drive(lay_out(t, MAIN))
    expected = [e.event.cards.to for e in t.out if isinstance(e.event, CardsKnown)]
    assert expected == [0b01, 0b10]
    assert held(t, "deck/1") == ["T03", "T02", "T01"]
    assert [t.pos.cards[number].seen for number in t.pos.zone("deck/1")] == [0, 0, 0]


def test_a_deck_that_is_not_shuffled_lies_as_it_was_listed() -> None:
    t = table(CARDS, CARDS)
    drive(lay_out(t, Deck("main", "trash", ("toy:2",))))
    assert held(t, "trash/0") == CARDS


@pytest.mark.parametrize(
    ("chooser", "says", "first"),
    [(0, "first", 0), (0, "second", 1), (1, "first", 1), (1, "second", 0)],
)
def test_who_was_chosen_says_who_begins(chooser: int, says: str, first: int) -> None:
    t = table(CARDS, CARDS)
    assert drive(who_begins(t, "toy:1", chance=("toy:2",)), chooser, Act(says)) == first
    assert t.pos.mark(f"seat/{first}", "first") is True
    assert t.pos.mark(f"seat/{1 - first}", "first") is None


def test_a_hand_that_is_kept() -> None:
    t = dealt(3)
    before = held(t, "hand/0")
    drive(redraw(t, 0, "deck", 3, "toy:3"), Act("keep"))
    assert held(t, "hand/0") == before
    assert t.pos.mark("seat/0", "redrawn") is None


@pytest.mark.parametrize(
    ("bottom", "hand"),
    [(False, ["T08", "T07", "T06"]), (True, ["T04", "T05", "T06"])],
    ids=["from the shuffled deck", "before the shuffle, from the rest"],
)
def test_a_hand_that_is_drawn_anew(bottom: bool, hand: list[str]) -> None:
    t = dealt(3)
    assert held(t, "hand/0") == ["T01", "T02", "T03"]
    drive(redraw(t, 0, "deck", 3, "toy:3", bottom=bottom), Act("redraw"))
    assert held(t, "hand/0") == hand
    assert len(t.pos.zone("deck/0")) == 5
    assert t.pos.mark("seat/0", "redrawn") is True


@pytest.mark.parametrize(("n", "drawn"), [(0, 0), (2, 2), (8, 8), (9, 8)])
def test_no_more_is_drawn_than_there_is(n: int, drawn: int) -> None:
    t = dealt(0)
    assert draw(t, 1, "deck", n, "toy:3") == drawn
    assert len(t.pos.zone("hand/1")) == drawn


def test_a_hand_within_its_limit_is_not_asked_about() -> None:
    t = dealt(3)
    assert drive(discard_down(t, 0, 3, "toy:4")) == 0
    assert not any(isinstance(e.event, DecisionOpened) for e in t.out)


def test_a_hand_over_its_limit_is_discarded_down_at_once_as_picked() -> None:
    t = dealt(5)
    hand = t.pos.zone("hand/0")
    picked = (hand[3], hand[0])
    flow = discard_down(t, 0, 3, "toy:4", asks=("toy:5",), moves=("toy:6",), limits=ORDERED)
    assert drive(flow, Act("discard", picks=(picked,))) == 2
    assert held(t, "trash/0") == ["T04", "T01"]
    asked = next(e for e in t.out if isinstance(e.event, DecisionOpened))
    assert asked.cites == ("toy:4", "toy:5")
    assert t.out[-1].cites[:1] == ("toy:4",)
    offer = t.asked.offers[0]
    (part,) = offer.options[0].parts
    assert (part.low, part.high, part.limits) == (2, 2, ORDERED)


FAULTS = {
    "part": (decks.strange_parts(["main", "side"], {"main"}, "r"), ["no part 'side'"]),
    "card": (decks.strange_cards(["X", "A", "X"], {"A"}, "r"), ["no card is numbered 'X'"]),
    "size": ([decks.wrong_size("a deck", 3, 40, "r")], ["a deck has exactly 40 cards, not 3"]),
    "range": ([decks.wrong_size("a deck", 3, ">=40", "r")], ["a deck has >=40 cards, not 3"]),
    "copies": ([decks.too_many("A", "An A", 4, 3, "r")], ["4 copies of An A; 3 are allowed"]),
}


@pytest.mark.parametrize(("found", "expected"), FAULTS.values(), ids=FAULTS)
def test_what_is_wrong_with_a_list(found: list[decks.DeckFault], expected: list[str]) -> None:
    faults = list(found)
    assert len(faults) == len(expected)
    assert all(text in fault.text for text, fault in zip(expected, faults, strict=True))
    assert {fault.rule for fault in faults} == {"r"}
