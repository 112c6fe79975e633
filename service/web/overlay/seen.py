"""The data of an overlay: how far a match is, scenes, announcements.

Who sees what, and how late, is for `positions.sights`: a visitor sees no more and no earlier than
his token lets him. A scene never changes, so it is cached as positions are.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from domain.record.entries import Entry
from domain.record.points import Point
from domain.record.position import Position
from domain.record.schema import tallies
from domain.record.views import redact
from service.store.history import History
from service.web import answers, visitors
from service.web.answers import NOTHING
from service.web.called import called, may_know
from service.web.overlay import announcing
from service.web.overlay.last import ACTS, BACK, last
from service.web.overlay.scene import scene
from service.web.positions.feed import HTML, Feed
from service.web.positions.routes import MOST
from service.web.positions.sending import for_ever, send
from service.web.positions.shared import Body
from service.web.positions.sights import Sight
from service.web.positions.telling.transcripts import LineData

#: Entries before an answer, among which what was on offer may be.
BEFORE = 20


class Seen:
    """Answers what the pages of overlays ask of a match."""

    def __init__(self, feed: Feed) -> None:
        self._site, self._feed = feed.site, feed
        self._history: History = feed.site.matches.history

    async def now(self, request: Request) -> Response:
        """How far a match is for a visitor: its last entry, and what the time is in it.

        `ticks`: clocks go on between entries; not where he sees it late by anything but time.
        `own`: he has a token, by which he sees it otherwise than everybody. `calls`: he may know of
        calls to its table, and `called` is what is shown of one.
        """
        feed = self._feed
        sight = await feed.sights.of(request)
        seq = await feed.sights.released(sight)
        calls = not sight.shared and may_know(self._site, request, sight.match)
        waits = await called(self._site, request, sight.match) if calls else None
        opened = await self._site.matches.lanes.run(lambda: feed.heading(sight.match).at)
        value = {
            "seq": seq,
            "time": self._site.matches.clock() - opened - sight.late.seconds * 1000,
            "ticks": not (sight.late.decisions or sight.late.game),
            "own": not sight.shared and visitors.authorization(request) is not None,
            "calls": calls,
            "called": sight.language.say(waits) if waits else "",
        }
        return answers.data(value)

    async def scene(self, request: Request) -> Response:
        """The scene of a match after an entry."""
        feed, seq = self._feed, request.path_params["seq"]
        sight = await feed.sights.of(request)
        await feed.sights.show(sight, seq)
        line = await self._line(sight, seq)
        return await self._made(
            request, sight, ("scene", seq), lambda: self._scene(sight, seq, line)
        )

    def _scene(self, sight: Sight, seq: int, line: LineData | None) -> str:
        pos, language = self._position(sight, seq), sight.language
        game, book, acted = pos.heading.game, self._feed.book(sight.match, language), None
        rules = self._site.matches.rulebook(game)
        if line is not None:
            entries = self._entries(sight, line, seq)
            acted = last(rules, book, pos, line, entries, partial(self._position, sight), language)
        shown = tallies.in_language(rules.tallies, game, language)
        return answers.rendered(
            "overlay/pages/scene.html",
            language,
            scene=scene(book, pos, shown),
            last=acted,
            images=self._feed.images(sight, pos),
        )

    async def _line(self, sight: Sight, seq: int) -> LineData | None:
        """The line of what was done last."""
        upto = seq
        while upto > 0:
            after = max(upto - BACK, 0)
            for line in reversed(await self._feed.transcript_lines(sight, after, upto)):
                if line.kind in ACTS and not line.minor:
                    return line
            upto = after
        return None

    async def announced(self, request: Request) -> Response:
        """The announcements of some entries."""
        feed = self._feed
        after, upto = request.path_params["after"], request.path_params["upto"]
        if not 0 <= after < upto <= after + MOST:
            raise NOTHING
        sight = await feed.sights.of(request)
        await feed.sights.show(sight, upto)
        return await self._made(
            request, sight, ("announced", after, upto), lambda: self._announced(sight, after, upto)
        )

    def _announced(self, sight: Sight, after: int, upto: int) -> str:
        entries = self._between(sight, after, upto)
        manifest = self._feed.book(sight.match, sight.language).manifest
        return answers.rendered(
            "overlay/pages/announcements.html",
            sight.language,
            announcements=announcing.announcements(
                manifest, entries, partial(self._position, sight)
            ),
            rewinds=announcing.rewinds(entries),
        )

    async def _made(
        self, request: Request, sight: Sight, what: tuple[str | int, ...], make: Callable[[], str]
    ) -> Response:
        """An answer that never changes, made once."""

        async def making() -> Body:
            return Body.of((await self._site.matches.lanes.run(make)).encode(), HTML)

        key = "overlay", sight.match, sight.viewer, sight.language.tag, what
        body = await self._feed.shared.get(key, making)
        return send(request, body, for_ever(sight.shared), shared=sight.shared)

    # -- what is read; in threads ------------------------------------------------------------------

    def _position(self, sight: Sight, seq: int) -> Position:
        return self._history.position(sight.match, sight.viewer, Point(seq=seq))

    def _between(self, sight: Sight, after: int, upto: int) -> list[Entry]:
        found = self._site.matches.records.entries(sight.match, after, upto)
        return [redact(entry, sight.viewer) for entry in found]

    def _entries(self, sight: Sight, line: LineData, seq: int) -> list[Entry]:
        """The entries of a line, and those before it that it may be the answer to."""
        return self._between(sight, max(line.seq - BEFORE, 0), min(line.until, seq))
