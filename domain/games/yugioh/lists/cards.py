"""The cards of this game as data: their figures, their effects, the ready-made decks.

Figures stand in `cards/figures/*.tsv`, a card a line; texts and Materials in `cards/*.toml`, as
`[[card]]`s with the same id, the printed passcode. How an effect is written is in
domain/effects/VOCABULARY.md, and the words that this game adds are in `words`. Many cards are
listed with their figures only (`UNREAD`): what they do is declared when it happens, as with cards
that a match brings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

from domain.effects.catalogue import Catalogue, per_match
from domain.effects.language.asked import filter_faults
from domain.effects.language.vocabulary import Effect
from domain.games.kit.lists.cards import declarable, declarations, text_faults
from domain.games.yugioh.lists.card import Card, figure_faults
from domain.games.yugioh.lists.words import LINKS, SUMMONS, WORDS
from domain.words.phrases import Phrase, phrase

#: Words among the kinds in a row that are no kinds: see `card.Card`.
_APART = ("special", "unbound")
_FIGURES = ("stars", "atk", "def")
#: What is printed in the place of a figure that a text sets.
_UNSET = "?"


def row(cells: Mapping[str, str]) -> dict[str, Any]:
    """A card as a table, from the cells of its row; `ValueError` if a figure is malformed."""
    kinds = cells["kind"].split()
    figures = {key: int(cells[key]) for key in _FIGURES if cells.get(key, _UNSET) != _UNSET}
    unset = tuple(key for key in _FIGURES if cells.get(key) == _UNSET)
    return {
        **{key: cell for key, cell in cells.items() if key not in (*_FIGURES, "kind")},
        **figures,
        **({"unset": unset} if unset else {}),
        "kind": [kind for kind in kinds if kind not in _APART],
        **{word: True for word in _APART if word in kinds},
    }


def _faults(card: Card, known: Mapping[str, Card]) -> Iterator[Phrase]:
    yield from figure_faults(card)
    for material in card.materials:
        yield from filter_faults(material.match, WORDS)
        if material.different and material.different not in ("attribute", "race"):
            yield phrase("nothing tells Materials apart by {name!r}", name=material.different)
    tokens = {one.id for one in known.values() if one.token} if card.effects else ()
    yield from text_faults(card, WORDS, tokens)
    for effect in card.effects:
        must = effect.at == ["quick"] and not effect.may
        if effect.kind == "triggered" and effect.on in (*LINKS, *SUMMONS) and not must:
            text = "{name}: what may answer is `activated`; what has to is `quick`"
            yield phrase(text, name=effect.name)
        if "condition" in effect.at and card.type != "monster":
            yield phrase("{name}: only a monster Special Summons itself so", name=effect.name)
        if effect.kind == "triggered" and effect.on in SUMMONS:
            yield phrase("{name}: nothing has to negate a Summon", name=effect.name)


#: A Spell or Trap with its figures only is activated like any other, and its text declared then.
TEXT = Effect(kind="command", name="text")
CATALOGUE: Catalogue[Card] = Catalogue(
    files(__package__), Card, WORDS, _faults, declarable=declarable(TEXT, "spell", "trap"), row=row
)  # fmt: skip
#: The cards that are listed by their figures, though they do something.
UNREAD = frozenset(
    id_
    for id_, card in CATALOGUE.cards.items()
    if tuple(card.effects) == (TEXT,) or (not card.effects and "effect" in card.kind)
)


@per_match
def _tokens(prints: tuple[str, ...]) -> frozenset[str]:
    """The Tokens that a match knows, by id."""
    return frozenset(id_ for id_, card in CATALOGUE.known(prints).items() if card.token)


#: What is wrong with what a player states that a text does.
declaration_faults = declarations(WORDS, tokens=lambda p: _tokens(p.heading.prints))
