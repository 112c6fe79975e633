"""Calls and streams that are given up at any moment do all of what they were for, or nothing."""

from __future__ import annotations

import asyncio
import json
import struct
import time
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

import pytest
from kifu.v1 import match_service_pb2 as pb
from kifu.v1.decisions_pb2 import Act as ActMessage

from domain.record.events import DecisionMade
from service.client.client import Client, Opened, connect
from service.server import Server
from service.settings import Settings
from service.web.connect import feeds
from tests.support.waiting import eventually
from tests.toy import RULEBOOKS


def passing(opened: Opened, n: int, name: str) -> pb.ChooseRequest:
    act = ActMessage(kind="pass")
    return pb.ChooseRequest(match_id=opened.id, decision=n, act=act, request_id=name)


def test_a_command_that_was_given_up_is_done_once_or_not_at_all(organiser: Client) -> None:
    """A repeat gets the answer of the one that was carried out."""
    rng = Random(7)
    opened = organiser.open_match("toy", ["A", "B"], ["ones", "tens"], options={"turns": 40})
    seats = [organiser.with_token(token) for token in opened.seats]
    for n in range(1, 31):
        seat, request = seats[(n - 1) % 2], passing(opened, n, f"r{n}")
        for _ in range(rng.randrange(3)):
            call = seat.matches.Choose.future(request, metadata=seat._metadata)
            time.sleep(rng.random() * 0.005)
            call.cancel()
        assert seat.call(seat.matches.Choose, request).next.n == n + 1
    made = [one.event for one in organiser.events(opened.id) if isinstance(one.event, DecisionMade)]
    assert [event.n for event in made] == [*range(1, 31)]
    assert organiser.verify(opened.id).verdict == 1


@pytest.mark.parametrize("method", ["WatchEvents", "WatchPosition", "Play"])
def test_streams_that_are_given_up_leave_nothing(
    organiser: Client, toy: Opened, seats: tuple[Client, ...], method: str
) -> None:
    rng, before = Random(method), organiser.match(toy.id).entries

    def request() -> Any:
        if method == "Play":
            late = pb.PlayRequest(id=1)
            late.choose.CopyFrom(passing(toy, 9, "late"))
            return iter([late] * rng.randrange(5))
        made: Any = getattr(pb, f"{method}Request")
        return made(match_id=toy.id)

    for _ in range(30):
        stream = getattr(seats[0].matches, method)(request(), metadata=seats[0]._metadata)
        if rng.random() < 0.3:
            next(stream, None)
        time.sleep(rng.random() * 0.004)
        stream.cancel()
    assert organiser.match(toy.id).entries == before
    assert next(iter(seats[0].watch(toy.id)))


async def test_connections_that_break_leave_no_stream(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Feeds and streams of every kind over HTTP; those that are open end with the service.

    Until then a feed on which nothing comes gives a sign of life now and then.
    """
    monkeypatch.setattr(feeds, "BEAT", 0.05)
    server = Server(Settings(data=tmp_path / "m.kifu", port=0, http_port=0, rulebooks=RULEBOOKS))
    serving = await server.start()
    address = urlsplit(serving.web)

    def match() -> str:
        with connect(serving.address, serving.token) as client:
            return client.open_match("toy", ["Ann", "Ben"], ["ones", "tens"]).id

    found = await asyncio.to_thread(match)
    asked = json.dumps({"matchId": found}).encode()
    body = struct.pack(">BI", 0, len(asked)) + asked
    heads = [f"GET /api/feeds/{found}/{what} HTTP/1.1" for what in ("entries", "positions")]
    heads += [f"POST /api/kifu.v1.MatchService/{what} HTTP/1.1" for what in
              ("WatchEvents", "WatchPosition", "Play")]  # fmt: skip
    opened = []
    for head in heads * 5:
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
        fields = [head, "host: kifu", f"authorization: Bearer {serving.token}"]
        if head.startswith("POST"):
            length = 10_000 if "Play" in head else len(body)  # which goes on
            fields += ["content-type: application/connect+json", f"content-length: {length}"]
        writer.write("\r\n".join([*fields, "", ""]).encode() + body * head.startswith("POST"))
        opened.append((reader, writer))
        assert b" 200 " in await reader.readline()
    await eventually(lambda: len(server.matches.streams) == 20)
    for _, writer in opened[len(heads) :]:
        writer.transport.abort()
    await eventually(lambda: len(server.matches.streams) == 4)
    await eventually(lambda: len(server.guard.streams._open) == 5)
    await eventually(lambda: server.admission._open[""] == 5)
    beaten = [reader for reader, _ in opened[:2]]
    await eventually(lambda: all(one._buffer.count(b"\n:\n\n") > 1 for one in beaten))  # type: ignore[attr-defined]
    await asyncio.wait_for(server.stop(), 30)
    for at, (reader, _) in enumerate(opened[: len(heads)]):
        seen = await reader.read()
        assert b"SHUTTING_DOWN" in seen
        assert (seen.count(b"\n:\n\n") > 1) == (at < 2)
