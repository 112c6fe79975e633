"""Whoever gives a call up as it is refused leaves no traceback, and no task that nobody hears."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count, cycle, starmap
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import grpc
import pytest
from connectrpc.code import Code
from connectrpc.errors import ConnectError
from grpc._cython.cygrpc import ExecuteBatchError
from kifu.v1 import match_service_pb2 as pb
from kifu.v1.decisions_pb2 import Act

from service.api.calls import over_grpc
from service.api.calls.admission import Admission, Counted
from service.api.calls.ending import log_no_givers_up
from service.api.calls.guard import Guard, Method
from service.telemetry.metrics import Metrics
from service.web.connect import coding, feeds, receiving
from tests.support.in_process import KEYS, Cut, Servicers, open_servicers, player
from tests.support.marks import each

SERVICE = pb.DESCRIPTOR.services_by_name["MatchService"]
#: How it may go to tell somebody of a refusal: as it should, or he has gone.
ENDS: list[type[BaseException]] = [
    grpc.aio.AbortError, ExecuteBatchError, grpc.aio.UsageError, asyncio.CancelledError,
]  # fmt: skip

#: How a call ends of which gRPC logs nothing.
QUIET = {type(None), asyncio.CancelledError, grpc.aio.AbortError}


class Context:
    """A call over gRPC: what comes of it, and how what is sent fails."""

    def __init__(self, token: str, requests: list[Any], end: type[BaseException]) -> None:
        self._token, self._left, self._end = token, requests, end

    def invocation_metadata(self) -> Any:
        return (("authorization", f"Bearer {self._token}"),)

    def peer(self) -> str:
        return "ipv4:127.0.0.1:1"

    async def read(self) -> Any:
        await asyncio.sleep(0)
        return self._left.pop(0) if self._left else grpc.aio.EOF

    async def write(self, message: Any) -> None:
        await asyncio.sleep(0)
        if self._end is not grpc.aio.AbortError:
            raise self._end

    async def abort(self, *_: object) -> None:
        await asyncio.sleep(0)
        raise self._end


def choosing(match: str) -> pb.ChooseRequest:
    """An act that the rules refuse."""
    return pb.ChooseRequest(match_id=match, decision=1, act=Act(kind="nope"))


def playing(match: str) -> list[Any]:
    return [pb.PlayRequest(id=n, choose=choosing(match)) for n in range(2)]


#: What is asked that is refused: the method, what it is asked, and whether the token is good.
CALLS: dict[str, tuple[str, Callable[[str], Any], bool]] = {
    "an act": ("Choose", choosing, True),
    "a past decision": ("Choose", lambda m: pb.ChooseRequest(match_id=m, decision=7), True),
    "no token": ("Choose", choosing, False),
    "another match": ("GetMatch", lambda m: pb.GetMatchRequest(match_id="zzzzz"), True),
    "entries of another": ("WatchEvents", lambda m: pb.WatchEventsRequest(match_id="z"), True),
    "entries": ("WatchEvents", lambda m: pb.WatchEventsRequest(match_id=m), True),
    "positions": ("WatchPosition", lambda m: pb.WatchPositionRequest(match_id=m), False),
    "commands": ("Play", playing, True),
    "commands without a token": ("Play", playing, False),
}


@contextmanager
def nothing_lost(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Nothing with a traceback is logged meanwhile, and no task fails without being heard."""
    lost = list[Any]()
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: lost.append(context))
    with caplog.at_level(logging.DEBUG):
        yield
        gc.collect()
    assert not lost
    assert not [record for record in caplog.records if record.exc_info]
    caplog.clear()


def methods(servicers: Servicers) -> Callable[[str], grpc.RpcMethodHandler[Any, Any]]:
    guard = Guard(KEYS, Metrics(), Admission(), servicers.matches.lanes)
    found = over_grpc.handler("m", guard, guard.methods(SERVICE, servicers.match))
    return lambda name: found.service(SimpleNamespace(method=f"/m/{name}", invocation_metadata=()))  # type: ignore[arg-type, return-value]


#: Each call with one of the ends, and the first call with each.
ENDED = [*zip(CALLS, cycle(ENDS)), *((next(iter(CALLS)), end) for end in ENDS[1:])]


@pytest.mark.parametrize(("kind", "end"), each(3, starmap(pytest.param, ENDED)))
async def test_a_refused_call_that_is_given_up_at_any_moment_ends_in_silence(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, kind: str, end: type[BaseException]
) -> None:
    name, asked, good = CALLS[kind]
    async with open_servicers(tmp_path / "m.kifu") as servicers:
        match = await servicers.open()
        token = KEYS.issue(player(match, 0), 1)[0] if good else "junk"
        method = methods(servicers)(name)
        handle: Any = method.unary_unary or method.unary_stream or method.stream_stream
        with nothing_lost(caplog):
            for k in count(1):
                request, cut = asked(match), Cut(k)
                context = Context(token, request if name == "Play" else [], end)
                called = asyncio.create_task(cut(handle(request, context)))
                while not called.done() and not cut.happened:
                    done, _ = await asyncio.wait({called}, timeout=0.1)
                    if not done and k > 5:  # it follows a match, on which nothing happens
                        called.cancel()
                (ended,) = await asyncio.gather(called, return_exceptions=True)
                await asyncio.gather(*servicers.matches.background._finishing)
                del called
                assert type(ended) in QUIET, ended
                if not cut.happened:
                    break
        assert k > 1


@pytest.mark.parametrize("way", ["written", "refused"])
async def test_a_stream_of_another_service_is_given_up_in_silence(
    caplog: pytest.LogCaptureFixture, way: str
) -> None:
    async def answer(_: Any, context: Any) -> None:
        await context.write(b"")

    admission = Admission()
    context: Any = Context("", [], ExecuteBatchError)
    handle: Any = Counted(admission)._around(answer)
    if way == "refused":
        admission._open[""] = 1 << 20
    with nothing_lost(caplog), pytest.raises(asyncio.CancelledError):
        await handle(None, context)


def test_what_grpc_answers_by_itself_to_whoever_has_gone_is_not_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """So its own answers to calls of methods that there are not, or of more than there may be."""

    async def answer(request: bytes, _: Any) -> bytes:
        raise (ExecuteBatchError if request == b"gone" else ValueError)("so it is")

    async def go() -> None:
        log_no_givers_up()
        server = grpc.aio.server()
        handlers = {"Call": grpc.unary_unary_rpc_method_handler(answer)}
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("s", handlers),))
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            call: Any = channel.unary_unary("/s/Call")
            for what in (b"gone", b"wrong"):
                with pytest.raises(grpc.aio.AioRpcError):
                    await call(what, timeout=30)
        await server.stop(0)

    asyncio.run(go())
    (logged,) = [record for record in caplog.records if record.exc_info]
    assert "ValueError" in logged.getMessage(), "what is wrong is logged as ever"


@pytest.mark.parametrize("ended", [ExecuteBatchError, asyncio.CancelledError])
def test_an_answer_of_grpc_that_is_cut_off_as_it_is_sent_is_not_logged(
    caplog: pytest.LogCaptureFixture, ended: type[BaseException]
) -> None:
    """Its sender may go, or the server stop, between an answer and the end of its sending."""
    log_no_givers_up()
    for error in (ended("so it is"), ValueError("so it is")):
        logging.getLogger("grpc._cython.cygrpc").error("not handled", exc_info=error)
    (logged,) = caplog.records
    assert logged.exc_info
    assert logged.exc_info[0] is ValueError


async def test_who_gives_a_feed_up_before_it_is_refused_leaves_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    refused = asyncio.Event()

    async def ask(*_: object, **__: object) -> Any:
        await refused.wait()
        raise ConnectError(Code.NOT_FOUND, "there is no such match")

    site: Any = SimpleNamespace(ask=ask)
    shared = coding.Shared(ask)
    found = feeds.Feeds(site, shared)
    large, form = b"x" * (coding.SMALL + 1), lambda message: b""
    waits: list[Awaitable[Any]] = [
        found._look("aaaaa", SimpleNamespace(authorization="")),  # type: ignore[arg-type]
        shared.of(SERVICE.methods[0].output_type, large, form),
    ]
    for wait in waits:
        with nothing_lost(caplog):
            task = asyncio.ensure_future(wait)
            await asyncio.sleep(0)
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
            refused.set()
            shared._large.clear()
            for _ in range(3):
                await asyncio.sleep(0)
        refused.clear()


async def test_a_refusal_over_http_that_nobody_takes_is_no_failure(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Connect raises what it could not tell."""

    async def gone(*_: object) -> Any:
        raise ConnectError(Code.NOT_FOUND, "there is no such match")

    path = "/api/kifu.v1.MatchService/GetMatch"
    method = Method(SERVICE.methods_by_name["GetMatch"], gone, False, 100)
    calls: Any = SimpleNamespace(methods={path: method}, one=gone, many=gone)
    scope = {"type": "http", "path": path, "method": "POST", "headers": []}
    with nothing_lost(caplog):
        await receiving.Door(calls)(scope, gone, gone)
