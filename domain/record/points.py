"""Points of a match: how requests name them, and how readers of a record find them."""

from __future__ import annotations

from msgspec import Struct


class NoSuchPoint(LookupError):
    """The match has no such decision or entry."""


class Point(Struct, frozen=True):
    """Where to look: at a decision, after an entry, at a time (ms); nothing: at the end."""

    decision: int | None = None
    seq: int | None = None
    time: int | None = None


NOW = Point()
