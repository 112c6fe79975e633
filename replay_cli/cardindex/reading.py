"""Find cards in the index of a game: only lines that have the words are decoded.

What is in a line, and why, is in `writing`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from domain import games
from domain.text.plain import plain

#: The file of an index, in the folder of its game.
INDEX = "cards.index"


class Wording(NamedTuple):
    """Figures by key, where their words are not the data's, and effects by name, as sentences."""

    figures: Mapping[str, str]
    texts: Mapping[str, str]


class Card(NamedTuple):
    """A card with all that the game says of it; `wording` is asked for by what shows it."""

    id: str
    name: str
    type: str
    facts: Mapping[str, Any]
    wording: Callable[[], Wording]


class Shared(NamedTuple):
    """What all cards of a game share: its title, the badges of boards, names of figures.

    `heads` are their names above columns, `labels` those before the figures of one card. `decks`
    has how many of which card are in each ready-made one.
    """

    title: str
    badges: Sequence[str]
    heads: Mapping[str, str]
    labels: Mapping[str, str]
    decks: Mapping[str, Mapping[str, int]]


class Found(NamedTuple):
    """The cards that were looked for, and how many of them are in the list that was named."""

    shared: Shared
    cards: Sequence[Card]
    numbers: Mapping[str, int]


def has(text: str, wanted: Iterable[str]) -> bool:
    """Whether the text of a card (`writing.text`) has all of these words."""
    return all(word in text for word in wanted)


def find(game: str, words: Iterable[str], deck: str) -> Found | None:
    """The cards with these words, all or those of a ready-made deck; None if no index has that."""
    path = games.folder(game) / INDEX
    if not path.is_file():
        return None
    with path.open(encoding="utf-8") as lines:
        usual, *rest = json.loads(next(lines))
        shared = Shared(*rest)
        if deck and deck not in shared.decks:
            return None
        numbers = shared.decks.get(deck, {})
        some = (line for line in lines if not deck or line.partition("\t")[0] in numbers)
        return Found(shared, [*_found(some, [*map(plain, words)], usual)], numbers)


def _found(lines: Iterable[str], wanted: Sequence[str], usual: Mapping[str, Any]) -> Iterator[Card]:
    for line in lines:
        if not has(line, wanted):
            continue
        card, text, data, wording = line.split("\t")
        if has(text, wanted):
            name, type_, facts = json.loads(data)
            yield Card(card, name, type_, {**usual, **facts}, partial(_wording, wording))


def _wording(text: str) -> Wording:
    return Wording(*json.loads(text))
