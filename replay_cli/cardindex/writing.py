"""The cards of a game as its data say them, to be looked up or to be written as its index.

A line has the id, the text that words are looked for in, name, type and facts, and the wording.
Facts that are as most cards have them stand in the first line only. `reading` loads none of this.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from domain import games
from domain.effects.wording.phrasebook import Words
from domain.games.kit.game import Game
from domain.telling.book import Book, CardFacts
from domain.telling.card_text import figures, sentences, words_of
from domain.text.plain import plain
from domain.words.tables import Language
from replay_cli.cardindex.reading import Card, Found, Shared, Wording, has


def find(
    rules: Game, book: Book, words: Iterable[str], parts: Mapping[str, Iterable[str]] | None,
    language: Language,
) -> Found:  # fmt: skip
    """The cards of a book with these words, all or those of a list by its parts."""
    numbers = Counter(card for cards in (parts or {}).values() for card in cards)
    wanted, known = [*map(plain, words)], words_of(rules)
    cards = [
        _card(rules, known, language, card)
        for card in book.cards.values()
        if (parts is None or card.id in numbers) and has(text(card), wanted)
    ]
    return Found(_shared(known, book), cards, numbers)


def lines(game: str) -> Iterator[str]:
    """The lines of the index of a game, by the newest edition of its book."""
    rules, language = games.rulebook(games.chosen(game)), Language()
    found = find(rules, Book.of(rules), (), None, language)
    usual = _usual(found.cards)
    yield _json([usual, *found.shared])
    for card in found.cards:
        own = {key: one for key, one in card.facts.items() if _json(one) != _json(usual[key])}
        data = _json([card.name, card.type, own])
        yield "\t".join((card.id, text(card), data, _json(card.wording())))


def text(card: Card | CardFacts) -> str:
    """What words are looked for in: the id of a card, its name and its data."""
    return plain(" ".join([card.id, card.name, card.type, *_values(card.facts)]))


def _values(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, one in value.items():
            if one not in (None, False, 0, "", [], {}):
                yield str(key)
                yield from _values(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _values(one)
    elif value is not None:
        yield str(value)


def _shared(words: Words, book: Book) -> Shared:
    """What all cards of a book share."""
    manifest = book.manifest
    keys = dict.fromkeys(key for card in book.cards.values() for key in card.facts)
    return Shared(
        manifest.title,
        manifest.badges,
        {key: manifest.label("stats", key) for key in [*manifest.badges, *keys]},
        {key: str(words.figure(key)) for key in keys},
        {
            name: Counter(card for cards in parts.values() for card in cards)
            for name, parts in book.decks.items()
        },
    )


def _usual(cards: Iterable[Card]) -> dict[str, Any]:
    """What most cards have under each key; all cards of a game have the same keys."""
    first, *_ = cards
    return {
        key: json.loads(Counter(_json(card.facts[key]) for card in cards).most_common(1)[0][0])
        for key in first.facts
    }


def _card(rules: Game, words: Words, language: Language, card: CardFacts) -> Card:
    wording = partial(_wording, rules, words, language, card.facts)
    return Card(card.id, card.name, card.type, card.facts, wording)


def _wording(rules: Game, words: Words, language: Language, facts: Mapping[str, Any]) -> Wording:
    found = figures(rules, words, language, facts)
    return Wording(
        {key: worded for key, worded in found.items() if worded != str(facts[key])},
        sentences(rules, words, language, facts),
    )


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
