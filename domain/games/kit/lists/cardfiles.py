"""Files of card data that a program writes: a list of cards in JSON, laid out to be read.

The figures of a card stand on one line, each of its effects on a line of its own: a change is the
change of a line. What is as usual is left out. `effects.catalogue` reads them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

#: The field that has a line for each of its members.
EFFECT = "effect"


def laid_out(cards: Iterable[Mapping[str, Any]]) -> str:
    """The text of a file with these cards, in order of their ids."""
    found = sorted(cards, key=lambda card: str(card["id"]))
    return "[\n" + ",\n".join(map(_card, found)) + "\n]\n"


def _card(card: Mapping[str, Any]) -> str:
    figures = _json({key: value for key, value in card.items() if key != EFFECT})
    effects = card.get(EFFECT, ())
    if not effects:
        return figures
    return f'{figures[:-1]}, "{EFFECT}": [\n' + ",\n".join(_lines(effects)) + "]}"


def _lines(effects: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for effect in effects:
        yield f"  {_json(effect)}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
