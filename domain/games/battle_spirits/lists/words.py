"""The words that card texts of this game may use, beside those that all games share.

What they mean is in effects/WORDS.md.
"""

from __future__ import annotations

from domain.effects.language.words import NEWER, Words
from domain.games.battle_spirits.lists.card import COLORS, TYPES

WORDS = Words(
    zones=frozenset({"deck", "hand", "trash", "field", "exile", "life", "reserve"}),
    field=frozenset({"", "field"}),
    affected=frozenset({"", "field"}),
    attributes=dict.fromkeys(("type", "name", "name-has", "id", "color", "family"), (str,))
    | dict.fromkeys(("cost", "level", "bp"), (int,)),
    values={"type": frozenset(TYPES), "color": frozenset(COLORS)},
    speaks=NEWER,
)
