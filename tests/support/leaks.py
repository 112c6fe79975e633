"""Planted leaks: servers that tell hidden information, to show that the search for leaks finds it.

Each patches the service of a server's process (`serving`) so that something depends on cards that
the caller may not see: how long an answer is, a sentence, a figure, a line of the log.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any
from zlib import crc32

from msgspec.structs import replace

from domain.engine.match import Match
from domain.record.views import OFFICIAL
from service.api import reading
from service.api.matches import MatchServicer
from service.telemetry.logs import log_event
from service.telemetry.metrics import Metrics


def _hidden(match: Match) -> int:
    """A number that stands for which card every number is."""
    cards = match.pos.cards
    return crc32(" ".join(cards[number].id for number in sorted(cards)).encode())


def _asked(before: Callable[[Any, Match], None]) -> None:
    """Do something with a match whenever somebody asks why not."""
    explain = MatchServicer.explain_refusal

    async def leaky(self: Any, request: Any, who: Any) -> Any:
        await self._matches.query(request.match_id, lambda match: before(self, match))
        return await explain(self, request, who)

    MatchServicer.explain_refusal = leaky  # type: ignore[method-assign]


def size() -> None:
    """A summary is longer with some cards than with others."""
    get_match = reading.Reading.get_match

    async def leaky(self: Any, request: Any, who: Any) -> Any:
        found = await get_match(self, request, who)
        held = self._matches.memory.get(found.match.id)
        if held is not None:
            found.match.labels.add(name="pad", value="x" * (_hidden(held) % 97))
        return found

    reading.Reading.get_match = leaky  # type: ignore[method-assign]


def sentence() -> None:
    """A refusal says what the cards are."""
    why_not = Match.why_not

    def leaky(self: Match, *asked: Any) -> Any:
        found = why_not(self, *asked)
        if found is None:
            return None
        return replace(found, sentence=f"{found.text} {_hidden(self)}", values=())

    Match.why_not = leaky  # type: ignore[method-assign]


def figure() -> None:
    """Refusals are counted by what the cards are."""

    def count(self: Any, match: Match) -> None:
        METRICS[0].refusal(str(_hidden(match)))

    init = Metrics.__init__

    def kept(self: Metrics) -> None:
        init(self)
        METRICS.append(self)

    Metrics.__init__ = kept  # type: ignore[method-assign]
    _asked(count)


def line() -> None:
    """The log has a line of what the cards are."""
    _asked(lambda self, match: log_event(logging.INFO, "asked", cards=_hidden(match)))


def page() -> None:
    """The responses to a page's requests are longer with some cards than with others."""
    from service.web.positions.feed import Feed
    from service.web.positions.shared import Body

    made = Feed._made

    async def leaky(self: Any, kind: str, sight: Any, what: Any, make: Any, **more: Any) -> Any:
        def padded() -> Body:
            found = make()
            pos = self._history.position(sight.match, OFFICIAL)
            held = crc32(" ".join(pos.cards[number].id for number in sorted(pos.cards)).encode())
            return Body.of(found.codings[""] + b" " * (held % 97), found.kind)

        return await made(self, kind, sight, what, padded, **more)

    Feed._made = leaky  # type: ignore[method-assign]


METRICS: list[Metrics] = []
LEAKS: dict[str, Callable[[], None]] = {
    "size": size,
    "sentence": sentence,
    "figure": figure,
    "line": line,
}
#: Those of pages, which no RPC shows.
PAGES: dict[str, Callable[[], None]] = {"page": page}
