"""The results of an event against the records of its matches: what differs is said."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest
from kifu.v1 import desk_service_pb2 as desk
from msgspec.structs import replace

from domain.engine.match import Stale
from domain.tournament import record as ev
from domain.tournament.acts import results
from domain.tournament.record import Outcome
from domain.tournament.tournament import Sender, Tournament
from service.identity import Identity, Role
from service.keeping.check.store import Tally, check
from service.store.records import Work
from tests.support.halls import Hall, person
from tests.support.in_process import HEAD, choosing
from tests.unit.service.test_tournaments import started


async def _concede(h: Hall) -> None:
    await h.concede(1, 0)


async def _play(h: Hall) -> None:
    with suppress(Stale):
        while True:
            await choosing(h.servicers, f"{h.id}.r1.t1")


async def _lose(h: Hall) -> None:
    judge, match = person(Role.OFFICIAL, h, 1), f"{h.id}.r1.t1"
    loss = desk.RecordPenaltyRequest(match_id=match, seat=0, kind="match-loss", note="x")
    await h.servicers.desk.record_penalty(loss, judge)


async def _correct(h: Hall) -> None:
    await h.concede(1, 0)
    judge, match = person(Role.OFFICIAL, h, 1), f"{h.id}.r1.t1"
    fields = {"match_id": match, "winner": 0, "score": (1, 0), "note": "he had won"}
    await h.servicers.desk.correct_result(desk.CorrectResultRequest(**fields), judge)


ENDS: dict[str, Callable[[Hall], Awaitable[None]]] = {
    "conceded": _concede, "played": _play, "lost": _lose, "corrected": _correct,
}  # fmt: skip


async def differing(h: Hall, who: Identity = HEAD) -> list[tuple[int, int, str]]:
    found = await h.ask("GetTournament", who, with_differing=True)
    return [(one.round, one.table, one.text) for one in found.differing]


def checked(h: Hall) -> tuple[list[str], list[str]]:
    """What is wrong by the store's check, and what is worth knowing."""
    tally = Tally()
    faults = [one.why for one in check(h.servicers.records, tally, quick=True)]
    return faults, [one.why for one in tally.remarks]


@pytest.mark.parametrize("end", ENDS)
async def test_a_result_that_differs_is_reported(end: str, h: Hall) -> None:
    await started(h)
    await ENDS[end](h)
    stands = (await h.state()).rounds[0].tables[1].result
    assert stands is not None
    assert stands.source
    assert stands.outcome is not None
    assert await differing(h) == []
    assert checked(h) == ([], [])
    other = 2 if stands.outcome.winner == 1 else 1  # of a draw, too
    turned = Outcome(int(other == 1), int(other == 2), 0, other, ev.RULED)

    def forge(t: Tournament, by: Sender) -> None:
        results.correct(t, by, 1, 1, replace(turned, how=stands.outcome.how), "", stands.source)

    def official(t: Tournament, by: Sender) -> None:
        results.correct(t, by, 1, 1, turned, "he had not sat there")

    who = Sender("Eve", h.servicers.matches.clock())
    for act, wrong in ((forge, True), (official, False)):
        await h.servicers.tournaments.command(h.id, who, None, act)
        ((round_, table, text),) = await differing(h)
        assert (round_, table) == (1, 1)
        assert text.startswith("the record of its match says ")
        faults, remarks = checked(h)
        assert (len(faults), len(remarks)) == ((1, 0) if wrong else (0, 1))
        assert "the record of its match says " in (faults or remarks)[0]


async def test_a_delayed_viewer_gets_results_with_the_delay(h: Hall) -> None:
    await started(h)
    await h.report(1, Outcome(0, 1, 0, 2))
    reported = (await h.state()).time
    await asyncio.sleep(0.1)
    await h.concede(1, 1)
    who = Identity(Role.PUBLIC, "late", event=h.id, delay="60s")
    assert len(await differing(h)) == 1
    for after, found in ((50, 0), (30_000, 1)):
        h.servicers.tournaments.clock = lambda after=after: reported + 60_000 + after
        shown = (await h.ask("GetTournament", who)).event.rounds[0].tables[0]
        assert shown.results
        assert len(await differing(h, who)) == found


async def test_a_removed_event_is_reported(caplog: pytest.LogCaptureFixture, h: Hall) -> None:
    await h.servicers.following.take_up()
    assert "event lost" not in caplog.text
    for table in ("tournament_entries", "lists"):
        column = "originator_id" if table == "tournament_entries" else "id"
        gone = (f"DELETE FROM {table} WHERE {column}=?", (h.id,))
        h.servicers.records.write(Work("", (), [gone]))
    await h.servicers.following.take_up()
    assert "event lost" in caplog.text
