"""Streams of a match that is over, corrected, and live again."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path

import pytest

from domain.engine.match import Match
from domain.engine.rulebook import Dice
from domain.officials import rewind, rulings
from domain.officials.frame import Official
from domain.record.entries import Entry
from domain.record.events import MatchEnded
from service.live.matches import Matches
from service.store.derived import listing
from service.store.records import StoreError
from tests.support.reading import reading
from tests.support.waiting import eventually
from tests.toy import TOY
from tests.unit.service.test_live import first_option, opened

ID = "aaaaa"


def judge(now: int) -> Official:
    return Official("Ada", now, "because")


def note(match: Match, now: int) -> None:
    rulings.note(match, judge(now), "told them")


def back(match: Match, log: Sequence[Entry], dice: Dice, now: int) -> Match:
    return rewind.rewind(TOY, log, 2, judge(now), dice)


async def over(matches: Matches) -> list[Entry]:
    """A match played to its end; its log."""
    log = await opened(matches, turns=2)
    return await to_its_end(matches, log)


async def to_its_end(matches: Matches, log: list[Entry]) -> list[Entry]:
    while not listing.find(matches.records, ID).ended:
        log += await matches.command(ID, first_option)
    return log


async def collect(matches: Matches, after: int, *, stay: bool = False) -> list[Entry]:
    """What a stream sends until it ends, or the match has ended three times."""
    found: list[Entry] = []
    async with aclosing(matches.streams.watch(ID, after, stay=stay)) as stream:
        async for batch in stream:
            found += [line.entry for line in batch.lines]
            if stay and sum(isinstance(entry.event, MatchEnded) for entry in found) == 3:
                break
    return found


async def test_streams_follow_a_match_whose_end_was_none(matches: Matches) -> None:
    log = await opened(matches, turns=2)
    stays = asyncio.create_task(collect(matches, 0, stay=True))
    log = await to_its_end(matches, log)
    for _ in range(2):
        assert await collect(matches, 0) == log
        log += await matches.command(ID, note)
        assert await collect(matches, 7) == log[7:]
        assert await collect(matches, len(log)) == []
        log += await matches.go_back(ID, back)
        follows = asyncio.create_task(collect(matches, len(log) - 1))
        log += await matches.command(ID, first_option)
        await asyncio.sleep(0.05)
        assert not follows.done(), "it is live again"
        was = len(log)
        log = await to_its_end(matches, log)
        assert len(log) > was
        assert (await follows)[-1] == log[-1]
    assert await stays == log
    assert len(matches.streams) == 0


async def test_a_stream_of_a_file_that_another_writes_follows_it_too(
    tmp_path: Path, matches: Matches
) -> None:
    log = await over(matches)
    async with reading(tmp_path / "matches.kifu") as reader:
        assert await collect(reader, 0) == log
        stays = asyncio.create_task(collect(reader, 0, stay=True))
        for _ in range(2):
            log += await matches.command(ID, note)
            log += await matches.go_back(ID, back)
            follows = asyncio.create_task(collect(reader, 3))
            await asyncio.sleep(0.1)
            assert not follows.done()
            log = await to_its_end(matches, log)
            assert await follows == log[3:]
        assert await stays == log


@pytest.mark.parametrize("what", ["end", "rewind"])
async def test_what_seemed_to_fail_turns_the_streams_all_the_same(
    what: str, matches: Matches
) -> None:
    """The commit that ends the match, or takes its end back, is made, and its answer lost."""

    async def collect_some(matches: Matches) -> None:
        async for _ in matches.streams.watch(ID, 0, stay=True):
            pass

    log = await opened(matches, turns=2)
    stays = asyncio.create_task(collect_some(matches))
    await asyncio.sleep(0.01)
    if what == "rewind":
        log = await to_its_end(matches, log)
    commit = matches.records.commit

    def lost() -> None:
        commit()
        if listing.find(matches.records, ID).ended == (what == "end"):
            raise StoreError("the disk is gone")

    matches.records.commit = lost  # type: ignore[method-assign]
    turned = to_its_end(matches, log) if what == "end" else matches.go_back(ID, back)
    with pytest.raises(StoreError):
        await turned
    matches.records.commit = commit  # type: ignore[method-assign]
    await asyncio.sleep(0.1)
    log = matches.records.entries(ID)
    known = len(log)
    later = asyncio.create_task(collect(matches, known))
    if what == "end":
        await eventually(later.done)
    else:
        await asyncio.sleep(0.1)
        assert not later.done()
    await to_its_end(matches, log)
    assert await later == matches.records.entries(ID)[known:]
    stays.cancel()
