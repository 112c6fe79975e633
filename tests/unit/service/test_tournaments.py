"""Tournaments in the service: rounds are carried to their matches, and come back from them."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from kifu.v1 import desk_service_pb2 as desk
from kifu.v1 import tournament_service_pb2 as pb
from kifu.v1.match_service_pb2 import ChooseRequest, CommitSeedRequest, GiveSeedRequest

from domain.engine.match import Deck, Match
from domain.games import rulebook
from domain.officials import clocks as match_clocks
from domain.officials.frame import Official
from domain.record.decisions import Act
from domain.record.interventions import MatchBegan
from domain.record.proof import draws
from domain.record.schema.policy import Policy
from domain.tournament.acts import clocks
from domain.tournament.record import CONCEDED, Format, Outcome
from domain.tournament.state import match_id
from domain.tournament.tournament import Sender
from service import wire
from service.client import convert
from service.identity import Identity, Role
from service.live.clock import Clock
from service.store.records import Work
from tests.support import in_process
from tests.support.halls import (
    TABLES,
    WON,
    Hall,
    hall,
    person,
    refused,
    started,
    states,
)
from tests.support.in_process import HEAD, choosing
from tests.support.seeds import seed_of

ROUND = 3_000_000


# -- rounds ----------------------------------------------------------------------------------------


async def test_a_round_from_pairing_to_end(h: Hall) -> None:
    await h.pair(*TABLES)
    opened = await h.ask("OpenRound")
    assert states(opened.tables) == ["opened", "opened"]
    assert [one.match_id for one in opened.tables] == [f"{h.id}.r1.t1", f"{h.id}.r1.t2"]
    assert h.waiting() == [True, True]
    match = await h.servicers.matches.query(f"{h.id}.r1.t2", lambda m: m.pos.heading)
    assert match.labels == {"event": "Cup", "round": "1", "table": "2"}
    assert [*match.seats] == ["Player 3", "Player 4"]
    assert (match.policy.event, match.policy.clocks.round) == ("Cup", ROUND)
    assert await refused(h.begin(1)) == "ROUND_NOT_STARTED"
    assert h.waiting() == [True, True]
    assert states((await h.ask("StartRound")).tables) == ["begun", "begun"]
    assert h.waiting() == [False, False]
    preview = await h.ask("EndRound", preview=True)
    assert [*preview.missing] == [1, 2]
    assert await refused(h.ask("EndRound")) == "RESULTS_MISSING"
    await h.concede(1, 0)
    await h.concede(2, 1)
    s = await h.state()
    assert [one.outcome for one in s.rounds[0].tables.values()] == [
        Outcome(0, 1, 0, 2, CONCEDED),
        Outcome(1, 0, 0, 3, CONCEDED),
    ]
    reported = s.rounds[0].tables[1].result
    assert reported is not None
    assert reported.by == f"{h.id}.r1.t1"
    assert 0 < reported.source <= h.servicers.records.last(f"{h.id}.r1.t1")
    assert (await h.ask("EndRound")).round == 1
    await h.ask("EndTournament")


async def test_at_real_tables_a_match_begins_when_somebody_sits(tmp_path: Path) -> None:
    async with hall(tmp_path / "m.kifu", Format("gundam", mode="table", seconds=3000)) as h:
        await h.pair(*TABLES)
        await h.ask("OpenRound")
        keeper = person(Role.SCOREKEEPER, h, 1)
        assert await refused(h.begin(1, who=keeper)) == "ROUND_NOT_STARTED"
        assert states((await h.ask("StartRound")).tables) == ["ready", "ready"]
        await h.ask("ExtendClock", seconds=600, tables=[1])
        await h.ask("PauseClock", tables=[2])
        for table in (1, 2):
            await h.begin(table, who=keeper if table == 1 else HEAD)
        await h.state()
        first, second = [await position(h, table) for table in (1, 2)]
        assert left(first) > ROUND + 500_000  # what its table's clock showed by then
        assert first.paused < 0 <= second.paused


async def position(h: Hall, table: int) -> object:
    return await h.servicers.matches.query(match_id(h.id, 1, table), lambda m: m.pos)


def left(p: object) -> int:
    return p.left("round", p.time)  # type: ignore[attr-defined, no-any-return]


async def test_clocks_are_carried_to_the_tables_that_are_named(h: Hall) -> None:
    await started(h)
    paused = await h.ask("PauseClock", tables=[2], why="deck check", request_id="p")
    assert states(paused.tables) == ["carried"]
    assert [(await position(h, n)).paused >= 0 for n in (1, 2)] == [False, True]  # type: ignore[attr-defined]
    assert states((await h.ask("ExtendClock", seconds=60)).tables) == ["carried", "carried"]
    assert states((await h.ask("ResumeClock")).tables) == ["nothing", "carried"]
    repeated = await h.ask("PauseClock", tables=[2], why="deck check", request_id="p")
    assert repeated.recorded == paused.recorded
    assert [(await position(h, n)).paused >= 0 for n in (1, 2)] == [False, False]  # type: ignore[attr-defined]
    assert [left(await position(h, n)) > ROUND + 50_000 for n in (1, 2)] == [True, True]
    await h.ask("ExtendClock", seconds=-600, tables=[1])
    assert left(await position(h, 1)) < ROUND - 500_000
    await h.concede(1, 0)
    await h.state()
    assert states((await h.ask("CallRoundTime")).tables) == ["nothing", "carried"]
    assert (await position(h, 2)).called  # type: ignore[attr-defined]


async def test_a_table_that_fails_is_named_and_keeps_none_from_it(h: Hall) -> None:
    await started(h)
    h.servicers.matches.memory._live.clear()
    harm = "UPDATE stored_events SET state=x'00' WHERE originator_id=?", (f"{h.id}.r1.t1",)
    h.servicers.records.write(Work("", (), [harm]))
    found = (await h.ask("PauseClock")).tables
    assert states(found) == ["failed", "carried"]
    assert found[0].reason == "STORE_FAILED"


async def test_what_is_done_at_the_desk_of_a_match_is_followed(h: Hall) -> None:
    await started(h)
    match = f"{h.id}.r1.t1"
    judge = person(Role.OFFICIAL, h, 1)
    await h.servicers.desk.pause_match(desk.PauseMatchRequest(match_id=match, why="call"), judge)
    await h.servicers.desk.extend_time(
        desk.ExtendTimeRequest(match_id=match, clock="round", ms=300_000), judge
    )
    s = await h.state()
    clock = s.rounds[0].tables[1].clock
    assert clock is not None
    assert not clock.running
    assert abs(clock.left - ROUND - 300_000) < 5000
    other = s.rounds[0].tables[2].clock
    assert other is not None
    assert (other.running, other.left) == (True, ROUND)


async def test_results_and_penalties_of_matches_come_to_the_tournament(h: Hall) -> None:
    await started(h)
    match, judge = f"{h.id}.r1.t1", person(Role.OFFICIAL, h, 1)
    penalty = desk.RecordPenaltyRequest(match_id=match, seat=1, kind="warning", note="slow")
    await h.servicers.desk.record_penalty(penalty, judge)
    await choosing(h.servicers, match)
    n = await h.servicers.matches.query(match, lambda m: m.pos.decision.n)
    await h.concede(1, 0)
    s = await h.state()
    (given,) = s.penalties.values()
    assert (given.player, given.kind, given.round, given.match) == (2, "warning", 1, match)
    assert s.rounds[0].tables[1].outcome == Outcome(0, 1, 0, 2, CONCEDED)
    back = desk.RewindMatchRequest(match_id=match, decision=n, why="he may play on")
    await h.servicers.desk.rewind_match(back, judge)
    assert (await h.state()).rounds[0].missing == [1, 2]
    await h.concede(1, 1)
    s = await h.state()
    assert s.rounds[0].tables[1].outcome == Outcome(1, 0, 0, 1, CONCEDED)
    loss = desk.RecordPenaltyRequest(match_id=match, seat=0, kind="match-loss", note="cheated")
    await h.servicers.desk.record_penalty(loss, judge)
    s = await h.state()
    assert s.rounds[0].tables[1].outcome is not None
    assert s.rounds[0].tables[1].outcome.winner == 2
    assert [one.kind for one in s.penalties.values()] == ["warning", "match-loss"]


async def test_what_another_server_has_carried_meanwhile_stands(h: Hall) -> None:
    """Clocks are let go on elsewhere, and their matches with them, before they are stopped here."""
    await started(h)
    matches, elsewhere = h.servicers.matches, Sender("Ida", h.servicers.matches.clock())
    carry, act, seen = matches.command, h.servicers.tournaments.command, False

    async def command(*given: Any, **more: Any) -> Any:
        nonlocal seen
        found = await carry(*given, **more)
        if not seen:
            seen = True
            await act(h.id, elsewhere, None, lambda t, by: clocks.resume(t, by, 1))
        return found

    with patch.object(matches, "command", command):
        await h.ask("PauseClock", why="lunch")
    for number in (1, 2):
        paused = await matches.query(match_id(h.id, 1, number), lambda m: m.pos.paused)
        assert paused < 0
    shown = [table.clock for table in (await h.state()).rounds[0].tables.values()]
    assert [clock is not None and clock.running for clock in shown] == [True, True]


async def test_what_a_match_did_at_another_server_meanwhile_counts(h: Hall) -> None:
    """It is let go on elsewhere, and looked at, before it is written here that it stood still."""
    await started(h)
    match, servicers, seen = match_id(h.id, 1, 1), h.servicers, False
    add = servicers.tournaments.command

    async def command(*given: Any, **more: Any) -> Any:
        nonlocal seen
        if not seen:
            seen = True
            with patch.object(servicers.following, "saved"):
                await servicers.matches.command(match, gone_on)
        return await add(*given, **more)

    with patch.object(servicers.tournaments, "command", command):
        paused = desk.PauseMatchRequest(match_id=match)
        await servicers.desk.pause_match(paused, HEAD)
        clock = (await h.state()).rounds[0].tables[1].clock
    assert seen
    assert clock is not None
    assert clock.running


def gone_on(match: Match, now: int) -> None:
    """An official lets a match go on."""
    match_clocks.go_on(match, Official("Ida", now))


async def test_a_match_that_can_not_be_read_keeps_no_other_from_being_taken_up(h: Hall) -> None:
    await started(h)
    with patch.object(h.servicers.following, "saved"):  # as if the service had ended there
        await h.concede(2, 1)
    h.servicers.matches.memory._live.clear()
    harm = "UPDATE stored_events SET state=x'00' WHERE originator_id=?", (f"{h.id}.r1.t1",)
    h.servicers.records.write(Work("", (), [harm]))
    await h.servicers.following.take_up()
    tables = (await h.state()).rounds[0].tables
    assert [tables[n].result is not None for n in (1, 2)] == [False, True]


async def test_an_officials_word_on_a_result_stands(h: Hall) -> None:
    await started(h)
    await h.report(1, WON)
    await h.concede(1, 0)
    s = await h.state()
    assert s.rounds[0].tables[1].outcome == WON
    await h.ask("WithdrawResult", table=1, why="wrong slip")
    s = await h.state()
    assert s.rounds[0].tables[1].outcome == Outcome(0, 1, 0, 2, CONCEDED)


# -- seeds -----------------------------------------------------------------------------------------


async def committed(h: Hall, table: int, seat: int) -> None:
    match = match_id(h.id, 1, table)
    service = await h.servicers.matches.query(match, lambda m: m.pos.heading.commitment)
    bound = draws.of_seat(service, seat, seed_of(seat))
    who = person(Role.SEAT, h, table, seat)
    await h.servicers.match.commit_seed(CommitSeedRequest(match_id=match, commitment=bound), who)


async def given(h: Hall, table: int, seat: int) -> None:
    request = GiveSeedRequest(match_id=match_id(h.id, 1, table), seed=seed_of(seat))
    await h.servicers.match.give_seed(request, person(Role.SEAT, h, table, seat))
    await h.state()


async def test_matches_that_share_chance_begin_with_their_round(tmp_path: Path) -> None:
    async def test(h: Hall) -> None:
        await h.pair((1, 2), (3, 4), (5, 6))
        await h.ask("OpenRound")
        for table in (1, 2):
            await committed(h, table, 0)
        await committed(h, 1, 1)
        for seat in (0, 1):
            await given(h, 1, seat)
        assert h.waiting() == [True] * 3  # no seed has one begin before its round
        found = (await h.ask("StartRound")).tables
        assert states(found) == ["begun", "waiting", "begun"]
        without = [await left_out(h, table) for table in (1, 3)]
        assert without == [(), ((0, "silent"), (1, "silent"))]
        await given(h, 2, 0)  # who was bound may still open his; then it begins by itself
        assert h.waiting() == [False] * 3
        assert await left_out(h, 2) == ((1, "silent"),)

    format_ = Format("toy", mode="dealer", chance="shared")
    async with hall(tmp_path / "m.kifu", format_, people=6) as found:
        await test(found)


async def left_out(h: Hall, table: int) -> object:
    """The seats that have no part in the chance of a match, as it began."""
    log = h.servicers.records.entries(match_id(h.id, 1, table))
    return next(entry.event.without for entry in log if isinstance(entry.event, MatchBegan))


# -- pairings and standings ------------------------------------------------------------------------


async def test_the_service_pairs_rounds_and_tells_the_standings(tmp_path: Path) -> None:
    format_ = Format("toy", mode="dealer", rounds=2, tiebreaks=("penalties", "opponents-match-win"))
    async with hall(tmp_path / "m.kifu", format_) as h:
        first = await h.ask("PairRound", request_id="p")
        assert (first.round, first.by, len(first.tables)) == (1, "swiss", 2)
        assert (await h.ask("PairRound", request_id="p")).tables == first.tables
        anew = await h.ask("PairRound", seed=5)
        repeated = await h.ask("PairRound", seed=5)
        assert (anew.round, anew.tables) == (1, repeated.tables)
        assert (await h.state()).rounds[0].seed == 5
        assert (await h.ask("PairRound", by="elimination")).by == "elimination"
        assert await refused(h.ask("PairRound", by="lots")) == "FIELD_INVALID"
        assert await refused(h.ask("PairRound", by="given")) == "FIELD_INVALID"
        await h.ask("PairRound", seed=5)
        await h.ask("OpenRound")
        await h.ask("StartRound")
        assert await refused(h.ask("PairRound")) == "ROUND_NOT_ENDED"
        await h.concede(1, 0)
        await h.concede(2, 0)
        s = await h.state()
        await h.ask("EndRound")
        found = await h.ask("GetStandings", person(Role.PUBLIC, h))
        won = {one.outcome.winner for one in s.rounds[0].tables.values() if one.outcome}
        assert {one.player for one in found.rows[:2]} == won
        assert [one.points for one in found.rows] == [3, 3, 0, 0]
        assert [one.short for one in found.tiebreaks] == ["Pen", "OMW%"]
        assert [one.figures[0] for one in found.rows] == [""] * 4  # they are for officials
        assert [one.figures[0] for one in (await h.ask("GetStandings")).rows] == ["0"] * 4
        second = await h.ask("PairRound")
        assert {second.tables[0].first, second.tables[0].second} == won
        await h.ask("OpenRound")
        await h.ask("StartRound")
        for table in (1, 2):
            await h.concede(table, 0, 2)
        await h.state()
        await h.ask("EndRound")
        assert await refused(h.ask("PairRound")) == "CANNOT_PAIR"


# -- formats ---------------------------------------------------------------------------------------


async def test_a_format_that_no_match_could_have_is_refused(h: Hall) -> None:
    for format_, reason in (
        (Format("toy", best_of=2), "BAD_FORMAT"),
        (Format("toy", policy=Policy(delay="soon")), "FIELD_INVALID"),
        (Format("toy", prints=("{",)), "FIELD_INVALID"),
    ):
        request = pb.OpenTournamentRequest(name="Cup", format=wire.format_(format_))
        assert await refused(h.servicers.event.open_tournament(request, HEAD)) == reason


async def test_where_none_is_recorded_no_match_is_opened(tmp_path: Path) -> None:
    async with hall(tmp_path / "m.kifu", Format("toy", mode="")) as h:
        await started(h)
        assert h.waiting() == []
        await h.report(1, WON)
        await h.report(2, Outcome(1, 0, 0, 3))
        await h.ask("EndRound")


async def test_each_match_begins_with_the_list_that_is_registered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However the last one was played, cards of the sideboard are back in their place."""
    options: dict[str, Any] = {"format": "best-of-three"}
    form = Format("gundam", best_of=3, mode="dealer", options=options)
    side = ["GD01-001"] * 4 + ["GD01-002"] * 4 + ["GD01-003"] * 2
    ready = rulebook("gundam").decks["ST01"]
    monkeypatch.setitem(in_process.BOOKS, "gundam@1.9", rulebook("gundam@1.9"))
    async with hall(tmp_path / "m.kifu", form) as h:
        await h.ask("ReopenList", player=1, why="a sideboard")
        parts = {**{part: [*cards] for part, cards in ready.items()}, "side": side}
        await h.ask("HandInList", player=1, deck=convert.deck(Deck("mine", parts)))
        await h.ask("AcceptLists")
        await h.pair(*TABLES)
        await h.ask("OpenRound")
        await h.ask("StartRound")
        await h.concede(1, 0)
        match = match_id(h.id, 1, 1)
        swap = Act("side", 0, (("4 ST01-005 -> GD01-001",),))
        number = await h.servicers.matches.query(match, lambda m: m.pos.decision.n)
        seat = Identity(Role.SEAT, "s", match, 0)
        request = ChooseRequest(match_id=match, decision=number, act=wire.act(swap), seat=0)
        await h.servicers.match.choose(request, seat)
        first = await h.servicers.matches.query(match, lambda m: m.pos.heading.decks[0][1])
        assert first["main"].count("GD01-001") == 4
        await h.concede(1, 0)
        await h.report(2, Outcome(2, 0, 0, 3))
        await h.state()
        await h.ask("EndRound")
        await h.pair(*TABLES)
        await h.ask("OpenRound")
        found = await h.servicers.matches.query(
            match_id(h.id, 2, 1), lambda m: m.pos.heading.decks[0][1]
        )
        assert {part: [*cards] for part, cards in found.items()} == parts


async def test_an_event_says_that_the_servers_clock_was_set(h: Hall) -> None:
    at = [4_000_000_000 * 10**9, 0]
    clock = Clock(lambda: at[0], lambda: at[1])
    h.servicers.tournaments.clock = clock
    await started(h)
    found = await h.ask("GetTournament")
    assert (found.clock_jumped, found.now) == (0, clock())
    at[0] -= 600 * 10**9
    at[1] += 10**9
    table = (await h.state()).rounds[0].tables[1]
    assert table.clock is not None
    before = table.clock.at(found.now)
    found = await h.ask("GetTournament")
    assert found.clock_jumped == -601_000
    assert table.clock.at(found.now) == before - 1000
