"""The printed values of a card besides its texts, without the words of the data.

Figures are shown as they are; filters (who completes a link, Materials) are worded as in texts.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from domain.effects.wording import groups
from domain.effects.wording.phrasebook import Words
from domain.words.phrases import Phrase, filled, joined, phrase, trimmed

_EMPTY: tuple[Any, ...] = (None, False, 0, "", [], {}, ())


def fact(w: Words, key: str, value: Any, attributes: Collection[str]) -> str:
    """The value of what stands on a card under `key`; `attributes` are what filters ask for."""
    if isinstance(value, Mapping):
        if key == "keywords":
            return keywords(w, value)
        if set(value) == {"name"} and isinstance(value["name"], str):
            return Phrase(value["name"])
        if "match" in value:
            return _some(w, value)
        if value.keys() <= {*attributes} and key not in _COUNTED:
            return groups.described(w, dict(value))
        parts = {k: fact(w, k, v, attributes) for k, v in value.items() if v not in _EMPTY}
        return joined(phrase(", "), [_entry(w, key, k, v, value[k]) for k, v in parts.items()])
    if isinstance(value, list | tuple):
        row = all(isinstance(one, int) for one in value)
        between = phrase(" ") if row else "; "
        return joined(between, [fact(w, key, one, attributes) for one in value])
    if value is True:
        return phrase("yes")
    text = str(value)
    for table in ("values", "kinds"):
        if w.has(table, text):
            return w.of(table, text)
    known = key in ("among", "unset")
    return (w.zone(text) if key == "among" else w.figure(text)) if known else Phrase(text)


#: What tells how many of each color, and no filter.
_COUNTED = ("reduction", "symbols", "ex", "soul-magic", "copies")


def _entry(w: Words, of: str, key: str, described: str, value: Any) -> str:
    """One of several things that are printed together."""
    if value is True:
        return Phrase(key)
    what = Phrase(key) if of in _COUNTED else w.figure(key)
    return phrase("{what} {value}", what=what, value=described)


def _some(w: Words, value: Mapping[str, Any]) -> str:
    """Cards that something asks for, with their number."""
    n = groups.tested(w, value.get("n", 1))
    text = phrase("{n} × {cards}")
    found: str = filled(text, n=n, cards=groups.narrowed(w, phrase("cards"), value["match"]))
    if value.get("different"):
        figure = w.figure(value["different"])
        found = phrase("{cards}, no two with the same {figure}", cards=found, figure=figure)
    return found


def keywords(w: Words, had: Mapping[str, Any]) -> str:
    """The keywords of a card, with their numbers."""
    names = [filled(w.of("keywords", key), n="" if n is True else str(n)) for key, n in had.items()]
    return joined(phrase(", "), map(trimmed, names))
