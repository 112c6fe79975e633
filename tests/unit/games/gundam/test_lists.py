"""Formats: the lists of banned and restricted cards, and options that can't be meant."""

from __future__ import annotations

import json
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from domain.games import rulebook
from domain.games.gundam.lists import formats
from domain.games.gundam.lists.cards import CATALOGUE
from domain.games.gundam.lists.deck import faults
from domain.record.schema.policy import Policy

DAY = "2026-09-25"


def test_formats() -> None:
    assert formats.chosen({}).limits == ""
    assert formats.chosen({"format": DAY}).in_force()[0].cards == ("ST02-016",)
    assert formats.settled({"format": DAY}) == Policy()


def test_a_banned_card_outside_the_catalogue_is_called_by_its_number() -> None:
    deck = {**CATALOGUE.decks["ST01"], "main": ("X-1", "GD01-020")}
    found = faults(deck, CATALOGUE.cards, {"limits": '{"copies": {"X-1": 0, "GD01-020": 0}}'})
    assert {"X-1 is banned", "Anksha is banned"} <= {str(fault.text) for fault in found}


@pytest.mark.parametrize("name", CATALOGUE.decks)
def test_decks_as_they_are_sold_may_be_played(name: str) -> None:
    assert faults(CATALOGUE.decks[name], CATALOGUE.cards, {"format": DAY}) == []


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"format": "modern"}, "there is no format 'modern'"),
        ({"deck": 50}, "there is no option 'deck'"),
        ({"limits": "2020"}, "there is no list '2020'"),
        ({"limits": "{"}, "limits:"),
        ({"limits": '{"bans": []}'}, "limits:"),
        ({"limits": '{"copies": {"ST01-005": -1}}'}, "fewer than none"),
        ({"limits": '{"entries": [{"copies": -1}]}'}, "fewer than none"),
        ({"limits": '{"entries": [{"where": {"power": 1}}]}'}, "there is no figure 'power'"),
        ({"limits": "official", "region": "moon"}, "there is no region 'moon'"),
        ({"limits": "official", "date": "24 July"}, "'24 July' is no day like 2026-07-24"),
        ({"side": -1}, "fewer cards than none"),
        ({"first": "A"}, "options: "),
    ],
)
def test_options_that_cannot_be_meant(options: Mapping[str, Any], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        formats.settled(options)


#: Blue cards that no list says anything of; cards of the group of which a deck has one number.
BLUE = tuple(f"GD01-{n:03}" for n in (1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14))
PLAIN = ("ST01-005", "GD02-013")
TEN = ("GD01-015",) * 4 + ("GD01-016",) * 4 + ("GD01-017",) * 2
#: ST02 as it is sold, and with a card of it in the place of another.
ST02 = CATALOGUE.decks["ST02"]["main"]
CHANGED = (*ST02[1:], "ST02-015")
BEFORE, SINCE = {"date": "2026-07-23"}, {"date": "2026-07-24"}
IN_ASIA = {"region": "asia"}
WHERE = '{"entries": [{"where": {"name": "Gundam"}, "copies": 0, "to": {"en": "2026-07-23"}}]}'


@pytest.mark.parametrize(
    ("main", "side", "options", "found"),
    [
        ((), (), {}, []),
        ((*TEN, "GD01-017"), (), {}, ["not 61"]),
        ((), TEN, {}, []),
        ((), (*TEN, "GD01-017"), {}, ["not 11"]),
        ((), TEN, {"side": 0}, ["no part 'side'"]),
        ((), (*BLUE[:2], *TEN[:8]), {}, ["5 copies", "5 copies"]),
        (("ST02-001",), (*TEN[:9], "ST04-008"), {}, ["not blue, green, red"]),
        ((), ("GD01-020",), {}, ["Anksha is banned (page 01_277)", "not 1"]),
        (("GD01-020",), (), {**BEFORE}, []),
        (("GD01-020",), (), {**SINCE}, ["Anksha is banned"]),
        (("GD01-020",), (), {**SINCE, **IN_ASIA}, []),
        (("GD01-020",), (), {"date": "2026-07-25", **IN_ASIA}, ["Anksha is banned"]),
        (("ST02-016",) * 2, ("ST02-016",), {}, ["3 copies of Corsica Base; 2", "not 1"]),
        (("ST02-016",) * 3, (), {"date": "2026-03-31"}, []),
        (("ST01-010", "ST05-010"), (), {}, ["Amuro Ray (ST01-010), Mikazuki Augus (ST05-010)"]),
        (("ST01-010", "ST05-010"), (), {**BEFORE}, []),
        (("GD01-008", "GD05-015", *PLAIN), (), {}, ["Guntank", "GM (ST01-005), Hizack"]),
        (PLAIN[:1] * 2, PLAIN[1:], {}, ["not 1"]),
        ((), (), {"limits": WHERE}, []),
        ((), (), {"limits": WHERE, **BEFORE}, ["Gundam is banned"] * 2),
        ((), (), {"limits": WHERE, **SINCE}, []),
        (("GD05-006",), (), {"barred": "ST11, GD05"}, ["Hashmal is not allowed yet"]),
        (("GD05-006",), (), {"barred": "GD05:2026-08-01"}, ["Hashmal is not allowed before 2026"]),
        (("GD05-006",), (), {"barred": "GD05:2026-08-01", "date": "2026-07-31"}, ["before 2026"]),
        (("GD05-006",), (), {"barred": "GD05:2026-08-01", "date": "2026-08-01"}, []),
    ],
)  # fmt: skip
def test_what_the_official_list_allows(
    main: tuple[str, ...], side: tuple[str, ...], options: Mapping[str, Any], found: list[str]
) -> None:
    whole = tuple(card for card in BLUE for _ in range(4))
    kept = whole[: 50 - len(main) if len(main) < 11 else 50]
    deck = {"main": (*kept, *main), "resource": ("R-001",) * 10, **({"side": side} if side else {})}
    texts = texts_of(deck, {"format": "best-of-three", **options})
    assert len(texts) == len(found)
    for part in found:
        assert any(part in text for text in texts), texts


@pytest.mark.parametrize(
    ("main", "side", "found"),
    [
        (ST02, (), 0),
        (CHANGED, (), 1),
        (ST02, ("GD01-024",) * 4 + ("GD01-025",) * 4 + ("ST02-004",) * 2, 1),
    ],
)
def test_a_deck_as_it_is_sold_may_break_the_list_and_with_a_card_more_it_may_not(
    main: tuple[str, ...], side: tuple[str, ...], found: int
) -> None:
    deck = {**CATALOGUE.decks["ST02"], "main": main, **({"side": side} if side else {})}
    texts = [t for t in texts_of(deck, {"format": "best-of-three"}) if "Corsica" in t]
    assert len(texts) == found


@pytest.mark.parametrize(("taken", "found"), [(0, 0), (1, 1)])
def test_a_starter_that_an_event_brings_may_break_the_list_as_it_is_sold(
    taken: int, found: int
) -> None:
    """The list exempts it by a name that no catalogue has."""
    sold = {"main": {**dict.fromkeys(BLUE[:12], 4), **dict.fromkeys(PLAIN, 1)}}
    main = [card for card, n in sold["main"].items() for _ in range(n)]
    deck = {"main": [*main[taken:], *BLUE[12 : 12 + taken]], "resource": ("R-001",) * 10}
    brought = json.dumps({"ST05": sold})
    assert len(texts_of(deck, {"limits": "official"})) == 1
    assert len(texts_of(deck, {"limits": "official", "starters": brought})) == found
    for wrong in ("[]", '{"ST05": {"main": {"ST05-001": 0}}}', "{"):
        with pytest.raises(ValueError, match="starters"):
            formats.settled({"starters": wrong})


def test_the_plain_units_are_those_that_the_list_named_and_such_as_came_later() -> None:
    group = formats.LISTS.named["official"].entries[-1]
    numbers = group.numbers(CATALOGUE.cards)
    assert len(numbers) == 22
    assert {"GD01-035", "ST10-005", "ST11-008", "ST12-010"} < set(numbers)


def test_the_first_edition_has_no_sideboards() -> None:
    with pytest.raises(ValueError, match="later editions"):
        rulebook("gundam").settle({"format": "best-of-three"})


def texts_of(deck: Mapping[str, Any], options: Mapping[str, Any]) -> list[str]:
    return [str(one.text) for one in faults(deck, CATALOGUE.cards, options)]


@pytest.mark.parametrize("seed", range(12))
def test_a_deck_drawn_at_random_is_legal_by_the_newest_list(seed: int) -> None:
    book = rulebook("gundam@1.9")
    name, deck = drawn(seed)
    assert book.check_deck(deck, (), {"format": DAY}) == []
    colors = {book.cards[card].color for card in deck["main"]}
    assert name == "-".join(sorted(colors))
    assert drawn(seed) == (name, deck)


def test_decks_drawn_at_random_differ_and_games_that_draw_none_say_so() -> None:
    found = {tuple(sorted(drawn(seed)[1]["main"])) for seed in range(12)}
    assert len(found) == 12
    assert rulebook("hollow_flux").random_deck(Random(1)) is None


def drawn(seed: int) -> tuple[str, Any]:
    found = rulebook("gundam@1.9").random_deck(Random(seed))
    assert found is not None
    return found
