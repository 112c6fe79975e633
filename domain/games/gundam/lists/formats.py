"""Formats of this game: whether a list of banned and restricted cards is played by, and which.

`formats.toml` lists them by the day of their list, `limits.toml` has the lists; a later one is an
option of the match, written out as a JSON table, so an organiser needs no new version for it. How a
match's options choose a format is the kit's (`kit.lists.formats`), what a list of cards has to
keep to is in `deck`.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

import msgspec
from msgspec import Struct

from domain.games.kit.lists.formats import Formats, tables, unknown
from domain.words.phrases import phrase

_FOLDER = files(__package__)


class Limits(Struct, forbid_unknown_fields=True, frozen=True):
    """A list of banned and restricted cards, all by number.

    `copies`: how many of a card there may be, 0 if it is banned. `apart`: groups of cards of which
    a deck has one number at most, a banned pair is one of two. `unchanged`: ready-made decks, by
    name, which may be played as they are sold.
    """

    copies: dict[str, int] = {}
    apart: list[list[str]] = []
    unchanged: list[str] = []


LISTS = {
    day: msgspec.convert(table, Limits) for day, table in tables(_FOLDER / "limits.toml").items()
}
NONE = Limits()


class Format(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The settings of a match; formats.toml describes every value."""

    title: str
    like: str = ""
    limits: str


@lru_cache(maxsize=64)
def limited(limits: str) -> Limits:
    """The list of that name, or the one written as JSON; `ValueError` if it can't be meant."""
    if not limits.startswith("{"):
        if limits and limits not in LISTS:
            raise ValueError(unknown("list", limits, LISTS))
        return LISTS.get(limits, NONE)
    try:
        made = msgspec.json.decode(limits, type=Limits)
    except msgspec.DecodeError as error:
        raise ValueError(phrase("limits: {error}", error=error)) from error
    if min(made.copies.values(), default=0) < 0:
        raise ValueError(phrase("of no card are there fewer than none"))
    return made


def _check(made: Format) -> None:
    limited(made.limits)


FORMATS = Formats(_FOLDER / "formats.toml", Format, _check, ("limits",))
chosen, settled = FORMATS.chosen, FORMATS.settled
