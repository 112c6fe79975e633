"""The wrapper around every call: authentication, limits, errors to statuses, metrics and logs.

Servicers are plain classes with a method for each RPC, named in snake case. A method gets the
request and the caller's identity, and may raise anything: `errors` maps exceptions to statuses.
Methods that are no coroutines run in a thread, in the caller's turn (`lanes`).
"""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Container
from contextlib import aclosing, asynccontextmanager
from functools import partial
from inspect import iscoroutinefunction
from typing import Any

import grpc
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from grpc import StatusCode
from grpc.aio import ServicerContext

from domain.officials.irregular import Impossible
from domain.words.phrases import phrase
from service.api.calls.admission import Admission, abort
from service.api.calls.commands import OpenStreams, in_time
from service.api.calls.errors import Fault, fault_of
from service.api.calls.languages import LANGUAGE, current, requested
from service.api.calls.repeats import Repeated
from service.identity import BadToken, Identity, Keys
from service.live.lanes import CALLER, Caller, Lanes
from service.logs import log_event
from service.metrics import Metrics
from service.store.records import StoreError

Context = ServicerContext[Any, Any]
#: No request is larger than this: the largest that makes sense is a pair of deck lists; nor one
#: that brings a transcript than that.
REQUEST_BYTES, IMPORT_BYTES = 256 * 1024, 4 * 1024 * 1024


def method_name(rpc: str) -> str:
    """The method of a servicer that answers an RPC."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", rpc).lower()


class Guard:
    """Wraps the calls of all servicers."""

    def __init__(self, keys: Keys, metrics: Metrics, admission: Admission, lanes: Lanes) -> None:
        self._keys, self._lanes = keys, lanes
        self._metrics = metrics
        self._admission = admission
        self.streams = OpenStreams(keys)

    def handler(
        self, service: ServiceDescriptor, servicer: object, anybody: Container[str] = ()
    ) -> grpc.GenericRpcHandler:
        """A servicer as gRPC wants it; `anybody`: the methods that need no token."""
        methods = {
            method.name: self._method(method, servicer, method.name in anybody)
            for method in service.methods
        }
        return grpc.method_handlers_generic_handler(service.full_name, methods)

    def _method(
        self, method: MethodDescriptor, servicer: object, anybody: bool
    ) -> grpc.RpcMethodHandler[Any, Any]:
        answer = getattr(servicer, method_name(method.name))
        request = GetMessageClass(method.input_type)
        most = IMPORT_BYTES if method.name == "ImportMatch" else REQUEST_BYTES
        coding: dict[str, Any] = {
            "request_deserializer": lambda data: _parse(request, data, most),
            "response_serializer": _serialised,
        }
        if method.client_streaming:
            commands = self._commands(method.name, answer, GetMessageClass(method.output_type))
            return grpc.stream_stream_rpc_method_handler(commands, **coding)
        if method.server_streaming:
            stream = self._stream(method.name, answer)
            return grpc.unary_stream_rpc_method_handler(stream, **coding)
        if not iscoroutinefunction(answer):
            answer = partial(self._lanes.run, answer)
        return grpc.unary_unary_rpc_method_handler(
            self._unary(method.name, answer, anybody), **coding
        )

    def _unary(
        self, name: str, answer: Callable[[Any, Any], Awaitable[Message]], anybody: bool
    ) -> Callable[[Any, Context], Awaitable[Message]]:
        async def handle(request: Any, context: Context) -> Message:
            async with self._answering(name, context):
                token = "" if anybody else _bearer(context)
                who = None if anybody else self._keys.check(token)
                CALLER.set(Caller(token, context.peer()))
                LANGUAGE.set(requested(context.invocation_metadata()))
                return await answer(_meant(request), who)
            raise AssertionError("a call that failed was aborted")

        return handle

    def _stream(
        self, name: str, answer: Callable[[Any, Identity], AsyncIterator[bytes]]
    ) -> Callable[[Any, Context], AsyncIterator[bytes]]:
        async def handle(request: Any, context: Context) -> AsyncIterator[bytes]:
            async with self._answering(name, context):
                token = _bearer(context)
                who, caller = self._keys.check(token), Caller(token, context.peer(), unlimited=True)
                CALLER.set(caller)
                with self._admission.stream(caller):
                    async with (
                        aclosing(answer(_meant(request), who)) as messages,  # type: ignore[type-var]
                        aclosing(self.streams.follow(token, messages)) as checked,  # type: ignore[type-var]
                    ):
                        async for message in checked:
                            yield message

        return handle

    def _commands(
        self, name: str, answer: Callable[[Any, Identity], Awaitable[Message]], response: Any
    ) -> Callable[[Any, Context], Awaitable[None]]:
        async def handle(_: Any, context: Context) -> None:
            async with self._answering(name, context):
                token = _bearer(context)
                who, caller = self._keys.check(token), Caller(token, context.peer())
                CALLER.set(caller)
                LANGUAGE.set(requested(context.invocation_metadata()))
                with self._admission.stream(caller):
                    one = partial(self._command, answer, response, who)
                    await self.streams.serve(token, context, one)

        return handle

    @asynccontextmanager
    async def _answering(self, name: str, context: Context) -> AsyncIterator[None]:
        """Count a call and how long it takes; what it raises ends it with a status."""
        start = time.perf_counter()
        code = "OK"
        try:
            yield
        except (asyncio.CancelledError, GeneratorExit):
            code = "CANCELLED"
            raise
        except Exception as error:
            fault = self._fault(name, error)
            code = fault.code.name
            await abort(context, fault)
        finally:
            self._metrics.call(name, code, time.perf_counter() - start)

    async def _command(
        self,
        answer: Callable[[Any, Identity], Awaitable[Message]],
        response: Any,
        who: Identity,
        request: Any,
    ) -> Message:
        """The answer to one command of a stream, which has its fault, if there is one."""
        start = time.perf_counter()
        code, name = "OK", (_meant(request).WhichOneof("command") or "none").capitalize()
        try:
            return await in_time(partial(answer, request, who), request.timeout_ms)  # type: ignore[no-any-return]
        except asyncio.CancelledError:
            code = "CANCELLED"
            raise
        except Exception as error:
            fault = self._fault(name, error)
            code = fault.code.name
            return response(id=request.id, fault=fault.message_in(current()))  # type: ignore[no-any-return]
        finally:
            self._metrics.call(name, code, time.perf_counter() - start)

    def orphaned(self, error: Exception) -> None:
        """What was carried out to its end failed, and whoever called had given up by then."""
        if not isinstance(error, Repeated):  # that is no failure
            self._fault("given up", error)

    def _fault(self, name: str, error: Exception) -> Fault:
        fault = fault_of(error)
        if fault is None:
            incident = secrets.token_hex(4)
            log_event(logging.ERROR, "call failed", wrong=error, method=name, incident=incident)
            text = phrase(
                "Something went wrong that should not have; the log has it as {incident}.",
                incident=incident,
            )
            fault = Fault(StatusCode.INTERNAL, "INTERNAL", text, incident=incident)
        elif isinstance(error, StoreError):  # its text tells where the file lies
            lost = fault.code is StatusCode.DATA_LOSS
            level = logging.ERROR if lost else logging.WARNING
            log_event(
                level, "store failed", wrong=error if lost else None, method=name, text=str(error)
            )
        else:
            stuck = isinstance(error, Impossible)  # where the rulebook tripped is of interest
            log_event(
                logging.WARNING if stuck else logging.DEBUG,
                "call refused",
                wrong=error if stuck else None,
                method=name,
                reason=fault.reason,
                **dict[str, Any](fault.metadata),
            )
        self._metrics.refusal(fault.reason)
        return fault


def _bearer(context: Context) -> str:
    """The token that a call brings; raises `BadToken`."""
    for key, value in context.invocation_metadata() or ():
        if key == "authorization":
            scheme, _, token = str(value).partition(" ")
            if scheme.lower() != "bearer":
                raise BadToken("TOKEN_INVALID", "The authorization is no bearer token.")
            return token.strip()
    raise BadToken("TOKEN_MISSING", "This needs a bearer token (authorization: Bearer …).")


def _parse(request: type[Message], data: bytes, most: int) -> Message | Fault:
    if len(data) > most:
        text = phrase("A request of this method has at most {most} bytes.", most=most)
        return Fault(StatusCode.RESOURCE_EXHAUSTED, "REQUEST_TOO_LARGE", text, most=most)
    try:
        return request.FromString(data)
    except DecodeError:
        text = phrase("The request is not a message of this method.")
        return Fault(StatusCode.INVALID_ARGUMENT, "MESSAGE_INVALID", text)


def _serialised(message: Message | bytes) -> bytes:
    """A message as bytes; what many get is serialised once, by the servicer."""
    return message if isinstance(message, bytes) else bytes(message.SerializeToString())


def _meant(request: Message | Fault) -> Message:
    if isinstance(request, Fault):
        raise request
    return request
