"""Slow, greedy and garbled clients hold no connection, and who does nothing wrong keeps his."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from starlette.types import Receive, Scope, Send

from service.telemetry.metrics import Metrics
from service.web import connections
from service.web.entrance.gate import Gate
from service.web.running import Running
from tests.support.waiting import eventually

Reader, Writer = asyncio.StreamReader, asyncio.StreamWriter
#: Seconds that are waited for the slow here, and a small part of them.
SOON, LITTLE = 0.25, 0.02
#: Seconds that are waited here for those who are answered, and send on.
LINGER = 0.2
GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n"
CHUNKED = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    """`/large` is more than any buffer holds, `/deaf` reads no body, `/late` reads it late.

    `/told` answers what comes as it comes.
    """
    if scope["path"] == "/late":
        await asyncio.sleep(2 * SOON)
    if scope["path"] == "/told":
        await send({"type": "http.response.start", "status": 200, "headers": []})
    size, more = 0, scope["path"] != "/deaf"
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        size, more = size + len(message.get("body", b"")), message.get("more_body", False)
        if scope["path"] == "/told":
            await send({"type": "http.response.body", "body": b"<%d>" % size, "more_body": more})
            continue
    if scope["path"] == "/told":
        return
    body = b"." * 50_000_000 if scope["path"] == "/large" else b"%d" % size
    await send({"type": "http.response.start", "status": 200, "headers": [
        (b"content-length", b"%d" % len(body))]})  # fmt: skip
    await send({"type": "http.response.body", "body": body})


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("HEAD", SOON), ("TAKEN", SOON), ("LINGER", LINGER)):
        monkeypatch.setattr(connections, name, value)


@pytest.fixture
@asynccontextmanager
async def running(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Running]:
    """A server that has room for so many connections."""
    monkeypatch.setattr(connections, "room", lambda: getattr(request, "param", 100))
    found = Running(Gate(app, Metrics()), "127.0.0.1", 0)
    await found.start()
    try:
        yield found
    finally:
        await found.stop()


async def gone(running: Running) -> None:
    """Wait until the server has no connection any more."""
    await eventually(lambda: not running.connections)


async def drip(
    running: Running, first: bytes, one: bytes, most: float = 25.0
) -> tuple[bytes, float]:
    """Send something, then little by little more; what is answered, and after how long.

    Raises `ConnectionError` where the connection is reset.
    """
    reader, writer = await asyncio.open_connection("127.0.0.1", running.port)
    start, answer = time.monotonic(), asyncio.create_task(reader.read())
    try:
        writer.write(first)
        while not answer.done() and time.monotonic() < start + most:
            writer.write(one)
            await asyncio.sleep(LITTLE)
        return await asyncio.wait_for(answer, 30), time.monotonic() - start
    finally:
        writer.close()


async def whole(running: Running, sent: bytes) -> bytes:
    """What is answered to a request that comes at once, until the server closes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", running.port)
    try:
        writer.write(sent)
        return await asyncio.wait_for(reader.read(), 30)
    finally:
        writer.close()


@pytest.mark.parametrize(
    ("first", "one", "answer"),
    [
        (b"", b"", b"HTTP/1.1 408"),
        (b"", b"G", b"HTTP/1.1 408"),
        (b"GET / HTTP/1.1\r\nHost: x\r\n", b"X-A: b\r\n", b"HTTP/1.1 408"),
        (GET + b"GET", b"", b"HTTP/1.1 200"),
        (POST % 1000, b".", None),
        (CHUNKED, b"1\r\n.\r\n", None),
        (CHUNKED.replace(b"/ ", b"/deaf "), b"40\r\n%s\r\n" % (b"." * 64), b"HTTP/1.1 200"),
    ],
    ids=["nothing", "letters", "headers", "pipelined", "body", "chunks", "after the answer"],
)
async def test_whoever_sends_little_by_little_is_cut_off(
    first: bytes, one: bytes, answer: bytes | None, running: Running
) -> None:
    """`answer` is how the answer begins; None: there is none to lose, and he may be reset."""
    start = time.monotonic()
    try:
        found, _ = await drip(running, first, one)
        assert found.startswith(answer) if answer else found == b""
    except ConnectionError:
        assert answer is None
    await gone(running)
    after = time.monotonic() - start
    assert SOON / 2 < after < 20  # however busy the machine is; `drip` gives up after 25


async def test_whoever_sends_far_more_than_is_read_gets_his_answer(running: Running) -> None:
    """Closed with all of that unread, his connection would be reset, and the answer lost."""
    sent = b"GET / HTTP/1.1\r\n\r\n" + b"." * 20_000_000
    assert (await whole(running, sent)).startswith(b"HTTP/1.1 400")
    await gone(running)


async def test_whoever_is_answered_and_sends_on_for_ever_is_cut_off(running: Running) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", running.port)
    start = time.monotonic()
    writer.write(b"GET / HTTP/1.1\r\n\r\n")
    assert await reader.readexactly(12) == b"HTTP/1.1 400"
    while not writer.transport.is_closing():  # he hears of the end, and takes no notice
        writer.write(b".")
        await asyncio.sleep(LITTLE)
    assert time.monotonic() - start > LINGER / 2
    await gone(running)


async def test_whoever_takes_nothing_of_what_is_sent_is_cut_off(running: Running) -> None:
    _, writer = await asyncio.open_connection("127.0.0.1", running.port, limit=1024)
    writer.write(GET.replace(b"/ ", b"/large "))
    await eventually(lambda: running.connections)
    await gone(running)
    writer.close()


async def test_whoever_is_no_slower_than_we_are_is_waited_for(running: Running) -> None:
    body = b"." * 1_000_000
    sent = (POST % len(body)).replace(b"/ ", b"/late ") + body
    close = sent.replace(b"Host: x", b"Host: x\r\nConnection: close")
    assert (await whole(running, close)).endswith(b"\r\n1000000")
    reader, writer = await asyncio.open_connection("127.0.0.1", running.port)
    for pause in (0.0, 2 * SOON, 0.0):  # idle between two requests
        await asyncio.sleep(pause)
        writer.write(GET)
        assert (await reader.readuntil(b"\r\n\r\n0")).startswith(b"HTTP/1.1 200")
    writer.close()


async def test_whoever_is_answered_as_he_sends_may_think_in_between(running: Running) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", running.port)
    writer.write(CHUNKED.replace(b"/ ", b"/told "))
    for at in range(1, 4):
        writer.write(b"1\r\n.\r\n")
        assert (await reader.readuntil(b">")).endswith(b"<%d>" % at)
        await asyncio.sleep(2 * SOON)
    assert running.connections == 1
    writer.write(b"0\r\n\r\n")
    assert (await reader.readuntil(b"0\r\n\r\n")).endswith(b"<3>\r\n0\r\n\r\n")
    writer.close()


@pytest.mark.parametrize("running", [3], indirect=True)
async def test_there_are_no_more_connections_than_there_is_room_for(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "HEAD", 60.0)  # those that are held say nothing so long
    held = [await asyncio.open_connection("127.0.0.1", running.port) for _ in range(3)]
    refused = await asyncio.gather(*(whole(running, GET) for _ in range(5)))
    assert {one[:12] for one in refused} == {b"HTTP/1.1 503"}
    for _, writer in held:
        writer.close()
    await gone(running)
    close = GET.replace(b"Host: x", b"Host: x\r\nConnection: close")
    assert (await whole(running, close)).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    "sent",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\n X: folded\r\nX : b\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nX-Long: " + b"a" * 100_000,
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\n" + b"X: y\r\n" * 20_000 + b"\r\n",
        b"GET /\x00 HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nX: \x00\r\n\r\n",
        CHUNKED.replace(b"chunked", b"chunked\r\nContent-Length: 3") + b"0\r\n\r\nGET",
        CHUNKED.replace(b"chunked", b"chunked, identity") + b"0\r\n\r\n",
        CHUNKED.replace(b"chunked", b"\x0bchunked") + b"0\r\n\r\n",
        CHUNKED + b"-1\r\n.\r\n0\r\n\r\n",
        CHUNKED.replace(b"/", b"/deaf", 1) + b"-1\r\n.\r\n0\r\n\r\n",
        (POST % 1).replace(b"\r\n\r\n", b"\r\nContent-Length: 2\r\n\r\n..."),
        (POST % 1).replace(b": 1", b": +1") + b".",
        (POST % 1).replace(b": 1", b": 1, 2") + b".",
        b"\x16\x03\x01\x02\x00\x01\x00",
    ],
)
async def test_what_can_be_read_in_two_ways_is_read_in_none(
    running: Running, caplog: pytest.LogCaptureFixture, sent: bytes
) -> None:
    found = await whole(running, sent + b"\r\nGET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n")
    assert found.count(b"HTTP/1.1 ") == 1
    assert found[9:10] in b"45"
    assert b"content-security-policy" in found
    assert not [one for one in caplog.records if one.levelname == "ERROR"]
