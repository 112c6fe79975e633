"""Turns: each caller has his share of the threads, and only so much of his work waits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from threading import Event
from typing import Any

import pytest

from service.live.lanes import CALLER, Busy, Caller, Lane

Call = Callable[..., Coroutine[Any, Any, Any]]


def as_caller(token: str, connection: str = "") -> Callable[[Awaitable[Any]], Any]:
    """Begin something as somebody."""

    async def go(work: Awaitable[Any]) -> Any:
        CALLER.set(Caller(token, connection))
        return await work

    return lambda work: asyncio.create_task(go(work))


@asynccontextmanager
async def with_lane(**settings: int) -> AsyncIterator[Lane]:
    found = Lane("test", **{"threads": 1, "each": 1, "most": 50, "most_each": 20, **settings})
    try:
        yield found
    finally:
        found.close()


@pytest.fixture
def lane() -> AbstractAsyncContextManager[Lane]:
    return with_lane()


async def test_design_take_turns_and_so_do_the_connections_of_one(lane: Lane) -> None:
    gate, order = Event(), list[str]()
    held = as_caller("held")(lane.run(gate.wait))
    await asyncio.sleep(0)
    work = []
    for n in range(3):
        for token, connection in [("a", "1"), ("a", "2"), ("b", "3")]:
            name = f"{token}{connection}{n}"
            work.append(as_caller(token, connection)(lane.run(order.append, name)))
    work += [as_caller("c", "4")(lane.run(order.append, "c")) for _ in range(5)]
    await asyncio.sleep(0)
    assert len(lane) == 14
    gate.set()
    await asyncio.gather(held, *work)
    assert order == [
        "a10", "b30", "c", "a20", "b31", "c", "a11", "b32", "c", "a21", "c", "a12", "c", "a22",
    ]  # fmt: skip
    assert len(lane) == 0


async def test_no_token_has_every_thread() -> None:
    async with with_lane(threads=3, each=2) as lane:
        gate = Event()
        hog = [as_caller("hog")(lane.run(gate.wait)) for _ in range(10)]
        await asyncio.sleep(0)
        assert await as_caller("other")(lane.run(lambda: "at once")) == "at once"
        gate.set()
        assert all(await asyncio.gather(*hog))


@pytest.mark.parametrize(
    ("connections", "most", "most_each", "waiting"), [(1, 50, 3, 3), (4, 5, 3, 5)]
)
async def test_what_is_more_is_refused_with_a_hint(
    connections: int, most: int, most_each: int, waiting: int
) -> None:
    async with with_lane(most=most, most_each=most_each) as lane:
        gate = Event()
        tasks = [as_caller("hog", "0")(lane.run(gate.wait))]
        await asyncio.sleep(0)
        callers = [as_caller("hog", str(at % connections)) for at in range(12)]
        tasks += [caller(lane.run(gate.wait)) for caller in callers]
        unlimited = as_caller("hog", "0")(lane.run(gate.wait, unlimited=True))
        ours = asyncio.create_task(lane.run(gate.wait))
        await asyncio.sleep(0)
        gate.set()
        found = await asyncio.gather(*tasks, return_exceptions=True)
        refused = [one for one in found if isinstance(one, Busy)]
        assert len(found) - len(refused) == 1 + waiting
        assert all(one.after > 0 for one in refused)
        assert await unlimited
        assert await ours


async def test_who_gives_up_waiting_has_nothing_begun(lane: Lane) -> None:
    gate, done = Event(), list[int]()
    held = as_caller("a")(lane.run(gate.wait))
    await asyncio.sleep(0)
    tasks = [as_caller("a")(lane.run(done.append, n)) for n in range(6)]
    await asyncio.sleep(0)
    for task in tasks[1::2]:
        task.cancel()
    held.cancel()
    await asyncio.sleep(0)
    assert len(lane) == 3
    gate.set()
    await asyncio.gather(held, *tasks, return_exceptions=True)
    assert done == [0, 2, 4]
    assert await as_caller("a")(lane.run(lambda: "on")) == "on"


async def test_what_it_raises_is_raised(lane: Lane) -> None:
    with pytest.raises(ZeroDivisionError):
        await lane.run(lambda: 1 // 0)
    assert await lane.run(lambda: 1) == 1
