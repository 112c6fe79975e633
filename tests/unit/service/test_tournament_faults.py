"""Tournaments in the service: repeats, races and crashes lose nothing and double nothing."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest
from kifu.v1 import desk_service_pb2 as desk
from kifu.v1 import tournament_service_pb2 as pb

from domain.engine.rulebook import Refused
from domain.tournament.acts.played import Played
from domain.tournament.record import Outcome, PlayerPenalised, ResultReported
from domain.tournament.state import Stage
from service import wire
from service.identity import Role
from service.live.following import Following
from service.live.matches import Matches
from service.store.records import Gone, StoreError
from service.store.tables.tournaments import Tournaments as Store
from tests.support.halls import (
    FORMAT,
    TABLES,
    Hall,
    fault,
    hall,
    person,
    refused,
    reopened,
    started,
    states,
)
from tests.support.in_process import HEAD, Cut
from tests.support.in_process import Fault as StoreFault

ROUND = 3_000_000


async def test_a_repeat_is_answered_alike_and_adds_nothing(h: Hall) -> None:
    people = [pb.NewPlayer(name="Zoe")]
    first = await h.ask("EnterPlayers", players=people, request_id="a")
    assert await h.ask("EnterPlayers", players=people, request_id="a") == first
    others = [pb.NewPlayer(name="Yan")]
    asked = h.ask("EnterPlayers", players=others, request_id="a")
    assert await refused(asked) == "REQUEST_ID_REUSED"
    await h.pair(*TABLES)
    opened = await h.ask("OpenRound", request_id="b")
    repeated = await h.ask("OpenRound", request_id="b")
    assert (repeated.round, repeated.recorded) == (opened.round, opened.recorded)
    assert states(repeated.tables) == ["nothing", "nothing"]
    request = pb.OpenTournamentRequest(name="Cup", format=wire.format_(FORMAT), request_id="c")
    ids = [(await h.servicers.event.open_tournament(request, HEAD)).event_id for _ in range(2)]
    assert ids[0] == ids[1] != h.id


async def test_of_two_officials_one_ends_the_round(h: Hall) -> None:
    await started(h)
    for table, winner in ((1, 1), (2, 3)):
        await h.report(table, Outcome(1, 0, 0, winner))
    ended = await asyncio.gather(
        *(h.ask("EndRound", person(Role.OFFICIAL, h)) for _ in range(4)),
        return_exceptions=True,
    )
    wrong = [fault(one) for one in ended if isinstance(one, BaseException)]
    assert wrong == ["ROUND_ENDED"] * 3
    assert [one.stage for one in (await h.state()).rounds] == [Stage.ENDED]


@pytest.mark.parametrize("k", range(1, 4))
async def test_what_a_crash_left_out_of_opening_is_opened_later(
    tmp_path: Path, k: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, real, left = tmp_path / "m.kifu", Matches.open, k

    async def dying(*args: object) -> object:
        nonlocal left
        left -= 1
        if left <= 0:
            raise asyncio.CancelledError
        return await real(*args)  # type: ignore[arg-type]

    async with hall(path, people=6) as h:
        await h.pair((1, 2), (3, 4), (5, 6))
        monkeypatch.setattr(Matches, "open", dying)
        with suppress(asyncio.CancelledError):
            await h.ask("OpenRound")
        monkeypatch.setattr(Matches, "open", real)
    async with reopened(path) as h:
        assert h.waiting() == [True, True, True]
        assert states((await h.ask("OpenRound")).tables) == ["nothing"] * 3


async def test_what_a_crash_left_out_of_starting_begins_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, real = tmp_path / "m.kifu", Matches.command

    async def dying(matches: Matches, match: str, *args: object, **more: object) -> object:
        if match.endswith("t2"):
            raise asyncio.CancelledError
        return await real(matches, match, *args, **more)  # type: ignore[arg-type]

    async with hall(path) as h:
        await h.pair(*TABLES)
        await h.ask("OpenRound")
        monkeypatch.setattr(Matches, "command", dying)
        with suppress(asyncio.CancelledError):
            await h.ask("StartRound")
        monkeypatch.setattr(Matches, "command", real)
        assert h.waiting()[1]
    async with reopened(path) as h:
        assert h.waiting() == [False, False]
        assert states((await h.ask("StartRound")).tables) == ["nothing"] * 2


def test_results_that_a_crash_left_out_are_found_once(tmp_path: Path) -> None:
    path = tmp_path / "m.kifu"

    async def crash() -> None:
        async with hall(path) as h:
            await started(h)
            h.servicers.following._due = {f"{h.id}.r1.t{n}": set() for n in (1, 2)}
            await h.concede(1, 0)
            judge = person(Role.OFFICIAL, h, 2)
            given = desk.RecordPenaltyRequest(
                match_id=f"{h.id}.r1.t2", seat=0, kind="warning", note="late"
            )
            await h.servicers.desk.record_penalty(given, judge)
            assert (await h.state()).rounds[0].missing == [1, 2]

    async def later(seen: list[list[object]]) -> None:
        async with reopened(path) as h:
            log, _ = Store(h.servicers.records).log(h.id)
            shown = (ResultReported, PlayerPenalised)
            seen.append([entry.event for entry in log if isinstance(entry.event, shown)])

    found: list[list[object]] = []
    asyncio.run(crash())
    for _ in range(2):
        asyncio.run(later(found))
    assert found[0] == found[1]
    assert len(found[0]) == 2


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("k", range(1, 9))
async def test_a_store_that_fails_leaves_what_can_be_repeated(k: int, late: bool, h: Hall) -> None:
    await h.pair(*TABLES)
    failure = StoreFault(k, late)
    with failure.of(h.servicers.records), suppress(StoreError, Refused):
        await h.ask("OpenRound", request_id="o")
    opened = await h.ask("OpenRound", request_id="o")
    assert not [one for one in opened.tables if one.state == "failed"]
    assert h.waiting() == [True, True]
    log, _ = Store(h.servicers.records).log(h.id)
    assert len([one for one in log if one.ticket]) == 1
    assert (await h.state()).seq == len(log)


@pytest.mark.parametrize("k", range(1, 8, 2))
async def test_who_gives_up_waiting_stops_nothing(k: int, h: Hall) -> None:
    await h.pair(*TABLES)
    with suppress(asyncio.CancelledError):
        await asyncio.create_task(Cut(k)(h.ask("OpenRound", request_id="o")))
    await h.ask("OpenRound", request_id="o")
    assert h.waiting() == [True, True]


@pytest.mark.parametrize("leaves", [False, True])
async def test_what_a_match_comes_to_is_taken_once_the_store_is_back(
    h: Hall, leaves: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And who leaves meanwhile does not wait for that."""
    real, left = Following._played, 3

    def played(self: Following, match: str) -> Played:
        nonlocal left
        left -= 1
        if leaves or left >= 0:
            raise Gone("it does not answer")
        return real(self, match)

    await started(h)
    monkeypatch.setattr(Following, "_played", played)
    monkeypatch.setattr("service.live.following.FAILED", 0.01)
    await h.concede(1, 0)
    await (h.servicers.following.close() if leaves else h.servicers.following.settled())
    assert (1 in (await h.state()).rounds[0].missing) == leaves
