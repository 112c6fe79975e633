"""Announcing: who reads slowly is told of the newest only, and nothing is kept for him."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from service.store.delay import NONE
from service.web.positions import following
from service.web.positions.following import Announcer, Follower, event


class Reader:
    """Somebody to whom something is sent, and who may stop reading."""

    def __init__(self, announcer: Announcer, found: int) -> None:
        self.got = list[bytes]()
        self.ends = 0
        self.reads = asyncio.Event()
        self.reads.set()
        self.follower = Follower(announcer, self._send, found)
        announcer.followers[self.follower] = None

    async def _send(self, message: Any) -> None:
        await self.reads.wait()
        assert not self.ends, "it has ended"
        self.got.append(message["body"])
        self.ends += not message.get("more_body", False)


async def settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_a_slow_reader_gets_the_newest_only() -> None:
    announcer = Announcer("m", NONE, 5)
    quick, slow = Reader(announcer, 5), Reader(announcer, 3)
    slow.follower.tell()
    await settled()
    assert (quick.got, slow.got) == ([], [event("entry", 5)])
    slow.reads.clear()
    for seq in range(6, 100):
        announcer.announce(seq)
        await settled()
    assert quick.got == [event("entry", seq) for seq in range(6, 100)]
    assert len(asyncio.all_tasks()) == 2, "this one, and one that waits for him"
    slow.reads.set()
    await settled()
    assert slow.got[1:] == [event("entry", 6), event("entry", 99)]


async def test_every_follower_gets_the_end_once() -> None:
    announcer = Announcer("m", NONE, 5)
    ready, behind, gone = (Reader(announcer, found) for found in (5, 4, 4))
    gone.reads.clear()
    gone.follower.tell()
    await settled()
    gone.follower.stop()
    announcer.end(event("ended", 5))
    announcer.end(event("ended", 5))
    await settled()
    ready.follower.tell(b":\n\n")
    await settled()
    assert ready.got == [event("ended", 5)]
    assert behind.got == [event("entry", 5), event("ended", 5)]


async def test_signs_of_life_come_where_nothing_else_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "BEAT", 0.01)
    monkeypatch.setattr(following, "SLICE", 2)
    announcer = Announcer("m", NONE, 5)
    people = [Reader(announcer, 5) for _ in range(5)]
    people[0].reads.clear()
    beating = asyncio.create_task(announcer.beat())
    while len(people[-1].got) < 3:
        await asyncio.sleep(0.01)
    beating.cancel()
    people[0].reads.set()
    await settled()
    assert people[0].got == [b":\n\n"]
    assert {body for one in people for body in one.got} == {b":\n\n"}


@pytest.mark.parametrize("taken", [True, False])
async def test_an_answer_ends_once_though_its_match_and_its_token_end_at_once(taken: bool) -> None:
    announcer = Announcer("m", NONE, 5)
    reader = Reader(announcer, 5)
    if not taken:
        reader.reads.clear()
    announcer.end(b"")
    await settled()
    reader.follower.stop()
    reader.reads.set()
    await reader.follower.end()
    assert reader.ends == 1
