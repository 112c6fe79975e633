"""The application: the routes of all parts, and middleware.

Each part is a function that makes its routes of the site (`PARTS`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from http import HTTPStatus

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from service.web import answers, assets
from service.web.board.routes import routes as board
from service.web.connect.routes import routes as connect
from service.web.desk.routes import routes as desk
from service.web.entrance.gate import Gate
from service.web.entrance.routes import routes as entrance
from service.web.events.routes import routes as events
from service.web.hall.routes import routes as hall
from service.web.matches.routes import routes as matches
from service.web.overlay.routes import routes as overlay
from service.web.positions.routes import routes as positions
from service.web.seats.routes import routes as seats
from service.web.site import Site
from service.web.visitors import Spectators

#: Makes the routes of a part.
Part = Callable[[Site, Spectators], Sequence[BaseRoute]]
PARTS: tuple[Part, ...] = (
    positions, board, matches, overlay, seats, hall, desk, events, entrance, connect,
)  # fmt: skip


def make(site: Site) -> ASGIApp:
    """The application of a site."""
    spectators = Spectators(site)
    routes = [route for part in PARTS for route in part(site, spectators)]
    routes.append(Route("/static/{digest}/{name:path}", _static))
    app = Starlette(routes=routes, exception_handlers={HTTPException: _nothing})
    app.router.redirect_slashes = False  # which would redirect to any host that was named
    return Gate(app, site.metrics)


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
    return answers.answer(found.body, found.kind, keep=keep)
