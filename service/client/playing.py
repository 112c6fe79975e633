"""The commands of seats, as calls or on a stream.

    with ann.playing() as table:
        decision = ann.position(match).decision
        while decision is not None:
            decision = table.choose(match, decision.n, chosen(decision).act()).next

A stream costs the service a fifth of a call. It is opened by its first command, and again by the
next one after it broke; commands that had no answer by then raise `CallError`, like calls, and may
be sent again under their `request_id`. Several threads may use one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import count
from queue import Empty, SimpleQueue  # in C, as locks are: an interrupt leaves them whole
from threading import Lock
from typing import Any, NamedTuple, Self

import grpc
from google.rpc import status_pb2
from kifu.v1 import match_service_pb2 as pb
from msgspec import Struct

from domain.engine.passes.autopass import AutoPass
from domain.engine.passes.switches import Switch
from domain.record.decisions import Act
from domain.record.position import Decision
from domain.record.proof.chain import Head
from service import wire
from service.client import convert, threads
from service.client.connection import CallError, about
from service.client.convert import NO_NAMES, SWITCHES, Rolls
from service.client.traces import calling, traceparent

#: Commands of a stream that may wait for their answers; another one waits to be sent.
MOST_WAITING = 32
#: How much longer than the service the client waits for an answer, in seconds.
SLACK = 1.0


class CommandResult(Struct, frozen=True):
    """The entries that a command added, the decision that it led to, if any, and the head then."""

    first_seq: int
    last_seq: int
    next: Decision | None
    head: Head | None = None


class AutoPassResult(Struct, frozen=True):
    """The outcome of setting an auto-pass: the one set now, and what it answered at once."""

    auto_pass: AutoPass | None
    first_seq: int
    last_seq: int
    next: Decision | None
    head: Head | None = None


class Commands:
    """The commands of seats; `send` says how they get there."""

    def send(self, kind: str, request: Any) -> Any:
        """Send a command (`choose`, `interject`, …) and wait for its response."""
        raise NotImplementedError

    def choose(
        self,
        match: str,
        decision: int,
        act: Act,
        request_id: str = "",
        *,
        seat: int | None = None,
        names: Mapping[int, str] = NO_NAMES,
        rolls: Rolls = (),
        implied: bool = False,
        passes: int = 0,
        ends: bool = False,
    ) -> CommandResult:
        """Answer a decision: one's own, or a `seat`'s that one enters at a real table.

        There it may imply so many `passes` before it, from that decision on; with `ends`, ends of
        the turn count as passes.
        """
        request = pb.ChooseRequest(
            match_id=match,
            decision=decision,
            act=convert.act(act),
            request_id=request_id,
            with_offers=True,
            seat=seat,
            names=convert.names(names),
            rolls=convert.rolls(rolls),
            implied=implied,
            passes=passes,
            ends=ends,
        )
        return _result(self.send("choose", request))

    def interject(
        self,
        match: str,
        act: Act,
        request_id: str = "",
        *,
        seat: int | None = None,
        names: Mapping[int, str] = NO_NAMES,
        rolls: Rolls = (),
    ) -> CommandResult:
        """Concede, or do what else stands open beside any decision; `seat` as in `choose`."""
        request = pb.InterjectRequest(
            match_id=match,
            act=convert.act(act),
            request_id=request_id,
            with_offers=True,
            seat=seat,
            names=convert.names(names),
            rolls=convert.rolls(rolls),
        )
        return _result(self.send("interject", request))

    def set_auto_pass(
        self,
        match: str,
        decision: int,
        *,
        until_turn_ends: bool = False,
        until_rival_acts: bool = False,
        steps: Sequence[str] = (),
        seat: int | None = None,
        request_id: str = "",
        names: Mapping[int, str] = NO_NAMES,
        rolls: Rolls = (),
    ) -> AutoPassResult:
        """Set an auto-pass: pass, wherever one may, until this; `decision` is the open one.

        `seat` as in `choose`.
        """
        request = pb.SetAutoPassRequest(
            match_id=match,
            decision=decision,
            auto_pass=pb.AutoPass(
                until_turn_ends=until_turn_ends, until_rival_acts=until_rival_acts, steps=steps
            ),
            request_id=request_id,
            with_offers=True,
            seat=seat,
            names=convert.names(names),
            rolls=convert.rolls(rolls),
        )
        response = self.send("set_auto_pass", request)
        return AutoPassResult(convert.auto_pass(response, "auto_pass"), *_entries_of(response))

    def set_switch(
        self, match: str, asks: str, marked: Sequence[str] = (), *, seat: int | None = None
    ) -> Switch | None:
        """Set when a seat is asked (`engine.passes.switches`; "": always); returns that."""
        number: Any = SWITCHES.index(asks) + 1
        request = pb.SetAutoPassRequest(
            match_id=match, seat=seat, pass_switch=pb.PassSwitch(asks=number, marked=marked)
        )
        return convert.switch(self.send("set_auto_pass", request))

    def withdraw_auto_pass(self, match: str, *, seat: int | None = None) -> AutoPass | None:
        """Withdraw the auto-pass of a seat; returns it, None if none was set."""
        request = pb.WithdrawAutoPassRequest(match_id=match, seat=seat)
        return convert.auto_pass(self.send("withdraw_auto_pass", request), "withdrawn")


def _result(response: Any) -> CommandResult:
    return CommandResult(*_entries_of(response))


def _entries_of(response: Any) -> tuple[int, int, Decision | None, Head | None]:
    following = wire.decision_of(response.next) if response.HasField("next") else None
    head = wire.head_of(response.head) if response.HasField("head") else None
    return response.first_seq, response.last_seq, following, head


class Playing(Commands):
    """Commands on a stream, for as long as it is needed; see `Client.playing`."""

    def __init__(
        self, method: Callable[..., Any], metadata: tuple[tuple[str, str], ...], timeout: float
    ) -> None:
        """`method` is that of the stub; `timeout` every command's deadline, in seconds."""
        self._method, self._metadata, self._timeout = method, metadata, timeout
        self._lock, self._ids = Lock(), count(1)
        self._room: SimpleQueue[None] = SimpleQueue()
        for _ in range(MOST_WAITING):
            self._room.put(None)
        self._stream: _Stream | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *args: object) -> None:
        self.close()

    def close(self) -> None:
        """End the stream; the commands that wait for answers get them first."""
        with self._lock:
            stream, self._stream = self._stream, None
        if stream is not None:
            stream.close(self._timeout)

    def send(self, kind: str, request: Any) -> Any:
        """Send a command and wait for its response; raises `CallError`."""
        with calling(request):
            return self.result(self.begin(kind, request))

    def begin(self, kind: str, request: Any) -> Sent:
        """Send a command; others may be sent before `result` is asked for its response."""
        self._room.get()
        try:
            with self._lock:
                if self._stream is None or self._stream.over is not None:
                    metadata = (*self._metadata, *about(request))
                    self._stream = _Stream(self._method, metadata, self._room)
                milliseconds = int(self._timeout * 1000)
                message = pb.PlayRequest(
                    id=next(self._ids), timeout_ms=milliseconds, traceparent=traceparent()
                )
                getattr(message, kind).CopyFrom(request)
                answer = self._stream.send(message)
        except BaseException:
            self._room.put(None)
            raise
        return Sent(kind, answer, self._stream)

    def result(self, sent: Sent) -> Any:
        """The response to a command that was sent; raises `CallError`."""
        try:
            answer, wrong = sent.answer.get(timeout=self._timeout + SLACK)
        except Empty:
            sent.stream.cancel()
            answer, wrong = sent.answer.get()  # the stream ends with that
        sent.answer.put((answer, wrong))  # for repeated calls
        if wrong is not None:
            raise wrong
        if answer.HasField("fault"):
            raise CallError(answer.fault)
        return getattr(answer, sent.kind)


#: The answer to a command once it is there, or what the stream ended with.
Answer = SimpleQueue[tuple[Any, Exception | None]]


class _Stream:
    """A stream that is open, and who waits for what on it.

    Each answer makes `room` for another command.
    """

    def __init__(self, method: Callable[..., Any], metadata: Any, room: SimpleQueue[None]) -> None:
        self.over: Exception | None = None  # what it ended with
        self._requests: SimpleQueue[Any] = SimpleQueue()
        self._waiting: dict[int, Answer] = {}
        self._lock, self._room = Lock(), room
        self._ended: SimpleQueue[None] = SimpleQueue()
        requests = iter(self._requests.get, None)
        self._call = threads.Call(lambda: method(requests, metadata=metadata))
        threads.in_thread(self._read)

    def send(self, message: Any) -> Answer:
        """Send a command; returns its pending result."""
        answer: Answer = SimpleQueue()
        with self._lock:
            if self.over is not None:
                self._hand(answer, None, self.over)
                return answer
            self._waiting[message.id] = answer
        self._requests.put(message)
        return answer

    def cancel(self) -> None:
        """Break it off: nobody answers."""
        self._call.leave()

    def close(self, patience: float) -> None:
        """End it; what was sent is answered first, within so many seconds."""
        self._requests.put(None)
        with suppress(Empty):
            self._ended.get(timeout=patience)
        self._call.leave()

    def _read(self) -> None:
        """Hand out the answers, and what ends the stream to all who have none."""
        wrong: Exception = _broken()
        try:
            for answer in self._call.begin():
                with self._lock:
                    waiting = self._waiting.pop(answer.id, None)
                if waiting is not None:
                    self._hand(waiting, answer, None)
        except grpc.RpcError as error:
            wrong = CallError(error)
        except Exception as error:  # it could not be begun
            wrong = error
        self._requests.put(None)
        with self._lock:
            self.over, left = wrong, [*self._waiting.values()]
        for waiting in left:
            self._hand(waiting, None, wrong)
        self._ended.put(None)

    def _hand(self, waiting: Answer, answer: Any, wrong: Exception | None) -> None:
        self._room.put(None)
        waiting.put((answer, wrong))


class Sent(NamedTuple):
    """A command that was sent on a stream: its kind, and the answer that is to come."""

    kind: str
    answer: Answer
    stream: _Stream


def _broken() -> CallError:
    code, _ = grpc.StatusCode.UNAVAILABLE.value
    return CallError(status_pb2.Status(code=code, message="the stream has ended"))
