"""Printed cards, as lists of other programs have them: what is read off them, and how it is kept.

A game reads a row of such a list (`lists.reading` of the game): the figures of a card become a
table of its card data, its text is handed to the compiler of the game (`effects.printed`). What was
made of a text is kept with the digest of that text, never with the text (`kit.lists.sources`).
Files of such tables are laid out by `kit.lists.cardfiles`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from msgspec import Struct

from domain.effects.language.vocabulary import Effect
from domain.effects.language.words import Words
from domain.effects.printed.proof import Compiled, Compiler, Declined
from domain.games.kit.lists.sources import DECLARED, HAND, NOTHING, PRINT, Source
from domain.words.phrases import phrase


class BadPrint(ValueError):
    """A cell that can't be read; `column` is the one where it stands."""

    def __init__(self, column: str, text: str) -> None:
        super().__init__(text)
        self.column = column


class Printed(Struct, frozen=True):
    """A card as it is printed: its figures as card data, and its text, empty if it has none."""

    table: dict[str, Any]
    text: str = ""

    @property
    def id(self) -> str:
        """Its number."""
        return str(self.table["id"])


class Reading(Protocol):
    """How a game reads lists of printed cards: its module `lists.reading`."""

    @property
    def COLUMNS(self) -> Mapping[str, tuple[str, ...]]:  # noqa: N802
        """The columns of a list, each with what else may head it."""

    @property
    def NEEDED(self) -> tuple[str, ...]:  # noqa: N802
        """Those that a list can't do without."""

    def read(self, row: Mapping[str, Any]) -> Printed:
        """A row, by column; raises `BadPrint`."""

    def file_of(self, card: str) -> str:
        """The file that a card of this number is kept in, without its ending."""

    def compiler(self) -> Compiler:
        """What reads the texts."""

    def fault(self, table: Mapping[str, Any]) -> str:
        """Why the game can't use a card; empty if it can."""

    def by_hand(self) -> Mapping[str, Mapping[str, Any]]:
        """What is written by hand of cards, by id."""


class Card(Struct, frozen=True):
    """What was made of a printed card: its table, and of what.

    `declined` says what of its text was not understood; `other` what the hand's data say otherwise.
    """

    table: dict[str, Any]
    source: Source
    declined: Declined | None = None
    other: str = ""


def made(
    printed: Printed,
    compiled: Compiled | Declined,
    words: Words,
    fault: Callable[[Mapping[str, Any]], str],
    by_hand: Mapping[str, Any] | None = None,
    why: str = "",
) -> Card:
    """The table of a printed card, given what its text was compiled to.

    `fault` is why the game can't use a table. What is written `by_hand` is not said twice: there
    the table has figures alone. `why` it is so is kept, unless the text says the same.
    """
    digest = compiled.digest if printed.text else ""
    declined = compiled if isinstance(compiled, Declined) else None
    stated = compiled.fields if isinstance(compiled, Compiled) else {}
    if by_hand is not None:
        same = declined is None and _stated(by_hand, words) == _stated(stated, words)
        how = NOTHING if not printed.text else PRINT if same else HAND
        source = Source(printed.id, how, digest, why if how == HAND else "")
        return Card(printed.table, source, declined, _other(printed.table, by_hand))
    if not printed.text:
        return Card(printed.table, Source(printed.id, NOTHING))
    whole = {**printed.table, **stated}
    if declined is None and (wrong := fault(whole)):
        declined = Declined(digest, "", 0, "unusable", wrong)
    if declined is not None:
        table = {**printed.table, "unread": True}
        return Card(table, Source(printed.id, DECLARED, digest), declined)
    return Card(whole, Source(printed.id, PRINT, digest))


def _stated(table: Mapping[str, Any], words: Words) -> tuple[Any, ...]:
    """What a table says of a text, however its effects are called."""
    effects = [words.convert({**one, "name": ""}, Effect) for one in table.get("effect", ())]
    return sorted(table.get("names", ())), dict(table.get("keywords", {})), effects


def _other(table: Mapping[str, Any], by_hand: Mapping[str, Any]) -> str:
    """The first figure of which the hand's data say something else."""
    for key, value in table.items():
        if by_hand.get(key, value) != value:
            return phrase("{key} is {own!r} by hand, {value!r} in print", key=key, own=by_hand[key],
                          value=value)  # fmt: skip
    return ""
