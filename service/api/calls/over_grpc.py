"""Calls over gRPC: the methods of a service as handlers, and failures as statuses.

What stands around a call is in `guard`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import aclosing
from typing import Any

import grpc
from google.protobuf.message import Message

from service.api.calls.ending import GIVEN_UP, Context, Line, abort
from service.api.calls.errors import Fault
from service.api.calls.guard import Guard, Method, Sender
from service.api.calls.languages import requested
from service.api.calls.proxies import Proxies
from service.telemetry import tracing

#: That there is no proxy in front.
NONE = Proxies()


def handler(
    name: str, guard: Guard, methods: Mapping[str, Method], proxies: Proxies = NONE
) -> grpc.GenericRpcHandler:
    """The methods of a service of that name, as gRPC wants them."""
    handlers = {key: _handler(guard, method, proxies) for key, method in methods.items()}
    return grpc.method_handlers_generic_handler(name, handlers)


def _handler(guard: Guard, method: Method, by: Proxies) -> grpc.RpcMethodHandler[Any, Any]:
    coding: dict[str, Any] = {
        "request_deserializer": method.parsed,
        "response_serializer": _serialised,
    }
    if method.descriptor.client_streaming:
        return grpc.stream_stream_rpc_method_handler(commands(guard, method, by), **coding)
    if method.descriptor.server_streaming:
        return grpc.unary_stream_rpc_method_handler(_stream(guard, method, by), **coding)
    return grpc.unary_unary_rpc_method_handler(_unary(guard, method, by), **coding)


def _unary(
    guard: Guard, method: Method, by: Proxies
) -> Callable[[Any, Context], Awaitable[Message]]:
    async def handle(request: Any, context: Context) -> Message:
        try:
            return await guard.answer(method, request, _sender(context, by))
        except Fault as fault:
            await abort(context, fault)
        raise AssertionError("a call that failed was aborted")

    return handle


def _stream(guard: Guard, method: Method, by: Proxies) -> Callable[[Any, Context], Awaitable[None]]:
    async def handle(request: Any, context: Context) -> None:
        try:
            async with aclosing(guard.stream(method, request, _sender(context, by))) as messages:  # type: ignore[type-var]
                with GIVEN_UP:
                    async for message in messages:
                        await context.write(message)
        except Fault as fault:
            await abort(context, fault)

    return handle


def commands(
    guard: Guard, method: Method, by: Proxies = NONE
) -> Callable[[Any, Context], Awaitable[None]]:
    """The method that answers a stream of commands."""

    async def handle(_: Any, context: Context) -> None:
        try:
            await guard.serve(method, Line(context), _sender(context, by))
        except Fault as fault:
            await abort(context, fault)

    return handle


def _sender(context: Context, by: Proxies) -> Sender:
    metadata = context.invocation_metadata() or ()
    authorization = next((str(v) for k, v in metadata if k == "authorization"), None)
    forwarded = ",".join(str(v) for k, v in metadata if k == "x-forwarded-for")
    connection = by.connection(context.peer(), forwarded)
    trace = _trace(metadata) if tracing.enabled() else None
    return Sender(authorization, connection, requested(metadata), trace)


def _trace(metadata: Iterable[tuple[str, str | bytes]]) -> tracing.Place | None:
    """The trace that a call is a part of, by what came with it."""
    found = {key: value for key, value in metadata if isinstance(value, str)}
    return tracing.incoming(found.get("traceparent"), found.get("tracestate"))


def _serialised(message: Message | bytes) -> bytes:
    """A message as bytes."""
    return message if isinstance(message, bytes) else bytes(message.SerializeToString())
