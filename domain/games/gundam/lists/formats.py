"""Formats of this game: whether a list of banned and restricted cards is played by, and which.

`formats.toml` lists them, `limits.toml` has the lists (`kit.lists.limits`); a later one is an
option of the match, written out as a JSON table, so an organiser needs no new version for it. How a
match's options choose a format is the kit's (`kit.lists.formats`), what a list of cards has to
keep to is in `deck`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files

from msgspec import Struct

from domain.games.gundam.lists.cards import Card
from domain.games.kit.flow.setup import Chooser, Later
from domain.games.kit.lists.formats import Formats
from domain.games.kit.lists.limits import Limit, Lists, bars, day_of, starters
from domain.record.schema.policy import Policy
from domain.record.values import Value
from domain.words.phrases import phrase

_FOLDER = files(__package__)
LISTS = Lists(_FOLDER / "limits.toml", Card.__struct_fields__)


class Format(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The settings of a match; formats.toml describes every value."""

    title: str
    like: str = ""
    limits: str
    date: str
    region: str
    barred: str
    starters: str
    side: int
    first: Chooser
    later: Later

    def in_force(self) -> Sequence[Limit]:
        """What is in force of its list on its day in its region."""
        return LISTS.chosen(self.limits, self.region).in_force(day_of(self.date), self.region)


def _check(made: Format) -> None:
    made.in_force()
    bars(made.barred), starters(made.starters)
    if made.side < 0:
        raise ValueError(phrase("a sideboard has no fewer cards than none"))


_OPEN = ("limits", "date", "region", "barred", "starters", "side", "first", "later")
FORMATS = Formats(_FOLDER / "formats.toml", Format, _check, _OPEN)
chosen, settled = FORMATS.chosen, FORMATS.settled


def settled_first(options: Mapping[str, Value]) -> Policy:
    """The same for a match by the first edition of the book, in whose time were no sideboards."""
    found = settled(options)
    if chosen(options).side:
        raise ValueError(phrase("sideboards are of later editions of the book"))
    return found
