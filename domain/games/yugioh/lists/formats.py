"""Formats: what a match is played by where years and events differ, as data.

`formats.toml` lists them, `limits.toml` the cards of which a list may have fewer, `time.toml` the
time rules of an event. The options that a match is opened with name a format (`format`), and may
give single values in the place of its own (`life`): so it stands in the record what is played by.
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
from domain.record.schema import policy
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
    main: tuple[int, int]
    extra: tuple[int, int]
    side: tuple[int, int]
    copies: int
    life: int
    first_draw: bool
    fields: Literal["one", "each"]
    time: str = ""

    def copies_of(self, name: str) -> int:
        """How many cards by this name a list may have."""
        return min(self.copies, LIMITS.get(self.limits, {}).get(name, self.copies))

    @property
    def policy(self) -> Policy:
        """The time rules, for a match that brings no policy of its own."""
        return policy.read(_text(self.time)) if self.time else Policy()


def chosen(options: Mapping[str, Value]) -> Format:
    """What a match with these options is played by; `ValueError` if they can't be meant."""
    return _chosen(tuple((key, options[key]) for key in (FORMAT, *_OPEN) if key in options))


def settled(options: Mapping[str, Value]) -> Policy:
    """The time rules of a match with these options; `ValueError` if they can't be meant."""
    known = (FORMAT, *_OPEN)
    for name in options:
        if name not in (*known, SEEDED, IMPORTED):
            raise ValueError(_unknown("option", name, known))
    try:
        return _made({name: options[name] for name in known if name in options}).policy
    except msgspec.ValidationError as error:
        raise ValueError(phrase("options: {error}", error=error)) from error


@lru_cache(maxsize=64)
def _chosen(said: tuple[tuple[str, Value], ...]) -> Format:
    return _made(dict(said))


def _made(options: dict[str, Value]) -> Format:
    name = str(options.pop(FORMAT, next(iter(FORMATS))))  # a year, maybe, typed as a number
    if name not in FORMATS:
        raise ValueError(_unknown("format", name, FORMATS))
    return _format({**_TABLES[name], **options})


def _format(table: Mapping[str, Any]) -> Format:
    made = msgspec.convert(table, Format)
    if made.limits and made.limits not in LIMITS:
        raise ValueError(_unknown("list", made.limits, LIMITS))
    if made.life < 1 or made.copies < 1:
        raise ValueError(phrase("Life Points and copies are at least 1"))
    return made


def _unknown(what: str, name: object, known: Iterable[str]) -> Phrase:
    names = ", ".join(known)
    return phrase(
        "there is no {what} {name!r}; there are {names}", what=what, name=name, names=names
    )


def _text(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8")


def _tables() -> dict[str, dict[str, Any]]:
    """Every format's values, those of the one it is like among them."""
    tables: dict[str, dict[str, Any]] = {}
    for name, table in tomllib.loads(_text("formats.toml")).items():
        tables[name] = {**tables.get(table.get("like", ""), {}), **table}
    return tables


#: How many copies of the cards on it each list of limited cards allows, by name.
LIMITS: Mapping[str, Mapping[str, int]] = tomllib.loads(_text("limits.toml"))
_TABLES = _tables()
#: The formats by name, the usual one first.
FORMATS: Mapping[str, Format] = {name: _format(table) for name, table in _TABLES.items()}
#: The values that an option can give.
_OPEN = ("limits", "copies", "life", "first-draw", "fields")
