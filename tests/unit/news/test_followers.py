"""Who follows a match on another server gets what is added to it, whatever becomes of the news."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from domain.record.entries import Entry
from service.live.matches import Matches
from service.news.nats import Nats, address
from service.news.news import MATCH, OK, News, Piece
from service.news.relay import Relay
from tests.support.nats import running
from tests.support.reading import reading
from tests.unit.service.test_live import first_option, opened

SECONDS = 20.0


async def collect(reader: Matches, after: int, upto: int) -> list[Entry]:
    """The entries after a number, up to another, as a stream of the reader brings them."""
    found: list[Entry] = []
    async with asyncio.timeout(SECONDS):
        async for batch in reader.streams.watch("aaaaa", after, stay=True, heads=True):
            found += [line.entry for line in batch.lines]
            assert all(line.head is not None for line in batch.lines)
            if found[-1].seq >= upto:
                return found
    raise AssertionError("the stream ended")


async def moves(matches: Matches, count: int) -> list[Entry]:
    return [entry for _ in range(count) for entry in await matches.command("aaaaa", first_option)]


def count_reads(matches: Matches) -> list[int]:
    """The entries after which were read from the store, each time."""
    records, read = matches.records, list[int]()
    entries = records.entries

    def counted(match: str, after: int = 0, *args: Any, **more: Any) -> list[Entry]:
        read.append(after)
        return entries(match, after, *args, **more)

    records.entries = counted  # type: ignore[method-assign]
    return read


async def test_a_crowd_costs_one_reading(tmp_path: Path, matches: Matches) -> None:
    log = await opened(matches)
    async with reading(tmp_path / "matches.kifu", News()) as reader:
        last = len(log)
        crowd = [asyncio.create_task(collect(reader, last, last + 3)) for _ in range(200)]
        await until_waiting(reader, 200)
        added = await moves(matches, 3)
        read = count_reads(reader)
        for _ in range(50):  # doubled, late, and in any order
            for seq in (added[-1].seq, added[0].seq, 0, 1):
                reader.streams.caught_up("aaaaa", seq)
        for found in await asyncio.gather(*crowd):
            assert found == added[: len(found)]
        assert len(read) <= 2


async def test_forged_news_cost_next_to_nothing(tmp_path: Path, matches: Matches) -> None:
    log = await opened(matches)
    async with reading(tmp_path / "matches.kifu", News()) as reader:
        following = asyncio.create_task(collect(reader, len(log), len(log) + 1))
        await until_waiting(reader, 1)
        read = count_reads(reader)
        for at in range(20_000):
            reader.streams.caught_up("aaaaa", 2**31 - 1 - at)
            reader.streams.caught_up(f"other{at}", 5)
            if not at % 1000:
                reader.streams.missed()
                await asyncio.sleep(0)
        await asyncio.sleep(0.1)
        assert len(read) <= 4
        assert not following.done()
        assert len(reader.streams._channels) == 1
        added = await moves(matches, 1)
        reader.streams.caught_up("aaaaa", added[-1].seq)
        assert await following == added[: len(following.result())]


async def test_a_follower_on_another_server_misses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, matches: Matches
) -> None:
    """NATS is killed and comes back; nobody looks by himself."""
    monkeypatch.setattr("service.news.relay.LATER", 0.1)
    with running(tmp_path) as server:
        here, there = (Relay(Nats(address(server.url))) for _ in range(2))
        await here.start()
        log = await opened(matches)
        async with reading(tmp_path / "matches.kifu", there) as reader:
            await until_ok(here, there)
            for outage in (False, True, False):
                following = asyncio.create_task(collect(reader, 0, len(log) + 4))
                if outage:
                    server.kill()
                log += await tell(matches, here, 4)
                if outage:
                    await asyncio.sleep(0.1)
                    log += await tell(matches, here, 1)
                    server.start()
                    await until_ok(here, there)
                assert await following == log[: len(following.result())]
        await here.close()


async def tell(matches: Matches, news: Relay, count: int) -> Sequence[Entry]:
    """Play on, and tell of it."""
    added = list[Entry]()
    for _ in range(count):
        added += await moves(matches, 1)
        news.tell(Piece(MATCH, "aaaaa", added[-1].seq))
        await asyncio.sleep(0.01)
    return added


async def until_waiting(reader: Matches, streams: int) -> None:
    """Until so many streams have begun, and wait for what is added."""
    async with asyncio.timeout(SECONDS):
        while "aaaaa" not in reader.streams._channels:
            await asyncio.sleep(0.01)
        changed = reader.streams._channels["aaaaa"].changed
        while len(changed._waiters) < streams:  # type: ignore[attr-defined]
            await asyncio.sleep(0.01)


async def until_ok(*news: Relay) -> None:
    async with asyncio.timeout(SECONDS):
        while any(one.state != OK for one in news):
            await asyncio.sleep(0.01)
