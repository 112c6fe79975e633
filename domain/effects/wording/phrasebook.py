"""A phrase for each word of card texts: what all games share, and what a game adds or says again.

Templates have places: `{cards}` who or what it is done to, `{n}` a number, `{key}`, `{place}`,
`{value}` what the clause says there. A missing phrase is replaced by the word itself; a test finds
such faults.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from domain.record.schema.manifest import Manifest
from domain.words.phrases import Phrase, phrase
from domain.words.tables import SENTENCES

Table = Mapping[str, str]


class Phrasebook(Struct, frozen=True, kw_only=True):
    """The words of a game's card texts, each table by word.

    `kinds` has under "" what is meant where neither a type nor a zone is named.

    `kinds` are plurals of cards; `has` and `are` are the phrases of filters, after "has" and after
    "is" (`values` for the words in them). `happens` are occurrences, `{card}` the card that they
    befall. `can` is what may be forbidden or allowed. `until` says when something ends, `limits`
    how often a text works, `timings` when it may be used, `attacks` what an attack is on, `turns`
    the steps of the turn where their display names would not do. `figures` are numbers without a
    display name. `clauses` are sentences of instructions for which other languages have terms of
    the game; in English nothing looks them up.
    """

    kinds: Table = {}
    has: Table = {}
    are: Table = {}
    values: Table = {}
    zones: Table = {}
    happens: Table = {}
    timings: Table = {}
    can: Table = {}
    costs: Table = {}
    keywords: Table = {}
    figures: Table = {}
    counters: Table = {}
    noted: Table = {}
    until: Table = {}
    limits: Table = {}
    steps: Table = {}
    attacks: Table = {}
    clauses: Table = {}

    def over(self, base: Phrasebook) -> Phrasebook:
        """These words, and those of another book that this one does not have."""
        tables = {
            name: {**getattr(base, name), **getattr(self, name)} for name in self.__struct_fields__
        }
        return Phrasebook(**tables)


class Words:
    """A phrasebook at work: with a game's display names, and its cards by id.

    `missing` are the words that were asked for and are in no table, as (table, word).
    """

    def __init__(self, book: Phrasebook, manifest: Manifest, cards: Mapping[str, Any]) -> None:
        self._book, self.manifest, self._cards = book.over(SHARED), manifest, cards
        self.missing = set[tuple[str, str]]()

    def has(self, table: str, word: str) -> bool:
        """Whether a table has a word."""
        return word in getattr(self._book, table)

    def of(self, table: str, word: str) -> str:
        """The phrase of a word in a table; the word itself if it has none."""
        found: Mapping[str, str] = getattr(self._book, table)
        if word not in found:
            self.missing.add((table, word))
            return Phrase(word.replace("-", " "))
        return self.own(found[word])

    def own(self, text: str) -> str:
        """A phrase of the game's: two games may say one English sentence by terms of their own."""
        if not isinstance(text, Phrase) or text.context:
            return text
        context = f"{self.manifest.name}/{SENTENCES}"
        return Phrase(str(text), text.sentence, text.values, context)

    def label(self, table: str, section: str, word: str) -> str:
        """The same of what the manifest has a display name for, in one of its sections."""
        if self.has(table, word):
            return self.of(table, word)
        known: list[Any] = [*getattr(self.manifest, section, ())]
        if any(one.name == word for one in known):
            return self.manifest.label(section, word)
        return self.of(table, word)

    def zone(self, zone: str) -> str:
        """The name of a zone."""
        return self.label("zones", "zones", zone)

    def is_unseen(self, zone: str) -> bool:
        """Whether nobody sees the faces of a zone: its topmost cards alone are meant then."""
        return any(one.name == zone and one.faces == "none" for one in self.manifest.zones)

    def figure(self, figure: str) -> str:
        """The name of a figure of cards."""
        return self.label("figures", "stats", figure)

    def step(self, step: str) -> str:
        """The name of a part of the turn."""
        return self.label("steps", "steps", step)

    def card(self, card: str) -> str:
        """The name of a card by its id."""
        return str(getattr(self._cards.get(card), "name", card))


SHARED = Phrasebook(
    zones={
        "this": phrase("this card"),
        "it": phrase("that card"),
        "chosen": phrase("all cards chosen so far"),
        "looked": phrase("the cards looked at"),
        "moved": phrase("the cards that were moved so"),
        "cause": phrase("the card that set this off"),
        "against": phrase("the other card in what set this off"),
        "host": phrase("the card that this one lies with"),
        "links": phrase("the cards that lie with this one"),
        "bound": phrase("the card tied to this one"),
        "attacker": phrase("the attacking card"),
        "attacked": phrase("the card that is attacked"),
        "foe": phrase("the card that this one fights"),
        "answered": phrase("the card of the act that is answered"),
        "anywhere": phrase("wherever they lie"),
    },
    has={
        "name": phrase("the name {test}"),
        "name-has": phrase("{test} in the name"),
        "id": phrase("the number {test}"),
    },
    are={
        "orient": phrase("{test}"),
        "color": phrase("{test}"),
        "token": phrase("tokens"),
        "role": phrase("laid beneath another as {test}"),
        "up": phrase("face up"),
    },
    can={
        "attack": phrase("attack"),
        "block": phrase("block"),
        "activate": phrase("use effects that are activated"),
        "damage": phrase("be dealt damage"),
        "destroyed": phrase("be destroyed"),
    },
    costs={
        "rest": phrase("rest this card"),
        "pay": phrase("pay {n}"),
        "discard": phrase("discard {n} of {cards}"),
    },
    until={
        "turn": phrase("until the end of the turn"),
        "battle": phrase("until the end of this battle"),
        "phase": phrase("until the end of this phase"),
    },
    attacks={
        "player": phrase("the attack is on a player"),
        "card": phrase("the attack is on a card"),
        "player at first": phrase("the attack was declared on a player"),
        "card at first": phrase("the attack was declared on a card"),
    },
    limits={
        "turn": phrase("once per turn"),
        "twice": phrase("twice per turn"),
        "name": phrase("once per turn for all cards of this name"),
        "game": phrase("once per game for all cards of this name"),
        "moment": phrase("once at a moment for all cards of this name"),
        "turn moment": phrase("once per turn, and once at a moment for all cards of this name"),
    },
)  # fmt: skip
