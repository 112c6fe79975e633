"""What a card says, printed from its data in our own words: figures, texts, the rules cited.

It is the same whoever asks: of the catalogue, and not of a card on a table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from domain import games
from domain.effects.language.vocabulary import Effect
from domain.effects.wording import prints, texts
from domain.effects.wording.phrasebook import Words
from domain.games.kit.game import Game
from domain.telling.book import Book, CardFacts
from domain.text.cardfacts import EFFECTS, EMPTY
from domain.words.tables import Language


class CardText(Struct, frozen=True):
    """A card: figures by their labels, texts by their names, rules that they cite by their ids."""

    id: str
    name: str
    type: str
    figures: tuple[tuple[str, str], ...] = ()
    texts: tuple[tuple[str, str], ...] = ()
    rules: tuple[tuple[str, str], ...] = ()


def words_of(rules: Game) -> Words:
    """The words for the texts of a game's cards."""
    return Words(games.phrasebook(rules.manifest.game), rules.manifest, rules.cards)


def figures(
    rules: Game, words: Words, language: Language, facts: Mapping[str, Any]
) -> dict[str, str]:
    """The figures of a card in words, by key."""
    attributes = rules.words.attributes
    return {
        key: language.say(prints.fact(words, key, value, attributes))
        for key, value in facts.items()
        if key not in EFFECTS and value not in EMPTY
    }


def effects(rules: Game, facts: Mapping[str, Any]) -> list[Effect]:
    """The texts of a card as data."""
    return [rules.words.convert(one, Effect) for key in EFFECTS for one in facts.get(key, ())]


def sentences(
    rules: Game, words: Words, language: Language, facts: Mapping[str, Any]
) -> dict[str, str]:
    """The texts of a card in words, by name."""
    found = effects(rules, facts)
    return {one.name: language.say(texts.sentence(words, one)) for one in found}


def card_text(rules: Game, book: Book, card: CardFacts, language: Language) -> CardText:
    """A card with all that its data say."""
    words, facts = words_of(rules), card.facts
    cites = dict.fromkeys(cite for one in effects(rules, facts) for cite in one.cites)
    return CardText(
        card.id,
        card.name,
        language.say(book.manifest.label("stats", card.type)),
        tuple(
            (language.say(book.manifest.label("stats", key)), text)
            for key, text in figures(rules, words, language, facts).items()
        ),
        tuple(
            (name.replace("-", " "), text)
            for name, text in sentences(rules, words, language, facts).items()
        ),
        tuple((cite, language.say(book.gist(cite))) for cite in cites),
    )
