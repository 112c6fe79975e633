"""Made-up cards, and decks with them.

A made-up card is a printed one with another name, other figures and keywords and made-up texts
(`texts`), so that it has everything its game asks of a card. A deck is a ready-made list in which
made-up cards replace most others, so that the list is legal.
"""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from domain.effects.language.words import defaults
from domain.engine.match import Deck
from domain.games.kit.game import Game
from replay_cli.playing.fuzz.texts import Data, Stock, Writer

#: How much of a deck is made up, and how much of that has no text but what its player declares.
SHARE, BARE = 0.8, 0.2
#: How often a list is without the parts that it may be without.
WITHOUT = 0.15
#: Syllables of names that no card has.
FIRST = ("Amber", "Bram", "Cinder", "Dusk", "Ember", "Frost", "Gale", "Hollow", "Iron", "Jade",
         "Kelp", "Lark", "Moss", "Night", "Oak", "Pale", "Quill", "Rust", "Salt",
         "Thorn")  # fmt: skip
LAST = ("back", "claw", "dancer", "eye", "fang", "guard", "herd", "knot", "lamp", "mark",
        "nest", "piper", "reed", "singer", "tower", "ward")  # fmt: skip


class MadeUp(Struct, frozen=True):
    """Made-up cards, as tables of card data, and one deck of them and printed cards a seat."""

    tables: tuple[Data, ...]
    decks: tuple[Deck, ...]

    @property
    def prints(self) -> tuple[str, ...]:
        """The cards as a match brings them."""
        return tuple(map(printed, self.tables))


def printed(table: Data) -> str:
    """A card as a match brings it."""
    return msgspec.json.encode(table).decode()


def name(n: int) -> str:
    """The name of the n-th made-up card, from 0."""
    return FIRST[n % len(FIRST)] + LAST[n * 7 % len(LAST)] + " " * (n >= 80) + "I" * (n // 80)


def bare(card: Struct) -> Data:
    """A card as it would stand in a file, without what it need not say, and without its texts."""
    plain = msgspec.to_builtins(card)
    usual = dict(zip(card.__struct_encode_fields__, defaults(type(card)).values(), strict=True))
    kept = {
        key: value for key, value in plain.items()
        if value not in (None, [], {}, ()) and value != usual[key]
    }  # fmt: skip
    return {key: value for key, value in kept.items() if key != "effect"}


class CardMaker:
    """Makes up the cards of a match."""

    def __init__(self, rules: Game, rng: Random) -> None:
        self.rules, self.rng = rules, rng
        self.stock = stock(rules)
        self.writer = Writer(self.stock, rng)
        self.tables: list[Data] = []

    def make(self) -> MadeUp:
        """Two decks, and the cards that are made up in them."""
        names = list(self.rules.decks)
        decks = [self._deck(self.rng.choice(names)) for _ in range(self.rules.manifest.seats)]
        return MadeUp(tuple(self.tables), tuple(decks))

    def _deck(self, ready: str) -> Deck:
        parts = {part: list(ids) for part, ids in self.rules.decks[ready].items()}
        printed = dict.fromkeys(card for ids in parts.values() for card in ids)
        replacements: dict[str, str] = {}
        for card in printed:
            facts = self.rules.cards[card]
            if self.rng.random() < SHARE and not getattr(facts, "sky", None):
                made = self._card(facts)
                if made is not None:
                    replacements[card] = made["id"]
                    self.tables.append(made)
        made = {part: [replacements.get(c, c) for c in ids] for part, ids in parts.items()}
        if self.rng.random() < WITHOUT:
            made = self._without(made)
        return Deck(ready, made)

    def _without(self, parts: dict[str, list[str]]) -> dict[str, list[str]]:
        """A list without the parts that it may be without."""
        prints = tuple(map(printed, self.tables))
        for part in list(parts):
            rest = {name: ids for name, ids in parts.items() if name != part}
            parts = parts if self.rules.check_deck(rest, prints) else rest
        return parts

    def _card(self, template: Any) -> Data | None:
        """A made-up card that could be printed where this one is; None if none came up."""
        rng, n = self.rng, len(self.tables)
        table = {**bare(template), "id": f"X-{n + 1}", "name": name(n)}
        for key, value in list(table.items()):
            if type(value) is int and rng.random() < 0.5:
                table[key] = self._near(key, value)
        if rng.random() < 0.4 and self.stock.words.keywords:
            table["keywords"] = self._keywords()
        table["effect"] = self._effects(template) if rng.random() >= BARE else []
        return self._acceptable(table)

    def _near(self, key: str, value: int) -> int:
        """A figure as some card has it, not much bigger."""
        others = [v for v in self.stock.values.get(key, [value]) if isinstance(v, int)]
        return int(self.rng.choice([v for v in others if 0 < v <= value + 2] or [value]))

    def _keywords(self) -> Data:
        words = self.stock.words.keywords
        chosen = self.rng.sample(sorted(words), self.rng.choice((0, 1, 1, 2)))
        return {key: self.rng.choice((1, 2)) if words[key] is int else True for key in chosen}

    def _effects(self, template: Any) -> list[Data]:
        """Texts of any kinds, a played card's own among them."""
        played = "command" in [effect.kind for effect in template.effects]
        weights = {k: weight for k, weight in self.stock.kinds.items() if played or k != "command"}
        kinds = ["command"] if played else []
        kinds += self.rng.choices(list(weights), list(weights.values()), k=self.rng.randint(1, 3))
        made: list[Data] = []
        for kind in sorted(kinds, key=lambda kind: kind != "part"):  # for others to perform them
            siblings = [effect["name"] for effect in made]
            found = self.writer.effect(kind, f"{kind}-{len(made) + 1}", siblings)
            made += [found] if found is not None else []
        return made

    def _acceptable(self, table: Data) -> Data | None:
        """The card, less what no such card can have; None if nothing made up is left."""
        if not objection(self.rules, table):
            return table
        kept: Data = {**table, "effect": []}
        if objection(self.rules, kept):
            kept.pop("keywords", None)
        for effect in table["effect"]:
            more = {**kept, "effect": [*kept["effect"], effect]}
            kept = kept if objection(self.rules, more) else more
        return kept if kept["effect"] and not objection(self.rules, kept) else None


def objection(rules: Game, table: Data) -> str:
    """The fault of a card that a match brings; empty if none."""
    try:
        rules.admit((printed(table),))
    except ValueError as error:
        return str(error)
    return ""


_STOCKS: dict[str, Stock] = {}


def stock(rules: Game) -> Stock:
    """The material for the texts of a game; the same for all its matches."""
    game = rules.manifest.game
    if game not in _STOCKS:
        _STOCKS[game] = Stock(rules)
    return _STOCKS[game]
