"""Around every request: the headers of the site, and counters.

A request whose end can be read in two ways is refused, since a proxy in front may read it in the
other one. What is counted goes by the template of the address, so that nobody fills the metrics
with addresses of his own.
"""

from __future__ import annotations

import time
from http import HTTPStatus

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.telemetry import tracing
from service.telemetry.answering import PATHS
from service.telemetry.metrics import Metrics

#: Headers of every answer: what its page may load, and that no other site may frame it.
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self';"
    " img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self';"
    " frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
#: And over TLS: that browsers come by nothing else from then on.
STRICT = "strict-transport-security", "max-age=31536000"
ENCODED = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
_STRICT = [*ENCODED, (STRICT[0].encode(), STRICT[1].encode())]
#: Bytes of the head of a request at most.
HEAD_BYTES = 32 * 1024
_METHODS = ("GET", "HEAD", "POST", "OPTIONS")
_TRACE = (b"traceparent", b"tracestate")
#: The kinds of answers that go on.
_FOLLOWED = (b"text/event-stream", b"application/x-ndjson", b"application/connect+")


class Gate:
    """Stands around an application. An answer may say otherwise than `HEADERS` itself."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answering = _Answering(scope, send, self._metrics)
        with _span(scope) as span:
            try:
                refused = _refused(scope)
                if refused is not None:
                    await answering.refuse(refused)
                else:
                    await self._app(scope, receive, answering.send)
            finally:
                answering.count(span)


class _Answering:
    """One request that is being answered."""

    def __init__(self, scope: Scope, send: Send, metrics: Metrics) -> None:
        self._scope, self._send, self._metrics = scope, send, metrics
        self._start = time.perf_counter()
        self._status, self._seconds, self._followed = 0, 0.0, False

    async def send(self, message: Message) -> None:
        """Send a part of the answer."""
        if message["type"] == "http.response.start":
            present = {key.lower(): value for key, value in message["headers"]}
            more = _STRICT if self._scope["scheme"] == "https" else ENCODED
            message["headers"] = [*message["headers"], *(h for h in more if h[0] not in present)]
            self._status, self._seconds = message["status"], time.perf_counter() - self._start
            if present.get(b"content-type", b"").startswith(_FOLLOWED):
                self._followed = True
                self._metrics.follower(1)
        await self._send(message)

    async def refuse(self, status: int) -> None:
        """Answer with nothing, and have the connection closed."""
        headers = [(b"connection", b"close"), (b"content-length", b"0")]
        await self.send({"type": "http.response.start", "status": status, "headers": headers})
        await self.send({"type": "http.response.body", "body": b""})

    def count(self, span: tracing.Span) -> None:
        """Count the request, now that it is answered, or the client is gone."""
        if self._followed:
            self._metrics.follower(-1)
        route = getattr(self._scope.get("route"), "path", "none")
        self._metrics.request(route, self._status or 499, self._seconds)
        span.rename(f"{_method(self._scope)} {route}")
        span.note({"http.route": route, "http.response.status_code": self._status or 499})
        if self._status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            span.fail(str(self._status))


def _span(scope: Scope) -> tracing.Span:
    """The span of a request, a part of the trace that it names."""
    if not tracing.enabled() or scope["path"] in PATHS:
        return tracing.NOTHING
    found = {name: value.decode("latin-1") for name, value in scope["headers"] if name in _TRACE}
    place = tracing.incoming(found.get(b"traceparent"), found.get(b"tracestate"))
    attributes = {"http.request.method": _method(scope), "url.scheme": scope["scheme"]}
    return tracing.span("request", attributes, "server", place or tracing.NO_PARENT)


def _method(scope: Scope) -> str:
    """How something is asked for; others than those there are go by one name."""
    return scope["method"] if scope["method"] in _METHODS else "_OTHER"


def _refused(scope: Scope) -> HTTPStatus | None:
    """With what status a request is refused for its head alone; None: it is not."""
    headers = scope["headers"]
    names = {name for name, _ in headers}
    if {b"transfer-encoding", b"content-length"} <= names:
        return HTTPStatus.BAD_REQUEST
    size = sum(len(name) + len(value) for name, value in headers)
    if size + len(scope["raw_path"]) + len(scope["query_string"]) > HEAD_BYTES:
        return HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
    return None
