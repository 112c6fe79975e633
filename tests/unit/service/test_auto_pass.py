"""Auto-passes in the service: kept with the match and not in it, whoever asks, whatever fails.

Commands that are broken off or whose store fails are in `test_faults`, what they answer and when
they end in `unit/engine/test_auto_pass`.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from kifu.v1 import match_service_pb2 as pb
from msgspec.structs import replace

from domain.engine.match import Refused, Stale
from domain.engine.passes.autopass import AutoPass
from domain.record.entries import Entry, encode
from domain.record.events import DecisionMade
from domain.record.views import AUTO, PUBLIC, redact
from service.api.calls.errors import Fault
from service.identity import Identity, Role
from service.store.records import Work
from service.store.tables import auto_passes
from tests.support.heads import without_hashes
from tests.support.in_process import (
    COMMANDS,
    Servicers,
    choosing,
    keeper,
    open_servicers,
    player,
)

LEFT = pb.AutoPass(until_rival_acts=True)


def leave(servicers: Servicers, match: str, seat: int, n: int, ticket: str = "") -> Any:
    request = pb.SetAutoPassRequest(match_id=match, decision=n, auto_pass=LEFT, request_id=ticket)
    return servicers.match.set_auto_pass(request, player(match, seat))


def passes(servicers: Servicers, match: str, seat: int, n: int, ticket: str = "") -> Any:
    request = pb.ChooseRequest(match_id=match, decision=n, act={"kind": "pass"}, request_id=ticket)
    return servicers.match.choose(request, player(match, seat))


async def left(servicers: Servicers, match: str, seat: int) -> pb.AutoPass | None:
    request = pb.GetAutoPassRequest(match_id=match)
    found = await servicers.match.get_auto_pass(request, player(match, seat))
    return found.auto_pass if found.HasField("auto_pass") else None


def origins(log: list[Entry]) -> list[str]:
    return [e.event.origin for e in log if isinstance(e.event, DecisionMade)]


async def test_it_outlives_the_service_and_so_does_its_withdrawal(tmp_path: Path) -> None:
    path, matches = tmp_path / "matches.kifu", list[str]()
    async with open_servicers(path) as servicers:
        for _ in range(2):
            match = await servicers.open()
            assert (await leave(servicers, match, 1, 1)).auto_pass == LEFT
            matches.append(match)
        request = pb.WithdrawAutoPassRequest(match_id=match)
        for withdrawn in (True, False):
            done = await servicers.match.withdraw_auto_pass(request, player(match, 1))
            assert done.HasField("withdrawn") == withdrawn
    async with open_servicers(path) as servicers:
        for match, passed in zip(matches, (True, False), strict=True):
            assert (await left(servicers, match, 1) == LEFT) == passed
            await passes(servicers, match, 0, 1)
            log = servicers.records.entries(match)
            assert origins(log) == (["seat", AUTO] if passed else ["seat"])


async def test_leaving_one_adds_nothing_that_others_could_see(servicers: Servicers) -> None:
    match = await servicers.open()
    before = servicers.records.entries(match)
    response = await leave(servicers, match, 1, 1)
    assert (response.first_seq, response.last_seq) == (0, 0)
    assert not response.HasField("next")
    assert servicers.records.entries(match) == before
    assert await left(servicers, match, 0) is None


async def test_who_acts_is_answered_alike_whatever_the_other_has_left(servicers: Servicers) -> None:
    """The rival's whole response hangs on what followed, not on whence that came."""
    answers, logs = [], []
    servicers.matches.clock = lambda: 1_700_000_000_000
    for automatic in (True, False):
        match = await servicers.open(seed=7)
        await choosing(servicers, match)  # plays a card
        if automatic:
            await leave(servicers, match, 1, 2)
        first = await passes(servicers, match, 0, 2)
        if first.next.seats == [1]:
            done = await passes(servicers, match, 1, 3)
            first.last_seq = done.last_seq
            first.next.CopyFrom(done.next)
            first.head.CopyFrom(done.head)
        assert first.head.seq == first.last_seq
        answers.append(without_hashes(first))
        logs.append(servicers.records.entries(match))
    assert answers[0] == answers[1]
    for viewer in (0, PUBLIC):
        one, other = ([encode(redact(e, viewer)) for e in log[3:]] for log in logs)
        assert one == other


async def test_a_repeat_leaves_nothing_twice(servicers: Servicers) -> None:
    match = await servicers.open()
    first = await leave(servicers, match, 0, 1, "once")
    assert origins(servicers.records.entries(match)) == [AUTO]
    repeated = await leave(servicers, match, 0, 1, "once")
    assert repeated == first
    with pytest.raises(Fault) as caught:
        await leave(servicers, match, 0, 2, "once")
    assert caught.value.reason == "REQUEST_ID_REUSED"
    with pytest.raises(Stale):
        await leave(servicers, match, 0, 1)


async def test_a_repeat_of_what_led_to_an_answer_has_that_answer_in_it(
    servicers: Servicers,
) -> None:
    match = await servicers.open()
    await leave(servicers, match, 1, 1)
    first = await passes(servicers, match, 0, 1, "once")
    assert first.next.n == 3
    assert await passes(servicers, match, 0, 1, "once") == first


async def test_of_a_choice_and_a_automaticanswer_at_once_one_is_first(servicers: Servicers) -> None:
    for turned in (False, True):
        match = await servicers.open()
        calls = [leave(servicers, match, 0, 1), passes(servicers, match, 0, 1)]
        done = await asyncio.gather(*calls[:: -1 if turned else 1], return_exceptions=True)
        assert isinstance(done[1], Stale)
        log = servicers.records.entries(match)
        assert origins(log) == ["seat" if turned else AUTO]
        await servicers.sound(match, log)


async def test_a_rewind_ends_it(servicers: Servicers) -> None:
    ready = await COMMANDS["rewind"](servicers)
    decision = await servicers.matches.query(ready.match, lambda m: m.pos.decision)
    await leave(servicers, ready.match, 1 - decision.seats[0], decision.n)
    assert auto_passes.find(servicers.records, ready.match)
    await ready.send()
    assert auto_passes.find(servicers.records, ready.match) == {}
    assert await left(servicers, ready.match, 1) is None


@pytest.mark.parametrize(
    ("who", "more", "reason"),
    [
        ("seat", {"seat": 1}, "ROLE_REQUIRED"),
        ("public", {"seat": 1}, "ROLE_REQUIRED"),
        ("keeper", {"seat": 1}, "ROLE_REQUIRED"),
        ("seat", {"match_id": "zzzzz"}, "MATCH_FOREIGN"),
        ("seat", {"auto_pass": None}, "FIELD_INVALID"),
        ("seat", {"auto_pass": pb.AutoPass(steps=["main"] * 65)}, "FIELD_INVALID"),
        ("seat", {"auto_pass": pb.AutoPass(steps=["x" * 81])}, "FIELD_INVALID"),
        ("seat", {"auto_pass": pb.AutoPass(steps=["nowhere"])}, "BAD_AUTO_PASS"),
    ],
)
async def test_it_is_refused(
    who: str, more: dict[str, Any], reason: str, servicers: Servicers
) -> None:
    match = await servicers.open()
    people = {
        "seat": player(match, 0),
        "public": Identity(Role.PUBLIC, "p", match),
        "keeper": keeper(match),
    }
    given = {"match_id": match, "decision": 1, "auto_pass": LEFT, **more}
    request = pb.SetAutoPassRequest(**given)
    with pytest.raises((Fault, Refused)) as caught:
        await servicers.match.set_auto_pass(request, people[who])
    wrong = caught.value
    assert reason == (wrong.reason if isinstance(wrong, Fault) else wrong.refusal.fault)
    assert await left(servicers, match, 0) is None


async def test_one_that_cant_be_read_is_as_good_as_withdrawn(servicers: Servicers) -> None:
    match = await servicers.open()
    damaged = ("INSERT INTO auto_passes VALUES (?,?,?)", (match, 1, b"\xff"))
    sound = auto_passes.changed(match, {}, {0: replace(AutoPass(), turn=True)})
    servicers.records.write(Work(match, (), [damaged, *sound]))
    assert auto_passes.find(servicers.records, match) == {0: AutoPass(turn=True)}
