"""What penalties cost that were given outside a match falls on one, once."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from kifu.v1 import desk_service_pb2 as desk
from msgspec.structs import replace

from domain.record.interventions import Penalty, Ruling
from domain.tournament.record import RULED, Format, Infraction, Outcome
from domain.tournament.state import match_id
from service.identity import Role
from service.live.carrying import Carrying
from service.live.results import given_of
from tests.support.halls import TABLES, WON, Hall, hall, person, refused, reopened, started, states
from tests.support.in_process import HEAD, choosing

LATE = Infraction("late", "", "warning", late=((0, "match-loss"),))
SERIES = Format("gundam", 3, "dealer", seconds=3000, infractions=(LATE,))
LOSS = {"kind": "game-loss", "note": "a list that was wrong"}


def given(h: Hall, table: int, number: int = 1) -> list[Penalty]:
    """The penalties in the record of a match."""
    match = match_id(h.id, number, table)
    found = (entry.event for entry in h.servicers.records.entries(match))
    return [event for event in found if isinstance(event, Penalty)]


async def score(h: Hall, table: int, number: int = 1) -> list[int]:
    """The games that were won in a match."""
    match = match_id(h.id, number, table)
    found: list[int] = await h.servicers.matches.query(match, lambda m: [*m.pos.score])
    return found


async def test_a_loss_between_rounds_falls_on_the_next_match_once(tmp_path: Path) -> None:
    async with hall(tmp_path / "m.kifu", SERIES) as h:
        done = await h.ask("PenalisePlayer", player=1, request_id="p", **LOSS)
        await h.ask("PenalisePlayer", player=3, kind="warning", note="costs nothing")
        gone = await h.ask("PenalisePlayer", player=4, kind="match-loss", note="a mistake")
        await h.ask("WithdrawPenalty", entry=gone.entry, why="it was nothing")
        await h.pair(*TABLES)
        await h.ask("OpenRound")
        assert given(h, 1) == []
        assert states((await h.ask("StartRound")).tables) == ["carried", "begun"]
        (one,) = given(h, 1)
        assert (one.seat, one.kind, one.note) == (0, "game-loss", LOSS["note"])
        assert given(h, 2) == []
        s = await h.state()
        assert s.penalties[done.entry].match == match_id(h.id, 1, 1)
        assert s.penalties[done.entry].source > 0
        assert len(s.penalties) == 3
        repeated = await h.ask("PenalisePlayer", player=1, request_id="p", **LOSS)
        assert repeated.entry == done.entry
        await h.ask("StartRound")
        await h.servicers.following.take_up()
        await h.state()
        assert await score(h, 1) == [0, 1]
        assert len(given(h, 1)) == 1


async def test_a_loss_falls_on_the_match_that_goes_on(tmp_path: Path) -> None:
    async with hall(tmp_path / "m.kifu", SERIES) as h:
        await started(h)
        done = await h.ask("PenalisePlayer", player=4, **LOSS)
        assert states(done.tables) == ["carried"]
        assert await score(h, 2) == [1, 0]
        done = await h.ask("PenalisePlayer", player=4, **LOSS)  # a second one decides it
        s = await h.state()
        assert s.rounds[0].tables[2].outcome == Outcome(2, 0, 0, 3)
        done = await h.ask("PenalisePlayer", player=4, **LOSS)  # which is for the next
        assert states(done.tables) in ([], ["nothing"])
        assert (await h.state()).penalties[done.entry].match == ""
        await h.ask("PenalisePlayer", player=1, kind="disqualification", note="cheated")
        s = await h.state()
        assert s.players[1].dropped
        outcome = s.rounds[0].tables[1].outcome
        assert outcome is not None
        assert outcome.winner == 2
        await h.ask("EndRound")
        await h.pair((4, 2), (3, 0))
        await h.ask("OpenRound")
        await h.ask("StartRound")
        assert await score(h, 1, 2) == [0, 1]


async def test_two_who_do_not_come_both_lose(tmp_path: Path) -> None:
    async with hall(tmp_path / "m.kifu", SERIES) as h:
        await started(h)
        for player in (1, 2):
            await h.ask(
                "PenalisePlayer", player=player, kind="match-loss", infraction="late", round=1
            )
        outcome = (await h.state()).rounds[0].tables[1].outcome
        assert outcome is not None
        assert (outcome.winner, outcome.both_lost) == (0, True)
        await h.ask("PenalisePlayer", player=1, kind="match-loss", note="for the next")
        assert len(given(h, 1)) == 2


@pytest.mark.parametrize("mode", ["dealer", "table"])
async def test_two_who_lose_their_only_game_by_coming_late_both_lose_it(
    tmp_path: Path, mode: str
) -> None:
    async with hall(tmp_path / "m.kifu", replace(SERIES, best_of=1, mode=mode)) as h:
        await started(h)
        for player in (1, 2):
            late = {"kind": "game-loss", "infraction": "late", "round": 1}
            await h.ask("PenalisePlayer", player=player, **late)
        await h.ask("PenalisePlayer", player=4, kind="game-loss", infraction="late", round=1)
        s = await h.state()
        assert [one.outcome for one in s.rounds[0].tables.values()] == [
            Outcome(0, 0, 0, 0, RULED, both_lost=True),
            Outcome(1, 0, 0, 3),
        ]
        assert all(one.source for one in s.penalties.values())
        await h.servicers.following.take_up()
        assert len(given(h, 1)) == 2


async def test_at_a_real_table_a_loss_waits_until_they_sit_or_decides_at_once(
    tmp_path: Path,
) -> None:
    format_ = Format("gundam", 3, "table", seconds=3000)
    async with hall(tmp_path / "m.kifu", format_) as h:
        await h.ask("PenalisePlayer", player=1, **LOSS)
        await h.ask("PenalisePlayer", player=3, kind="match-loss", note="cheated")
        await started(h)
        s = await h.state()
        assert s.rounds[0].tables[2].outcome == Outcome(0, 1, 0, 4, RULED)
        assert given(h, 1) == []
        await h.begin(1)
        await h.state()
        assert len(given(h, 1)) == 1
        assert await score(h, 1) == [0, 1]


async def test_a_loss_survives_its_server_between_recording_and_carrying(tmp_path: Path) -> None:
    file = tmp_path / "m.kifu"
    async with hall(file, SERIES) as h:
        await started(h)
        with patch.object(Carrying, "penalties", _dies), pytest.raises(RuntimeError):
            await h.ask("PenalisePlayer", player=1, **LOSS)
        assert given(h, 1) == []
    async with reopened(file) as h:
        await h.state()
        assert len(given(h, 1)) == 1
        s = await h.state()
        assert [one.match for one in s.penalties.values()] == [match_id(h.id, 1, 1)]
        with patch.object(h.servicers.following, "saved"):  # not told that it was carried
            await h.ask("PenalisePlayer", player=2, **LOSS)
        assert len(given(h, 1)) == 2
    async with reopened(file) as h:
        s = await h.state()
        assert [bool(one.source) for one in s.penalties.values()] == [True, True]
        assert len(given(h, 1)) == 2
        assert len(given_of(h.servicers.records, match_id(h.id, 1, 1))) == 2


async def _dies(*_: Any) -> Any:
    raise RuntimeError


async def test_going_back_to_before_a_loss_withdraws_it(tmp_path: Path) -> None:
    async with hall(tmp_path / "m.kifu", SERIES) as h:
        await started(h)
        match = match_id(h.id, 1, 1)
        await choosing(h.servicers, match)
        n = await h.servicers.matches.query(match, lambda m: m.pos.decision.n)
        done = await h.ask("PenalisePlayer", player=1, **LOSS)
        await h.state()
        back = desk.RewindMatchRequest(match_id=match, decision=n, why="it was his opponent's")
        await h.servicers.desk.rewind_match(back, HEAD)
        s = await h.state()
        assert s.penalties[done.entry].withdrawn
        await h.servicers.following.take_up()
        assert await score(h, 1) == [0, 0]


async def test_a_match_that_has_ended_meanwhile_keeps_its_result(tmp_path: Path) -> None:
    async with hall(tmp_path / "m.kifu") as h:
        await started(h)
        with patch.object(h.servicers.following, "saved"):  # its table has no result yet
            await h.concede(1, 1)
            await h.ask("PenalisePlayer", player=1, **LOSS)
        h.servicers.following.look(match_id(h.id, 1, 1))
        s = await h.state()
        outcome = s.rounds[0].tables[1].outcome
        assert outcome is not None
        assert outcome.winner == 1
        assert given(h, 1) == []


async def test_where_no_match_is_recorded_nothing_is_carried(tmp_path: Path) -> None:
    async with hall(tmp_path / "m.kifu", Format("toy", mode="")) as h:
        await started(h)
        done = await h.ask("PenalisePlayer", player=1, **LOSS)
        assert states(done.tables) == []
        await h.ask("PenalisePlayer", player=3, kind="match-loss", note="cheated")
        s = await h.state()
        assert [one.outcome for one in s.rounds[0].tables.values()] == [
            None,
            Outcome(0, 1, 0, 4, RULED),
        ]
        await h.report(1, WON)


async def test_the_head_judges_penalties_are_his_at_the_desk_of_a_match_as_well(
    tmp_path: Path,
) -> None:
    async with hall(tmp_path / "m.kifu", replace(SERIES, reserved="match-loss")) as h:
        await started(h)
        match, judge = match_id(h.id, 1, 1), person(Role.OFFICIAL, h, 1)
        loss = desk.RecordPenaltyRequest(match_id=match, seat=0, kind="match-loss", note="so")
        assert await refused(h.servicers.desk.record_penalty(loss, judge)) == "HEAD_JUDGE_ONLY"
        await h.ask("NameOfficial", name=judge.subject, role="head judge")
        await h.servicers.desk.record_penalty(loss, judge)
        assert (await h.state()).rounds[0].tables[1].outcome is not None


async def test_an_appeal_names_a_ruling_of_its_table(tmp_path: Path) -> None:
    async with hall(tmp_path / "m.kifu", SERIES) as h:
        await started(h)
        match, judge = match_id(h.id, 1, 1), person(Role.OFFICIAL, h)
        ruling = desk.RecordRulingRequest(match_id=match, text="it is so")
        done = await h.servicers.desk.record_ruling(ruling, HEAD)
        seat = person(Role.SEAT, h, 1, 1)
        seqs = range(done.recorded.first_seq, done.recorded.last_seq + 1)
        found = [
            one.seq
            for one in h.servicers.records.entries(match)
            if one.seq in seqs and isinstance(one.event, Ruling)
        ]
        wrong = h.ask("RaiseAppeal", seat, table=1, seq=found[0] - 1)
        assert await refused(wrong) == "NO_RULING"
        appeal = await h.ask("RaiseAppeal", seat, table=1, seq=found[0], text="it is not")
        assert appeal.appeal == 1
        other = h.ask("RaiseAppeal", person(Role.SEAT, h, 2, 0), table=1, seq=found[0])
        assert await refused(other) == "ROLE_REQUIRED"
        assert await refused(h.ask("AnswerAppeal", judge, appeal=1)) == "HEAD_JUDGE_ONLY"
        answered = await h.ask("AnswerAppeal", appeal=1, seconds=120)
        assert states(answered.tables) == ["carried"]
        (one,) = (await h.state()).appeals.values()
        assert (one.player, one.seq, one.answered_by) == (2, found[0], HEAD.subject)


async def test_the_table_of_a_round_that_is_over_takes_no_more_acts(tmp_path: Path) -> None:
    file = tmp_path / "m.kifu"
    async with hall(file, replace(SERIES, best_of=1)) as h:
        await started(h)
        await h.concede(2, 0)
        await h.state()
        await h.report(1, WON)
        with patch.object(Carrying, "stop", _dies), pytest.raises(RuntimeError):
            await h.ask("EndRound")
    async with reopened(file) as h:
        assert await refused(h.concede(1, 0)) == "PAUSED"
        await h.ask("EndTournament")
        assert (await h.state()).rounds[0].tables[1].outcome == WON
        assert await refused(h.concede(1, 1)) == "PAUSED"
        n = len(given(h, 1))
        await h.servicers.following.take_up()
        assert len(given(h, 1)) == n
    async with hall(tmp_path / "table.kifu", Format("gundam", mode="table", seconds=60)) as h:
        await started(h)
        for table, winner in ((1, 1), (2, 3)):
            await h.report(table, Outcome(1, 0, 0, winner))
        await h.ask("EndRound")
        assert await refused(h.begin(1)) == "ROUND_ENDED"
