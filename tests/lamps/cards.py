"""The cards of Lamps, and what a deck may be made of."""

from collections import Counter
from collections.abc import Iterator, Mapping
from importlib.resources import files
from itertools import chain
from typing import Literal

from msgspec import Struct, field

from domain.effects.catalogue import Catalogue
from domain.effects.instructions.lasting import Modify
from domain.effects.instructions.players import Discard, Draw
from domain.effects.language.instruction import taken_up
from domain.effects.language.vocabulary import Effect
from domain.effects.language.words import Words
from domain.engine.rulebook import DeckFault
from domain.games.kit.game import Deck
from domain.games.kit.lists.cards import declarable, declarations, text_faults
from domain.games.kit.lists.decks import strange_cards, strange_parts, too_many, wrong_size
from domain.words.phrases import phrase
from tests.lamps.manifest import MANIFEST

WORDS = Words(
    zones={"quay", "deck", "hand", "trash"}, field={"", "quay"}, affected={"", "quay"},
    layout={zone.name: zone for zone in MANIFEST.zones},
    attributes={"type": (str,), "name": (str,), "price": (int,), "light": (int,)},
    values={"type": {"lamp", "gust"}}, figures={"light"}, durations={"turn"},
    occurrences={"lit"},
    replaceable={"lit": "no rule says where a lamp stays that was paid for"},
    instructions=taken_up(Draw, Discard, Modify),
)  # fmt: skip


class Card(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """What is printed on a card, but for its wording."""

    id: str
    name: str
    type: Literal["lamp", "gust"]
    color: Literal["", "red", "blue"] = ""
    price: int = 0
    light: int = 0
    effects: tuple[Effect, ...] = field(default=(), name="effect")


def _faults(card: Card, known: Mapping[str, Card]) -> Iterator[str]:
    if not (card.price > 0 < card.light if card.type == "lamp" else card.price == card.light == 0):
        yield "a lamp has a price and light, a gust has neither"
    yield from text_faults(card, WORDS)
    if any((effect.kind == "command") != (card.type == "gust") for effect in card.effects):
        yield "what a gust does is a command, what a lamp does is none"


TEXT = Effect(kind="command", name="blow")
CATALOGUE = Catalogue(files(__package__), Card, WORDS, _faults, None, declarable(TEXT))
declaration_faults = declarations(WORDS)


def deck_faults(deck: Deck, known: Mapping[str, Card], options: object = None) -> list[DeckFault]:
    """Everything wrong with a list."""
    counts = Counter(chain.from_iterable(deck.values()))
    found = [*strange_parts(deck, ("main",), "lm:2-1"), *strange_cards(counts, known, "lm:2-1")]
    if counts.total() != 20:
        found.append(wrong_size(phrase("a deck"), counts.total(), 20, "lm:2-1"))
    many = {card: n for card, n in counts.items() if n > 4 and card in known}
    return found + [too_many(card, known[card].name, n, 4, "lm:2-2") for card, n in many.items()]
