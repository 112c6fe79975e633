"""Points of a match to look at: what requests name, and `history` finds.

By itself, so that clients need not load the store.
"""

from __future__ import annotations

from msgspec import Struct


class Point(Struct, frozen=True):
    """Where to look: at a decision, after an entry, at a time (ms); nothing: at the end."""

    decision: int | None = None
    seq: int | None = None
    time: int | None = None


NOW = Point()
