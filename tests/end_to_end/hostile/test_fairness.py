"""One caller asks for all he can, or another program holds the file: the others go on."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from kifu.v1 import match_service_pb2 as pb

from domain.record.decisions import Act
from domain.record.views import PUBLIC
from service import wire
from service.api.calls.admission import STREAMS_BARE, STREAMS_CONNECTION
from service.client.client import CallError, Client, Opened, connect
from service.live.lanes import CALLER, Caller
from service.server import Server
from service.settings import Settings
from tests.support import serving
from tests.support.serving import Running
from tests.support.waiting import until
from tests.toy import RULEBOOKS


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    found = serving.start(tmp_path_factory.mktemp("fair") / "matches.kifu")
    yield found
    assert found.stop() == 0


def channel(running: Running) -> grpc.Channel:
    """A connection of its own."""
    return grpc.insecure_channel(running.address, [("grpc.use_local_subchannel_pool", 1)])


def opened(client: Client) -> Opened:
    return client.open_match("toy", ["Ann", "Ben"], ["ones", "tens"], options={"turns": 30})


def refusal(call: Callable[[], Any]) -> CallError:
    with pytest.raises(grpc.RpcError) as caught:
        call()
    return CallError(caught.value)


@pytest.mark.long
def test_many_lists_for_one_public_token_are_answered_or_put_off(running: Running) -> None:
    with running.client() as organiser, channel(running) as crowd:
        match, other = opened(organiser), opened(organiser)
        seats = tuple(organiser.with_token(token) for token in other.seats)
        public = Client(crowd, match.public)
        over, codes = threading.Event(), Counter[str]()

        def crowding() -> None:
            while not over.is_set():
                try:
                    list(public.decisions(match.id, offers=True))
                    codes["OK"] += 1
                except CallError as error:
                    codes[error.reason if error.after else "no hint"] += 1

        with ThreadPoolExecutor(60) as threads:
            crowds = [threads.submit(crowding) for _ in range(60)]
            try:
                assert serving.play(seats, other, Random(1)) > 20
            finally:
                over.set()
            for one in crowds:
                one.result()
        assert codes["OK"] > 0
        assert codes.keys() <= {"OK", "TOO_MUCH_AT_ONCE"}


class ServerInside:
    """A server in this process, what of its work is begun (`begun`: by whose tokens) and waits."""

    def __init__(self, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.loop, self.begun = asyncio.new_event_loop(), list[str]()
        self._thread = threading.Thread(target=self.loop.run_forever)
        self._thread.start()
        self._server = Server(Settings(data=data, port=0, rulebooks=RULEBOOKS))
        self.serving = self.within(self._server.start())
        self.lane = self._server.matches.lanes.quick
        begin = self.lane._start

        def noted(token: str, *work: Any) -> None:
            self.begun.append(token)
            begin(token, *work)

        monkeypatch.setattr(self.lane, "_start", noted)

    def within(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Do something on the server's loop."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result()

    def busy(self, gate: threading.Event) -> None:
        """Have every thread wait until a gate is opened."""
        tokens = {f"busy {n}" for n in range(self.lane._threads._max_workers)}
        for token in tokens:
            self.within(self._wait(token, gate))
        until(lambda: tokens <= {*self.begun})

    def waiting(self, token: str) -> int:
        """How much waits that was asked for by a token; the server has work of its own."""
        share = self.lane._shares.get(token)
        return share.waiting if share is not None else 0

    async def _wait(self, token: str, gate: threading.Event) -> None:
        CALLER.set(Caller(token, ""))
        self._waits = asyncio.create_task(self.lane.run(gate.wait))
        await asyncio.sleep(0)

    def stop(self) -> None:
        """Let it finish."""
        self.within(self._server.stop())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()


@pytest.fixture
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ServerInside]:
    found = ServerInside(tmp_path / "matches.kifu", monkeypatch)
    yield found
    found.stop()


def test_who_comes_after_sixty_lists_of_one_token_is_served_before_them(
    inside: ServerInside,
) -> None:
    """No clock: where in the queue somebody is, however slow the machine."""
    address, gate = inside.serving.address, threading.Event()
    with connect(address, inside.serving.token) as organiser, connect(address) as crowd:
        match, other = opened(organiser), opened(organiser)
        public, seat = crowd.with_token(match.public), organiser.with_token(other.seats[0])
        inside.busy(gate)
        lists = pb.ListDecisionsRequest(match_id=match.id, with_offers=True)
        position = pb.GetPositionRequest(match_id=other.id)
        ask = public.matches.ListDecisions.future
        asked = [ask(lists, metadata=public._metadata) for _ in range(60)]
        until(
            lambda: inside.waiting(match.public) + sum(call.done() for call in asked) == len(asked)
        )
        waiting = inside.waiting(match.public)
        ours = seat.matches.GetPosition.future(position, metadata=seat._metadata)
        until(lambda: inside.waiting(other.seats[0]))
        inside.begun.clear()
        gate.set()
        assert ours.result().position
        assert sum(call.exception() is None for call in asked) == waiting > 20
        assert inside.begun.count(match.public) == waiting
        people = [one for one in inside.begun if one in (match.public, other.seats[0])]
        assert people.index(other.seats[0]) <= 1  # beside the first of them


def test_who_exceeds_his_share_is_refused_with_a_time_to_retry(running: Running) -> None:
    with running.client() as organiser, channel(running) as crowd:
        match = opened(organiser)
        public = Client(crowd, match.public)
        request = pb.VerifyMatchRequest(match_id=match.id)
        calls = [
            public.matches.VerifyMatch.future(request, metadata=public._metadata)
            for _ in range(100)
        ]
        found = [CallError(call) for call in calls if call.exception() is not None]
        assert 0 < len(found) < 100
        assert {(error.code, error.reason) for error in found} == {
            ("RESOURCE_EXHAUSTED", "TOO_MUCH_AT_ONCE")
        }
        assert all(error.after for error in found)


#: Streams that a proxy may well have of one match.
EACH = 100


def test_spectators_who_share_a_token_and_a_proxy_may_be_many(running: Running) -> None:
    with running.client() as organiser, ExitStack() as stack:
        match, streams = opened(organiser), list[Any]()
        for _ in range(3):
            public = Client(stack.enter_context(channel(running)), match.public)
            request = pb.WatchEventsRequest(match_id=match.id)
            for _ in range(EACH):
                stream = public.matches.WatchEvents(request, metadata=public._metadata)
                next(stream)
                streams.append(stream)
        for stream in streams:
            stream.cancel()


def test_too_many_streams_of_one_connection(running: Running) -> None:
    with running.client() as organiser, channel(running) as one:
        match = opened(organiser)
        public = Client(one, match.public)
        request = pb.WatchEventsRequest(match_id=match.id)
        streams = [
            public.matches.WatchEvents(request, metadata=public._metadata)
            for _ in range(STREAMS_CONNECTION)
        ]
        for stream in streams:
            next(stream)
        error = refusal(
            lambda: next(public.matches.WatchEvents(request, metadata=public._metadata))
        )
        assert (error.code, error.reason) == ("RESOURCE_EXHAUSTED", "TOO_MANY_STREAMS")
        assert error.after
        for stream in streams:
            stream.cancel()
        assert next(iter(public.watch(match.id)))  # once they have ended, another one is let in


def health(open_: grpc.Channel) -> Any:
    return health_pb2_grpc.HealthStub(open_).Watch(health_pb2.HealthCheckRequest())


def reflected(open_: grpc.Channel) -> Any:
    asked, stay = reflection_pb2.ServerReflectionRequest(list_services=""), threading.Event()

    def requests() -> Iterator[Any]:
        yield asked
        stay.wait(300)

    return reflection_pb2_grpc.ServerReflectionStub(open_).ServerReflectionInfo(requests())


def is_let_in(stream: Any) -> bool:
    with suppress(grpc.RpcError):
        next(stream)
        return True
    return False


@pytest.mark.parametrize("watch", [health, reflected])
def test_streams_of_other_services_count_as_well(
    running: Running, watch: Callable[[grpc.Channel], Any]
) -> None:
    with channel(running) as one:
        streams = [watch(one) for _ in range(STREAMS_BARE)]
        for stream in streams:
            next(stream)
        error = refusal(lambda: next(watch(one)))
        assert (error.code, error.reason) == ("RESOURCE_EXHAUSTED", "TOO_MANY_STREAMS")
        streams.pop().cancel()
        until(lambda: is_let_in(watch(one)))  # that one has ended must come through first
        for stream in streams:
            stream.cancel()


def test_a_file_that_another_program_holds_stops_nobody_who_reads(tmp_path: Path) -> None:
    data = tmp_path / "matches.kifu"
    running = serving.start(data)
    with running.client() as organiser:
        match, other = opened(organiser), opened(organiser)
        seat = organiser.with_token(match.seats[0])
        request = pb.ChooseRequest(match_id=match.id, decision=1, act=wire.act(Act("pass")))
        holder = sqlite3.connect(data, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        answer = seat.matches.Choose.future(request, metadata=seat._metadata)
        for _ in range(10):  # by the same connection, so it has come before them
            organiser.position(other.id, view=PUBLIC)  # what is hidden is shown once that is saved
            organiser.with_token(other.seats[0]).position(other.id)
            organiser.who_am_i()
        assert not answer.done()
        holder.execute("ROLLBACK")
        holder.close()
        assert answer.result().first_seq
        assert organiser.verify(match.id).verdict == pb.VERDICT_EXACT
    assert running.stop() == 0
