"""Switches of seats in the service: passes come in their time, whoever waits, whatever restarts.

Which passes they make, and that nobody can tell, is in `properties/play/test_switches`.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from kifu.v1 import match_service_pb2 as pb

from domain.engine.match import Refused
from domain.engine.passes import switches
from domain.record.events import DecisionMade
from domain.record.views import AUTO
from service.api.calls.errors import Fault
from tests.support.in_process import Servicers, open_servicers, player
from tests.unit.service.test_auto_pass import origins, passes

NOWHERE = pb.PassSwitch(asks=pb.PassSwitch.ASKS_MARKED)


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Delays of some tenths of a second."""
    monkeypatch.setattr(switches, "LEAST", 200)
    monkeypatch.setattr(switches, "MOST", 400)


async def switch(servicers: Servicers, match: str, seat: int, to: pb.PassSwitch) -> pb.PassSwitch:
    request = pb.SetAutoPassRequest(match_id=match, pass_switch=to)
    return (await servicers.match.set_auto_pass(request, player(match, seat))).pass_switch


async def until_answers(servicers: Servicers, match: str, count: int) -> None:
    for _ in range(200):
        if len(origins(servicers.records.entries(match))) >= count:
            return
        await asyncio.sleep(0.02)
    raise AssertionError(f"no {count} answers")


async def test_a_pass_comes_in_its_time_and_is_recorded_as_what_it_was(
    servicers: Servicers,
) -> None:
    match = await servicers.open()
    assert (await switch(servicers, match, 1, NOWHERE)).asks == NOWHERE.asks
    await passes(servicers, match, 0, 1)
    assert origins(servicers.records.entries(match)) == ["seat"]
    await until_answers(servicers, match, 2)
    log = servicers.records.entries(match)
    made = [e.event for e in log if isinstance(e.event, DecisionMade)]
    assert [one.origin for one in made] == ["seat", AUTO]
    assert 200 <= made[1].ms < 1500


async def test_what_was_open_when_it_was_set_is_for_the_seat(servicers: Servicers) -> None:
    match = await servicers.open()
    await switch(servicers, match, 0, NOWHERE)
    await asyncio.sleep(0.6)
    assert origins(servicers.records.entries(match)) == []


async def test_a_pass_by_hand_is_held_back_as_long(servicers: Servicers) -> None:
    match = await servicers.open()
    await switch(servicers, match, 1, NOWHERE)
    await passes(servicers, match, 0, 1)
    await switch(servicers, match, 1, pb.PassSwitch(asks=pb.PassSwitch.ASKS_ALWAYS))
    await switch(servicers, match, 0, pb.PassSwitch(asks=pb.PassSwitch.ASKS_ABLE))
    await passes(servicers, match, 1, 2)  # not held back: it was set to be asked always
    await passes(servicers, match, 0, 3)
    log = servicers.records.entries(match)
    made = [e.event for e in log if isinstance(e.event, DecisionMade)]
    assert [one.origin for one in made] == ["seat"] * 3
    assert made[1].ms < 200 <= made[2].ms


async def test_it_outlives_the_service(tmp_path: Path) -> None:
    path = tmp_path / "matches.kifu"
    async with open_servicers(path) as servicers:
        match = await servicers.open()
        await switch(servicers, match, 1, NOWHERE)
        await passes(servicers, match, 0, 1)
    async with open_servicers(path) as servicers:
        request = pb.GetAutoPassRequest(match_id=match)
        found = await servicers.match.get_auto_pass(request, player(match, 1))
        assert (found.pass_switch.since, found.HasField("auto_pass")) == (1, False)
        await until_answers(servicers, match, 2)


async def test_it_stays_when_an_auto_pass_is_set_and_withdrawn(servicers: Servicers) -> None:
    match = await servicers.open()
    await switch(servicers, match, 1, NOWHERE)
    set_ = pb.SetAutoPassRequest(match_id=match, decision=1, auto_pass=pb.AutoPass())
    await servicers.match.set_auto_pass(set_, player(match, 1))
    await servicers.match.withdraw_auto_pass(
        pb.WithdrawAutoPassRequest(match_id=match), player(match, 1)
    )
    request = pb.GetAutoPassRequest(match_id=match)
    for seat, expected in ((1, True), (0, False)):
        found = await servicers.match.get_auto_pass(request, player(match, seat))
        assert (found.HasField("pass_switch"), found.HasField("auto_pass")) == (expected, False)


async def test_what_can_not_be_is_refused(servicers: Servicers) -> None:
    match = await servicers.open()
    for marked, reason in ((["nothing"], "BAD_AUTO_PASS"), (["x" * 81], "FIELD_INVALID")):
        with pytest.raises((Fault, Refused)) as caught:
            await switch(servicers, match, 0, pb.PassSwitch(asks=2, marked=marked))  # type: ignore[arg-type]
        wrong = caught.value
        assert reason == (wrong.reason if isinstance(wrong, Fault) else wrong.refusal.fault)
    table = await servicers.open(mode="table")
    with pytest.raises((Fault, Refused)):
        await switch(servicers, table, 0, NOWHERE)
