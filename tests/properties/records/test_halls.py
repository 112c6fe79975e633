"""After any acts in the rounds of a tournament, its record and those of its matches agree.

Also after the service was started again, which adds nothing if it is done once more.
"""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st
from kifu.v1 import desk_service_pb2 as desk

from domain.engine.match import Refused, Stale
from domain.record.position import Position
from domain.record.views import OFFICIAL
from domain.tournament.acts.played import Played, outcome_of
from domain.tournament.folding import fold
from domain.tournament.record import Format, Outcome
from domain.tournament.state import Seating, Stage, match_id
from service import wire
from service.api.calls.errors import Fault
from service.identity import Role
from service.live.carrying import TOLERANCE
from service.store.tables.tournaments import Tournaments as Store
from tests.properties.strategies import examples
from tests.support.halls import Hall, hall, person, reopened
from tests.support.in_process import choosing

FORMAT = Format("toy", mode="dealer", seconds=3000, options={"turns": 2})


class Random:
    """Somebody who does anything at a tournament."""

    def __init__(self, h: Hall, rng: random.Random) -> None:
        self.h, self.rng = h, rng

    async def act(self) -> None:
        """Do something; what makes no sense is refused."""
        name = self.rng.choice([one for one in dir(self) if one.startswith("do_")])
        with suppress(Refused, Stale, Fault, LookupError):
            await getattr(self, name)()

    @property
    def table(self) -> int:
        return self.rng.randint(1, 2)

    async def match(self) -> str:
        state = await self.h.state()
        return match_id(self.h.id, max(len(state.rounds), 1), self.table)

    async def do_pair(self) -> None:
        await self.h.ask("PairRound")

    async def do_open(self) -> None:
        await self.h.ask("OpenRound")

    async def do_start(self) -> None:
        await self.h.ask("StartRound")

    async def do_end(self) -> None:
        await self.h.ask("EndRound")

    async def do_pause(self) -> None:
        await self.h.ask("PauseClock", tables=self.rng.choice([[], [1], [2]]))

    async def do_resume(self) -> None:
        await self.h.ask("ResumeClock", tables=self.rng.choice([[], [1], [2]]))

    async def do_extend(self) -> None:
        await self.h.ask("ExtendClock", seconds=self.rng.choice([60, -30]), tables=[self.table])

    async def do_call_time(self) -> None:
        await self.h.ask("CallRoundTime", tables=[self.table])

    async def do_report(self) -> None:
        outcome = wire.outcome(Outcome(0, 0, 0, 0, "agreed"))
        await self.h.ask("ReportResult", table=self.table, outcome=outcome)

    async def do_withdraw(self) -> None:
        await self.h.ask("WithdrawResult", table=self.table, why="a slip")

    async def do_choose(self) -> None:
        for _ in range(4):
            await choosing(self.h.servicers, await self.match())

    do_choose_more = do_repeat_choose = do_choose

    async def do_concede(self) -> None:
        state = await self.h.state()
        await self.h.concede(self.table, self.rng.randint(0, 1), len(state.rounds))

    async def do_rewind(self) -> None:
        match = await self.match()
        request = desk.RewindMatchRequest(match_id=match, decision=2, why="a mistake")
        await self.h.servicers.desk.rewind_match(request, person(Role.OFFICIAL, self.h))

    async def do_penalise(self) -> None:
        kind = self.rng.choice(["warning", "game-loss", "match-loss"])
        request = desk.RecordPenaltyRequest(
            match_id=await self.match(), seat=self.rng.randint(0, 1), kind=kind, note="so"
        )
        await self.h.servicers.desk.record_penalty(request, person(Role.OFFICIAL, self.h))

    async def do_correct(self) -> None:
        winner = self.rng.randint(-1, 1)
        score = [int(winner == 0), int(winner == 1)]
        request = desk.CorrectResultRequest(
            match_id=await self.match(), winner=winner, score=score, note="so"
        )
        await self.h.servicers.desk.correct_result(request, person(Role.OFFICIAL, self.h))

    async def do_pause_match(self) -> None:
        match, who = await self.match(), person(Role.OFFICIAL, self.h)
        if self.rng.random() < 0.5:
            await self.h.servicers.desk.pause_match(desk.PauseMatchRequest(match_id=match), who)
        else:
            await self.h.servicers.desk.resume_match(desk.ResumeMatchRequest(match_id=match), who)

    async def do_give_time(self) -> None:
        request = desk.ExtendTimeRequest(match_id=await self.match(), clock="round", ms=90_000)
        await self.h.servicers.desk.extend_time(request, person(Role.OFFICIAL, self.h))


def compare(p: Position, table: Seating, last: int, now: int) -> None:
    """A match and its table say the same."""
    result = table.result
    if result is None or result.source:
        assert p.over == (result is not None)
    if result is not None and result.source:
        assert result.source == p.results[-1].seq
        found = Played(p, last, p.time, {}, result.outcome.how == "conceded")  # type: ignore[union-attr]
        assert result.outcome == outcome_of(found, table)
    clock = table.clock
    if p.over or clock is None or result is not None:
        return
    assert not p.heading.waits
    assert clock.running == (p.paused < 0)
    assert clock.called == p.called
    if not p.called:
        left = max(p.left("round", now - p.heading.at), 0)
        assert abs(left - max(clock.at(now), 0)) <= 4 * TOLERANCE


async def agree(h: Hall) -> int:
    """The record of the tournament and those of its matches agree; its last entry."""
    s = await h.state()
    log, _ = Store(h.servicers.records).log(h.id)
    assert fold(log) == s
    for one in s.rounds:
        for match, table in s.matches(one):
            last = h.servicers.records.last(match)
            assert bool(last) == (one.stage != Stage.PAIRED)
            if last:
                p = h.servicers.matches.history.position(match, OFFICIAL)
                if one.stage == Stage.OPENED:
                    assert p.heading.waits
                clocked = table if one is s.round and one.stage == Stage.STARTED else None
                now = h.servicers.matches.clock()
                if clocked is not None or table.result is not None:
                    compare(p, table, last, now)
    return s.seq


async def tried(path: Path, seed: int) -> None:
    rng = random.Random(seed)
    async with hall(path, FORMAT) as h:
        for method in ("PairRound", "OpenRound", "StartRound")[: rng.randint(0, 3)]:
            await h.ask(method)
        for _ in range(rng.randint(5, 40)):
            await Random(h, rng).act()
        before = await agree(h)
    async with reopened(path) as h:
        assert await agree(h) == before
        for _ in range(10):
            await Random(h, rng).act()
        before = await agree(h)
        h.servicers.following.saved = lambda *_: None  # type: ignore[method-assign]
        for _ in range(10):  # the results of matches are lost by a crash
            await Random(h, rng).act()
    async with reopened(path) as h:
        after = await agree(h)
    async with reopened(path) as h:
        assert await agree(h) == after >= before


@given(st.integers(0, 2**32))
@examples(12)
def test_rounds_and_their_matches_agree_whatever_is_done(seed: int) -> None:
    with TemporaryDirectory() as folder:
        asyncio.run(tried(Path(folder) / "m.kifu", seed))
