"""Who follows on one server gets what is added on another, by whichever way news go, or by none."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest

from domain.record.entries import Entry
from domain.tournament.acts import players
from domain.tournament.record import Format
from domain.tournament.tournament import Sender, Tournament
from service.live.matches import Matches
from service.live.tournaments import Tournaments
from service.news.listening import Listen
from service.news.nats import Nats, address
from service.news.news import EVENT, MATCH, OK, News, Piece, Several
from service.news.polling import Polling
from service.news.relay import Relay
from service.store.records import Records
from tests.support import nats
from tests.support.reading import hearing
from tests.support.tournaments import by
from tests.support.waiting import eventually
from tests.toy import RULEBOOKS
from tests.unit.service.many.test_any_server import M
from tests.unit.service.test_live import first_option, opened


@pytest.fixture
def stack() -> AsyncExitStack:
    return AsyncExitStack()


@asynccontextmanager
async def server(url: str, news: News) -> AsyncIterator[Matches]:
    """The matches of a server, which tells the others what it adds, and looks at what they tell."""
    with closing(Records(url)) as records:
        found = Matches(
            records,
            RULEBOOKS,
            saved=lambda match, entries: news.tell(Piece(MATCH, match, entries[-1].seq)),
            news=news,
        )
        async with hearing(found, news):
            yield found


async def follow(matches: Matches, after: int = 0) -> list[Entry]:
    """The entries of the match until it is over."""
    found = list[Entry]()
    async for batch in matches.streams.watch(M, after, heads=True):
        found += [line.entry for line in batch.lines]
        assert [line.head.seq for line in batch.lines if line.head] == [
            line.entry.seq for line in batch.lines
        ]
    return found


async def play(servers: list[Matches], log: list[Entry]) -> list[Entry]:
    """Play to the end, each server in its turn: the whole log."""
    for n in range(400):
        if await servers[0].query(M, lambda match: match.pos.decision is None):
            return log
        log += await servers[n % len(servers)].command(M, first_option)
        await asyncio.sleep(0.002)
    raise AssertionError("it does not end")


@pytest.mark.parametrize("way", ["nats", "listen", "poll"])
async def test_followers_everywhere_see_one_match(
    stack: AsyncExitStack, postgres_url: str, tmp_path: Path, way: str
) -> None:
    def news() -> News:
        if way == "poll":
            return Polling(lambda: 0.05)
        return Relay(Listen(postgres_url) if way == "listen" else Nats(address(carrier.url)))

    if way == "nats":
        carrier = stack.enter_context(nats.running(tmp_path))
    ways = [news() for _ in range(3)]
    servers = [await stack.enter_async_context(server(postgres_url, one)) for one in ways]
    while any(one.state != OK for one in ways):
        await asyncio.sleep(0.01)
    log = await opened(servers[0], turns=4)
    begun = len(log)
    following = [
        asyncio.create_task(follow(one, after)) for one in servers for after in (0, begun, 5)
    ]
    log = await play(servers[:2], log)
    for at, found in enumerate(await asyncio.gather(*following)):
        assert found == log[(0, begun, 5)[at % 3] :]


async def test_nats_may_die_and_come_back(
    stack: AsyncExitStack, postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.news.relay.LATER", 0.1)

    carrier = stack.enter_context(nats.running(tmp_path))
    relays = [Relay(Nats(address(carrier.url))) for _ in range(2)]
    a, b = [
        await stack.enter_async_context(
            server(postgres_url, Several(one, Polling(lambda: 0.3)) if at else one)
        )
        for at, one in enumerate(relays)
    ]
    log = await opened(a)
    following = asyncio.create_task(follow(b))
    for _ in range(3):
        carrier.kill()
        log += await a.command(M, first_option)
        log += await b.command(M, first_option)
        await asyncio.sleep(0.1)
        carrier.start()
        log += await a.command(M, first_option)
    log = await play([a], log)
    assert await following == log


async def test_followers_of_an_event_are_woken_for_what_is_new_and_for_nothing_else(
    stack: AsyncExitStack,
    postgres_url: str,
) -> None:
    news = [Relay(Listen(postgres_url)) for _ in range(2)]
    servers = [await stack.enter_async_context(server(postgres_url, one)) for one in news]
    events = [
        Tournaments(one.records, one.committer, one.lanes, one.background, one.clock, way)
        for one, way in zip(servers, news, strict=True)
    ]
    a, b = events
    news[1].listen(
        lambda piece: b.caught_up(piece.id, piece.seq) if piece.kind == EVENT else None,
        b.missed,
    )
    format_ = Format("lamps", seconds=60)
    log = list(await a.open("abcd", lambda id_: Tournament.open(by(), id_, "Cup", format_)))
    read = list[str]()
    whole = b.store.log

    def counted(tournament: str) -> tuple[list[Any], bytes]:
        read.append(tournament)
        return whole(tournament)

    b.store.log = counted  # type: ignore[method-assign]

    def enter(t: Tournament, by: Sender) -> list[int]:
        return players.enter(t, by, [("P", "k")])

    async def watch() -> list[object]:
        found = list[object]()
        async for entries in b.watch("abcd", 0):
            found += entries
            if len(found) > len(log):
                return found
        raise AssertionError

    following = [asyncio.create_task(watch()) for _ in range(50)]
    await eventually(lambda: _waiting(b) == len(following))
    for _ in range(1000):
        b.caught_up("abcd", 2**30)
        b.missed()
    await asyncio.sleep(0.2)
    assert len(read) == 1
    added, _ = await a.command("abcd", by(), None, lambda t, by: players.enter(t, by, [("P", "k")]))
    for found in await asyncio.gather(*following):
        assert found == [*log, *added]
    assert len(read) == 2


def _waiting(events: Tournaments) -> int:
    """How many wait for what is added to the event."""
    live = events._live.get("abcd")
    return len(live.changed._waiters) if live else 0  # type: ignore[attr-defined]
