"""The routes of the API for programs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from starlette.middleware.cors import CORSMiddleware
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, request_response
from starlette.types import ASGIApp, Receive, Scope, Send

from service.web.answers import Endpoint, with_faults
from service.web.connect.calls import Calls
from service.web.connect.coding import Shared
from service.web.connect.describing.pages import Pages
from service.web.connect.feeds import Feeds
from service.web.connect.receiving import Door
from service.web.site import Site

#: What pages of other sites may send with a call, and read of its answer.
SENT = (
    "authorization", "content-type", "connect-protocol-version", "connect-timeout-ms",
    "grpc-timeout", "kifu-match", "last-event-id", "traceparent", "tracestate", "x-grpc-web",
    "x-user-agent",
)  # fmt: skip
READ = ("grpc-status", "grpc-message", "grpc-status-details-bin", "connect-content-encoding")
#: How long a browser need not ask again whether it may send something, in seconds.
REMEMBERED = 7200


def routes(site: Site) -> Sequence[BaseRoute]:
    """The routes of this part."""
    shared = Shared(site.matches.lanes.run)
    feeds, pages = Feeds(site, shared), Pages(site)
    read = {
        "/api/feeds/{match}/entries": feeds.entries,
        "/api/feeds/{match}/positions": feeds.positions,
        "/api/openapi.json": pages.openapi,
    }
    open_to = partial(opened, origins=site.look.origins)
    return (
        Route("/api", with_faults(pages.overview)),
        *(Route(path, open_to(ReadOnly(with_faults(answer)))) for path, answer in read.items()),
        Route("/api/{service}", with_faults(pages.service)),
        Route("/api/{service}/{method}", open_to(Door(Calls(site, shared)))),
    )


class ReadOnly:
    """Answers who reads, and nobody else."""

    def __init__(self, answer: Endpoint) -> None:
        self._app = request_response(answer)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        reads = scope["method"] == "GET"
        refusal = Response(status_code=405, headers={"allow": "GET"})
        await (self._app if reads else refusal)(scope, receive, send)


def opened(app: ASGIApp, origins: Sequence[str]) -> ASGIApp:
    """Lets pages of these sites call it with a token that they have: never with a cookie."""
    if not origins:
        return app
    return CORSMiddleware(
        app,
        allow_origins=origins,
        allow_methods=("GET", "POST"),
        allow_headers=SENT,
        expose_headers=READ,
        max_age=REMEMBERED,
    )
