"""A command that is broken off, or whose store fails, leaves a record that is whole and goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from kifu.v1.desk_service_pb2 import RecordNoteRequest

from domain.engine.match import Refused, Stale
from domain.record.entries import Entry
from service.api.calls.errors import Fault as Answered
from service.store.records import Conflict, StoreError
from tests.support.in_process import (
    COMMANDS,
    Cut,
    Fault,
    Ready,
    Servicers,
    choosing,
    keeper,
    open_servicers,
)
from tests.support.marks import each

#: What a command may come to where the store fails, or another was quicker.
WRONG = (StoreError, Conflict, Stale, Refused, Answered)
Trial = Callable[[Servicers, Ready, int], Coroutine[Any, Any, bool]]


def at_each(path: Path, kind: str, trial: Trial) -> int:
    """Try something on a command for k = 1, 2, …, until it does not happen any more: how often.

    Whatever came of it, the match is whole and goes on, and so it is read from the file alone.
    """

    async def go() -> int:
        kept: dict[str, list[Entry]] = {}
        async with open_servicers(path / "matches.kifu") as servicers:
            other = await servicers.open()
            kept[other] = servicers.records.entries(other)
            for k in count(1):
                ready = await COMMANDS[kind](servicers)
                before = servicers.records.entries(ready.match)
                happened = await trial(servicers, ready, k)
                await servicers.sound(ready.match, before)
                assert servicers.records.entries(other) == kept[other]
                kept[ready.match] = servicers.records.entries(ready.match)
                if not happened:
                    break
        async with open_servicers(path / "matches.kifu") as repeated:
            for match, log in kept.items():
                await repeated.sound(match, log)
        return k - 1

    return asyncio.run(asyncio.wait_for(go(), 120))


async def noted(servicers: Servicers, match: str) -> None:
    """Somebody else has something to say about the match."""
    request = RecordNoteRequest(match_id=match, text="hm")
    with suppress(*WRONG):
        await servicers.desk.record_note(request, keeper(match))


@pytest.mark.parametrize("crowded", each(2, (True, False)), ids=["in a crowd", "alone"])
@pytest.mark.parametrize("kind", each(3, COMMANDS))
def test_a_command_is_cancelled_at_each_of_its_awaits(
    tmp_path: Path, kind: str, crowded: bool
) -> None:
    async def trial(servicers: Servicers, ready: Ready, k: int) -> bool:
        others = [asyncio.create_task(noted(servicers, ready.match)) for _ in range(2 * crowded)]
        await asyncio.sleep(0)
        cut = Cut(k)
        task = asyncio.create_task(cut(ready.send()))
        await asyncio.wait([task])
        if not task.cancelled():
            await task
        with suppress(*WRONG):
            await choosing(
                servicers, ready.match
            )  # at once, while what was left is still under way
        await asyncio.gather(*others)
        return cut.happened

    assert at_each(tmp_path, kind, trial) >= 1 + crowded


@pytest.mark.parametrize("late", each(2, (True, False)), ids=["done all the same", "not done"])
@pytest.mark.parametrize("kind", each(4, COMMANDS))
def test_each_call_of_the_store_fails_once(tmp_path: Path, kind: str, late: bool) -> None:
    async def trial(servicers: Servicers, ready: Ready, k: int) -> bool:
        fault = Fault(k, late)
        with fault.of(servicers.records), suppress(*WRONG):
            await ready.send()
        with suppress(*WRONG):
            await ready.send()  # as whoever does not hear the answer would
        return fault.happened

    assert at_each(tmp_path, kind, trial) >= 2
