"""The third game's cards as data, its formats, and what its lists may be made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from domain.effects.catalogue import BadCard
from domain.effects.language import check
from domain.effects.language.vocabulary import Effect
from domain.games.yugioh.lists import formats
from domain.games.yugioh.lists.cards import CATALOGUE
from domain.games.yugioh.lists.deck import faults
from domain.games.yugioh.lists.words import WORDS
from domain.record.schema.policy import Policy

CARDS = CATALOGUE.cards
IDS = {card.name: card.id for card in CARDS.values()}
List = Mapping[str, Sequence[str]]


# -- cards -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "figures"),
    [
        ("Blue-Eyes White Dragon", ("monster", ("normal",), 8, 0, "light", "dragon", 3000, 2500)),
        ("Junk Synchron", ("monster", ("tuner", "effect"), 3, 0, "dark", "warrior", 1300, 500)),
        ("Gem-Knight Pearl", ("monster", ("xyz",), 0, 4, "earth", "rock", 2600, 1900)),
        ("The Wicked Avatar", ("monster", ("effect",), 10, 0, "dark", "fiend", 0, 0)),
        ("Book of Moon", ("spell", ("quick-play",), 0, 0, "", "", 0, 0)),
        ("Solemn Judgment", ("trap", ("counter",), 0, 0, "", "", 0, 0)),
    ],
)
def test_figures(name: str, figures: tuple[object, ...]) -> None:
    c = CARDS[IDS[name]]
    printed = (c.type, c.kind, c.level, c.rank, c.attribute, c.race, c.atk, c.defence)
    assert printed == figures


def test_names_are_unique_and_ids_are_passcodes() -> None:
    assert len(IDS) == len(CARDS)
    assert all(len(id_) == 8 and id_.isdecimal() for id_, card in CARDS.items() if not card.token)


def test_figures_that_a_text_sets_are_0_until_it_does() -> None:
    avatar = CARDS[IDS["The Wicked Avatar"]]
    assert avatar.unset == ("atk", "def")


@pytest.mark.parametrize(
    ("name", "specially", "limited"),
    [
        ("Dark Magician", False, False),
        ("Stardust Dragon", True, True),
        ("Black Luster Soldier", True, True),
        ("Malefic Truth Dragon", True, True),
        ("Rare Metal Dragon", True, False),
        ("Black Luster Ritual", False, False),
    ],
)
def test_special_summon_monsters(name: str, specially: bool, limited: bool) -> None:
    card = CARDS[IDS[name]]
    assert (card.summoned_specially, card.revival_limit) == (specially, limited)


@pytest.mark.parametrize(
    ("name", "materials"),
    [
        ("Number 39: Utopia", [(2, {"level": 4})]),
        ("Junk Warrior", [(1, {"name": "Junk Synchron"}), (">=1", {"tuner": False})]),
        ("Blue-Eyes Ultimate Dragon", [(3, {"name": "Blue-Eyes White Dragon"})]),
    ],
)
def test_materials(name: str, materials: list[tuple[object, object]]) -> None:
    assert [(one.n, one.match) for one in CARDS[IDS[name]].materials] == materials


def test_what_materials_name_exists() -> None:
    named = (m.match.get("name") for card in CARDS.values() for m in card.materials)
    assert {name for name in named if name is not None} <= {*IDS}


MONSTER = {
    "id": "00000001", "name": "X", "type": "monster", "kind": ["normal"], "stars": 4,
    "attribute": "dark", "race": "rock",
}  # fmt: skip
ANSWER = {"kind": "triggered", "name": "stop", "on": "link", "do": [{"do": "negate-attack"}]}


AS_MONSTER = {"kind": ["normal"], "stars": 4, "attribute": "dark", "race": "rock"}
TRAP = {"type": "trap", "kind": ["continuous"]}
FUSION = {"kind": ["fusion"], "materials": [{"n": 2, "different": "name"}]}
CALLED = {
    "kind": ["effect"],
    "effect": [{"kind": "constant", "name": "called", "do": [{"do": "gain", "key": "name"}]}],
}


@pytest.mark.parametrize(
    ("seen", "fault"),
    [
        ({"kind": ["quick-play"]}, "a monster card is not quick-play"),
        ({"attribute": "dusk"}, "no attribute 'dusk'"),
        ({"race": "golem"}, "no race 'golem'"),
        ({"stars": 13}, "1 to 12"),
        ({"atk": -1}, "never negative"),
        ({"unset": ["level"]}, "question marks"),
        ({"kind": ["synchro", "xyz"]}, "in one of these ways: synchro, xyz"),
        ({"kind": ["normal", "effect"]}, "has no effects"),
        ({"materials": [{"match": {"level": 4}}]}, "only monsters of the Extra Deck"),
        ({"kind": ["xyz"], "materials": [{"n": "two"}]}, "a number, or a comparison"),
        ({"kind": ["effect"], "effect": [ANSWER]}, "may answer is `activated`"),
        ({"kind": ["effect"], "effect": [ANSWER | {"at": ["quick"], "may": True}]}, "may answer"),
        ({"kind": ["effect"], "effect": [ANSWER | {"on": "summoning"}]}, "has to negate a Summon"),
        ({"kind": ["xyz"], "materials": [{"match": {"hue": 1}}]}, "unknown attribute 'hue'"),
        ({"type": "trap", "kind": ["counter", "normal"]}, "of one kind"),
        ({"type": "trap", "kind": ["counter"]}, "only monsters have figures"),
        ({"id": "00000-"}, "an id is letters"),
        ({"monster": AS_MONSTER}, "only a Trap is Summoned as a monster"),
        (TRAP | {"monster": AS_MONSTER | {"race": "golem"}}, "no race 'golem'"),
        (TRAP | {"monster": AS_MONSTER | {"stars": 0}}, "1 to 12"),
        (FUSION, "tells Materials apart by 'name'"),
        (CALLED, "name needs a word"),
    ],
)
def test_faults_of_figures_are_named(seen: dict[str, Any], fault: str) -> None:
    with pytest.raises(BadCard, match=fault):
        CATALOGUE.parse([MONSTER | seen])


# -- formats ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "seen"),
    [
        ({}, (8000, True, "one")),
        ({"format": "2014"}, (8000, False, "each")),
        ({"format": 2014}, (8000, False, "each")),
        ({"format": "2014", "life": 4000}, (4000, False, "each")),
        ({"seeded": True, "fields": "each"}, (8000, True, "each")),
    ],
)
def test_options_say_what_is_played_by(options: dict[str, Any], seen: tuple[object, ...]) -> None:
    played = formats.chosen(options)
    assert (played.life, played.first_draw, played.fields) == seen


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"format": "1999"}, "no format '1999'; there are 2013, 2013-event, 2013-open, 2014"),
        ({"limits": "TCG"}, "no list 'TCG'; there are OCG 2013-03-01"),
        ({"life": "many"}, "Expected `int`"),
        ({"life": 0}, "at least 1"),
        ({"life": True}, "Expected `int`"),
        ({"fields": "none"}, "Invalid enum value 'none'"),
        ({"lief": 4000}, "no option 'lief'; there are format, limits, copies, life"),
    ],
)
def test_options_that_cannot_be_meant_are_named(options: dict[str, Any], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        formats.settled(options)


def test_a_format_has_time_rules_or_none() -> None:
    event = formats.settled({"format": "2013-event"})
    assert (event.clocks.round, event.end.turns, event.end.tiebreaks) == (2_400_000, 3, ("life",))
    assert formats.settled({}) == formats.settled({"seeded": True}) == Policy()


# -- lists -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CATALOGUE.decks)
def test_ready_made_lists_are_legal_and_have_all_three_parts(name: str) -> None:
    deck = CATALOGUE.decks[name]
    assert faults(deck, CARDS) == []
    assert {*deck} == {"main", "extra", "side"}
    assert CATALOGUE.titles[name]


def listed(main: Mapping[str, int] = {}, of: int = 40, **parts: Mapping[str, int]) -> List:
    """A list of forty with these cards among them; the rest are Normal Monsters, one each."""
    some = {part: [IDS.get(name, name) for name, n in cards.items() for _ in range(n)]
            for part, cards in {"main": main, **parts}.items()}  # fmt: skip
    plain = (card.id for card in CARDS.values() if card.kind == ("normal",))
    rest = [id_ for id_, _ in zip(plain, range(of - len(some["main"])), strict=False)]
    return {**some, "main": some["main"] + rest}


@pytest.mark.parametrize(
    ("deck", "found"),
    [
        (listed({}), []),
        (listed(of=39), [("base.deck.1", "", "a Main Deck has 40 to 60 cards, not 39")]),
        (
            listed(of=61), [("base.deck.1", "", "a Main Deck has 40 to 60 cards, not 61")],
        ),
        (
            listed(extra={"Gem-Knight Pearl": 3, "Junk Warrior": 3, "Scrap Archfiend": 3,
                          "Grenosaurus": 3, "Shining Elf": 3, "Stardust Dragon": 1}),
            [("base.deck.3", "", "an Extra Deck has 0 to 15 cards, not 16")],
        ),
        (
            listed({"Dark Blade": 2}, side={"Dark Blade": 2}),
            [("base.deck.2", "Dark Blade", "4 copies of Dark Blade; 3 are allowed")],
        ),
        (
            listed({"Book of Moon": 2}),
            [("base.deck.2", "Book of Moon", "2 copies of Book of Moon; 1 are allowed")],
        ),
        (
            listed(extra={"Goyo Guardian": 1}),
            [("base.deck.2", "Goyo Guardian", "Goyo Guardian is forbidden ('OCG 2013-03-01')")],
        ),
        (
            listed({"Stardust Dragon": 1}),
            [("base.deck.3", "Stardust Dragon", "Stardust Dragon belongs in the Extra Deck")],
        ),
        (
            listed(extra={"Dark Blade": 1}),
            [("base.deck.3", "Dark Blade", "Dark Blade does not belong in an Extra Deck")],
        ),
        (listed({"99999999": 1}), [("base.deck.1", "99999999", "no card is numbered '99999999'")]),
        (listed(bonus={}), [("base.deck.1", "", "there is no part 'bonus' of a deck")]),
    ],
)  # fmt: skip
def test_faults_of_lists_name_card_and_rule(deck: List, found: list[tuple[str, str, str]]) -> None:
    seen = [(f"ygo:{rule}", IDS.get(card, card), text) for rule, card, text in found]
    assert [(f.rule, f.card, f.text) for f in faults(deck, CARDS)] == seen


def test_without_a_list_of_limited_cards_there_may_be_three() -> None:
    deck = listed({"Book of Moon": 3}, extra={"Goyo Guardian": 3})
    assert faults(deck, CARDS, {"format": "2013-open"}) == []


# -- texts -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("by", "found"), [("you", 0), ("random", 1)])
def test_what_is_made_of_other_cards_is_not_chosen_at_random(by: str, found: int) -> None:
    of = {"zone": "extra", "whose": "yours"}
    made = {"do": "summon", "key": "fusion", "choose": {"of": of, "by": by}, "using": of}
    effect = WORDS.convert({"kind": "command", "name": "text", "do": [made]}, Effect)
    wrong = [*map(str, check.faults(effect, WORDS, ["text"], []))]
    assert len(wrong) == found
    assert all("not chosen at random" in one for one in wrong)
