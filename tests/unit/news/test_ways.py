"""By whichever way they go, news come to who follows; after an outage he hears or looks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Protocol

import pytest

from service.news import listening, nats
from service.news.news import CREDENTIALS, EVENT, MATCH, OK, Piece
from service.news.relay import Link
from tests.support import nats as nats_server
from tests.support import postgres
from tests.unit.news.carriers import Hearer


class Carrier(Protocol):
    """What carries news, and what may happen to it."""

    def start(self) -> None: ...
    def stop(self) -> None: ...


Way = tuple[Carrier, Callable[[], Link]]
Test = Callable[[Hearer, Hearer], Coroutine[Any, Any, None]]


@pytest.fixture(scope="module")
def by_nats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Way]:
    with nats_server.running(tmp_path_factory.mktemp("nats")) as server:
        yield server, lambda: nats.Nats(nats.address(server.url))


class Database:
    """A database that can let nobody in."""

    def __init__(self, server: postgres.Server) -> None:
        self.server, self.url = server, server.database(empty=True)
        self.name = self.url.rpartition("/")[2]

    def start(self) -> None:
        """Let everybody in."""
        with self.server.connection("postgres") as connection:
            connection.execute(f"ALTER DATABASE {self.name} ALLOW_CONNECTIONS true".encode())

    def stop(self) -> None:
        """Throw everybody out."""
        with self.server.connection("postgres") as connection:
            connection.execute(f"ALTER DATABASE {self.name} ALLOW_CONNECTIONS false".encode())
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname=%s",
                [self.name],
            )


@pytest.fixture(scope="module")
def by_listening(postgres_server: postgres.Server) -> Way:
    database = Database(postgres_server)
    return database, lambda: listening.Listen(database.url)


@pytest.fixture(params=["by_nats", "by_listening"])
def way(request: pytest.FixtureRequest) -> Way:
    found: Way = request.getfixturevalue(request.param)
    return found


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Outages are noticed in parts of a second."""
    for name, seconds in {"PROBE": 0.1, "DEAF": 2.0, "LATER": 0.2, "PATIENCE": 5.0}.items():
        monkeypatch.setattr(f"service.news.relay.{name}", seconds)


@asynccontextmanager
async def hearers(count: int, link: Callable[[], Link]) -> AsyncIterator[list[Hearer]]:
    found = [Hearer(link()) for _ in range(count)]
    try:
        yield found
    finally:
        await asyncio.gather(*(one.news.close() for one in found))


async def test_news_come_to_who_follows_and_to_nobody_else(way: Way) -> None:
    async with hearers(3, way[1]) as (a, b, c):
        for one in (a, b, c):
            await one.start()
        for kind, id_ in ((MATCH, "m.r1.t2"), (EVENT, "m"), (MATCH, "*"), (MATCH, "left")):
            a.news.follow(kind, id_)
            b.news.follow(kind, id_)
        await b.hears(Piece(MATCH, "m.r1.t2", 0))  # look: there may have been some before
        b.news.leave(MATCH, "left")
        await asyncio.sleep(0.05)
        b.heard.clear()
        results = [Piece(MATCH, "m.r1.t2", 7), Piece(EVENT, "m", 3), Piece(MATCH, "*", 1)]
        others = [Piece(MATCH, "x", 1), Piece(MATCH, "left", 1), Piece(CREDENTIALS, "")]
        for piece in (*others, *results):
            a.news.tell(piece)
        await b.hears(*results)
        await c.hears(Piece(CREDENTIALS, ""))
        await asyncio.sleep(0.1)
        assert sorted(b.heard) == sorted([*results, Piece(CREDENTIALS, "")])
        assert c.heard == [Piece(CREDENTIALS, "")]
        assert all(not piece.seq for piece in a.heard), "its own are no news to it"
        assert [one.missed for one in (a, b, c)] == [1, 1, 1]


async def test_news_during_an_outage_are_heard_or_looked_for(way: Way) -> None:
    server, link = way
    server.stop()
    async with hearers(2, link) as (a, b):
        await a.news.start()  # which waits for nobody
        await b.news.start()
        b.news.follow(MATCH, "m")
        a.news.tell(Piece(MATCH, "m", 1))
        await a.until(lambda: a.news.state.startswith("away since 20"))
        server.start()
        for seq in (1, 2):
            await b.until(lambda: a.news.state == OK == b.news.state)
            await b.until(partial(_knows, b, seq))
            b.missed = 0
            server.stop()
            await a.until(lambda: a.news.state != OK != b.news.state)
            a.news.tell(Piece(MATCH, "m", seq + 1))
            server.start()
        await b.until(lambda: a.news.state == OK == b.news.state)
        await b.until(partial(_knows, b, 3))
        a.news.tell(Piece(MATCH, "m", 4))
        await b.hears(Piece(MATCH, "m", 4))


def _knows(hearer: Hearer, seq: int) -> bool:
    """It has heard of an entry, or looks at everything anyway."""
    return Piece(MATCH, "m", seq) in hearer.heard or hearer.missed > 0


async def test_lost_news_are_resent(way: Way) -> None:
    """One connection breaks; what it had taken came to nobody, and nobody else has noticed."""
    async with hearers(2, way[1]) as (a, b):
        await a.start()
        await b.start()
        b.news.follow(MATCH, "m")
        await b.hears(Piece(MATCH, "m", 0))
        link = a.news._link
        send, taken = link.send, list[str]()

        async def lost(results: Any) -> None:
            taken.extend(name for name, _ in results)

        link.send = lost  # type: ignore[method-assign]
        a.news.tell(Piece(MATCH, "m", 9))
        await a.until(lambda: "match.m" in taken)
        await a.until(lambda: a.news.state != OK)  # its probes came to nobody, either
        link.send = send  # type: ignore[method-assign]
        await b.hears(Piece(MATCH, "m", 9))
        assert b.missed == 1


async def test_what_exceeds_one_notice_is_split(by_listening: Way) -> None:
    async with hearers(2, by_listening[1]) as (a, b):
        await a.start()
        await b.start()
        results = [Piece(MATCH, f"m{at}" + "x" * 100, at + 1) for at in range(500)]
        for piece in results:
            b.news.follow(MATCH, piece.id)
        await b.hears(Piece(MATCH, results[-1].id, 0))
        for piece in results:
            a.news.tell(piece)
        await b.hears(*results)
        assert a.news.state == OK == b.news.state


async def test_forged_notices_change_nothing(
    by_listening: Way, postgres_server: postgres.Server
) -> None:
    async with hearers(1, by_listening[1]) as [hearer]:
        await hearer.start()
        hearer.news.follow(MATCH, "m")
        await hearer.hears(Piece(MATCH, "m", 0))
        database = by_listening[1]().where.rpartition("/")[2]
        with postgres_server.connection(database) as connection:
            forged = [
                "",
                ";;;",
                "match.m",
                "match.m x 1",
                "match.m 9f3c21ab 9223372036854775808",
                "ω" * 3000,
                "match.* 9f3c21ab 1;match.m 9f3c21ab 5",
            ]
            for text in forged:
                connection.execute("SELECT pg_notify('kifu_news', %s)", [text])
        await hearer.hears(Piece(MATCH, "m", 5))
        assert [piece.seq for piece in hearer.heard] == [0, 5]
        assert hearer.news.state == OK
