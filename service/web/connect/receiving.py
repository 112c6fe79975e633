"""Checks before Connect: which calls can be answered, and how large they may be."""

from __future__ import annotations

import logging

from connectrpc.code import Code
from connectrpc.errors import ConnectError
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from service.api.calls.guard import Method, Sender
from service.api.calls.languages import requested
from service.telemetry.logs import log_event
from service.web import answers, visitors
from service.web.connect.calls import SENDER, Calls
from service.web.connect.failures import error_of

#: What is around a request on a stream, in bytes.
ENVELOPE = 5
#: Answers are kept nowhere, and a proxy sends on what comes as it comes.
HEADERS = {"cache-control": answers.NOT_KEPT, "x-accel-buffering": "no"}


class Door:
    """Answers the calls of all methods."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a call."""
        request, method = Request(scope), self._calls.methods.get(scope["path"])
        wrong = _unanswerable(request)
        if method is None:
            wrong = _error(404, Code.UNIMPLEMENTED, "There is no such method.")
        if method is None or wrong is not None:
            assert wrong is not None
            await wrong(scope, receive, send)
            return
        by = sender(request)
        SENDER.set(by)
        application, coming = self._calls.many, receive
        if not method.descriptor.client_streaming:
            application, coming = self._calls.one, OneRequest(receive, request, method, by)
        try:
            await application(scope, coming, _headed(send))
        except ConnectError as error:  # the sender did not get it: he has gone
            log_event(logging.DEBUG, "call broke off", method=method.name, text=str(error))
        except Exception as error:  # the sender got it, unless he has gone
            log_event(logging.WARNING, "call broke off", method=method.name, wrong=error)


def sender(request: Request) -> Sender:
    """The sender of a call, in the language that he accepts."""
    asked = requested([("accept-language", request.headers.get("accept-language", ""))])
    return Sender(visitors.authorization(request), visitors.connection(request), asked)


class OneRequest:
    """The body of a call that has one request: no larger than that may be."""

    def __init__(self, receive: Receive, request: Request, method: Method, by: Sender) -> None:
        self._receive, self._method, self._by = receive, method, by
        streaming = method.descriptor.server_streaming
        self._left, self._whole = method.most + (ENVELOPE if streaming else 0), False
        announced = request.headers.get("content-length", "")
        self._announced = int(announced) if announced.isdecimal() else 0

    async def __call__(self) -> Message:
        """The next message; raises `ConnectError`."""
        if self._whole:
            return await self._receive()
        if self._announced > self._left:  # there is no use in reading it
            raise self._too_large()
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        self._announced = 0
        if self._left < 0:
            raise self._too_large()
        self._whole = not message.get("more_body", False)
        return message

    def _too_large(self) -> ConnectError:
        return error_of(self._method.too_large(), self._by.language)


def _headed(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending


def _unanswerable(request: Request) -> Response | None:
    """The response to a call that Connect can't express."""
    try:
        for name, value in request.headers.raw:
            name.decode(), value.decode()
    except UnicodeDecodeError:
        return _error(400, Code.INVALID_ARGUMENT, "The headers are no text.")
    kind = request.headers.get("content-type", "")
    if kind == "application/grpc" or kind.startswith(("application/grpc+", "application/grpc;")):
        return _error(415, Code.UNIMPLEMENTED, "gRPC has a port of its own; here it is gRPC-Web.")
    return None


def _error(status: int, code: Code, text: str) -> Response:
    found = answers.data({"code": code.value, "message": text}, status=status)
    found.headers.update(HEADERS)
    return found
