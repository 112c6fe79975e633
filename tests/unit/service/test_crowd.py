"""Many follow a match whose store fails now and then: each gets every entry, or is told otherwise.

What the servicers send is looked at in the test's own loop: readers may be slow, give up, or be cut
off by a store that can't be read and take the stream up again, as clients do.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
from kifu.v1 import match_service_pb2 as pb
from kifu.v1.values_pb2 import Fact, Value

from domain.engine.match import Refused, Stale
from domain.record.entries import Entry
from domain.record.views import redact
from service import wire
from service.api.calls.errors import Fault as Answered
from service.identity import Identity, Role
from service.store.derived import listing
from service.store.records import Conflict, Records, StoreError
from tests.support.in_process import Servicers, choosing, open_servicers
from tests.support.marks import each

#: What a command may come to where the store fails.
WRONG = (StoreError, Conflict, Stale, Refused, Answered)


def eyes(match: str, at: int) -> Identity:
    """One of the four kinds of viewers of a match of two."""
    viewers = (
        Identity(Role.PUBLIC, "public", match),
        Identity(Role.SEAT, "seat 0", match, 0),
        Identity(Role.SEAT, "seat 1", match, 1),
        Identity(Role.OFFICIAL, "official", match),
    )
    return viewers[at % 4]


class Follower:
    """Somebody who follows a match, at his own pace, and takes it up where he was cut off."""

    def __init__(self, servicers: Servicers, match: str, at: int, rng: Random) -> None:
        self._home, self._match = servicers, match
        self.who = eyes(match, at)
        self._pace = rng.choice([0.0, 0.0, rng.random() * 0.02])
        self._rng = rng
        self.cut = 0
        self.got: list[Any] = []

    async def follow(self) -> None:
        while True:
            last = self.got[-1].seq if self.got else 0
            request = pb.WatchEventsRequest(match_id=self._match, after_seq=last)
            try:
                async for message in self._home.match.watch_events(request, self.who):
                    found = pb.WatchEventsResponse.FromString(message)
                    if found.HasField("ended"):
                        assert (found.seq, len(found.entries)) == (found.ended.entries, 0)
                        continue
                    assert found.seq == found.entries[-1].seq
                    self.got += found.entries
                    if self._pace:
                        await asyncio.sleep(self._pace)
                return
            except StoreError:
                self.cut += 1
                await asyncio.sleep(self._rng.random() * 0.02)


@contextmanager
def failing(records: Records, rng: Random, often: float) -> Iterator[Counter[str]]:
    """Calls of the store fail at random within, each kind of them once at least in 20.

    Commits sometimes only seem to fail.
    """
    kept = {name: getattr(records, name) for name in ("rows", "stage", "commit")}
    failed, made = Counter[str](), Counter[str]()

    def call(name: str) -> Callable[..., Any]:
        def called(*args: Any) -> Any:
            made[name] += 1
            if rng.random() >= often and (failed[name] or made[name] < 20):
                return kept[name](*args)
            failed[name] += 1
            if name == "commit":
                if rng.random() < 0.5:
                    kept["commit"]()
                else:
                    records.driver.recorder.writer.rollback()
            raise StoreError("the disk is gone")

        return called

    for name in kept:
        setattr(records, name, call(name))
    try:
        yield failed
    finally:
        for name, was in kept.items():
            setattr(records, name, was)


async def play(servicers: Servicers, match: str) -> None:
    """Answer every decision until the match is over; what fails is tried again."""
    while True:
        try:
            await choosing(servicers, match)
        except Stale as stale:
            if not stale.current:
                return
        except WRONG:
            await asyncio.sleep(0.001)


def entries_for(log: list[Entry], who: Identity) -> list[Any]:
    return [wire.entry(redact(entry, who.viewer)) for entry in log]


def turns(n: int) -> list[Fact]:
    return [Fact(key="turns", value=Value(number=n))]


async def crowded(
    servicers: Servicers, watchers: int, often: float, seed: int, length: int
) -> None:
    rng = Random(seed)
    match = await servicers.open(options=turns(length))
    followers = [Follower(servicers, match, at, rng) for at in range(watchers)]
    with failing(servicers.records, rng, often) as failed:
        tasks = [asyncio.create_task(one.follow()) for one in followers]
        leaving = rng.sample(range(watchers), watchers // 4)
        playing = asyncio.create_task(play(servicers, match))
        for at in leaving:
            await asyncio.sleep(0.002)
            tasks[at].cancel()
        await playing
    _, hanging = await asyncio.wait(tasks, timeout=30)
    assert not hanging, f"{len(hanging)} of {watchers} hang; what failed: {dict(failed)}"
    log = servicers.records.entries(match)
    assert listing.find(servicers.records, match).ended
    expected = {who.viewer: entries_for(log, who) for who in (eyes(match, at) for at in range(4))}
    for at, one in enumerate(followers):
        if at in leaving:
            assert tasks[at].cancelled() or tasks[at].result() is None
            assert one.got == expected[one.who.viewer][: len(one.got)]
        else:
            assert tasks[at].result() is None
            assert one.got == expected[one.who.viewer]
    assert len(servicers.matches.streams) == 0
    assert {"commit", "rows", "stage"} == failed.keys()


@pytest.mark.parametrize(
    ("watchers", "seed"),
    each(8, [pytest.param(40 if seed < 3 else 400, seed) for seed in range(1, 9)]),
)
async def test_a_crowd_gets_every_entry_while_the_store_fails(
    tmp_path: Path, watchers: int, seed: int
) -> None:
    async with open_servicers(tmp_path / "matches.kifu") as servicers:
        await crowded(servicers, watchers, 0.1, seed, 30)


@contextmanager
def losing(records: Records, k: int) -> Iterator[Iterator[int]]:
    """The k-th commit within is made, and its answer lost; how many were left counts down."""
    commit, left = records.commit, iter(range(k - 1, -1, -1))

    def lost() -> None:
        commit()
        if next(left, 1) == 0:
            raise StoreError("the disk is gone")

    records.commit = lost  # type: ignore[method-assign]
    try:
        yield left
    finally:
        records.commit = commit  # type: ignore[method-assign]


@pytest.mark.parametrize("newcomer", [False, True], ids=["looked for", "found by a newcomer"])
async def test_entries_of_a_commit_that_seemed_to_fail_are_streamed(
    tmp_path: Path, newcomer: bool
) -> None:
    """At each command of a match: neither a gap nor an end that nobody hears of, or too early.

    The streams look for it themselves; a newcomer may find the end of the match before they do.
    """
    async with open_servicers(tmp_path / "matches.kifu") as servicers:
        if newcomer:
            servicers.matches.streams.recheck = lambda match: None  # type: ignore[method-assign]
        for k in count(1):
            match = await servicers.open(options=turns(2))
            followers = [Follower(servicers, match, at, Random(at)) for at in range(4)]
            tasks = [asyncio.create_task(one.follow()) for one in followers]
            await asyncio.sleep(0.01)
            with losing(servicers.records, k) as left:
                await play(servicers, match)
            if newcomer:
                followers.append(Follower(servicers, match, 0, Random(0)))
                tasks.append(asyncio.create_task(followers[-1].follow()))
            _, hanging = await asyncio.wait(tasks, timeout=30)
            assert not hanging, f"command {k}"
            log = servicers.records.entries(match)
            for one in followers:
                assert one.got == entries_for(log, one.who), f"command {k}"
            if next(left, None) is not None:  # there were not so many
                break
        assert k > 3
