"""Deck lists of other programs: the forms that a game declares.

They are read and written in `text.deckfiles`; our own notation is in `text.decklists`.
"""

from __future__ import annotations

from msgspec import Struct


class ListHeading(Struct, frozen=True):
    """A line after which a part of the list comes."""

    line: str
    part: str


class ListForm(Struct, frozen=True):
    """Files with this suffix: a card is a number on a line of its own, under a heading.

    Its id has so many `digits`; files may leave leading zeros out. Other lines that begin with the
    `remark` say nothing.
    """

    suffix: str
    digits: int
    headings: tuple[ListHeading, ...]
    remark: str = "#"
