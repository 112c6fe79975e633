"""Passes that a scorekeeper's act implies, in the service: one command, one answer, or nothing."""

from __future__ import annotations

from typing import Any

import pytest
from kifu.v1 import match_service_pb2 as pb

from domain.engine.match import Refused
from domain.record.entries import Entry
from domain.record.events import DecisionMade
from service import wire
from service.api.calls.errors import Fault
from service.identity import Identity, Role
from tests.support.in_process import Servicers, keeper, player


def enter(servicers: Servicers, match: str, seat: int, passes: int, n: int = 1, **more: Any) -> Any:
    request = pb.ChooseRequest(
        match_id=match, decision=n, act={"kind": "pass"}, seat=seat, passes=passes, **more
    )
    return servicers.match.choose(request, keeper(match))


def origins(log: list[Entry]) -> list[str]:
    return [e.event.origin for e in log if isinstance(e.event, DecisionMade)]


async def test_an_act_is_entered_with_its_passes_and_a_repeat_is_answered_alike(
    servicers: Servicers,
) -> None:
    match = await servicers.open(mode="table")
    first = await enter(servicers, match, 1, 3, request_id="once")
    log = servicers.records.entries(match)
    assert origins(log) == ["implied", "implied", "implied", "seat"]
    answer = next(e for e in log if e.seq == first.first_seq)
    assert isinstance(answer.event, DecisionMade)
    assert (answer.event.n, first.next.n) == (4, 5)
    assert await enter(servicers, match, 1, 3, request_id="once") == first
    await servicers.sound(match, log)


@pytest.mark.parametrize(
    ("seat", "passes", "n", "reason"),
    [(0, 1, 1, "ILLEGAL_ACT"), (0, 25, 1, "FIELD_INVALID"), (0, -1, 1, "FIELD_INVALID")],
)
async def test_what_is_refused_after_passes_leaves_none(
    seat: int, passes: int, n: int, reason: str, servicers: Servicers
) -> None:
    match = await servicers.open(mode="table")
    before = servicers.records.entries(match)
    with pytest.raises((Fault, Refused)) as caught:
        await enter(servicers, match, seat, passes, n)
    wrong = caught.value
    assert reason == (wrong.reason if isinstance(wrong, Fault) else wrong.refusal.fault)
    assert servicers.records.entries(match) == before
    await servicers.sound(match, before)


async def test_foreseeing_records_nothing_and_is_for_who_sees_all(servicers: Servicers) -> None:
    match = await servicers.open(mode="table")
    before = servicers.records.entries(match)
    request = pb.ForeseePassesRequest(match_id=match)
    found = await servicers.match.foresee_passes(request, keeper(match))
    assert (found.decision, found.cut) == (1, False)
    entries = [wire.entry_of(one) for one in found.entries]
    assert entries[0].seq == before[-1].seq + 1
    assert set(origins(entries)) == {"implied"}
    assert servicers.records.entries(match) == before
    for who in (player(match, 0), Identity(Role.PUBLIC, "p", match), keeper("other")):
        with pytest.raises(Fault):
            await servicers.match.foresee_passes(request, who)
    dealt = await servicers.open()
    official = Identity(Role.OFFICIAL, "judge", dealt)
    nothing = await servicers.match.foresee_passes(
        pb.ForeseePassesRequest(match_id=dealt), official
    )
    assert (list(nothing.entries), nothing.cut) == ([], False)
    await enter(servicers, match, 0, 2)


async def test_no_seat_implies_another_ones_pass(servicers: Servicers) -> None:
    dealt = await servicers.open()
    request = pb.ChooseRequest(match_id=dealt, decision=1, act={"kind": "pass"}, passes=1)
    with pytest.raises(Fault):
        await servicers.match.choose(request, player(dealt, 1))
    assert origins(servicers.records.entries(dealt)) == []


async def test_a_preview_of_an_act_after_passes_records_nothing(servicers: Servicers) -> None:
    match = await servicers.open(mode="table")

    def asked(passes: int, seat: int) -> pb.ExplainRefusalRequest:
        return pb.ExplainRefusalRequest(
            match_id=match, act={"kind": "pass"}, seat=seat, passes=passes
        )

    before = await servicers.match.foresee_passes(
        pb.ForeseePassesRequest(match_id=match), keeper(match)
    )
    now = await servicers.match.explain_refusal(asked(0, 0), keeper(match))
    later = await servicers.match.explain_refusal(asked(1, 1), keeper(match))
    wrong = await servicers.match.explain_refusal(asked(0, 1), keeper(match))
    assert (now.allowed, later.allowed, wrong.allowed) == (True, True, False)
    assert [bool(one.offer.options) for one in (now, later)] == [True, True]
    assert wrong.rules
    with pytest.raises(Fault):
        await servicers.match.explain_refusal(asked(1, 0), player(match, 0))
    after = await servicers.match.foresee_passes(
        pb.ForeseePassesRequest(match_id=match), keeper(match)
    )
    assert after == before
