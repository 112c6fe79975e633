"""Metrics and health over plain HTTP, on a port and in threads of its own.

Asked for /metrics it gives them in Prometheus' text format; for /healthz or /livez it says whether
the service is alive, for /readyz whether it is ready: 200, or else 503. A service whose loop is
blocked is reported as not alive.
"""

from __future__ import annotations

import socket
from collections.abc import Iterable
from http import HTTPStatus
from socketserver import ThreadingMixIn
from threading import Thread
from typing import TYPE_CHECKING
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from prometheus_client import CollectorRegistry, make_wsgi_app

from service.telemetry.health import Health

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment

#: Where health is asked for.
PATHS = ("/healthz", "/livez", "/readyz")


def health_of(path: str, health: Health) -> tuple[HTTPStatus, bytes]:
    """The answer to a health check."""
    if path == "/readyz":
        body = "".join(
            f"{name}: {state}\n" for name, state in health.states_by_name().items()
        ).encode()
        good = health.ready
    else:
        good, body = health.alive, b"ok\n" if health.alive else b"stuck\n"
    return HTTPStatus.OK if good else HTTPStatus.SERVICE_UNAVAILABLE, body


class Answering:
    """Answers on a port; raises `OSError` if that can't be had."""

    def __init__(self, registry: CollectorRegistry, health: Health, host: str, port: int) -> None:
        self._metrics, self._health = make_wsgi_app(registry), health
        family, _, _, _, address = socket.getaddrinfo(
            host.strip("[]"), port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]

        class Server(_Server):
            address_family = family

        self._server = make_server(str(address[0]), port, self._answer, Server, _Handler)
        self.port = self._server.server_port
        self._thread = Thread(target=self._server.serve_forever, name="metrics", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Answer no more. Blocks for a moment."""
        self._server.shutdown()
        self._server.server_close()

    def _answer(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        if path not in PATHS:
            found: Iterable[bytes] = self._metrics(environ, start)
            return found
        status, body = health_of(path, self._health)
        headers = [("content-type", "text/plain; charset=utf-8"), ("cache-control", "no-store")]
        start(f"{status} {status.phrase}", headers)
        return [body]


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Handler(WSGIRequestHandler):
    """A request, of which nothing is logged, and for which nobody waits long."""

    timeout = 10.0

    def log_message(self, *_: object) -> None:
        pass
