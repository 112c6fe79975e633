"""Whoever sees matches late hears of what goes on at a table no earlier from its event.

What he is sent before something is done at a table and after it are the same bytes, until as much
has been played there as he sees late.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import aclosing, suppress
from typing import Any

import pytest
from kifu.v1 import desk_service_pb2 as desk
from kifu.v1 import tournament_service_pb2 as pb
from msgspec.structs import replace

from domain.engine.match import Stale
from service import wire
from service.api.tournaments import late
from service.identity import Identity, Role
from service.store import delay
from service.store.derived import listing
from service.store.history import History
from tests.support.halls import WON, Hall, person
from tests.support.in_process import HEAD, choosing
from tests.unit.service.test_tournaments import started

DELAYS = ("3 decisions", "game")


@pytest.fixture(autouse=True)
def _without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(late, "LOOK_EVERY", 0.001)


async def _penalise(h: Hall) -> None:
    judge = person(Role.OFFICIAL, h)
    penalty = desk.RecordPenaltyRequest(match_id=f"{h.id}.r1.t1", seat=1, kind="warning", note="x")
    await h.servicers.desk.record_penalty(penalty, judge)


async def _penalise_at_event(h: Hall) -> None:
    found = await h.ask("PenalisePlayer", player=2, kind="warning", note="late", round=1)
    await h.ask("WithdrawPenalty", entry=found.entry, why="it was another")


async def _stop(h: Hall) -> None:
    await h.ask("PauseClock", round=1, tables=[1], why="spilt tea")
    await h.ask("ResumeClock", round=1, tables=[1])


async def _stop_match(h: Hall) -> None:
    match, judge = f"{h.id}.r1.t1", person(Role.OFFICIAL, h)
    for stopped in (True, False):
        if stopped:
            await h.servicers.desk.pause_match(desk.PauseMatchRequest(match_id=match), judge)
        else:
            await h.servicers.desk.resume_match(desk.ResumeMatchRequest(match_id=match), judge)
        await h.servicers.following.settled()


async def _extend(h: Hall) -> None:
    await h.ask("ExtendClock", round=1, tables=[1], seconds=60)


async def _call(h: Hall) -> None:
    found = await h.ask("RaiseCall", table=1, text="what now?")
    await h.ask("TakeCall", call=found.call)
    await h.ask("AnswerCall", call=found.call, text="so", seconds=30)


ACTS: dict[str, Callable[[Hall], Awaitable[None]]] = {
    "a penalty in the match": _penalise,
    "a penalty at the event": _penalise_at_event,
    "the table's clock": _stop,
    "the match's clock": _stop_match,
    "time": _extend,
    "a call": _call,
}


async def sent(h: Hall, who: Identity) -> list[bytes]:
    """All that somebody is sent of the event."""
    await h.servicers.following.settled()
    await asyncio.sleep(0.002)
    shown = await h.ask("GetTournament", who)
    shown.now = 0
    answers: list[Any] = [
        shown,
        await h.ask("ListTournamentEntries", who),
        await h.ask("GetStandings", who),
        await h.servicers.event.list_tournaments(pb.ListTournamentsRequest(), who),
    ]
    return [one.SerializeToString(deterministic=True) for one in answers]


def upto(h: Hall, late: str) -> int:
    """Up to which entry the match of table 1 is released."""
    match, history = f"{h.id}.r1.t1", History(h.servicers.records)
    listed = listing.find(h.servicers.records, match)
    return delay.released(history, listed, delay.parse(late), h.servicers.matches.clock()).upto


@pytest.mark.parametrize("held", DELAYS)
@pytest.mark.parametrize("act", ACTS)
async def test_entries_about_a_table_have_the_delay_of_its_match(
    held: str, act: str, h: Hall
) -> None:
    who = Identity(Role.PUBLIC, "late", event=h.id, delay=held)
    match = f"{h.id}.r1.t1"
    await started(h)
    for _ in range(6):
        await choosing(h.servicers, match)
    before, last = await sent(h, who), h.servicers.records.last(match)
    await asyncio.sleep(0.002)
    await ACTS[act](h)
    found = len((await h.ask("ListTournamentEntries", HEAD)).entries)
    steps = 0
    with suppress(Stale):
        while upto(h, held) <= last:
            assert await sent(h, who) == before, steps
            await choosing(h.servicers, match)
            steps += 1
    assert steps >= 3
    for _ in range(2):
        with suppress(Stale):
            await choosing(h.servicers, match)
    assert await sent(h, who) != before
    assert len((await h.ask("ListTournamentEntries", who)).entries) >= found


async def test_a_result_that_is_entered_ends_the_waiting(h: Hall) -> None:
    who = Identity(Role.PUBLIC, "late", event=h.id, delay="game")
    await started(h)
    await _stop(h)
    await h.report(2, replace(WON, winner=3))
    shown = (await h.ask("GetTournament", who)).event
    assert not any(table.results for table in shown.rounds[0].tables)  # it is behind the clock
    await h.report(1, WON)
    await asyncio.sleep(0.002)
    shown = (await h.ask("GetTournament", who)).event
    assert all(table.results for table in shown.rounds[0].tables)
    await h.ask("WithdrawResult", round=1, table=1, why="too early")
    await asyncio.sleep(0.002)
    log = (await h.ask("ListTournamentEntries", HEAD)).entries
    assert len((await h.ask("ListTournamentEntries", who)).entries) == len(log)


async def test_a_stream_waits_as_long(h: Hall) -> None:
    who = Identity(Role.PUBLIC, "late", event=h.id, delay="3 decisions")
    match = f"{h.id}.r1.t1"
    await started(h)
    first = len(await h.servicers.tournaments.log(h.id))
    await _stop(h)
    got = list[int]()

    async def follow() -> None:
        request = pb.WatchTournamentRequest(event_id=h.id)
        async with aclosing(h.servicers.event.watch_tournament(request, who)) as stream:  # type: ignore[type-var]
            async for data in stream:
                message = pb.WatchTournamentResponse.FromString(data)
                got.extend(wire.tournament_entry_of(one).seq for one in message.entries)
                if len(got) > first:
                    return

    task = asyncio.create_task(follow())
    await asyncio.sleep(0.1)
    assert got == [*range(1, first + 1)]
    for _ in range(6):
        await choosing(h.servicers, match)
    await asyncio.wait_for(task, 30)
    assert got == [*range(1, first + 3)]
