"""Deck lists as text: `4 ST01-001`, a count and a card; a card alone is one.

The one notation for lists wherever they stand: in transcripts, in files, in requests.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

#: How many of a card a row may have.
MOST = 100
_ROW = re.compile(r"\s*(?:(\d{1,4})\s+)?(\S+)\s*")


def cards(rows: Iterable[str]) -> Iterator[str]:
    """The card ids of rows, each as often as it is played; `ValueError` for what is no row."""
    for row in rows:
        found = _ROW.fullmatch(row) if isinstance(row, str) else None
        if found is None:
            raise ValueError(f"{str(row)[:100]!r} is no `4 CARD`")
        n = int(found[1] or 1)
        if not 0 < n <= MOST:
            raise ValueError(f"of a card there are 1 to {MOST}, not {n}")
        yield from (found[2] for _ in range(n))


def rows(cards: Iterable[str]) -> list[str]:
    """A list as rows, in order of first appearance."""
    return [f"{n} {card}" for card, n in Counter(cards).items()]
