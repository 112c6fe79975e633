"""The desk's page, what its script asks for, and the commands that it prepares.

/desk/{match}               the desk, as everybody sees the match; `?as=official`: all of it
/desk/{match}/now           what has changed (`?as=`, `?lines=all`, `?forks=1`: forks, too)
/desk/{match}/back/{n}      what going back to a decision would undo; that one looks is recorded
/desk/{match}/prepare       POST: a form, for the command that it means; changes nothing
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from domain.telling.names import Names, clock, countdown
from domain.telling.tournament import GAMES
from domain.text import fixes
from service.web import answers, views, visitors
from service.web.answers import with_faults
from service.web.desk import acts, back, seen
from service.web.desk.seen import Desk
from service.web.hall import prepared
from service.web.positions.feed import Feed


def routes(feed: Feed) -> Sequence[BaseRoute]:
    """The routes of this part."""
    pages = Pages(feed)
    return [
        Route("/desk/{match}", with_faults(pages.desk)),
        Route("/desk/{match}/now", with_faults(pages.now)),
        Route("/desk/{match}/back/{n:number}", with_faults(pages.back)),
        Route("/desk/{match}/prepare", with_faults(pages.prepare), methods=["POST"]),
    ]


class Pages:
    """Answers requests for the desks of matches."""

    def __init__(self, feed: Feed) -> None:
        self._site, self._feed = feed.site, feed

    async def desk(self, request: Request) -> Response:
        """The desk of a match."""
        found = await self._found(request)
        return answers.page(
            "desk/parts/desk.html",
            found.visitor.sender.language,
            **await self._data(request, found),
            **await self._forks(found),
        )

    async def now(self, request: Request) -> Response:
        """The same, part by part, for the script of the page."""
        found = await self._found(request)
        given, language = await self._data(request, found), found.visitor.sender.language
        names = ["head", "calls", "board", "open", "lines"]
        if request.query_params.get("forks"):  # which there are seldom news of
            names, given = [*names, "forks"], {**given, **await self._forks(found)}
        parts = {
            name: answers.rendered(f"desk/parts/{name}.html", language, **given) for name in names
        }
        return answers.data({
            "seq": found.seq, "decision": found.decision, "result": found.result,
            "now": found.time, "over": found.pos.over, "waits": bool(found.waits),
            "event": given["place"].s.seq if given["place"] else 0, **parts,
        })  # fmt: skip

    async def back(self, request: Request) -> Response:
        """The preview of a rewind."""
        found = await self._found(request)
        made = await back.preview(self._site, self._feed, found, request.path_params["n"])
        return answers.page("desk/parts/back.html", found.visitor.sender.language, preview=made)

    async def prepare(self, request: Request) -> Response:
        """The command that a form means."""
        found, form = await self._found(request), await prepared.form_of(request)
        made = await acts.prepared(form.text("act"), acts.Asked(self._site, found, form))
        return prepared.answer(made, found.visitor.sender.language)

    async def _found(self, request: Request) -> Desk:
        match = request.path_params["match"]
        visitor = await visitors.of(self._site, request)
        whole = request.query_params.get("as", "") == views.ALL
        return await seen.desk(self._site, self._feed, visitor, match, whole=whole)

    async def _data(self, request: Request, found: Desk) -> dict[str, Any]:
        """The data of the desk's templates."""
        most = 0 if request.query_params.get("lines") == "all" else seen.LINES
        lines, more = await seen.lines(self._site, self._feed, found, most)
        scheme = found.pos.heading.policy.scheme
        return {
            "desk": found,
            "place": await seen.place(self._site, found.visitor, found.id),
            "seats": seen.seats(found),
            "board": await seen.board(self._feed, found),
            "decision": await seen.open_decision(self._feed, found),
            "lines": lines,
            "more": more,
            "scheme": [(one.name, one.called, one.effect) for one in scheme],
            "games": [(name, text) for name, text in GAMES.items() if name],
            "step": self._step(found),
            "places": self._places(found),
            "notation": [*fixes.notation()],
            "acts": acts.forms(found),
            "clock": clock,
            "countdown": countdown,
        }

    async def _forks(self, found: Desk) -> dict[str, Any]:
        """The forks of a match; a fork has none."""
        return {
            "forks": [] if found.match.unofficial else await seen.forks(self._site, found),
            "ago": lambda time: countdown(max(found.time - time, 0)),
        }

    def _places(self, found: Desk) -> list[tuple[str, str]]:
        """All places of the table, and what they are called."""
        book = self._feed.book(found.id, found.visitor.sender.language)
        names = Names(book, found.pos)
        return [(place, names.place(place)) for place in book.manifest.places()]

    def _step(self, found: Desk) -> str:
        book = self._feed.book(found.id, found.visitor.sender.language)
        step = found.now["step"]
        return str(book.manifest.label("steps", step)) if step else ""
