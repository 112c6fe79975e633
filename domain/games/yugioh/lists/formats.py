"""Formats of this game: what a match is played by where years and events differ.

`formats.toml` lists them, `limits.toml` the cards of which a list may have fewer, `time.toml` the
time rules of an event. How a match's options choose one is the kit's (`kit.lists.formats`).
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import Literal

from msgspec import Struct

from domain.games.kit.flow.setup import Chooser
from domain.games.kit.lists.formats import Formats, tables, unknown
from domain.record.schema import policy
from domain.record.schema.policy import Policy
from domain.words.phrases import phrase

_FOLDER = files(__package__)
#: How many copies of the cards on it each list of limited cards allows, by name.
LIMITS: Mapping[str, Mapping[str, int]] = tables(_FOLDER / "limits.toml")


class Format(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True, rename="kebab"):
    """The settings of a match; formats.toml describes every value."""

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
    surrender: Literal["free", "consent"]
    first: Chooser
    time: str = ""

    def copies_of(self, name: str) -> int:
        """How many cards by this name a list may have."""
        return min(self.copies, LIMITS.get(self.limits, {}).get(name, self.copies))


def _check(made: Format) -> None:
    if made.limits and made.limits not in LIMITS:
        raise ValueError(unknown("list", made.limits, LIMITS))
    if made.life < 1 or made.copies < 1:
        raise ValueError(phrase("Life Points and copies are at least 1"))


def _policy(played: Format) -> Policy:
    """The time rules, for a match that brings no policy of its own."""
    return policy.read((_FOLDER / played.time).read_text("utf-8")) if played.time else Policy()


_OPEN = ("limits", "copies", "life", "first-draw", "fields", "surrender", "first")
FORMATS = Formats(_FOLDER / "formats.toml", Format, _check, _OPEN, _policy)
chosen, settled = FORMATS.chosen, FORMATS.settled
