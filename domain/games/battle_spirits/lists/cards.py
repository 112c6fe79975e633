"""The cards of this game as data: their figures, their effects, the ready-made decks.

Figures stand in `cards/figures/*.tsv`, a card a line; texts in `cards/*.toml`, `[[card]]`s with the
same card number. How an effect is written is in domain/effects/VOCABULARY.md, and the words that
this game adds are in `words`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from typing import Any

from domain.effects.catalogue import Catalogue
from domain.effects.language.vocabulary import Cost, Effect
from domain.games.battle_spirits.lists.card import Card, figure_faults
from domain.games.battle_spirits.lists.words import WORDS
from domain.games.kit.lists.cards import declarable, declarations, text_faults
from domain.words.phrases import Phrase, labelled, phrase

_LEVELS = ("lv1", "lv2")
#: What stands behind the cores and the BP of a Lv.
_RELEASE = "true-release"
_EX = "ex"


def row(cells: Mapping[str, str]) -> dict[str, Any]:
    """A card as a table, from the cells of its row; `ValueError` if a figure is malformed."""
    levels = [cells[key].split() for key in _LEVELS if cells[key]]
    keywords = [keyword.split() for keyword in _several(cells["keywords"])]
    return {
        **{key: cells[key] for key in ("id", "name", "type")},
        "colors": cells["colors"].split(),
        "cost": int(cells["cost"]),
        "reduction": _counts(cells["reduction"].split()),
        **_symbols(cells["symbols"].split()),
        "families": _several(cells["families"]),
        "levels": [[int(figure) for figure in level if figure != _RELEASE] for level in levels],
        "true-release": any(_RELEASE in level for level in levels),
        "icons": cells["icons"].split(),
        "succession": ["succession"] in keywords,
        "soul-magic": {one[1]: 1 for one in keywords if one[0] == "soul-magic"},
    }


def _several(cell: str) -> list[str]:
    return [one.strip() for one in cell.split(",") if one.strip()]


def _counts(words: list[str]) -> dict[str, int]:
    """`red 2 white 1`: so many of each color."""
    return dict(zip(words[::2], map(int, words[1::2]), strict=True))


def _symbols(words: list[str]) -> dict[str, dict[str, int]]:
    """`red`, or `ex red`: one symbol of that color."""
    if not words:
        return {}
    return {_EX if words[0] == _EX else "symbols": {words[-1]: 1}}


def _cost_faults(costs: Iterable[Cost]) -> Iterator[Phrase]:
    """The faults of the cards in costs before the arrow."""
    for cost in costs:
        if cost.do in ("discard", "show") and (
            cost.of is not None and (cost.of.zone, cost.of.whose) != ("hand", "yours")
        ):
            yield phrase("{cost} is of cards of one's own hand", cost=cost.do)
        if cost.do == "exhaust" and cost.of is not None and cost.of.zone not in ("", "field"):
            yield phrase("what is exhausted lies on the Field")


def _faults(card: Card, known: Mapping[str, Card]) -> Iterator[Phrase]:
    yield from figure_faults(card)
    yield from text_faults(card, WORDS)
    for effect in card.effects:
        if effect.kind == "command" and card.type != "magic":
            yield phrase("{name}: only Magic is used for its text", name=effect.name)
        for fault in _cost_faults(effect.cost):
            yield labelled(effect.name, fault)


#: A Magic card with its figures only is used like any other, and its text declared then.
TEXT = Effect(kind="command", name="text", at=["main", "flash"])
CATALOGUE: Catalogue[Card] = Catalogue(
    files(__package__), Card, WORDS, _faults, declarable=declarable(TEXT, "magic"), row=row
)  # fmt: skip

#: What is wrong with what a player states that a text does.
declaration_faults = declarations(WORDS)
