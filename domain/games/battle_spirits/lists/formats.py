"""Formats of this game: what a match is played by where events differ or the book leaves it open.

`formats.toml` lists them, `limits.toml` the cards of which a list may have fewer; an event's own
list is an option, written out as a JSON table. How a match's options choose a format is the kit's
(`kit.lists.formats`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Literal

import msgspec
from msgspec import Struct

from domain.games.kit.flow.setup import Chooser, Later
from domain.games.kit.lists.formats import Formats, tables, unknown
from domain.words.phrases import phrase

_FOLDER = files(__package__)
#: How many copies of the cards on it each list of limits allows, by name.
LIMITS: Mapping[str, Mapping[str, int]] = tables(_FOLDER / "limits.toml")


class Format(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True, rename="kebab"):
    """The settings of a match; formats.toml describes every value."""

    title: str
    like: str = ""
    limits: str
    cards: int
    copies: int
    icons: Literal["letter", "any"]
    first: Chooser
    later: Later
    lost_life: Literal["reserve", "trash", "void"]
    ex_on_field: bool
    flash_in_main: bool
    which_core: Literal["effect", "owner"]
    succession: Literal["any", "same"]
    placed_cores: bool

    def copies_of(self, name: str) -> int:
        """How many cards by this name, with what identifies it, a deck may have."""
        return min(self.copies, limited(self.limits).get(name, self.copies))


@lru_cache(maxsize=64)
def limited(limits: str) -> Mapping[str, int]:
    """How many copies of which cards there may be, by name: of a list, or as JSON.

    Raises `ValueError` if there is no such list, or a number is malformed.
    """
    if not limits.startswith("{"):
        if limits and limits not in LIMITS:
            raise ValueError(unknown("list", limits, LIMITS))
        return LIMITS.get(limits, {})
    try:
        table = msgspec.json.decode(limits, type=dict[str, int])
    except msgspec.DecodeError as error:
        raise ValueError(phrase("limits: {error}", error=error)) from error
    if min(table.values(), default=0) < 0:
        raise ValueError(phrase("of no card are there fewer than none"))
    return table


def _check(made: Format) -> None:
    limited(made.limits)
    if made.cards < 1 or made.copies < 1:
        raise ValueError(phrase("a deck has cards, and of each there may be one"))


_OPEN = (field.encode_name for field in msgspec.structs.fields(Format))
FORMATS = Formats(
    _FOLDER / "formats.toml", Format, _check,
    [name for name in _OPEN if name not in ("title", "like")],
)  # fmt: skip
chosen, settled = FORMATS.chosen, FORMATS.settled
