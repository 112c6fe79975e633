"""Matches that are dropped free their memory at once, and those that stay cost no collection."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from domain.engine.match import Match
from service import garbage
from service.garbage import Garbage
from tests.support.in_process import choosing, open_servicers


@pytest.fixture
def uncollected() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize("game", ["toy", "gundam"])
async def test_a_match_that_is_dropped_is_gone_without_a_search(
    tmp_path: Path, uncollected: None, game: str
) -> None:
    async with open_servicers(tmp_path / "matches.kifu") as servicers:
        servicers.matches.memory._most = 1
        first, second = await servicers.open(game), await servicers.open(game)
        for _ in range(3):
            await choosing(servicers, first)  # which drops the other one
            kept = servicers.matches.memory.get(first)
            assert kept is not None
            gone: list[weakref.ref[Any]] = [weakref.ref(kept), weakref.ref(kept.table)]
            del kept
            await choosing(servicers, second)
            await asyncio.sleep(0.01)
            assert servicers.matches.memory.get(first) is None
            assert [ref() for ref in gone] == [None, None]


def test_objects_are_frozen_as_matches_come(monkeypatch: pytest.MonkeyPatch) -> None:
    done = list[str]()
    monkeypatch.setattr(garbage, "freeze", lambda: done.append("frozen"))
    monkeypatch.setattr(gc, "unfreeze", lambda: done.append("unfrozen"))
    loaded, played = [0], [0.0]
    found = Garbage(lambda: loaded[0], lambda: played[0])
    start = found._unfrozen
    for loaded[0], now, expected in [
        (garbage.BATCH - 1, 1.0, []),
        (garbage.BATCH, 2.0, ["frozen"]),
        (garbage.BATCH + 5, 3.0, []),
        (garbage.BATCH * 2, 4.0, ["frozen"]),
    ]:
        found.step(start + now)
        assert done == expected
        done.clear()
    played[0] = start + garbage.UNFREEZE_EVERY  # somebody plays
    found.step(start + garbage.UNFREEZE_EVERY + 1)
    assert not done
    found.step(start + garbage.UNFREEZE_EVERY + 1 + garbage.QUIET)
    assert done == ["unfrozen", "frozen"]
    done.clear()
    played[0] = start + 30 * garbage.UNFREEZE_EVERY  # and never stops
    found.step(start + 30 * garbage.UNFREEZE_EVERY)
    assert done == ["unfrozen", "frozen"]


def test_a_collection_does_not_look_at_what_is_frozen() -> None:
    """In a process of its own, since what is frozen stays so."""
    script = """
import gc
from service import garbage
kept = [[n] for n in range(1000)]
garbage.freeze()
assert gc.get_freeze_count() > 1000
assert not any(one is kept for one in gc.get_objects())
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)


async def test_a_closed_match_can_do_nothing(tmp_path: Path) -> None:
    async with open_servicers(tmp_path / "matches.kifu") as servicers:
        match = await servicers.open()
        kept: Match | None = servicers.matches.memory.get(match)
        assert kept is not None
        kept.close()
        with pytest.raises(AttributeError):
            kept.driver.start()
