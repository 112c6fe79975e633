"""Formats of this game: what an event may say of who goes first, and of chains.

`formats.toml` describes every value; how a match's options give them is the kit's
(`kit.lists.formats`).
"""

from __future__ import annotations

from importlib.resources import files

from msgspec import Struct

from domain.games.kit.flow.setup import Chooser, Later
from domain.games.kit.lists.formats import Formats


class Format(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The settings of a match."""

    title: str
    first: Chooser
    later: Later
    stops: bool


FORMATS = Formats(
    files(__package__) / "formats.toml", Format, lambda made: None, ("first", "later", "stops")
)
chosen, settled = FORMATS.chosen, FORMATS.settled
