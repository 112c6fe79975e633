"""The application: the routes of all parts, and middleware.

Each part makes its routes of the site, or of the feed of its matches (`positions.feed`).
"""

from __future__ import annotations

import re
from functools import partial
from http import HTTPStatus

from starlette.applications import Starlette
from starlette.convertors import Convertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from service.web import answers, assets
from service.web.answers import with_faults
from service.web.board.routes import routes as board
from service.web.called import calls
from service.web.cards.routes import routes as cards
from service.web.connect.routes import routes as connect
from service.web.desk.routes import routes as desk
from service.web.entrance.gate import Gate
from service.web.entrance.routes import routes as entrance
from service.web.events.routes import routes as events
from service.web.hall.routes import routes as hall
from service.web.matches.home import Home
from service.web.matches.page import MatchPage
from service.web.overlay.routes import routes as overlay
from service.web.play.routes import routes as play
from service.web.positions.feed import Feed
from service.web.positions.routes import routes as positions
from service.web.seats.routes import routes as seats
from service.web.site import Site
from service.web.table.routes import routes as table

#: The script that opens the table's page while the service is away (`table`): for those pages.
WORKER = "table/worker.js"


def make(site: Site) -> ASGIApp:
    """The application of a site."""
    app = Starlette(routes=routes(site), exception_handlers={HTTPException: _nothing})
    app.router.redirect_slashes = False  # which would redirect to any host that was named
    return Gate(app, site.metrics)


def routes(site: Site) -> list[BaseRoute]:
    """The routes of all parts."""
    register_url_convertor("number", _Number())
    feed = Feed(site)
    return [
        *positions(feed), *board(site), *overlay(feed), *seats(site), *table(site), *hall(feed),
        *desk(feed), *events(site), *entrance(site), *connect(site), *cards(site), *play(site),
        Route("/", with_faults(Home(site).page)),
        Route("/m/{match}", MatchPage(feed).page),
        Route("/m/{match}/called.json", with_faults(partial(calls, feed))),
        Route("/static/{digest}/{name:path}", _static),
    ]  # fmt: skip


class _Number(Convertor[int]):
    """Numbers in addresses (`{seq:number}`): no signs, no leading zeros, never long ones.

    The framework's own take as many digits as somebody cares to send, and fail at thousands.
    """

    regex = "(?:0|[1-9][0-9]{0,8})"

    def convert(self, value: str) -> int:
        return int(value)

    def to_string(self, value: int) -> str:
        return str(value)


async def _nothing(request: Request, error: Exception) -> Response:
    """There is no such address, or none for this method."""
    assert isinstance(error, HTTPException)
    if error.status_code == HTTPStatus.NOT_FOUND:
        return answers.fault(answers.NOTHING, request)
    return Response(status_code=error.status_code, headers=error.headers)


async def _static(request: Request) -> Response:
    """A script or a style; the page that asks for it may be of a server of another version."""
    found, digest = assets.assets().get(request.path_params["name"]), request.path_params["digest"]
    if found is None or not re.fullmatch("[0-9a-f]{16}", digest):
        return answers.fault(answers.NOTHING, request)
    keep = answers.KEPT if digest == assets.digest() else answers.NOT_KEPT
    response = answers.answer(found.body, found.kind, keep=keep)
    if request.path_params["name"] == WORKER:
        response.headers["service-worker-allowed"] = "/table/"
    return response
