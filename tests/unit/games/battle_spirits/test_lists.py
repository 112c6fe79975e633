"""The fourth game's cards as data, its formats, and what its decks may be made of."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import pytest

from domain.effects.catalogue import BadCard
from domain.games.battle_spirits.lists import formats
from domain.games.battle_spirits.lists.card import COLORS
from domain.games.battle_spirits.lists.cards import CATALOGUE
from domain.games.battle_spirits.lists.deck import faults
from domain.record.schema.policy import Policy

CARDS = CATALOGUE.cards
RED = CATALOGUE.decks["RSD01"]["main"]


# -- cards -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("id_", "figures"),
    [
        ("26RSD01-001", ("spirit", 3, {"red": 1}, {"red": 1}, {}, ((1, 2000), (2, 3000)), False)),
        ("26RSD01-002", ("spirit", 3, {"red": 2}, {}, {"red": 1}, ((1, 3000), (3, 5000)), True)),
        ("26RSD02-010", ("nexus", 4, {"purple": 2}, {"purple": 1}, {}, ((0, 0), (1, 0)), False)),
        ("26RSD03-012", ("magic", 4, {"green": 2}, {}, {}, (), False)),
        ("26RSD06-X02", ("spirit", 10, {"blue": 4}, {"blue": 1}, {}, ((1, 10000), (4, 14000)),
                         False)),
    ],
)  # fmt: skip
def test_figures(id_: str, figures: tuple[object, ...]) -> None:
    c = CARDS[id_]
    levels = tuple((level.cores, level.bp) for level in c.levels)
    printed = (c.type, c.cost, c.reduction, c.symbols, c.ex, levels, c.true_release)
    assert printed == figures


def test_there_are_96_cards_of_six_colors_and_their_names_are_unique() -> None:
    assert len(CARDS) == len({card.name for card in CARDS.values()}) == 96
    assert {card.colors for card in CARDS.values()} == {(color,) for color in COLORS}


def test_printed_abilities() -> None:
    assert CARDS["26RSD01-X01"].succession
    assert not CARDS["26RSD01-001"].succession
    assert CARDS["26RSD04-014"].soul_magic == {"white": 1}
    assert CARDS["26RSD03-X02"].families == ("Oceanic Green", "Armored Fish")
    assert CARDS["26RSD04-X02"].price == ("white",) * 5


SPIRIT = {"id": "X-1", "name": "X", "type": "spirit", "colors": ["red"], "levels": [[1, 1000]]}


def text(clause: Mapping[str, Any]) -> dict[str, Any]:
    """A Magic card that does one thing."""
    effect = {"kind": "command", "name": "main", "at": ["main"], "do": [clause]}
    return {"type": "magic", "levels": [], "effect": [effect]}


def given(cost: Mapping[str, Any]) -> dict[str, Any]:
    """A Spirit with an effect that has something stand before its arrow."""
    effect = {"kind": "activated", "name": "main", "at": ["main"], "cost": [cost],
              "do": [{"do": "draw"}]}  # fmt: skip
    return {"effect": [effect]}


@pytest.mark.parametrize(
    ("found", "fault"),
    [
        ({"colors": []}, "a card has a color"),
        ({"colors": ["pink"]}, "no color 'pink'"),
        ({"reduction": {"pink": 1}}, "no color 'pink'"),
        ({"symbols": {"red": 0}}, "one at least"),
        ({"cost": -1}, "never negative"),
        ({"levels": []}, "has a Lv"),
        ({"levels": [[2, 1000], [2, 3000]]}, "more cores than the one before"),
        ({"levels": [[1, -1000]]}, "no BP is negative"),
        ({"true-release": True}, "stands with Lv2"),
        ({"soul-magic": {"red": 1}}, "only a Magic card"),
        ({"type": "nexus", "levels": [[0, 1000]]}, "a Nexus has no BP"),
        ({"type": "nexus", "levels": [[1]]}, "its Lv1 takes no core"),
        ({"type": "magic"}, "a Magic card has no Lv"),
        ({"type": "brave"}, "Invalid enum value"),
        ({"power": 1000}, "unknown field"),
        ({"name": " "}, "it needs a name"),
        (text({"do": "send", "n": 2}), "of which cards"),
        (text({"do": "put"}), "onto cards, or to a `place`"),
        (text({"do": "put", "place": "life", "to": {"zone": "this"}}), "onto cards, or to a"),
        (text({"do": "put", "place": "trash", "source": "trash"}), "there already"),
        (text({"do": "put", "place": "life", "key": "soul"}), "no Soul Core in the Void"),
        (text({"do": "put", "place": "field"}), "put: Invalid enum value 'field'"),
        (given({"do": "discard", "of": {}}), "cards of one's own hand"),
        (given({"do": "show", "of": {"zone": "hand"}}), "cards of one's own hand"),
        (given({"do": "exhaust", "of": {"zone": "trash"}}), "lies on the Field"),
        (given({"do": "exhaust"}), "needs `of`"),
        (text({"do": "draw"}) | {"type": "spirit", "levels": [[1]]}, "only Magic is used"),
    ],
)
def test_what_is_wrong_with_a_card(found: Mapping[str, Any], fault: str) -> None:
    with pytest.raises(BadCard, match=fault):
        CATALOGUE.parse([SPIRIT | found])


# -- decks -----------------------------------------------------------------------------------------


def brought(**found: object) -> str:
    """A card that a match brings, as JSON."""
    table = SPIRIT | {"icons": ["A"], **found}
    return msgspec.json.encode(table).decode()


def wrong(
    deck: Mapping[str, Sequence[str]], *prints: str, **options: str | int | bool
) -> list[tuple[str, str]]:
    """The rule and the card of every fault of a deck."""
    known = CATALOGUE.known(prints)
    return [(fault.rule, fault.card) for fault in faults(deck, known, options)]


@pytest.mark.parametrize("name", CATALOGUE.decks)
def test_ready_made_decks_may_be_played(name: str) -> None:
    deck = CATALOGUE.decks[name]
    assert len(deck["main"]) == 40
    assert wrong(deck) == []


def test_a_deck_has_forty_cards_or_more() -> None:
    assert wrong({"main": RED[1:]}) == [("bs:6-1-1", "")]
    assert wrong({}) == [("bs:6-1-1", "")]
    assert wrong({"main": [*RED, *CATALOGUE.decks["RSD02"]["main"]]}) == []


def test_a_deck_has_cards_that_there_are_and_no_other_part() -> None:
    assert wrong({"main": [*RED, "26RSD09-001"]}) == [("bs:6-1-1-1", "26RSD09-001")]
    assert wrong({"main": RED, "side": []}) == [("bs:6-1-1", "")]


def test_three_of_a_name() -> None:
    assert wrong({"main": [*RED, "26RSD01-001"]}) == [("bs:6-1-1-2", "26RSD01-001")]
    other = brought(name="Mushakko")
    assert wrong({"main": [*RED, "X-1"]}, other) == [("bs:6-1-1-2", "26RSD01-001")]


def test_an_identifier_is_counted_apart() -> None:
    second = brought(name="Mushakko", identifier="2")
    assert wrong({"main": [*RED, *["X-1"] * 3]}, second) == []
    assert wrong({"main": [*RED, *["X-1"] * 4]}, second) == [("bs:6-1-1-2-1", "X-1")]


def test_a_gained_name_counts() -> None:
    named = brought(names=["Mushakko"])
    assert wrong({"main": [*RED, "X-1"]}, named) == [("bs:6-1-1-2", "26RSD01-001")]
    assert wrong({"main": [*RED[1:], "X-1"]}, named) == []


@pytest.mark.parametrize(
    ("icons", "format_", "found"),
    [
        (["A"], "standard", []),
        (["7"], "standard", [("bs:2-13-1-2-1", "X-1")]),
        ([], "standard", [("bs:2-13-1-2-1", "X-1")]),
        (["7", "B"], "standard", []),
        (["7"], "eternal", []),
    ],
)
def test_block_icons(icons: list[str], format_: str, found: object) -> None:
    assert wrong({"main": [*RED, "X-1"]}, brought(icons=icons), format=format_) == found


def test_banned_and_restricted_cards() -> None:
    banned = '{"Mushakko": 0, "Gen-Bor": 1, "Haarier": 9}'
    assert wrong({"main": RED}, limits=banned) == [
        ("bs:6-1-1-2-2", "26RSD01-001"),
        ("bs:6-1-1-2-2", "26RSD01-002"),
    ]
    second = brought(name="Gen-Bor", identifier="2")
    named = '{"Gen-Bor [2]": 0}'
    assert wrong({"main": [*RED, "X-1"]}, second, limits=named) == [("bs:6-1-1-2-2", "X-1")]


# -- formats ---------------------------------------------------------------------------------------


def test_formats() -> None:
    assert formats.chosen({}).title == "Standard"
    assert formats.chosen({"format": "eternal"}).icons == "any"
    assert formats.chosen({"format": "eternal", "copies": 1}).copies_of("Mushakko") == 1
    assert formats.settled({"flash-in-main": True}) == Policy()


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"format": "modern"}, "there is no format 'modern'"),
        ({"deck": 40}, "there is no option 'deck'"),
        ({"limits": "2026"}, "there is no list '2026'"),
        ({"limits": "{"}, "limits:"),
        ({"limits": '{"Mushakko": -1}'}, "fewer than none"),
        ({"copies": 0}, "a deck has cards"),
        ({"icons": "digit"}, "Invalid enum value"),
    ],
)
def test_options_that_cannot_be_meant(options: Mapping[str, Any], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        formats.settled(options)


# -- texts -----------------------------------------------------------------------------------------


def test_every_text_is_data() -> None:
    """All but the seven cards without a text have effects, and each effect says what it does."""
    plain = [id_ for id_, card in CARDS.items() if not card.effects]
    assert plain == [
        "26RSD01-005", "26RSD02-005", "26RSD03-004", "26RSD03-005", "26RSD04-005", "26RSD05-005",
        "26RSD06-005",
    ]  # fmt: skip
    assert all(effect.do for card in CARDS.values() for effect in card.effects)


def test_names_and_families_that_texts_speak_of_exist() -> None:
    texts = msgspec.json.encode([card.effects for card in CARDS.values()]).decode()
    families = {family for card in CARDS.values() for family in card.families}
    assert {*re.findall(r'"family":"([^"]*)"', texts)} <= families
    names = {card.name for card in CARDS.values()}
    assert {*re.findall(r'"name":"!=([^"]*)"', texts)} <= names
