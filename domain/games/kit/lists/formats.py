"""Formats: what a match is played by where years and events differ, as data of a game.

A game lists them as tables of `formats.toml`, each of which may be like one before it but for what
it says. The options that a match is opened with name one (`format`), and may give some of its
values in the place of its own: so it stands in the record what is played by. What a format's values
mean is the game's; lists of cards of which there may be fewer are tables too (`tables`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from importlib.resources.abc import Traversable
from typing import Any, Generic, TypeVar

import msgspec

from domain.engine.rulebook import IMPORTED, POOL, SEEDED
from domain.record.schema.policy import Policy
from domain.record.values import Value
from domain.words.phrases import Phrase, phrase

F = TypeVar("F", bound=msgspec.Struct)
#: The option that names a format.
FORMAT = "format"


class Formats(Generic[F]):
    """A game's formats by name, the usual one first.

    `check` raises `ValueError` of one that can't be meant; `open_` are the values that an option
    may give. `policy` are the time rules of a format, for a match that brings none.
    """

    def __init__(
        self,
        file: Traversable,
        format_: type[F],
        check: Callable[[F], None],
        open_: Iterable[str],
        policy: Callable[[F], Policy] = lambda played: Policy(),
    ) -> None:
        self._type, self._check, self._policy = format_, check, policy
        self._tables, self._known = tables(file), (FORMAT, *open_)
        self.named: Mapping[str, F] = {name: self._made({FORMAT: name}) for name in self._tables}
        self._chosen = lru_cache(maxsize=64)(lambda chosen: self._made(dict(chosen)))
        self.usual = self._chosen(())

    def chosen(self, options: Mapping[str, Value]) -> F:
        """The settings of a match with these options; `ValueError` if they are invalid."""
        if not options:
            return self.usual
        return self._chosen(tuple((key, options[key]) for key in self._known if key in options))

    def settled(self, options: Mapping[str, Value]) -> Policy:
        """The time rules of a match with these options; `ValueError` if they can't be meant."""
        for name in options:
            if name not in (*self._known, SEEDED, IMPORTED, POOL):
                raise ValueError(unknown("option", name, self._known))
        chosen = {name: options[name] for name in self._known if name in options}
        try:
            return self._policy(self._made(chosen))
        except msgspec.ValidationError as error:
            raise ValueError(phrase("options: {error}", error=error)) from error

    def _made(self, options: dict[str, Value]) -> F:
        name = str(options.pop(FORMAT, next(iter(self._tables))))  # a year, maybe typed as a number
        if name not in self._tables:
            raise ValueError(unknown("format", name, self._tables))
        made = msgspec.convert({**self._tables[name], **options}, self._type)
        self._check(made)
        return made


def tables(file: Traversable) -> dict[str, dict[str, Any]]:
    """The tables of a file, each with the values of the one it is `like` too."""
    found: dict[str, dict[str, Any]] = {}
    for name, table in tomllib.loads(file.read_text("utf-8")).items():
        found[name] = {**found.get(table.get("like", ""), {}), **table}
    return found


def unknown(what: str, name: object, known: Iterable[str]) -> Phrase:
    """The error for an unknown value, with the known ones."""
    names = ", ".join(known)
    return phrase(
        "there is no {what} {name!r}; there are {names}", what=what, name=name, names=names
    )
