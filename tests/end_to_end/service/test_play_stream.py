"""Commands on a stream have the same results as calls, also after errors and broken streams."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

import grpc
import pytest
from kifu.v1 import match_service_pb2 as pb
from kifu.v1.decisions_pb2 import Act as ActMessage

from domain.engine.checks.verify import verify
from domain.record.decisions import Act
from service import wire
from service.client.client import CallError, Client, Opened
from service.client.playing import MOST_WAITING, Playing
from service.identity import Identity, Keys
from tests.support import serving
from tests.support.in_process import Line, keeper, open_servicers, served
from tests.support.serving import Running
from tests.support.waiting import until
from tests.toy import TOY

Seats = tuple[Client, ...]


def choose(match: str, n: int = 1, act: Act | None = None, **more: Any) -> pb.ChooseRequest:
    return pb.ChooseRequest(
        match_id=match, decision=n, act=wire.act(act or Act("pass")), with_offers=True, **more
    )


def test_a_match_is_played_on_streams_as_by_calls(organiser: Client) -> None:
    logs = []
    for on_streams in (False, True):
        opened = organiser.open_match("toy", ["Ann", "Ben"], ["ones", "tens"], seed=5)
        rng, decision = Random(1), organiser.position(opened.id).decision
        seats = [organiser.with_token(token) for token in opened.seats]
        senders: list[Any] = [seat.playing() for seat in seats] if on_streams else [*seats]
        while decision is not None:
            seat = decision.seats[0]
            offer = decision.offers[seat] or seats[seat].position(opened.id).decision.offers[seat]  # type: ignore[union-attr]
            assert offer is not None
            act = rng.choice(offer.options).act()
            decision = senders[seat].choose(opened.id, decision.n, act, f"r{decision.n}").next
        log = list(organiser.events(opened.id))
        assert verify(log, TOY).kind == "exact"
        logs.append([(e.seq, e.moment, e.by, e.cites, type(e.event)) for e in log])
        for sender in senders:
            sender.close() if on_streams else None
    assert logs[0] == logs[1]


@pytest.mark.parametrize(
    ("kind", "request_of"),
    [
        ("choose", lambda match: choose(match, 9)),
        ("choose", lambda match: choose(match, 1, Act("play", 99))),
        ("choose", lambda match: choose("nosuch")),
        ("choose", lambda match: choose("")),
        ("choose", lambda match: pb.ChooseRequest(match_id=match, decision=1)),
        ("choose", lambda match: choose(match, seat=1)),
        ("choose", lambda match: choose(match, request_id="r" * 65)),
        ("interject", lambda match: pb.InterjectRequest(match_id=match, act=ActMessage())),
        (
            "interject",
            lambda match: pb.InterjectRequest(match_id=match, act=wire.act(Act("reorder", 3))),
        ),
    ],
)
def test_a_fault_says_in_its_answer_what_the_status_of_a_call_says(
    organiser: Client, toy: Opened, seats: Seats, kind: str, request_of: Callable[[str], Any]
) -> None:
    request = request_of(toy.id)
    before = list(organiser.events(toy.id))
    with seats[0].playing() as table:
        found = []
        for send in (seats[0].send, table.send):
            with pytest.raises(CallError) as caught:
                send(kind, request)
            found.append(caught.value)
        by_call, on_stream = found
        assert vars(by_call) == vars(on_stream)
        assert by_call.reason not in ("", "INTERNAL", by_call.code)
        assert list(organiser.events(toy.id)) == before
        assert table.choose(toy.id, 1, Act("pass")).first_seq == before[-1].seq + 1


def test_a_repeat_gets_the_first_answer_whichever_way_it_comes(toy: Opened, seats: Seats) -> None:
    with seats[0].playing() as table:
        first = table.choose(toy.id, 1, Act("pass"), "once")
        assert table.choose(toy.id, 1, Act("pass"), "once") == first
        assert seats[0].choose(toy.id, 1, Act("pass"), "once") == first
        with pytest.raises(CallError) as caught:
            table.choose(toy.id, 2, Act("pass"), "once")
        assert caught.value.reason == "REQUEST_ID_REUSED"


def test_commands_are_carried_out_and_answered_in_the_order_in_which_they_came(
    organiser: Client, toy: Opened, seats: Seats
) -> None:
    """Without waiting: only the first of each number can be right, from either sender."""
    requests = [choose(toy.id, n) for n in (1, 1, 2, 9)]
    with seats[0].playing() as table:
        sent = [table.begin("choose", request) for request in requests]
        answers = []
        for one in sent:
            try:
                answers.append(table.result(one).first_seq)
            except CallError as error:
                answers.append(error.reason)
        assert table.result(sent[0]).first_seq == answers[0], "it may be asked for again"
    first, *others = answers
    assert isinstance(first, int)
    assert others[0] == others[2] == "DECISION_STALE"
    assert others[1] in ("ILLEGAL_ACT", "DECISION_STALE")  # the other seat's


def test_many_commands_under_way_are_bounded_and_all_answered(toy: Opened, seats: Seats) -> None:
    with seats[0].playing() as table:
        stale = choose(toy.id, 9)
        senders = [Thread(target=lambda: refused(table, stale, 25)) for _ in range(8)]
        for sender in senders:
            sender.start()
        for sender in senders:
            sender.join(30)
            assert not sender.is_alive()
        assert table._room.qsize() == MOST_WAITING


def refused(table: Playing, request: Any, times: int) -> None:
    for _ in range(times):
        with pytest.raises(CallError) as caught:
            table.send("choose", request)
        assert caught.value.reason == "DECISION_STALE"


@pytest.mark.parametrize(
    ("data", "code", "reason"),
    [
        (b"\xff\xfe junk", "INVALID_ARGUMENT", "MESSAGE_INVALID"),
        (b"\x1a\x80\x80\x20" + b"x" * 300_000, "RESOURCE_EXHAUSTED", "REQUEST_TOO_LARGE"),
    ],
)
def test_what_is_no_message_ends_the_stream(
    server: Running, seats: Seats, data: bytes, code: str, reason: str
) -> None:
    with grpc.insecure_channel(server.address) as channel:
        call = channel.stream_stream("/kifu.v1.MatchService/Play")
        with pytest.raises(grpc.RpcError) as caught:
            list(call(iter([data]), metadata=seats[0]._metadata))
        error = CallError(caught.value)
        assert (error.code, error.reason) == (code, reason)


def test_an_empty_command_is_refused_in_its_answer(organiser: Client, seats: Seats) -> None:
    requests = iter([pb.PlayRequest(id=7), pb.PlayRequest(id=8)])
    answers = list(organiser.matches.Play(requests, metadata=seats[0]._metadata))
    assert [answer.id for answer in answers] == [7, 8]
    assert {CallError(answer.fault).reason for answer in answers} == {"FIELD_INVALID"}


def test_who_has_no_token_has_no_stream(server: Running, toy: Opened) -> None:
    for token in ("", "junk"):
        with server.client(token) as client, client.playing() as table:
            with pytest.raises(CallError) as caught:
                table.choose(toy.id, 1, Act("pass"))
            assert caught.value.code == "UNAUTHENTICATED"


def ending(playing: Playing) -> Any:
    """The error that ended the stream; None: it is open."""
    assert playing._stream is not None
    return playing._stream.over


def ended(playing: Playing) -> Any:
    """The error that ended a stream on which nothing is sent."""
    until(lambda: ending(playing) is not None)
    return ending(playing)


def test_a_stream_ends_with_its_token(tmp_path: Path) -> None:
    with serving.running(tmp_path / "matches.kifu") as running, running.client() as client:
        opened = client.open_match("toy", ["A", "B"], ["ones", "tens"])
        keys = Keys.at(tmp_path / "matches.kifu-key")
        old = client.playing()
        with pytest.raises(CallError) as caught:
            old.choose(opened.id, 1, Act("pass"))
        assert caught.value.reason == "ROLE_REQUIRED"
        brief, _ = keys.issue(Identity("seat", "s", opened.id, 0), 3 / 86_400)
        seat = client.with_token(brief).playing()
        seat.choose(opened.id, 1, Act("pass"))
        lasting = client.with_token(opened.seats[1]).playing()
        with pytest.raises(CallError):
            lasting.choose(opened.id, 99, Act("pass"))
        client.revoke_tokens()
        assert ended(old).reason == "TOKEN_REVOKED"
        assert ended(seat).reason == "TOKEN_EXPIRED"
        assert ending(lasting) is None
        with pytest.raises(CallError) as caught:
            seat.choose(opened.id, 2, Act("pass"))
        assert caught.value.reason == "TOKEN_EXPIRED"
        lasting.choose(opened.id, 2, Act("pass"))


def test_a_service_that_stops_ends_its_streams_at_once(tmp_path: Path) -> None:
    running = serving.start(tmp_path / "matches.kifu", grace=20)
    with running.client() as client:
        opened = client.open_match("toy", ["A", "B"], ["ones", "tens"])
        table = client.with_token(opened.seats[0]).playing()
        table.choose(opened.id, 1, Act("pass"))
        start = time.monotonic()
        assert running.stop() == 0
        assert time.monotonic() - start < 10
        assert ended(table).reason == "SHUTTING_DOWN"
        repeated = serving.start(
            tmp_path / "matches.kifu", port=int(running.address.rpartition(":")[2])
        )
        with pytest.raises(CallError) as caught:  # a stream of its own, to the service that is back
            table.choose(opened.id, 9, Act("pass"))
        assert caught.value.reason == "DECISION_STALE"
        assert repeated.stop() == 0


# -- in this loop ----------------------------------------------------------------------------------


async def test_a_command_that_takes_longer_than_its_sender_waits(tmp_path: Path) -> None:
    async with open_servicers(tmp_path / "matches.kifu") as servicers:
        match = await servicers.open()
        commands = [
            pb.PlayRequest(id=n, timeout_ms=within, choose=choose(match))
            for n, within in ((1, 50), (2, 20_000))
        ]
        line = Line(Identity("seat", "s", match, 0), commands)
        held = await servicers.matches.memory.acquire(match)
        task = asyncio.create_task(served(servicers, line))
        while len(line.sent) < 1:
            await asyncio.sleep(0.005)
        servicers.matches.memory.release(held)
        await task
        late, done = line.sent
        assert CallError(late.fault).code == CallError(late.fault).reason == "DEADLINE_EXCEEDED"
        assert done.id == 2
        assert done.choose.first_seq


async def test_nothing_is_carried_out_for_who_takes_no_answers(tmp_path: Path) -> None:
    async with open_servicers(tmp_path / "matches.kifu") as servicers:
        match = await servicers.open()
        line = Line(keeper(match), [pb.PlayRequest(id=n) for n in range(1, 101)])
        line.gate.clear()
        task = asyncio.create_task(served(servicers, line))
        for _ in range(50):
            await asyncio.sleep(0)
        assert (len(line.left), line.sent) == (99, [])
        line.gate.set()
        await task
        assert [answer.id for answer in line.sent] == [*range(1, 101)]
