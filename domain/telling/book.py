"""The names that drawing a record needs: a game's manifest, cards and rules, by id.

They come from a rulebook in this process (`Book.of`) or from a server's catalogue
(`replay_cli.reaching.connection`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from domain.record.schema.citations import HOUSE, manuals
from domain.record.schema.listing import ListForm
from domain.record.schema.looks import Look
from domain.record.schema.manifest import Manifest
from domain.words.phrases import GISTS, Phrase, phrase, word
from domain.words.tables import Language

if TYPE_CHECKING:
    from domain.engine.rulebook import Rulebook


ENGLISH = Language()


class EffectName(Struct, frozen=True):
    """An effect of a card, as the notation names it."""

    name: str
    kind: str


class CardFacts(Struct, frozen=True):
    """A card of the catalogue: its name, its type, and everything else that the game says of it."""

    id: str
    name: str
    type: str
    facts: Mapping[str, Any] = {}

    @property
    def effects(self) -> tuple[EffectName, ...]:
        """Its effects, as on a rulebook's card: what is written of both is the same."""
        return tuple(EffectName(e["name"], e["kind"]) for e in self.facts.get("effect", ()))


class Gist(Struct, frozen=True):
    """A rule in our own words."""

    id: str
    kind: str
    gist: str


class Book(Struct, frozen=True):
    """A manifest, cards by id, rules by id in the order of the book, ready-made decks by name.

    `forms` are those in which other programs keep lists. `printed` keeps how boards show cards that
    are not in play, `faces` their faces, by id, once it was asked for. `look` says how they
    are drawn.
    """

    manifest: Manifest
    cards: Mapping[str, CardFacts]
    rules: Mapping[str, Gist]
    decks: Mapping[str, Mapping[str, tuple[str, ...]]] = {}
    forms: tuple[ListForm, ...] = ()
    printed: dict[str, Any] = msgspec.field(default_factory=dict)
    faces: dict[str, Any] = msgspec.field(default_factory=dict)
    look: Look = Look()

    @classmethod
    def of(cls, rules: Rulebook, language: Language = ENGLISH) -> Book:
        """The book of a rulebook in this process, with its display names in a language."""
        return cls(
            rules.manifest.in_language(language),
            {key: _facts(card) for key, card in rules.cards.items()},
            {key: Gist(rule.id, rule.kind, rule.gist) for key, rule in rules.rules.items()},
            {
                name: {part: tuple(cards) for part, cards in deck.items()}
                for name, deck in rules.decks.items()
            },
            tuple(rules.list_forms),
            look=rules.look,
        )

    def further(self, prints: Iterable[str]) -> Book:
        """The book with the cards that a match brought (`MatchOpened`, `CardsBrought`)."""
        more = {card.id: card for card in brought(prints)}
        if all(self.cards.get(id_) == card for id_, card in more.items()):
            return self
        cards = {**self.cards, **more}
        return msgspec.structs.replace(self, cards=cards, printed={}, faces={})

    def known(self, prints: tuple[str, ...]) -> Mapping[str, CardFacts]:
        """The cards of a match, as of a rulebook: those that it brings were put in (`further`)."""
        return self.cards

    def name(self, card: str) -> str:
        """The name of a card, to be said in any language; its id where the catalogue has none."""
        found = self.cards.get(card)
        return word(found.name, f"{self.manifest.name}/names") if found is not None else card

    def fact(self, card: str, key: str) -> Any:
        """The printed value of a card under `key`; None if there is none."""
        found = self.cards.get(card)
        return found.facts.get(key) if found is not None else None

    def gist(self, cite: str) -> Phrase:
        """The gist of a citation, in our own words; empty if this book doesn't have it."""
        space, _, rest = cite.partition(":")
        if space == "card":
            card, _, effect = rest.partition("/")
            text = effect.replace("-", " ") or phrase("as printed")
            return phrase("{card}: its text, {effect}", card=self.name(card), effect=text)
        rule = self.rules.get(cite)
        found = rule.gist if rule is not None else HOUSE.get(cite) or manuals().get(cite, "")
        return word(found, GISTS)


def brought(prints: Iterable[str]) -> list[CardFacts]:
    """The cards that a match brought, of their JSON."""
    return [_brought(msgspec.json.decode(text, type=dict[str, Any])) for text in prints]


def _brought(table: dict[str, Any]) -> CardFacts:
    facts = {key: value for key, value in table.items() if key not in ("id", "name", "type")}
    return CardFacts(str(table["id"]), str(table["name"]), str(table["type"]), facts)


def _facts(card: Any) -> CardFacts:
    facts = msgspec.to_builtins(card)
    known = {"id", "name", "type"}
    return CardFacts(
        card.id, card.name, card.type, {k: v for k, v in facts.items() if k not in known}
    )
