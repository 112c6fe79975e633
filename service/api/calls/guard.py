"""The guard of every call, however it came: authentication, limits, errors, metrics and logs.

Servicers are plain classes with a method for each RPC, named in snake case. A method gets the
request and the caller's identity, and may raise anything: `faults` makes errors of it.
Methods that are no coroutines run in a thread, in the caller's turn (`lanes`). What comes out here
is an answer or a `Fault`; `over_grpc` and `service.web.connect` put that on the wire.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Container, Mapping
from contextlib import aclosing, asynccontextmanager
from functools import partial
from inspect import iscoroutinefunction
from typing import Any, NamedTuple, TypeVar

from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from grpc import StatusCode

from domain.officials.irregular import Impossible
from domain.words.phrases import phrase
from domain.words.tables import Language
from service.api.calls.admission import Admission
from service.api.calls.commands import Commands, OpenStreams, in_time
from service.api.calls.errors import Fault, may_see
from service.api.calls.faults import fault_of, unforeseen
from service.api.calls.languages import LANGUAGE, current
from service.api.calls.repeats import Repeated
from service.identity import BadToken, Identity, Keys
from service.live.lanes import CALLER, Caller, Lanes
from service.store.records import StoreError
from service.telemetry import tracing
from service.telemetry.logs import log, log_event
from service.telemetry.metrics import Metrics

T = TypeVar("T")
#: No request is larger than this: the largest that makes sense is a pair of deck lists; nor one
#: that brings a transcript, a hundred times a usual one, which is read in a second or two.
REQUEST_BYTES, IMPORT_BYTES = 256 * 1024, 1024 * 1024


#: How much of an id that a sender chose is logged.
MOST_LOGGED = 64
#: The codes of calls that went wrong on our side, as OpenTelemetry has it for servers of gRPC.
_OUR_FAULT = frozenset(
    ("UNKNOWN", "DEADLINE_EXCEEDED", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS")
)


def method_name(rpc: str) -> str:
    """The method of a servicer that answers an RPC."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", rpc).lower()


class Sender(NamedTuple):
    """The sender of a call: his `authorization` (None: none), his connection, his language.

    `trace`: the trace that the call is a part of; None: the current one, or none.
    """

    authorization: str | None
    connection: str
    language: Language
    trace: tracing.Place | None = None

    @property
    def token(self) -> str:
        """The token that the call brings; raises `BadToken`."""
        if self.authorization is None:
            text = "This needs a bearer token (authorization: Bearer …)."
            raise BadToken("TOKEN_MISSING", text)
        scheme, _, token = self.authorization.partition(" ")
        if scheme.lower() != "bearer":
            raise BadToken("TOKEN_INVALID", "The authorization is no bearer token.")
        return token.strip()


class Method(NamedTuple):
    """An RPC, and what answers it. `anybody`: it needs no token; `most`: bytes of a request."""

    descriptor: MethodDescriptor
    answer: Callable[..., Any]
    anybody: bool
    most: int

    @property
    def name(self) -> str:
        return str(self.descriptor.name)

    @property
    def request(self) -> type[Message]:
        return GetMessageClass(self.descriptor.input_type)

    @property
    def response(self) -> type[Message]:
        return GetMessageClass(self.descriptor.output_type)

    def parsed(self, data: bytes) -> Message | Fault:
        """A request as it came, or its fault, to be raised once the call is counted."""
        if len(data) > self.most:
            return self.too_large()
        try:
            return self.request.FromString(data)
        except DecodeError:
            text = phrase("The request is not a message of this method.")
            return Fault(StatusCode.INVALID_ARGUMENT, "MESSAGE_INVALID", text)

    def too_large(self) -> Fault:
        """The refusal of a request that is larger than allowed for this method."""
        text = phrase("A request of this method has at most {most} bytes.", most=self.most)
        return Fault(StatusCode.RESOURCE_EXHAUSTED, "REQUEST_TOO_LARGE", text, most=self.most)


class Guard:
    """Stands around the calls of all servicers."""

    def __init__(self, keys: Keys, metrics: Metrics, admission: Admission, lanes: Lanes) -> None:
        self._keys, self._lanes = keys, lanes
        self._metrics = metrics
        self._admission = admission
        self.streams = OpenStreams(keys)

    def methods(
        self, service: ServiceDescriptor, servicer: object, anybody: Container[str] = ()
    ) -> Mapping[str, Method]:
        """The RPCs of a service by name; `anybody`: those that need no token."""
        return {
            one.name: self._method(one, servicer, one.name in anybody) for one in service.methods
        }

    def _method(self, method: MethodDescriptor, servicer: object, anybody: bool) -> Method:
        answer = getattr(servicer, method_name(method.name))
        if not method.server_streaming and not iscoroutinefunction(answer):
            answer = partial(self._lanes.run, answer)
        most = IMPORT_BYTES if method.name == "ImportMatch" else REQUEST_BYTES
        return Method(method, answer, anybody, most)

    # -- answering; each raises `Fault` ------------------------------------------------------------

    async def answer(self, method: Method, request: Message | Fault, sender: Sender) -> Message:
        """The answer of a method to one request."""
        async with self._answering(method, sender, request):
            token = "" if method.anybody else sender.token
            who = None if method.anybody else self._keys.check(token)
            CALLER.set(Caller(token, sender.connection))
            LANGUAGE.set(sender.language)
            found: Message = await method.answer(_meant(request, who), who)
            return found
        raise AssertionError("what failed was raised")  # `_answering` swallows nothing

    async def value(
        self, method: Method, sender: Sender, call: Callable[[Identity], Awaitable[T]]
    ) -> T:
        """What `call` has for the caller of a method, which needs no message in this process."""
        async with self._answering(method, sender):
            who = self._keys.check(sender.token)
            CALLER.set(Caller(sender.token, sender.connection))
            LANGUAGE.set(sender.language)
            return await call(who)
        raise AssertionError("what failed was raised")  # `_answering` swallows nothing

    async def stream(
        self, method: Method, request: Message | Fault, sender: Sender
    ) -> AsyncIterator[bytes]:
        """The messages of a stream, serialised: what many get was so once, by the servicer."""
        async with self._answering(method, sender):
            token = sender.token
            who, caller = self._keys.check(token), Caller(token, sender.connection, unlimited=True)
            CALLER.set(caller)
            with self._admission.stream(caller), self.streams.opened(token) as stream:
                async with aclosing(method.answer(_meant(request, who), who)) as messages:
                    while (message := await stream.wait(anext(messages, None))) is not None:
                        self._keys.check(token)  # it may have been revoked meanwhile
                        yield message

    async def serve(self, method: Method, commands: Commands, sender: Sender) -> None:
        """Answer the commands of a stream."""
        async with self._answering(method, sender):
            token = sender.token
            who, caller = self._keys.check(token), Caller(token, sender.connection)
            CALLER.set(caller)
            LANGUAGE.set(sender.language)
            with self._admission.stream(caller):
                one = partial(self._command, method, who)
                await self.streams.serve(token, commands, one)

    @asynccontextmanager
    async def _answering(
        self, method: Method, sender: Sender, request: Any = None
    ) -> AsyncIterator[None]:
        """Count a call and how long it takes, and trace it; what it raises becomes a `Fault`."""
        start = time.perf_counter()
        code, name = "OK", method.name
        with _span(method.descriptor, sender.trace) as span:
            try:
                yield
            except (asyncio.CancelledError, GeneratorExit):
                code = "CANCELLED"
                raise
            except Exception as error:
                fault = self.fault(name, error)
                code = fault.code.name
                if fault is error:
                    raise
                raise fault from error
            finally:
                self._answered(name, request, code, time.perf_counter() - start, span)

    async def _command(self, method: Method, who: Identity, request: Any) -> Message:
        """The answer to one command of a stream, which has its fault, if there is one."""
        start = time.perf_counter()
        kind = _meant(request).WhichOneof("command") or ""
        code, name = "OK", (kind or "none").capitalize()
        answer: Callable[[], Awaitable[Message]] = partial(method.answer, request, who)
        trace = tracing.incoming(request.traceparent)
        with _span(method.descriptor, trace or tracing.NO_PARENT, name) as span:
            try:
                return await in_time(answer, request.timeout_ms)  # type: ignore[no-any-return]
            except asyncio.CancelledError:
                code = "CANCELLED"
                raise
            except Exception as error:
                fault = self.fault(name, error)
                code = fault.code.name
                response: Any = method.response
                return response(id=request.id, fault=fault.message_in(current()))  # type: ignore[no-any-return]
            finally:
                command = getattr(request, kind, None)
                self._answered(name, command, code, time.perf_counter() - start, span)

    def _answered(
        self, name: str, request: Any, code: str, seconds: float, span: tracing.Span
    ) -> None:
        """Tell the metrics, the trace and the log of a call that was answered."""
        self._metrics.call(name, code, seconds)
        span.note({"rpc.response.status_code": code})
        if code in _OUR_FAULT:
            span.fail(code)
        if log.isEnabledFor(logging.DEBUG):
            log_event(
                logging.DEBUG,
                "call answered",
                method=name,
                code=code,
                ms=round(seconds * 1000, 3),
                match=getattr(request, "match_id", "")[:MOST_LOGGED],
                request=getattr(request, "request_id", "")[:MOST_LOGGED],
            )

    def orphaned(self, error: Exception) -> None:
        """Log a failure of work whose caller had given up by then."""
        if not isinstance(error, Repeated):  # that is no failure
            self.fault("given up", error)

    def fault(self, name: str, error: Exception) -> Fault:
        """The fault for an exception of a method, which is logged and counted."""
        fault = fault_of(error)
        if fault is None:
            fault = unforeseen(error, "call failed", method=name)
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
        return fault.traced(tracing.trace_id())


def _span(
    method: MethodDescriptor, parent: tracing.Place | None, command: str = ""
) -> tracing.Span:
    """The span of a call, or of a command that came on a stream."""
    if not tracing.enabled():
        return tracing.NOTHING
    name = f"{method.containing_service.full_name}/{method.name}"
    attributes = {"rpc.system.name": "grpc", "rpc.method": name}
    if command:
        attributes["match.command"] = command
    return tracing.span(f"{name} {command}".rstrip(), attributes, "server", parent)


def _meant(request: Any, who: Identity | None = None) -> Any:
    """The request, unless it is malformed, or about a match that is not the sender's.

    That is looked at before anything else that is in it.
    """
    if isinstance(request, Fault):
        raise request
    if who is not None and (match := getattr(request, "match_id", "")):
        may_see(who, match)
    return request
