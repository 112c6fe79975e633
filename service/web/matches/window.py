"""The lines of a transcript that a page shows: those around the entry that is looked at."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from service.web.matches.timeline import Timeline
from service.web.positions.telling.transcripts import LineData

#: Lines that are shown before the one that is looked at, and after it.
BEFORE, AFTER = 60, 8


class Shown(NamedTuple):
    """A line of the transcript; `at` is the entry at which all of it has happened."""

    line: LineData
    at: int
    undone: int
    current: bool
    first: bool


def window(
    lines_: Sequence[LineData],
    at: int,
    begin: int,
    timeline: Timeline,
    address: Callable[[int, int], str],
) -> dict[str, Any]:
    """The lines around entry `at`, or those from entry `begin` on, and where more of them are.

    `address`: of the page at an entry, with the lines from another one on.
    """
    start, stop = _range(lines_, at, begin)
    earlier = address(at, lines_[max(0, start - BEFORE)].seq) if start else ""
    later = address(at, lines_[stop].seq) if stop < len(lines_) else ""
    current = _current(lines_, at)
    lines = _shown(lines_, range(start, stop), current, timeline)
    return {"lines": lines, "current": current, "earlier": earlier, "later": later}


def _range(lines_: Sequence[LineData], at: int, begin: int) -> tuple[int, int]:
    """The index of the first line that is shown, and that after the last one."""
    if begin:
        start = bisect_left(lines_, begin, key=lambda line: line.seq)
        return start, min(len(lines_), start + BEFORE + AFTER)
    after = bisect_right(lines_, at, key=lambda line: line.seq)
    return max(0, after - BEFORE), min(len(lines_), after + AFTER)


def _current(lines_: Sequence[LineData], at: int) -> LineData | None:
    """The line that an entry belongs to: the last one that has begun by then."""
    index = bisect_right(lines_, at, key=lambda line: line.seq)
    return lines_[index - 1] if index else None


def _shown(
    lines_: Sequence[LineData], indices: range, current: LineData | None, timeline: Timeline
) -> list[Shown]:
    found = list[Shown]()
    for index in indices:
        line = lines_[index]
        end = lines_[index + 1].seq - 1 if index + 1 < len(lines_) else timeline.last
        first = not found or found[-1].line.turn != line.turn
        found.append(
            Shown(line, max(line.seq, end), timeline.undone(line.seq), line is current, first)
        )
    return found
