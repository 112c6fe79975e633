"""Random sentences of a grammar of printed texts, with the data that their rows say.

A row is drawn for each symbol (`Derivations.derive`), the shortest ones once a depth is reached;
what is read letter by letter is drawn from a few words and numbers. Rows whose data don't go
together say nothing, so that a derivation may fail (`Unfit`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from domain.effects.printed.patterns import Choice, Grammar, Row, Slot
from domain.effects.printed.shapes import Unfit as Unfit
from domain.effects.printed.shapes import build

#: Draws one of so many.
Draw = Callable[[int], int]
LETTERS: Mapping[str, Sequence[Any]] = {
    "number": (1, 2, 3, 12),
    "signed": (1, -2, 3),
    "words": ("Tide",),
    "name": ("Ada Quill", "Tide Watch"),
    "title": ("Harbour", "Tide"),
}


class Derived(NamedTuple):
    text: str
    data: Any


class Derivations:
    """The sentences of a grammar."""

    def __init__(self, grammar: Grammar) -> None:
        self._rows = grammar.by_symbol
        self._depth = _depths(grammar)

    def derive(self, symbol: str, draw: Draw, depth: int = 9) -> Derived:
        """A sentence of a symbol, drawn; `Unfit` if its rows don't go together."""
        if symbol in LETTERS:
            value = LETTERS[symbol][draw(len(LETTERS[symbol]))]
            return Derived(f"{value:+}" if symbol == "signed" else str(value), value)
        rows = self._rows[symbol]
        least = min(map(self._of_row, rows))
        rows = [row for row in rows if self._of_row(row) <= max(depth, least)]
        return self._filled(rows[draw(len(rows))], draw, depth - 1)

    def _of_row(self, row: Row) -> int:
        return 1 + max((self._depth[slot.symbol] for slot in row.slots), default=0)

    def _filled(self, row: Row, draw: Draw, depth: int) -> Derived:
        text, parts = "", dict[str, Any]()
        texts = dict[str, str]()
        for part in row.parts:
            if isinstance(part, Slot):
                if part.name not in parts:
                    texts[part.name], parts[part.name] = self.derive(part.symbol, draw, depth)
                text += texts[part.name]
            elif isinstance(part, Choice):
                text += part.texts[draw(len(part.texts))]
            else:
                text += part
        return Derived(text, build(row.data, parts))


def _depths(grammar: Grammar) -> dict[str, int]:
    """How deep the shallowest sentence of each symbol is."""
    found = dict.fromkeys(LETTERS, 0)
    waiting = True
    while waiting:
        waiting = False
        for row in grammar.rows:
            if all(slot.symbol in found for slot in row.slots):
                depth = 1 + max((found[slot.symbol] for slot in row.slots), default=0)
                if depth < found.get(row.symbol, 99):
                    found[row.symbol], waiting = depth, True
    return found
