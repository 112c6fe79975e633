"""Matches in memory: nothing is published before it is durable; what failed is dropped."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from msgspec.structs import replace

from domain.engine.checks.verify import verify
from domain.engine.match import Deck, Match, Opening, Refused, Stale
from domain.record.decisions import Act
from domain.record.entries import Entry
from domain.record.events import DecisionMade, Marked, NotDone
from service.api.calls.faults import fault_of
from service.dice import Dice
from service.identity import Identity, Role
from service.live.matches import Matches, UnknownGame
from service.live.streams.channels import Recent
from service.store.commit import Committer
from service.store.derived import listing
from service.store.records import (
    Conflict,
    Full,
    NoSuchMatch,
    Records,
    Statement,
    StoreError,
    Unwritable,
    Work,
)
from service.store.tables import access
from service.telemetry.metrics import Metrics
from service.wire import Unsendable
from tests.support.reading import reading, writing
from tests.support.waiting import eventually
from tests.toy import TOY
from tests.unit.store.records import toy_commands


async def opened(matches: Matches, match: str = "aaaaa", turns: int = 30) -> list[Entry]:
    decks = tuple(Deck(name, TOY.decks[name]) for name in ("ones", "tens"))
    opening = Opening(("A", "B"), decks, matches.clock(), options={"turns": turns})
    return await matches.open(match, "toy", opening, None)


def first_option(match: Match, now: int) -> None:
    decision = match.pos.decision
    assert decision is not None
    seat = decision.seats[0]
    offer = decision.offers[seat]
    assert offer is not None
    option = offer.options[0]
    match.choose(seat, decision.n, option.act(), now)


async def test_a_command_is_in_the_store_when_it_is_acknowledged(matches: Matches) -> None:
    log = await opened(matches)
    for _ in range(5):
        log += await matches.command("aaaaa", first_option)
        assert matches.records.entries("aaaaa") == log
    assert verify(log, TOY).kind == "exact"


async def test_a_match_that_raised_is_thrown_away_and_resumed(matches: Matches) -> None:
    def broken(match: Match, now: int) -> None:
        first_option(match, now)
        raise ZeroDivisionError

    log = await opened(matches)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            await matches.command("aaaaa", broken)
        assert len(matches) == 0
        assert matches.records.entries("aaaaa") == log
        log += await matches.command("aaaaa", first_option)
    assert matches.records.entries("aaaaa") == log
    assert verify(log, TOY).kind == "exact"


@pytest.mark.parametrize("n", [3_000_000_000, -(2**31) - 1])
async def test_what_no_message_can_carry_is_not_saved(n: int, matches: Matches) -> None:
    def beyond(match: Match, now: int) -> None:
        first_option(match, now)
        match.table.emit(NotDone("draw", 0, "impossible", n))

    def endless(match: Match, now: int) -> None:
        match.table.emit(Marked("match", "told", "x" * 2_000_000))

    log = await opened(matches)
    for command in (beyond, endless):
        with pytest.raises(Unsendable):
            await matches.command("aaaaa", command)
        assert matches.records.entries("aaaaa") == log
    with pytest.raises(Unsendable):
        await matches.save("bbbbb", "toy", [*log, replace(log[-1], seq=2**31)])
    log += await matches.command("aaaaa", first_option)
    assert verify(log, TOY).kind == "exact"


async def test_a_refused_command_changes_nothing_and_keeps_the_match(matches: Matches) -> None:
    log = await opened(matches)
    with pytest.raises(Refused):
        await matches.command("aaaaa", lambda m, now: m.choose(1, 1, Act("pass"), now))
    with pytest.raises(Stale):
        await matches.command("aaaaa", lambda m, now: m.choose(0, 9, Act("pass"), now))
    assert len(matches) == 1
    assert matches.records.entries("aaaaa") == log


async def test_a_refusal_that_came_too_late_leaves_nothing_of_what_was_done(
    matches: Matches,
) -> None:
    def half_done(match: Match, now: int) -> None:
        first_option(match, now)
        raise Stale(1)

    log = await opened(matches)
    with pytest.raises(Stale):
        await matches.command("aaaaa", half_done)
    log += await matches.command("aaaaa", first_option)
    assert matches.records.entries("aaaaa") == log
    assert sum(isinstance(entry.event, DecisionMade) for entry in log) == 1


async def test_a_command_may_add_nothing(matches: Matches) -> None:
    log = await opened(matches)
    assert await matches.command("aaaaa", lambda m, now: None) == []
    log += await matches.command("aaaaa", first_option)
    assert matches.records.entries("aaaaa") == log


async def test_whoever_looks_at_a_match_while_it_is_opened_makes_no_second_one(
    matches: Matches,
) -> None:
    async def play(steps: int) -> None:
        for _ in range(steps):
            await asyncio.sleep(0)
        with suppress(NoSuchMatch):  # it looked before there was a match
            await matches.command("aaaaa", first_option)

    players = [asyncio.create_task(play(steps)) for steps in range(0, 200, 5)]
    await opened(matches, turns=400)
    await asyncio.gather(*players)
    assert verify(matches.records.entries("aaaaa"), TOY).kind == "exact"


async def test_what_could_not_be_saved_never_happened(matches: Matches) -> None:
    log = await opened(matches)
    commit = matches.records.commit

    def full() -> None:
        matches.records.driver.recorder.writer.rollback()
        raise StoreError("the disk is full")

    matches.records.commit = full  # type: ignore[method-assign]
    watching = asyncio.create_task(anext(matches.streams.watch("aaaaa", len(log))))
    with pytest.raises(StoreError, match="full"):
        await matches.command("aaaaa", first_option)
    matches.records.commit = commit  # type: ignore[method-assign]
    await asyncio.sleep(0.05)
    assert not watching.done()
    assert matches.records.entries("aaaaa") == log
    log += await matches.command("aaaaa", first_option)
    got = [line.entry for line in (await watching).lines]
    assert got == log[-len(got) :]


async def test_a_full_disk_refuses_commands_and_keeps_nobody_from_looking(matches: Matches) -> None:
    log = await opened(matches, turns=400)
    writer = matches.records.driver.recorder.writer.cursor()
    official = Identity(Role.OFFICIAL, "Jo", "aaaaa")

    async def play() -> None:
        while True:
            log.extend(await matches.command("aaaaa", first_option))

    writer.execute("PRAGMA max_page_count=1")  # as many as there are
    with pytest.raises(Full) as caught:
        await play()
    fault = fault_of(caught.value)
    assert fault is not None
    assert (fault.code.name, fault.reason) == ("RESOURCE_EXHAUSTED", "STORE_FULL")
    assert matches.records.entries("aaaaa") == log
    for n in range(2000):  # until no page has room for a line
        await matches.access.add(official, "aaaaa", "position", "official", str(n))
    kept = access.head(matches.records).n
    assert kept < 2000
    writer.execute("PRAGMA max_page_count=1000000")
    await matches.access.add(official, "aaaaa", "position", "official", "1999")
    assert access.head(matches.records).n == kept + 1
    log += await matches.command("aaaaa", first_option)
    assert verify(matches.records.entries("aaaaa"), TOY).kind == "exact"


async def test_what_fails_after_its_caller_gave_up_is_heard_all_the_same(tmp_path: Path) -> None:
    orphaned = list[Exception]()
    async with writing(tmp_path / "matches.kifu", orphaned=orphaned.append) as matches:
        await opened(matches)
        begun, gate = Event(), Event()

        def broken(*_: Any) -> Match:
            begun.set()
            gate.wait()
            raise AssertionError("a defect of the rulebook")

        task = asyncio.create_task(matches.go_back("aaaaa", broken))
        while not begun.is_set():
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        gate.set()
        await matches.command("aaaaa", first_option)
        (error,) = orphaned
        assert error.about["match"] == "aaaaa"  # type: ignore[attr-defined]


async def test_who_finds_a_conflict_reads_anew(matches: Matches) -> None:
    """Any server may serve any match: the store alone judges who may add to it."""
    log = await opened(matches)
    elsewhere = Match.resume(TOY, log, Dice(1))
    first_option(elsewhere, 5)
    entries = elsewhere.collect()
    matches.records.write(Work("aaaaa", entries, listing.derive("aaaaa", entries)))
    with pytest.raises(Conflict):
        await matches.command("aaaaa", first_option)
    log += [*entries, *await matches.command("aaaaa", first_option)]
    assert matches.records.entries("aaaaa") == log
    assert verify(log, TOY).kind == "exact"


async def test_a_stream_of_a_file_that_another_writes_follows_it(
    tmp_path: Path, matches: Matches
) -> None:
    log = await opened(matches, turns=2)
    async with reading(tmp_path / "matches.kifu") as reader:
        following = reader.streams.watch("aaaaa", len(log))
        while not listing.find(matches.records, "aaaaa").ended:
            entries = await matches.command("aaaaa", first_option)
            found: list[Recent] = []
            while len(found) < len(entries):
                found += (await anext(following)).lines
            assert [line.entry for line in found] == entries
        with pytest.raises(StopAsyncIteration):
            await anext(following)
        with pytest.raises(Unwritable):
            await reader.save("bbbbb", "toy", log)


async def test_one_conflict_in_a_crowd_is_the_only_one_that_fails(tmp_path: Path) -> None:
    records = Records(tmp_path / "matches.kifu")
    metrics = Metrics()
    committer = Committer(records, metrics.store)
    works = [Work(f"m{at}", toy_commands(seed=at, most=0)[0]) for at in range(12)]
    records.write(works[7])
    outcomes = await asyncio.gather(
        *(committer.submit(work) for work in works), return_exceptions=True
    )
    assert [type(outcome) for outcome in outcomes] == [
        Conflict if at == 7 else tuple for at in range(12)
    ]
    await asyncio.gather(*(committer.submit(Work(f"n{at}", works[at].entries)) for at in range(12)))
    counted = {(name, *labels.values()): value for name, labels, value in metrics.all()}
    assert counted["kifu_commit_works_count",] == 2
    assert counted["kifu_commit_works_sum",] == 24  # so there were twelve in each
    assert counted["kifu_store_transactions_total", "conflict"] == 1
    assert counted["kifu_store_transactions_total", "saved"] == 1
    assert counted["kifu_store_conflicts_total",] == 1
    assert counted["kifu_store_lag_seconds",] == 0
    await committer.close()
    records.close()


async def test_a_cancelled_work_delays_no_other(tmp_path: Path) -> None:
    records = Records(tmp_path / "matches.kifu")
    committer = Committer(records)
    gone, stays = (committer.submit(Work(name, toy_commands(1)[0])) for name in "ab")
    gone.cancel()
    await stays
    await committer.close()
    assert records.entries("a")  # it was saved all the same
    records.close()


async def test_memory_is_bounded_and_matches_come_back(tmp_path: Path) -> None:
    async with writing(tmp_path / "matches.kifu", most=4) as matches:
        for at in range(12):
            await opened(matches, f"m{at}")
            assert len(matches) <= 4
        for at in range(12):
            for _ in range(3):
                await matches.command(f"m{at}", first_option)
            assert len(matches) <= 4
        for at in range(12):
            assert verify(matches.records.entries(f"m{at}"), TOY).kind == "exact"


async def test_matches_that_were_in_use_at_once_are_bounded_after_that(tmp_path: Path) -> None:
    async with writing(tmp_path / "matches.kifu", most=4) as matches:
        ids = [f"aaaa{at}" for at in range(6)]
        for match in ids:
            await opened(matches, match)
        used = [await matches.memory.acquire(match) for match in ids]
        for live in used:
            await matches.memory.load(live)
        assert len(matches) == 6
        for live in used:
            matches.memory.release(live)
        assert len(matches) == 4


async def test_unknown_matches_leave_nothing_behind(matches: Matches) -> None:
    for at in range(5):
        with pytest.raises(NoSuchMatch):
            await matches.command(f"x{at}", first_option)
        with pytest.raises(NoSuchMatch):
            await anext(matches.streams.watch(f"x{at}", 0))
    assert (len(matches), len(matches.streams)) == (0, 0)
    with pytest.raises(UnknownGame):
        matches.rulebook("chess")


async def test_a_stream_starts_anywhere_and_ends_with_the_match(matches: Matches) -> None:
    async def collect(matches: Matches, after: int) -> list[Entry]:
        found: list[Recent] = []
        async for batch in matches.streams.watch("aaaaa", after):
            found += batch.lines
        return [line.entry for line in found]

    log = await opened(matches, turns=8)
    early = [asyncio.create_task(collect(matches, after)) for after in (0, 3, len(log))]
    while not listing.find(matches.records, "aaaaa").ended:
        log += await matches.command("aaaaa", first_option)
        early.append(asyncio.create_task(collect(matches, len(log) - 2)))
        early.append(asyncio.create_task(collect(matches, len(log) + 3)))
    starts = [0, 3]
    assert [await task for task in early][:2] == [log[start:] for start in starts]
    for task in early:
        entries = await task
        assert entries == log[len(log) - len(entries) :]
    for after in range(len(log) + 2):
        assert await collect(matches, after) == log[after:]
    assert len(matches.streams) == 0


async def test_a_reader_that_fell_far_behind_reads_the_store(
    monkeypatch: pytest.MonkeyPatch, matches: Matches
) -> None:
    monkeypatch.setattr("service.live.streams.channels.RECENT", 8)
    monkeypatch.setattr("service.live.streams.catching.PAGE", 5)
    log = await opened(matches)
    stream = matches.streams.watch("aaaaa", 0)
    got = [line.entry for line in (await anext(stream)).lines]
    for _ in range(20):
        log += await matches.command("aaaaa", first_option)
    while len(got) < len(log):
        got += [line.entry for line in (await anext(stream)).lines]
    assert got == log
    await stream.aclose()  # type: ignore[attr-defined]
    assert len(matches.streams) == 0


async def test_a_snapshot_that_could_not_be_written_is_not_the_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.live.matches.EVERY", 40)
    monkeypatch.setattr("service.store.history.EVERY", 40)
    monkeypatch.setattr("service.live.upkeep.QUIET", 0.001)
    failed: list[str] = []
    async with writing(tmp_path / "matches.kifu", failed=failed.append) as matches:
        advance = matches.history.advance

        def once(match: str) -> list[Statement]:
            monkeypatch.setattr(matches.history, "advance", advance)
            raise StoreError("the disk is full")

        monkeypatch.setattr(matches.history, "advance", once)
        await opened(matches, turns=400)
        while not matches.records.row("SELECT count(*) FROM snapshots")[0]:
            await matches.command("aaaaa", first_option)
            await asyncio.sleep(0.01)
        assert failed == ["snapshots"]


async def test_snapshots_follow_the_play(monkeypatch: pytest.MonkeyPatch, matches: Matches) -> None:
    monkeypatch.setattr("service.live.matches.EVERY", 40)
    monkeypatch.setattr("service.store.history.EVERY", 40)
    await opened(matches)
    for _ in range(30):
        await matches.command("aaaaa", first_option)
        await asyncio.sleep(0.002)

    def follow() -> bool:
        count, newest = matches.records.row("SELECT count(*), max(seq) FROM snapshots")
        return count >= 4 and matches.records.last("aaaaa") - newest < 120

    await eventually(follow)
    assert matches.history.audit("aaaaa") == 0


@pytest.mark.parametrize(
    "error",
    [
        StoreError("/srv/x.kifu can't be read"),
        Unwritable("/srv/x.kifu can't be written: process 7 has held it"),
        OSError(2, "", "/srv"),
    ],
)
def test_no_error_contains_the_path_of_the_file(error: Exception) -> None:
    fault = fault_of(error)
    assert fault is None or "/srv" not in fault.text
    assert fault_of(StoreError("match abc: entry 9 is damaged")) is not None
