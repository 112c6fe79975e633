"""The cards that an entry is about: what a screen lights up together with a line of a transcript.

They are the numbers that a viewer's entries have in them; which card that is, `record.views` says.
"""

from __future__ import annotations

from collections.abc import Iterator

from domain.record.entries import Entry
from domain.record.values import Sealed

#: The fields of events that name cards, as they are called there.
_FIELDS = (
    "attacker", "target", "defender", "source", "targets", "to", "subject", "ref", "src", "dst",
    "host", "now", "cards",
)  # fmt: skip


def concerned(entry: Entry) -> Iterator[int]:
    """The numbers of the cards that an entry names, one after the other."""
    for name in _FIELDS:
        found = getattr(entry.event, name, None)
        if isinstance(found, Sealed):
            found = found.value
        for one in found if isinstance(found, tuple) else (found,):
            if isinstance(one, int) and one > 0:
                yield one
