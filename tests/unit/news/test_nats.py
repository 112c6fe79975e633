"""News through NATS: whatever is published there, and whoever answers in its place."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from nats.aio.client import Client

from service.news import nats
from service.news.nats import Nats, address
from service.news.news import MATCH, OK, Piece
from tests.support.nats import Nats as Server
from tests.support.nats import running
from tests.support.ports import free_port
from tests.unit.news.carriers import Hearer
from tests.unit.news.test_ways import _often

__all__ = ["_often"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("nats")) as found:
        yield found


@pytest.mark.parametrize(
    ("text", "where", "prefix", "encrypted"),
    [
        ("nats://h", "h:4222", "kifu", False),
        ("nats://me:secret@h:1,nats://i:2?prefix=cup.2026", "h:1,i:2", "cup.2026", False),
        ("tls://token@[::1]", "[::1]:4222", "kifu", True),
        (f"nats://h?ca={__file__}", "h:4222", "kifu", True),
    ],
)
def test_addresses(text: str, where: str, prefix: str, encrypted: bool) -> None:
    found = address(text)
    assert (found.where, found.prefix, found.encrypted) == (where, prefix, encrypted)


@pytest.mark.parametrize(
    "text",
    [
        "", "h:4222", "http://h", "nats://", "nats://h/path", "nats://h:x", "nats://h?prefix=",
        "nats://h?prefix=*", "nats://h?prefix=a..b", "nats://h?prefix=%3E", "nats://h?creds=/none",
        "nats://h?servers=x", "nats://h,", "nats://h?prefix",
    ],
)  # fmt: skip
def test_what_is_no_address(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        address(text)


@asynccontextmanager
async def followed(server: Server) -> AsyncIterator[tuple[Hearer, Client]]:
    """Who follows the match `m`, and a client that may publish what it likes of it."""
    hearer, raw = Hearer(Nats(address(server.url))), Client()
    await hearer.start()
    hearer.news.follow(MATCH, "m")
    await hearer.hears(Piece(MATCH, "m", 0))
    await raw.connect(server.url)
    yield hearer, raw
    assert hearer.news.state == OK
    await raw.close()
    await hearer.news.close()


async def test_forged_news_change_nothing(server: Server) -> None:
    async with followed(server) as (hearer, raw):
        for data in (b"", b"x", b"9f3c21ab %d" % 2**63, b"9f3c21ab -1", b"\xff" * 500_000):
            await raw.publish("kifu.match.m", data)
            await raw.publish("kifu.credentials", data)
        for at in range(2_000):  # of matches that nobody follows here
            await raw.publish(f"kifu.match.other{at}", b"9f3c21ab 1")
        for seq in (5, 5, 3):
            await raw.publish("kifu.match.m", b"9f3c21ab %d" % seq)
        await hearer.until(lambda: len(hearer.heard) == 4)
        assert [piece.seq for piece in hearer.heard] == [0, 5, 5, 3]


async def test_after_too_many_news_everything_is_looked_at(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nats, "MESSAGES", 4)
    async with followed(server) as (hearer, raw):
        for _ in range(1000):
            await raw.publish("kifu.match.m", b"9f3c21ab 1")
        await raw.flush()
        await hearer.until(lambda: hearer.missed > 1)
        while Piece(MATCH, "m", 2) not in hearer.heard:  # among the many it may be lost, too
            await raw.publish("kifu.match.m", b"9f3c21ab 2")
            await asyncio.sleep(0.05)


async def test_a_server_that_answers_no_more_is_left(server: Server) -> None:
    hearer = Hearer(Nats(address(server.url)))
    await hearer.start()
    server.pause()
    try:
        await hearer.until(lambda: hearer.news.state != OK)
    finally:
        server.resume()
    await hearer.until(lambda: hearer.news.state == OK)
    assert hearer.missed == 2
    await hearer.news.close()


async def test_a_leaf_node_passes_news_on(server: Server, tmp_path: Path) -> None:
    with running(tmp_path, hub=server) as leaf:
        near, far = Hearer(Nats(address(server.url))), Hearer(Nats(address(leaf.url)))
        for one in (near, far):
            await one.start()
            one.news.follow(MATCH, "m.r1.t1")
        for one, other in ((near, far), (far, near)):
            await one.is_heard_by(other, Piece(MATCH, "m.r1.t1", 4))
        await asyncio.gather(near.news.close(), far.news.close())


async def test_who_may_not_publish_or_come_in_says_so(tmp_path: Path) -> None:
    users = (
        "authorization { users: [ { user: kifu, password: secret },"
        ' { user: mute, password: x, permissions: { publish: "no", subscribe: "kifu.>" } } ] }'
    )
    with running(tmp_path, users) as server:
        for user, why in (
            ("kifu:secret", OK),
            ("kifu:wrong", "Authorization"),
            ("mute:x", "permissions violation"),
        ):
            hearer = Hearer(Nats(address(server.url.replace("//", f"//{user}@"))))
            await hearer.news.start()
            await hearer.until(partial(_says, hearer, why))
            assert "secret" not in hearer.news.state
            await hearer.news.close()


def _says(hearer: Hearer, text: str) -> bool:
    return text in hearer.news.state


async def test_nothing_is_sent_without_tls_where_it_is_required() -> None:
    came = bytearray()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b'INFO {"server_id":"X","version":"2.11.0","max_payload":1048576}\r\n')
        came.extend(await reader.read(1000))
        writer.close()

    port = free_port()
    listening: Any = await asyncio.start_server(answer, "127.0.0.1", port)
    hearer = Hearer(Nats(address(f"tls://kifu:secret@127.0.0.1:{port}")))
    await hearer.news.start()
    await hearer.until(lambda: "ecure" in hearer.news.state)
    await hearer.news.close()
    listening.close()
    assert not came
