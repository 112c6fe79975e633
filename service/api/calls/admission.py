"""Admission: limits on open streams, by token, by connection and in all.

Spectators of a match share a token, so a token may have many streams; a program that follows a
round of matches has a token for each of them, and a proxy has all spectators on its connection, so
a connection may have many as well. Streams of other services (health, reflection) need no token and
count too, through the interceptor `Counted`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from inspect import isawaitable
from typing import Any

import grpc
from grpc.aio import ServerInterceptor

from service.api.calls.ending import GIVEN_UP, Context, abort
from service.api.calls.errors import Fault, too_much
from service.live.lanes import Caller

#: How many streams there may be: in all, of one token, by one connection, by one without a token.
STREAMS, STREAMS_TOKEN, STREAMS_CONNECTION, STREAMS_BARE = 4096, 2048, 512, 64
#: When to try again where there are too many, in seconds.
LATER = 5.0


class Admission:
    """Counts the streams that are open."""

    def __init__(self) -> None:
        self._open: Counter[str] = Counter()

    @contextmanager
    def stream(self, caller: Caller) -> Iterator[None]:
        """A stream of a caller; raises `Fault` if there are too many."""
        by = f"by {caller.connection}"
        limits = {"": STREAMS, by: STREAMS_CONNECTION}
        if caller.token:
            limits[f"with {caller.token}"] = STREAMS_TOKEN
        else:
            limits[f"{by} with none"] = STREAMS_BARE
        for what, most in limits.items():
            if self._open[what] >= most:
                text = "Too many streams are open; end some of them first."
                raise too_much("TOO_MANY_STREAMS", text, LATER, most=most)
        self._open.update(limits.keys())
        try:
            yield
        finally:
            self._open.subtract(limits.keys())
            self._open += Counter()  # drops what came to nothing


class Counted(ServerInterceptor):
    """Counts the streams of services that are not ours."""

    def __init__(self, admission: Admission) -> None:
        self._admission = admission

    async def intercept_service(
        self,
        continuation: Callable[
            [grpc.HandlerCallDetails], Awaitable[grpc.RpcMethodHandler[Any, Any] | None]
        ],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Any:
        """The handler of a call, and what stands around it."""
        handler = await continuation(handler_call_details)
        method: Any = handler_call_details.method
        if handler is None or not handler.response_streaming or method.startswith("/kifu."):
            return handler
        kind = "stream_stream" if handler.request_streaming else "unary_stream"
        make = getattr(grpc, f"{kind}_rpc_method_handler")
        return make(
            self._around(getattr(handler, kind)),
            request_deserializer=handler.request_deserializer,
            response_serializer=handler.response_serializer,
        )

    def _around(self, answer: Any) -> Callable[[Any, Context], Awaitable[None]]:
        async def handle(request: Any, context: Context) -> None:
            try:
                with GIVEN_UP, self._admission.stream(Caller("", context.peer())):
                    found: Awaitable[None] | AsyncIterator[Any] = answer(request, context)
                    if isawaitable(found):
                        await found
                        return
                    async for message in found:
                        await context.write(message)
            except Fault as fault:
                await abort(context, fault)

        return handle
