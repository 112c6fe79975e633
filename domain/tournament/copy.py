"""A copy of an event's record and what proves it: in a store, an archive or a file of its own.

`proof` says how entries are hashed; whether a log has the head is for the auditor.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from domain.record.proof.anchors.leaves import EVENT
from domain.record.proof.chain import Head
from domain.record.proof.openings import Unproven
from domain.record.views import OFFICIAL
from domain.tournament import proof
from domain.tournament.record import Entry


class Copy(Struct, frozen=True):
    """All entries of an event as the official or the public has them (`domain.record.views`).

    `head` is what the maker of the copy says; `opens` is nothing where no chain proves it;
    `attached` has what else proves something, by name.
    """

    event: str
    entries: Sequence[Entry]
    head: Head
    opens: Sequence[bytes] | None = None
    viewer: int = OFFICIAL
    attached: Mapping[str, Any] = {}

    @property
    def key(self) -> str:
        """What the event is called among chains and leaves."""
        return f"{EVENT}{self.event}"


def check(copy: Copy) -> list[Head]:
    """The heads after each entry; raises `Unproven` where they don't lead to the copy's head."""
    opens = copy.opens if copy.opens is not None else ()
    found = proof.heads(copy.event, copy.head.since, copy.entries, opens, copy.viewer)
    if not found or found[-1] != copy.head:
        raise Unproven(1, "from here on they do not lead to the head")
    return found
