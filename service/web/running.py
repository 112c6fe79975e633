"""Serve the application on a port, in the loop of the service (uvicorn)."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from service.web import connections
from service.web.entrance import gate

#: Seconds that an idle connection is kept.
KEPT = 75


class Running:
    """The application on a port. Start and stop it within one running loop."""

    def __init__(
        self,
        app: ASGIApp,
        host: str,
        port: int,
        cert: Path | None = None,
        key: Path | None = None,
        grace: float = 1.0,
        proxies: Sequence[str] = (),
    ) -> None:
        """Opens the port; raises `OSError`.

        `grace`: seconds that answers under way are given; `proxies`: those in front, whose word
        counts on where a request came from, and whether by TLS.
        """
        self.room = connections.room()
        config = uvicorn.Config(
            app,
            http=connections.protocol(self.room, gate.ENCODED),
            proxy_headers=bool(proxies),
            forwarded_allow_ips=[*proxies],
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            ws="none",
            h11_max_incomplete_event_size=gate.HEAD_BYTES,
            timeout_keep_alive=KEPT,
            timeout_graceful_shutdown=max(1, round(grace)),
            ssl_certfile=cert,
            ssl_keyfile=key,
        )
        self._socket = _listening(host, port)
        self.port = int(self._socket.getsockname()[1])
        self._server = _Server(config)

    @property
    def connections(self) -> int:
        """How many connections there are."""
        return len(self._server.server_state.connections)

    async def start(self) -> None:
        """Begin to answer."""
        self._serving = asyncio.create_task(self._server.serve(sockets=[self._socket]))
        while not self._server.started and not self._serving.done():
            await asyncio.sleep(0.005)
        if self._serving.done():
            await self._serving

    async def stop(self) -> None:
        """Take no further connection, and end once what is under way is answered."""
        self._server.should_exit = True
        await self._serving


class _Server(uvicorn.Server):
    """A server that leaves signals to the service."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _listening(host: str, port: int) -> socket.socket:
    family, kind, proto, _, address = socket.getaddrinfo(
        host.strip("[]"), port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    found = socket.socket(family, kind, proto)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(address)
        found.listen(2048)
    except OSError:
        found.close()
        raise
    return found
