"""What the editions of the book differ in, beside numbers: a setting for each difference.

Code that carries out a chapter cites the first edition, and asks `settings` where a later one says
something else. What rules are called there follows from its index (`rules-1.9.tsv`,
`record.schema.citations.Numbers`).
"""

from __future__ import annotations

from msgspec import Struct

from domain.record.position import Position


class Settings(Struct, frozen=True, kw_only=True):
    """The differences; each default is the first edition's way."""


SETTINGS = {"gundam": Settings(), "gundam@1.9": Settings()}


def settings(p: Position) -> Settings:
    """The settings of the edition that a match is played by."""
    return SETTINGS[p.heading.game]
