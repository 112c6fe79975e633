"""A connection that fails at any of its calls loses no news and follows nothing wrong for good."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from itertools import count

import pytest

from service.news import relay
from service.news.news import MATCH, OK, Piece
from service.news.spelling import topic
from tests.unit.news.carriers import Hearer


class Hub:
    """Passes on what is said of a topic to whoever follows it."""

    def __init__(self) -> None:
        self.links = set[Line]()

    def pass_on(self, name: str, data: bytes) -> None:
        """To all who are connected."""
        for link in [*self.links]:
            if name in link.topics:
                link.received(name, data)


class Line:
    """A connection to the hub, of whose calls the k-th fails (0: none), or is `stuck`."""

    where, pause = "here", 0.0

    def __init__(self, hub: Hub, k: int = 0, *, stuck: bool = False) -> None:
        self.failed, self.topics = False, set[str]()
        self._hub, self._left, self._stuck = hub, k, stuck
        self._gone = asyncio.Event()
        self.received: Callable[[str, bytes], None]

    async def _called(self) -> None:
        self._left -= 1
        if not self._left:
            self.failed = True
            if self._stuck:
                await asyncio.Event().wait()
            raise ConnectionError("it is gone")

    async def open(self, received: Callable[[str, bytes], None], lost: Callable[[], None]) -> None:
        """Connect, following nothing."""
        await self._called()
        self.received, self.topics, self._gone = received, set(), asyncio.Event()
        self._hub.links.add(self)

    async def gone(self) -> None:
        """It goes when it is closed."""
        await self._gone.wait()

    async def send(self, found: Sequence[tuple[str, bytes]]) -> None:
        """Say something; what was said before it fails got through."""
        for name, data in found:
            await self._called()
            self._hub.pass_on(name, data)

    async def follow(self, topics: Sequence[str]) -> None:
        """Receive more."""
        await self._called()
        self.topics |= {*topics}

    async def leave(self, topics: Sequence[str]) -> None:
        """Receive less."""
        await self._called()
        self.topics -= {*topics}

    async def close(self) -> None:
        """Receive nothing."""
        self._hub.links.discard(self)
        self._gone.set()


@pytest.mark.parametrize("stuck", [False, pytest.param(True, marks=pytest.mark.long)])
async def test_whichever_call_fails_news_get_through(
    monkeypatch: pytest.MonkeyPatch, stuck: bool
) -> None:
    for name, value in {
        "SOON": 0.001, "LATER": 0.002, "PATIENCE": 0.05, "PROBE": 0.01, "DEAF": 0.05,
        "FAREWELL": 0.05,
    }.items():  # fmt: skip
        monkeypatch.setattr(relay, name, value)

    async def once(k: int) -> bool:
        hub = Hub()
        line = Line(hub, k, stuck=stuck)
        one, other = Hearer(line), Hearer(Line(hub))
        one.news.follow(MATCH, "a")
        for each in (one, other):
            await each.news.start()
        await other.until(lambda: other.news.state == OK)
        one.news.follow(MATCH, "b")
        one.news.tell(Piece(MATCH, "x", 1))
        other.news.follow(MATCH, "x")
        await asyncio.sleep(0.002)
        one.news.leave(MATCH, "a")
        one.news.follow(MATCH, "c")
        one.news.tell(Piece(MATCH, "x", 2))
        await one.until(lambda: one.news.state == OK and {topic(MATCH, "b"), topic(MATCH, "c")}
                        <= line.topics and topic(MATCH, "a") not in line.topics)  # fmt: skip
        other.news.tell(Piece(MATCH, "c", 7))
        await one.hears(Piece(MATCH, "c", 7))
        await other.until(lambda: any(piece[:2] == (MATCH, "x") for piece in other.heard))
        await one.news.close()
        await other.news.close()
        assert len(asyncio.all_tasks()) == 1
        return line.failed

    for k in count(1):
        if not await once(k) or k > 16:
            break
    assert k > 5


async def test_what_is_followed_while_nobody_carries_news_is_not_kept_once_left() -> None:
    hearer = Hearer(Line(Hub()))
    for n in range(100):
        hearer.news.follow(MATCH, f"m{n}")
        hearer.news.leave(MATCH, f"m{n}")
    assert not hearer.news._turned
    hearer.news.follow(MATCH, "m")
    await hearer.start()
    assert topic(MATCH, "m") in hearer.news._link.topics  # type: ignore[attr-defined]
    await hearer.news.close()
