"""Every RPC over HTTP: Connect in JSON and in binary, and gRPC-Web, at /api/{service}/{method}.

`connectrpc` reads what was sent and writes what is answered; requests stay bytes until it is known
who sends them, and answers are bytes when it gets them. All else is the guard's, as over gRPC:
tokens, limits, faults, metrics. A deadline (`connect-timeout-ms`) and a connection that breaks
cancel a call, which does what it does to one over gRPC. Nothing is compressed here, and nothing
compressed is taken: a proxy in front does that, and no small body becomes a large one.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import aclosing, contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any, NamedTuple

from connectrpc.codec import Codec
from connectrpc.errors import ConnectError
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.request import RequestContext
from connectrpc.server import ConnectASGIApplication, Endpoint
from google.protobuf.message import Message
from grpc import StatusCode

from domain.words.phrases import phrase
from service.api.calls.errors import Fault
from service.api.calls.faults import fault_of
from service.api.calls.guard import REQUEST_BYTES, Method, Sender
from service.identity import BadToken
from service.live.lanes import CALLER, Busy, Caller
from service.web.connect import coding
from service.web.connect.failures import error_of
from service.web.connect.playing import Exchange
from service.web.site import Site

#: The path before the service and the method.
PREFIX = "/api/"
#: Who sends the call that is being answered.
SENDER: ContextVar[Sender] = ContextVar("sender")

Context = RequestContext[Any, Any]


class Sent(NamedTuple):
    """A request as it came: in JSON, or in binary."""

    data: bytes
    is_json: bool


class Unread(Codec[bytes, Any]):
    """Leaves requests as they came, and takes answers that are bytes already."""

    def __init__(self, name: str) -> None:
        self._name = name

    def name(self) -> str:
        """Its name in content types."""
        return self._name

    def encode(self, message: bytes) -> bytes:
        """An answer, as it is."""
        return message

    def decode(self, data: bytes | bytearray, message_class: type[Any]) -> Any:
        """A request, as it is."""
        return Sent(bytes(data), self._name == "json")


class Application(ConnectASGIApplication[None]):
    """Connect, for endpoints by their paths."""

    @property
    def path(self) -> str:
        """Where it is."""
        return PREFIX


class Calls:
    """The methods of a site as endpoints of Connect."""

    def __init__(self, site: Site, shared: coding.Shared) -> None:
        self._guard, self._keys = site.guard, site.keys
        self._in_thread = site.matches.lanes.run
        self._shared = shared
        self.methods: Mapping[str, Method] = {PREFIX + p: m for p, m in site.methods.items()}
        endpoints = {path: self._endpoint(method) for path, method in self.methods.items()}
        make = partial(
            Application,
            service=None,
            endpoints=lambda _: endpoints,
            compressions=(),
            codecs=[Unread("json"), Unread("proto")],
        )
        #: `one` request, whose size `receiving` watches, or many, of which each is watched here.
        self.one, self.many = make(read_max_bytes=None), make(read_max_bytes=REQUEST_BYTES)

    def _endpoint(self, method: Method) -> Any:
        streams = method.descriptor.server_streaming, method.descriptor.client_streaming
        info: Callable[..., MethodInfo[Any, Any]] = partial(
            MethodInfo,
            name=method.name,
            service_name=method.descriptor.containing_service.full_name,
            input=Sent,
            output=bytes,
            idempotency_level=IdempotencyLevel.UNKNOWN,
        )
        if all(streams):
            kind = StreamType.BIDI_STREAM
            return Endpoint.bidi_stream(info(stream_type=kind), partial(self._commands, method))
        if any(streams):
            kind = StreamType.SERVER_STREAM
            return Endpoint.server_stream(info(stream_type=kind), partial(self._stream, method))
        kind = StreamType.UNARY
        return Endpoint.unary(info(stream_type=kind), partial(self._unary, method))

    # -- answering; each raises `ConnectError` -----------------------------------------------------

    async def _unary(self, method: Method, sent: Sent, context: Context) -> bytes:
        by = SENDER.get()
        with self._telling(method, by):
            request = await self._request(method, sent, by, context)
            found = await self._guard.answer(method, request, by)
            return await self._written(found, sent.is_json)
        raise AssertionError("what failed was raised")

    async def _stream(self, method: Method, sent: Sent, context: Context) -> AsyncIterator[bytes]:
        by = SENDER.get()
        shared, kind = self._shared, method.descriptor.output_type
        with self._telling(method, by):
            request = await self._request(method, sent, by, context)
            async with aclosing(self._guard.stream(method, request, by)) as messages:  # type: ignore[type-var]
                async for found in messages:
                    yield await shared.of(kind, found, coding.encoded) if sent.is_json else found

    async def _commands(
        self, method: Method, requests: AsyncIterator[Sent], context: Context
    ) -> AsyncIterator[bytes]:
        by, is_json = SENDER.get(), False

        async def parsed(sent: Sent) -> Message | Fault:
            nonlocal is_json
            is_json = sent.is_json
            return await self._request(method, sent, by, context)

        async def encoded(message: Message) -> bytes:
            return await self._written(message, is_json)

        exchange = Exchange(requests, parsed, encoded)
        serve = partial(self._guard.serve, method, sender=by)
        with self._telling(method, by):
            async with aclosing(exchange.answers(serve)) as answers:  # type: ignore[type-var]
                async for answer in answers:
                    yield answer

    @contextmanager
    def _telling(self, method: Method, by: Sender) -> Iterator[None]:
        """Exceptions within end the call as Connect reports them."""
        try:
            yield
        except ConnectError:
            raise
        except Exception as error:
            fault = error if isinstance(error, Fault) else self._guard.fault(method.name, error)
            raise error_of(fault, by.language) from error

    async def _request(
        self, method: Method, sent: Sent, by: Sender, context: Context
    ) -> Message | Fault:
        """The request that was sent, or what is wrong with it, once it may cost something."""
        left = context.timeout_ms
        if left is not None and left <= 0:
            text = phrase("The deadline has passed.")
            return Fault(StatusCode.DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED", text)
        if not sent.is_json:
            return method.parsed(sent.data)
        if len(sent.data) <= coding.SMALL:
            return coding.parsed(method, sent.data)
        try:
            token = "" if method.anybody else by.token
            if token:
                self._keys.check(token)
            CALLER.set(Caller(token, by.connection))
            return await self._in_thread(coding.parsed, method, sent.data)
        except (BadToken, Busy) as error:
            return fault_of(error) or method.request()

    async def _written(self, message: Message, is_json: bool) -> bytes:
        if not is_json:
            return message.SerializeToString()
        if message.ByteSize() <= coding.SMALL:
            return coding.encoded(message)
        return await self._in_thread(coding.encoded, message, unlimited=True)
