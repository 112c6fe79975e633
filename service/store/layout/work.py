"""What one command adds to a store: what is saved together, or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from domain.record.entries import Entry
from service.store.statements import Statement

#: Of a work (`Work.since`): the match is chained from where it stands, if it is not yet.
FROM_HERE = -1


class Version(NamedTuple):
    """How far a match is: its last entry, and how often what its seats have left has changed."""

    seq: int = 0
    left: int = 0


class Work(NamedTuple):
    """What one command adds to a match: its entries, and statements to go with them.

    `game` is whose dictionary they are written with, `sent` the entries' messages (`wire.packed`).
    `since`: their match is chained anew, and so many entries were there before (`chaining`).
    `version`: where others may write as well, the match has to be as far as that; `left`: what its
    seats have left changes.
    """

    match: str
    entries: Sequence[Entry]
    also: Sequence[Statement] = ()
    game: str = ""
    sent: Sequence[Any] | None = None
    since: int | None = None
    version: Version | None = None
    left: bool = False
