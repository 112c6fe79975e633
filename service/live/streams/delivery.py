"""Delivery: how long it takes from a commit until its followers are sent its entries.

A stream that was open at the commit is measured; one that catches up with what was before it, or
sees it later than others on purpose, is not. Of each commit whose trace is kept a few streams are
traced: the span is a part of the command's trace, and linked to that of the stream.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from service.telemetry import tracing

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    class Line(Protocol):
        """An entry that is sent, and what it came with."""

        @property
        def origin(self) -> Origin | None: ...


#: Of how many streams the delivery of one commit is traced, by each server.
TRACED = 8


class Origin:
    """A commit: when it was, by this machine's monotonic clock, and where its trace goes on."""

    __slots__ = ("at", "elsewhere", "left", "place")

    def __init__(
        self, place: tracing.Place | None = None, at: float = 0.0, *, elsewhere: bool = False
    ) -> None:
        """`at`: unless it is now; `elsewhere`: another server made it."""
        self.at = at or time.monotonic()
        self.place = place
        self.elsewhere = elsewhere
        self.left = TRACED


class Delivering:
    """The deliveries of one stream, from now on."""

    def __init__(self, match: str, delivered: Callable[[float, bool], None], late: bool) -> None:
        """`delivered` gets the seconds that it took, and whether the commit was `elsewhere`.

        `late`: the stream is late on purpose.
        """
        self._match, self._delivered, self._late = match, delivered, late
        self._began = time.monotonic()
        self._stream = tracing.place()

    def sent(self, lines: Sequence[Line]) -> None:
        """Note that these entries were sent."""
        last = lines[-1].origin
        if last is not None and last.at >= self._began and not self._late:
            self._delivered(time.monotonic() - last.at, last.elsewhere)

    def span(self, lines: Sequence[Line]) -> tracing.Span:
        """The span of sending these entries: of the last commit, linked to others and the stream.

        It is to be ended by who sends them; it never is the current one.
        """
        last = lines[-1].origin
        if last is None or last.place is None or last.at < self._began or not last.left:
            return tracing.NOTHING
        last.left -= 1
        attributes: tracing.Attributes = {
            "messaging.system": "kifu",
            "messaging.operation.name": "deliver",
            "messaging.operation.type": "process",
            "messaging.destination.name": self._match,
            "messaging.batch.message_count": len(lines),
        }
        others = dict.fromkeys(one.origin for one in lines if one.origin not in (None, last))
        places = (*(one.place for one in others if one is not None), self._stream)
        links = [place for place in places if place is not None]
        return tracing.span("deliver", attributes, "consumer", last.place, links)
