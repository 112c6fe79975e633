"""Write data as the text that a grammar has for it (`Printer`): reading, the other way round.

A row is tried by comparing its data (`shapes.match`); its gaps are then printed by their own
symbols. Where several wordings mean the same, a guide decides: the text that the data are said to
come from. It only drops wordings; it adds nothing that the data do not say.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from domain.effects.printed.patterns import TERMINALS, Grammar, Slot
from domain.effects.printed.shapes import match


class Printer:
    """The texts of data by a grammar, from any of its symbols."""

    def __init__(self, grammar: Grammar) -> None:
        self._rows = grammar.by_symbol

    def texts(self, symbol: str, data: Any, guide: str | None = None) -> Iterator[str]:
        """Every text that says these data; with a guide, those alone that stand in it."""
        return iter(self._texts(symbol, data, guide, {}))

    def _texts(
        self, symbol: str, data: Any, guide: str | None, seen: dict[tuple[str, str], list[str]]
    ) -> list[str]:
        if symbol in TERMINALS:
            text = TERMINALS[symbol].write(data)
            return [text] if text is not None and (guide is None or text in guide) else []
        key = (symbol, json.dumps(data))
        if key not in seen:
            seen[key] = []  # a row that leads back to the same data says nothing
            found = dict.fromkeys(self._printed(symbol, data, guide, seen))
            seen[key] = list(found)
        return seen[key]

    def _printed(
        self, symbol: str, data: Any, guide: str | None, seen: dict[tuple[str, str], list[str]]
    ) -> Iterator[str]:
        for row in self._rows[symbol]:
            literal = [[*t] for t in row.texts()]
            if guide is not None:
                literal = [t for t in literal if all(isinstance(p, Slot) or p in guide for p in t)]
            if not literal:
                continue
            for parts in match(row.data, data):
                for pattern in literal:
                    yield from self._filled(pattern, parts, guide, seen)

    def _filled(
        self,
        pattern: list[str | Slot],
        parts: Any,
        guide: str | None,
        seen: dict[tuple[str, str], list[str]],
    ) -> Iterator[str]:
        done = [""]
        for part in pattern:
            if isinstance(part, Slot):
                more = self._texts(part.symbol, parts[part.name], guide, seen)
            else:
                more = [part]
            done = [a + b for a in done for b in more if guide is None or a + b in guide]
            if not done:
                return
        yield from done
