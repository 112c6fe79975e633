"""The service ends matches whose minutes are over: once, after a restart, and never too early."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from domain.engine.checks.verify import EXACT, verify
from domain.engine.match import Deck, Match, Opening
from domain.engine.signals import RollRequired
from domain.officials import clocks
from domain.officials.frame import Official
from domain.record.entries import Entry
from domain.record.events import MatchEnded
from domain.record.schema.policy import EndOfTime, Policy
from service.live import minutes
from service.live.clock import Clock
from service.live.matches import Matches
from service.live.rolls import Rolls
from service.store.derived import listing
from service.store.tables import lists
from tests.playouts import Dice, Setup, opening, resume
from tests.support.halls import FORMAT, hall, started
from tests.support.reading import writing
from tests.support.waiting import eventually
from tests.toy import TOY
from tests.unit.service.test_clock import Times

M, SETUP = "aaaaa", Setup(5)
MINUTE = EndOfTime(ms=60_000, tiebreaks=("hand", "deck"))


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minutes, "EVERY", 0.01)
    monkeypatch.setattr(minutes, "LEFT", 0.01)


@pytest.fixture
def times() -> Times:
    return Times()


@asynccontextmanager
async def serving(store: Path | str, times: Times) -> AsyncIterator[Matches]:
    clock = Clock(lambda: times.system, lambda: times.passed)
    async with writing(store, clock=clock, leapt=clock.leapt) as matches:
        yield matches


async def called(matches: Matches, end: EndOfTime = MINUTE, **opening: Any) -> None:
    """A match whose time was called."""
    decks = tuple(Deck(name, TOY.decks[name]) for name in ("ones", "tens"))
    policy = Policy(end=end)
    wanted = Opening(("A", "B"), decks, matches.clock(), policy=policy, **opening)
    await matches.open(M, "toy", wanted, None)
    await matches.command(M, lambda m, now: clocks.call_time(m, Official("Joy", now)))


def over(matches: Matches) -> bool:
    return listing.find(matches.records, M).ended


def sound(matches: Matches) -> list[Entry]:
    """The entries of the match, which ended once."""
    log = matches.records.entries(M)
    assert len([e for e in log if isinstance(e.event, MatchEnded)]) == 1
    assert verify(log, TOY).kind == EXACT
    assert not lists.page(matches.records, listing.TIMED)
    return log


async def position(matches: Matches) -> tuple[bool, int]:
    found: tuple[bool, int] = await matches.query(M, lambda m: (m.pos.over, m.pos.deadline))
    return found


async def test_it_ends_at_the_time_that_the_minutes_were_over(tmp_path: Path, times: Times) -> None:
    async with serving(tmp_path / "m.kifu", times) as matches:
        await called(matches)
        _, deadline = await position(matches)
        times.go(59)
        await asyncio.sleep(0.1)
        assert not over(matches)
        times.go(2)
        await eventually(lambda: over(matches))
        assert sound(matches)[-1].time == deadline


async def test_a_server_ends_what_another_left_that_was_killed(
    tmp_path: Path, times: Times
) -> None:
    async with serving(tmp_path / "m.kifu", times) as matches:
        await called(matches)
        _, deadline = await position(matches)
    times.go(3_600)
    async with serving(tmp_path / "m.kifu", times) as matches:
        await eventually(lambda: over(matches))
        assert sound(matches)[-1].time == deadline


async def test_a_real_table_has_a_minute_more_to_enter_what_was_done(
    tmp_path: Path, times: Times
) -> None:
    async with serving(tmp_path / "m.kifu", times) as matches:
        await called(matches, mode="table")
        times.go(90)
        await asyncio.sleep(0.1)
        assert not over(matches)
        times.go(31)
        await eventually(lambda: over(matches))
        sound(matches)


def test_where_a_lot_decides_at_a_real_table_it_falls_unseen() -> None:
    policy = Policy(end=EndOfTime(ms=60_000, level="lots"))
    given = replace(opening(SETUP), policy=policy, mode="table", rolls=((0,),))
    match = Match.open(SETUP.rules, given, Dice(SETUP.seed))
    log = match.collect()
    clocks.call_time(match, Official("Joy", match.pos.time))
    log += match.collect()
    late, rolls = Official("kifu", match.pos.time + 200_000), Rolls()
    with pytest.raises(RollRequired):
        minutes.end(rolls, match, late)
    repeated = resume(SETUP, log)
    minutes.end(rolls, repeated, late)
    log += repeated.collect()
    assert repeated.pos.over
    assert repeated.pos.winner >= 0
    assert log[-1].cites[0] == "policy:end.level"
    assert verify(log, SETUP.rules).kind == EXACT


async def test_a_clock_that_is_set_forward_takes_no_minutes(tmp_path: Path, times: Times) -> None:
    async with serving(tmp_path / "m.kifu", times) as matches:
        await called(matches)
        _, deadline = await position(matches)
        times.go(1, jump=3_600)
        await eventually(lambda: len(matches.records.entries(M)) > 12)
        for _ in range(20):
            await asyncio.sleep(0.01)
        assert await position(matches) == (False, deadline + 3_600_000)
        times.go(1, jump=-3_600)
        times.go(56)
        await asyncio.sleep(0.1)
        assert not over(matches)
        times.go(3)
        await eventually(lambda: over(matches))
        sound(matches)


async def test_a_match_that_is_paused_goes_on_until_its_minutes_were_played(
    tmp_path: Path, times: Times
) -> None:
    async with serving(tmp_path / "m.kifu", times) as matches:
        await called(matches)
        await matches.command(M, lambda m, now: clocks.pause(m, Official("Joy", now)))
        times.go(600)
        await asyncio.sleep(0.1)
        assert not over(matches)
        await matches.command(M, lambda m, now: clocks.go_on(m, Official("Joy", now)))
        times.go(30)
        await matches.command(M, lambda m, now: clocks.give_minutes(m, Official("J", now), 9_000))
        times.go(35)
        await asyncio.sleep(0.1)
        assert not over(matches)
        times.go(5)
        await eventually(lambda: over(matches))
        sound(matches)


async def test_several_servers_end_it_once(postgres_url: str, times: Times) -> None:
    def pause(m: Match, now: int) -> None:
        clocks.pause(m, Official("Joy", now))

    async with serving(postgres_url, times) as a, serving(postgres_url, times) as b:
        await called(a)
        await b.command(M, pause)
        times.go(90)
        await asyncio.sleep(0.2)
        assert not over(a)
        await b.command(M, lambda m, now: clocks.go_on(m, Official("Joy", now)))
        times.go(61)
        await eventually(lambda: over(a))
        await asyncio.sleep(0.2)
        sound(b)


async def test_at_an_event_the_tables_have_their_results_then(tmp_path: Path) -> None:
    end = EndOfTime(ms=1, tiebreaks=("hand", "deck"))
    async with hall(tmp_path / "m.kifu", replace(FORMAT, policy=Policy(end=end))) as h:
        await started(h)
        await h.ask("CallRoundTime", tables=[1])
        tables = (await h.state()).rounds[0].tables
        await eventually(lambda: tables[1].result is not None)
        assert tables[1].result is not None
        assert tables[1].result.source > 0
        assert tables[2].result is None
