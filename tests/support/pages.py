"""The pages and the API over HTTP in the test's own event loop: requests without connections."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from kifu.v1 import match_service_pb2, tournament_service_pb2
from starlette.types import ASGIApp

from service.api.calls.admission import Admission
from service.api.calls.guard import Guard
from service.credentials.entrance import Entrance
from service.credentials.exchange import Codes
from service.credentials.issuing import Tokens
from service.telemetry.health import Health
from service.telemetry.metrics import Metrics
from service.web import app
from service.web.site import Look, Site
from tests.support.in_process import KEYS, Servicers
from tests.support.waiting import eventually


class Pages:
    """The pages of servicers. To be made within a running loop."""

    def __init__(self, servicers: Servicers) -> None:
        self.servicers, self.admission = servicers, Admission()
        matches, metrics = servicers.matches, Metrics()
        self.guard = guard = Guard(KEYS, metrics, self.admission, matches.lanes)
        tokens, state = Tokens(matches, KEYS, 1.0), servicers.tournaments.state
        services = (
            (match_service_pb2, "MatchService", servicers.match),
            (tournament_service_pb2, "TournamentService", servicers.event),
        )
        found = {}
        for file, name, servicer in services:
            service = file.DESCRIPTOR.services_by_name[name]
            for method, one in guard.methods(service, servicer).items():
                found[f"{service.full_name}/{method}"] = one
        self.app: ASGIApp = app.make(
            Site(
                guard=guard,
                methods=found,
                servicer=servicers.match,
                matches=matches,
                tournaments=servicers.tournaments,
                queries=servicers.event,
                codes=Codes(matches, tokens, KEYS.of("codes"), 1.0, metrics, state),
                tokens=tokens,
                entrance=Entrance(tokens),
                keys=KEYS,
                metrics=metrics,
                look=Look(),
                health=Health({}, lambda seen: asyncio.sleep(0)),
            )
        )

    async def ask(
        self, path: str, send: Callable[[Any], Awaitable[None]], body: bytes = b"", **headers: str
    ) -> None:
        """Ask for an address, or send something there, until the answer has ended."""
        path, _, query = path.partition("?")
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "POST" if body else "GET",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "headers": [(key.replace("_", "-").encode(), headers[key].encode()) for key in headers],
            "client": ("127.0.0.1", 1234),
            "server": ("127.0.0.1", 80),
        }
        coming = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Any:
            if not coming:
                await asyncio.Event().wait()
            return coming.pop()

        await self.app(scope, receive, send)

    async def left(self) -> list[str]:
        """The rest of requests that have ended."""
        own = asyncio.current_task()
        with suppress(AssertionError):
            await eventually(lambda: not self._left(own), 10)
        return self._left(own)

    def _left(self, own: object) -> list[str]:
        servicers = self.servicers
        found = [
            repr(task)
            for task in asyncio.all_tasks()
            if task is not own and task not in servicers.matches.background._repeating
        ]
        open_ = {name: n for name, n in self.admission._open.items() if n}
        live = {id_: one.users for id_, one in servicers.tournaments._live.items() if one.users}
        counted = (open_, live, self.guard.streams._open, servicers.matches.streams._channels)
        return [*found, *(repr(one) for one in counted if one)]
