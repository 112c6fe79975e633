"""The rewinds of a match, and the active line computed from them by numbers alone.

A rewind abandons the entries after the one that it goes back to. `domain.record.entries.active`
computes the active line from the entries; here it is computed from a short list of the rewinds, so
that readers skip abandoned entries without reading them.
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.record.entries import TYPES, Entry
from domain.record.interventions import Rewound
from service.store.records import LAST, Records, Statement
from service.store.statements import upsert

_INSERT = upsert("rewinds", "id, seq", "id, seq, back")

#: Of a rewind its own entry, and the one that it went back to.
Rewind = tuple[int, int]
#: The entries of a line: pairs of a first and a last number.
Line = list[tuple[int, int]]


def insertion(match: str, seq: int, rewound: Rewound) -> Statement:
    """The row for a rewind that is about to be saved."""
    return _INSERT, (match, seq, rewound.to)


def find(records: Records, match: str, until: int = LAST) -> list[Rewind]:
    """The rewinds of a match up to an entry, in order."""
    sql = "SELECT seq, back FROM rewinds WHERE id=? AND seq<=? ORDER BY seq"
    with records.rows(sql, match, until) as found:
        kept = [(row["seq"], row["back"]) for row in found.fetchall()]
    if all(type(seq) is type(back) is int and 0 < back < seq for seq, back in kept):
        return kept
    records.report_damage(match, "rewinds")
    events = [(entry.seq, entry.event) for entry in from_entries(records, match)]
    return [(seq, e.to) for seq, e in events if isinstance(e, Rewound) and seq <= until]


def from_entries(records: Records, match: str) -> list[Entry]:
    """The rewinds of a match as its entries have them. O(entries), reading only those."""
    return records.tagged(match, _REWOUND)


def line(rewinds: Sequence[Rewind], last: int = LAST) -> Line:
    """The active line of the entries up to `last`."""
    found, first = Line(), 1
    for seq, back in rewinds:
        if seq <= last:
            found = cut([*found, (first, seq - 1)], back)
            first = seq + 1
    return [*found, (first, last)]


def cut(whole: Line, last: int) -> Line:
    """A line up to an entry."""
    return [(first, min(end, last)) for first, end in whole if first <= last]


_REWOUND = next(tag for tag, cls in TYPES.items() if cls is Rewound)
