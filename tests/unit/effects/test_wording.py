"""Card texts are told in sentences: every card of every game, every word that its texts may use."""

from __future__ import annotations

import re
from functools import cache

import msgspec
import pytest

from domain import games
from domain.effects.language.vocabulary import Effect
from domain.effects.wording import prints, texts
from domain.effects.wording.phrasebook import Words
from domain.words.tables import SENTENCES, Language, language

#: What would be data, or a place that nothing filled.
RAW = re.compile(r"[{}\[\]_=]|\bNone\b|\bFalse\b|\bTrue\b(?! Release)|\b\w+-by-\w+\b|  ")


@cache
def words(game: str) -> Words:
    rules = games.rulebook(game)
    return Words(games.phrasebook(game), rules.manifest, rules.cards)


@pytest.mark.parametrize("game", games.newest())
def test_every_card_is_worded_without_terms_of_its_data(game: str) -> None:
    w, rules = words(game), games.rulebook(game)
    w.missing.clear()
    for card in rules.cards.values():
        found = [str(texts.sentence(w, effect)) for effect in card.effects]
        facts = msgspec.to_builtins(card)
        found += [
            str(prints.fact(w, key, value, rules.words.attributes))
            for key, value in facts.items()
            if key not in ("effect", "effects", "name", "note")
            and value not in (None, False, 0, "", [], {}, ())
        ]
        for text in found:
            assert text.strip(" ."), card.id
            assert not RAW.search(text.replace("{n}", "")), (card.id, text)
    assert not w.missing


@pytest.mark.parametrize("game", games.newest())
def test_every_word_of_a_game_has_a_phrase(game: str) -> None:
    w, known = words(game), games.rulebook(game).words
    asked = {
        "happens": known.occurrences, "timings": known.timings, "keywords": known.keywords,
        "can": known.acts, "costs": known.costs, "counters": known.counters,
        "noted": known.noted, "until": known.durations,
        "kinds": known.values.get("type", ()), "values": known.values.get("orient", ()),
    }  # fmt: skip
    lacking = {(t, one) for t, of in asked.items() for one in of if not w.has(t, one)}
    lacking |= {("happens", one) for one, why in known.replaceable.items() if not why and not
                w.has("happens", one)}  # fmt: skip
    lacking |= {("does", word) for word, one in known.instructions.items() if not one.phrases}
    lacking |= {
        ("attributes", one)
        for one, types in known.attributes.items()
        if one != "type"
        and not (w.has("are", one) or w.has("has", one) or w.has("keywords", one))
        and not (int in types and w.figure(one) != one)
    }
    assert not {pair for pair in lacking if pair[1] not in SELF}


#: Words that are told by themselves.
SELF = {"cost", "color", "level", "rank", "power", "bp", "symbols", "red", "blue", "green", "white",
        "yellow", "purple"}  # fmt: skip


@pytest.mark.parametrize(
    ("game", "card", "effect", "text"),
    [
        ("gundam", "ST01-001", "pair", "While it is paired, while it is your turn: give all your"
         " Units in the Battle Area AP +1."),
        ("gundam", "ST01-015", "main", "In your main phase, once per turn: pay 2 of your Resources"
         " → if there are at least 2 of your Units in the Battle Area, deploy 1 × Guntank; if there"
         " are exactly 1 of your Units in the Battle Area, deploy 1 × Guncannon; if there are none"
         " of your Units in the Battle Area, deploy 1 × Gundam."),
        ("hollow_flux", "HX-09", "burn", "Pay X energy and put this card to sleep → deal 1000 × X"
         " damage to 1 of the characters."),
        ("yugioh", "04206964", "flipped", "As an answer when one of your opponent's monsters with"
         " ATK 1000 or more is Flip Summoned: destroy the card that set this off."),
        ("yugioh", "01434352", "strength", "Give this card ATK +(300 × the number of your monsters"
         " in the Graveyard)."),
        ("battle_spirits", "26RSD06-004", "blocking", "At Flash timing, if this card is blocking,"
         " once per turn: exhaust 1 of your Nexuses with the family Ferobeast → give this card BP"
         " +3000 until the end of this battle."),
        ("battle_spirits", "26RSD06-006", "summoned", "When this card is summoned: draw 2; then put"
         " 2 of your cards in the Hand at the bottom of the Deck."),
    ],
)  # fmt: skip
def test_a_text_reads_so(game: str, card: str, effect: str, text: str) -> None:
    (meant,) = [one for one in games.rulebook(game).cards[card].effects if one.name == effect]
    assert texts.sentence(words(game), meant) == text


def test_essential_parts_are_worded() -> None:
    """Each field of a text changes what is told of it."""
    base = {"kind": "triggered", "name": "x", "on": "deploy", "do": [{"do": "draw", "n": 2}]}
    more: list[dict[str, object]] = [
        {"may": True}, {"limit": "turn"}, {"linked": True}, {"paired": {}}, {"misses": True},
        {"when": [{"turn": "yours"}]}, {"provided": [{"turn": "yours"}]}, {"own": True},
        {"about": {"zone": "battle", "whose": "yours"}}, {"cost": [{"do": "rest"}]},
        {"do": [{"do": "draw", "n": 2, "may": True}]}, {"do": []}, {"zone": "hand"},
        {"do": [{"do": "draw", "n": 2, "when": [{"turn": "theirs", "unless": True}]}]},
        {"do": [{"do": "draw", "n": 2, "join": "if so"}]}, {"at": ["main"]}, {"by": "any"},
        {"do": [{"do": "damage", "choose": {"of": {"zone": "battle"}, "n": 2, "up_to": True}}]},
        {"do": [{"do": "damage", "choose": {"of": {"zone": "battle"}, "n": 2, "by": "random"}}]},
        {"do": [{"do": "damage", "choose": {"of": {"zone": "battle"}, "n": 2, "may": True}}]},
        {"do": [{"do": "damage", "to": {"zone": "battle", "other": True, "top": 1}}]},
        {"do": [{"do": "modify", "key": "ap", "n": -1, "until": "battle"}]},
        {"do": [{"do": "modify", "key": "ap", "n": 1, "until": "battle"}]},
        {"do": [{"do": "gain", "key": "breach", "value": 1, "until": "battle"}]},
        {"do": [{"do": "gain", "key": "breach", "value": 2, "until": "battle"}]},
        {"do": [{"do": "lose", "key": "breach", "until": "battle"}]},
    ]  # fmt: skip
    found = [
        str(
            texts.sentence(
                words("gundam"), games.rulebook("gundam").words.convert({**base, **one}, Effect)
            )
        )
        for one in ({}, *more)
    ]
    assert len(set(found)) == len(found)
    assert "Breach 1 " in found[-3]


def test_texts_can_be_had_in_another_language() -> None:
    (meant,) = games.rulebook("hollow_flux").cards["HX-22"].effects
    found = texts.sentence(words("hollow_flux"), meant)
    table = {"destroy {cards}": "{cards} → ✝", "draw {n}": "+{n}", "{n} of {cards}": "{cards}: {n}"}
    seen = Language("xx", {SENTENCES: table}).say(found)
    assert "→ ✝" in seen
    assert "+1" in seen


@pytest.mark.parametrize(("game", "term"), [("gundam", "アタック"), ("yugioh", "攻撃")])
def test_games_say_the_same_english_by_terms_of_their_own(game: str, term: str) -> None:
    w = words(game)
    for text in (w.of("happens", "attack"), w.of("can", "attack"), w.of("zones", "attacker")):
        assert term in language("ja").say(text)
