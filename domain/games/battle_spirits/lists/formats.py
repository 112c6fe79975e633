"""Formats: what a match is played by where events differ or the book leaves it open, as data.

`formats.toml` lists them, `limits.toml` the cards of which a list may have fewer. The options that
a match is opened with name a format (`format`), and may give single values in the place of its own
(`copies`); an event's own list of limits is written out as a JSON table. So it stands in the record
what is played by.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal

import msgspec
from msgspec import Struct

from domain.engine.rulebook import IMPORTED, SEEDED
from domain.record.schema.policy import Policy
from domain.record.values import Value
from domain.words.phrases import Phrase, phrase

#: The option that names a format.
FORMAT = "format"


class Format(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True, rename="kebab"):
    """What a match is played by; formats.toml says of every value what it is."""

    title: str
    like: str = ""
    limits: str
    cards: int
    copies: int
    icons: Literal["letter", "any"]
    lost_life: Literal["reserve", "trash", "void"]
    ex_on_field: bool
    flash_in_main: bool
    which_core: Literal["effect", "owner"]
    succession: Literal["any", "same"]
    placed_cores: bool

    def copies_of(self, name: str) -> int:
        """How many cards by this name, with what identifies it, a deck may have."""
        return min(self.copies, limited(self.limits).get(name, self.copies))


def chosen(options: Mapping[str, Value]) -> Format:
    """What a match with these options is played by; `ValueError` if they can't be meant."""
    return _chosen(tuple((key, options[key]) for key in (FORMAT, *_OPEN) if key in options))


def settled(options: Mapping[str, Value]) -> Policy:
    """The time rules of a match with these options: none; `ValueError` if they can't be meant."""
    known = (FORMAT, *_OPEN)
    for name in options:
        if name not in (*known, SEEDED, IMPORTED):
            raise ValueError(_unknown("option", name, known))
    try:
        _made({name: options[name] for name in known if name in options})
    except msgspec.ValidationError as error:
        raise ValueError(phrase("options: {error}", error=error)) from error
    return Policy()


@lru_cache(maxsize=64)
def limited(limits: str) -> Mapping[str, int]:
    """How many copies of which cards there may be, by name: of a list, or as JSON.

    Raises `ValueError` if there is no such list, and if a number is none.
    """
    if not limits.startswith("{"):
        if limits and limits not in LIMITS:
            raise ValueError(_unknown("list", limits, LIMITS))
        return LIMITS.get(limits, {})
    try:
        table = msgspec.json.decode(limits, type=dict[str, int])
    except msgspec.DecodeError as error:
        raise ValueError(phrase("limits: {error}", error=error)) from error
    if min(table.values(), default=0) < 0:
        raise ValueError(phrase("of no card are there fewer than none"))
    return table


@lru_cache(maxsize=64)
def _chosen(said: tuple[tuple[str, Value], ...]) -> Format:
    return _made(dict(said))


def _made(options: dict[str, Value]) -> Format:
    name = str(options.pop(FORMAT, next(iter(FORMATS))))
    if name not in FORMATS:
        raise ValueError(_unknown("format", name, FORMATS))
    return _format({**_TABLES[name], **options})


def _format(table: Mapping[str, Any]) -> Format:
    made = msgspec.convert(table, Format)
    limited(made.limits)
    if made.cards < 1 or made.copies < 1:
        raise ValueError(phrase("a deck has cards, and of each there may be one"))
    return made


def _unknown(what: str, name: object, known: Iterable[str]) -> Phrase:
    names = ", ".join(known)
    return phrase(
        "there is no {what} {name!r}; there are {names}", what=what, name=name, names=names
    )


def _tables(name: str) -> dict[str, dict[str, Any]]:
    """The tables of a file; each has the values of the one it is like, too."""
    tables: dict[str, dict[str, Any]] = {}
    text = files(__package__).joinpath(name).read_text("utf-8")
    for called, table in tomllib.loads(text).items():
        tables[called] = {**tables.get(table.get("like", ""), {}), **table}
    return tables


#: How many copies of the cards on it each list of limits allows, by name.
LIMITS: Mapping[str, Mapping[str, int]] = _tables("limits.toml")
_TABLES = _tables("formats.toml")
#: The formats by name, the usual one first.
FORMATS: Mapping[str, Format] = {name: _format(table) for name, table in _TABLES.items()}
#: The values that an option can give.
_OPEN = tuple(
    field.encode_name
    for field in msgspec.structs.fields(Format)
    if field.name not in ("title", "like")
)
