"""Deck lists as text: `4 ST01-001`, a count and a card; a card alone is one.

The one notation for lists wherever they stand: in transcripts, in files, in requests. Where all
parts of a list stand in one text, each comes under its name in brackets: `[main]`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from domain.words.phrases import phrase

#: How many of a card a row may have.
MOST = 100
_PART = re.compile(r"\[([a-z][a-z0-9-]{0,39})\]")
_ROW = re.compile(r"\s*(?:(\d{1,4})\s+)?(\S+)\s*")


def cards(rows: Iterable[str]) -> Iterator[str]:
    """The card ids of rows, each as often as it is played; `ValueError` for what is no row."""
    for row in rows:
        found = _ROW.fullmatch(row) if isinstance(row, str) else None
        if found is None:
            raise ValueError(phrase("{row!r} is no `4 CARD`", row=str(row)[:100]))
        n = int(found[1] or 1)
        if not 0 < n <= MOST:
            raise ValueError(phrase("of a card there are 1 to {most}, not {n}", most=MOST, n=n))
        yield from (found[2] for _ in range(n))


def rows(cards: Iterable[str]) -> list[str]:
    """A list as rows, in order of first appearance."""
    return [f"{n} {card}" for card, n in Counter(cards).items()]


def whole(parts: Mapping[str, Iterable[str]]) -> str:
    """A list as one text, part by part."""
    return "\n".join(line for part, ids in parts.items() for line in (f"[{part}]", *rows(ids)))


def parts(lines: Iterable[str]) -> dict[str, list[str]]:
    """The rows of a list that is one text, part by part; `ValueError` if it is malformed."""
    found: dict[str, list[str]] = {}
    part = ""
    for line in lines:
        heading = _PART.fullmatch(line)
        if heading is not None:
            part = heading[1]
            found.setdefault(part, [])
        elif not part:
            raise ValueError(phrase("{line!r} stands under no `[part]`", line=line[:100]))
        else:
            found[part].append(line)
    return {name: some for name, some in found.items() if some}
