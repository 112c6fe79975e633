"""Puts results of a tournament's matches on its record automatically.

Whenever entries of such a match are durable that may concern it, the match is looked at, and what
differs is added (`domain.tournament.acts.played`); if the store is away, once it is back. What a
crash left out is found at the next start (`take_up`), where that of the tournament is carried to
its matches first.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from domain.officials.acts import RecordPenalty
from domain.record import events as ev
from domain.record import interventions as iv
from domain.record.entries import Entry
from domain.tournament.acts import checks, penalties, played
from domain.tournament.acts.played import Played
from domain.tournament.record import Entry as TournamentEntry
from domain.tournament.record import ResultWithdrawn
from domain.tournament.state import Seating, Stage, State, place_of
from domain.tournament.tournament import Sender, Tournament
from service.live import results
from service.live.background import FAILED, LONGEST
from service.live.carrying import Carrying
from service.live.matches import Matches
from service.live.tournaments import Tournaments, tournament_of
from service.store.derived import listing
from service.store.records import Conflict, Gone, Locked, NoSuchMatch, StoreError
from service.store.tables.tournaments import NoSuchTournament
from service.telemetry.logs import log_event

#: What the service calls itself where it takes up what was left out.
WHO = "kifu"
#: What may change of a match: whether it has begun, its clock, its result.
BEGUN, CLOCK, RESULT = "begun", "clock", "result"
_CONCERN: dict[type[ev.Event], str] = {
    iv.MatchBegan: BEGUN,
    iv.SeedGiven: BEGUN,
    iv.Paused: CLOCK,
    iv.ClockSet: CLOCK,
    iv.TimeCalled: CLOCK,
    ev.MatchEnded: RESULT,
    iv.ResultCorrected: RESULT,
    iv.Rewound: RESULT,
    iv.Penalty: RESULT,
}
#: What passes: the store is away, or others are quicker.
_PASSING = (Gone, Locked, Conflict)
#: Adds the result of a match.
Act = Callable[[Tournament, Sender, str, Played], None]

#: How often to look for what other servers have left, in seconds.
LOOK_EVERY = 30.0


class Following:
    """Follows the matches of tournaments. To be used within one loop."""

    def __init__(self, tournaments: Tournaments, matches: Matches, carrying: Carrying) -> None:
        self._tournaments, self._matches, self._carrying = tournaments, matches, carrying
        self._due = dict[str, set[str]]()  # what may have changed, of which match
        self._tasks = set[asyncio.Task[None]]()
        self._leaving = asyncio.Event()

    def saved(self, match: str, entries: Sequence[Entry]) -> None:
        """Look at a match that has further entries, which are durable."""
        if not tournament_of(match):
            return
        due = {what for e in entries if (what := _CONCERN.get(type(e.event))) is not None}
        if match in self._carrying.carried:  # what it is made to show it need not tell
            due &= {RESULT}
        if not due:
            return
        self._look_at(match, due)

    def look(self, match: str) -> None:
        """Look at the state of a match."""
        self._look_at(match, {RESULT})

    def _look_at(self, match: str, due: set[str]) -> None:
        if match in self._due:
            self._due[match] |= due
            return
        self._due[match] = due
        task = asyncio.create_task(self._matches.background.finish(self._follow(match)))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def may_begin(self, match: str) -> None:
        """Make sure that the round of a match has started, if it is one's; raises `Refused`."""
        if not (id_ := tournament_of(match)):
            return
        with suppress(NoSuchTournament):  # its record is elsewhere
            state = await self._tournaments.state(id_)
            if not played.started(state, match):
                text = "the match begins once its round has started"
                raise checks.refused(text, checks.ROUND, "ROUND_NOT_STARTED")
            if played.over(state, match):
                text = "the round of the match has ended, and its table has a result"
                raise checks.refused(text, checks.ROUND, "ROUND_ENDED")

    async def may_penalise(self, match: str, act: RecordPenalty, by: Sender) -> None:
        """Make sure that somebody may give a penalty in a match; raises `Refused`."""
        state = State()  # of no event, or one whose record is elsewhere: it has no infractions
        if id_ := tournament_of(match):
            with suppress(NoSuchTournament):
                state = await self._tournaments.state(id_)
        penalties.in_match(state, by, match, act.seat, act.kind, act.infraction, act.game_state)

    async def settled(self) -> None:
        """Wait until nothing is left to be looked at."""
        while self._tasks:
            await asyncio.gather(*self._tasks)

    async def close(self) -> None:
        """The same, but for what the store is too long away for."""
        self._leaving.set()
        await self.settled()

    async def take_up(self) -> None:
        """Put right what a crash may have left out, of all tournaments."""
        in_thread = self._matches.lanes.run
        for id_ in await in_thread(self._tournaments.store.lost, unlimited=True):
            log_event(
                logging.ERROR, "event lost", id=id_, text="it was chained, and has no entries"
            )
        for _, id_ in await in_thread(self._tournaments.store.opened, unlimited=True):
            try:
                await self._take_up(id_)
            except StoreError as error:  # one that can't be read keeps no other from it
                log_event(logging.WARNING, "event not taken up", id=id_, text=str(error))
            except Exception as error:
                log_event(logging.ERROR, "event not taken up", wrong=error, id=id_)

    async def keep_looking(self) -> None:
        """Wait, then take up what a server left that has ended, if it is for this one to do."""
        await asyncio.sleep(LOOK_EVERY)
        records = self._matches.records
        if await self._matches.lanes.run(records.driver.leading, "events", unlimited=True):
            await self.take_up()

    async def _take_up(self, id_: str) -> None:
        await self._tournaments.carried(id_, lambda: self._carrying.take_up(id_, WHO))
        state = await self._tournaments.state(id_)
        opened = [one for one in state.rounds if one.stage != Stage.PAIRED]
        known = [pair for one in opened for pair in state.matches(one)]
        ended = state.ended
        for match, table in known:
            try:
                if not ended or await self._differs(match, table):
                    await self._append(id_, match, played.take_result)
            except (Gone, Locked):
                raise
            except StoreError as error:  # one that can't be read keeps no other from it
                log_event(logging.WARNING, "match not taken up", match=match, text=str(error))

    async def _differs(self, match: str, table: Seating) -> bool:
        """Whether the result of a match that is listed may be another than its table's."""
        records = self._matches.records
        try:
            found = await self._matches.lanes.run(listing.find, records, match, unlimited=True)
        except NoSuchMatch:
            return False
        return found.ended != (table.result is not None) or found.superseded > 0

    async def _follow(self, match: str) -> None:
        """Look at a match; once more if that fails for a while, unless the service ends."""
        wait = FAILED
        while (due := self._due.pop(match, set())) and not await self._followed(match, due):
            self._due[match] = self._due.get(match, set()) | due
            with suppress(TimeoutError):
                await asyncio.wait_for(self._leaving.wait(), wait)
            if self._leaving.is_set():  # any server takes it up
                self._due.pop(match, None)  # or another look at it has gone first
            wait = min(2 * wait, LONGEST)

    async def _followed(self, match: str, due: set[str]) -> bool:
        """Record the result of a match; False: the store is not available."""
        id_ = tournament_of(match)
        try:
            if RESULT in due:
                added = await self._append(id_, match, played.take_result)
                if any(isinstance(one.event, ResultWithdrawn) for one in added):
                    due.add(BEGUN)  # it goes on, and has stood still while clocks were set
            if BEGUN in due:
                await self._tournaments.carried(id_, lambda: self._begun(id_, match))
            if CLOCK in due:
                clock = played.take_clock
                await self._tournaments.carried(id_, lambda: self._append(id_, match, clock))
        except _PASSING as error:
            log_event(logging.WARNING, "match not followed yet", match=match, text=str(error))
            return False
        except NoSuchTournament:  # its record is elsewhere
            pass
        except Exception as error:
            log_event(logging.ERROR, "match not followed", wrong=error, match=match)
        return True

    async def _begun(self, id_: str, match: str) -> None:
        """Let a match that began, or may do so by now, show what its table's clock does."""
        place, state = place_of(match), await self._tournaments.state(id_)
        if place is not None and played.started(state, match) and place[1] <= len(state.rounds):
            await self._carrying.begin(id_, place[1], WHO, [place[2]], patient=True)

    async def _append(self, id_: str, match: str, act: Act) -> Sequence[TournamentEntry]:
        """Append the result of a match, and again if another server appended meanwhile.

        That one may have been done with it before this one added what it had read.
        """
        in_thread, run = self._matches.lanes.run, self._tournaments.command
        added = list[TournamentEntry]()
        while True:
            try:
                found = await in_thread(self._played, match, unlimited=True)
            except NoSuchMatch:
                return added
            by, add = Sender(match, self._matches.clock()), partial(_add, act, match, found)
            added += (await run(id_, by, None, add))[0]
            if not await in_thread(self._went_on, match, found.last, unlimited=True):
                return added

    def _went_on(self, match: str, seq: int) -> bool:
        """Whether a match has entries after this one that may concern its tournament."""
        more = self._matches.records.entries(match, seq)
        return any(type(entry.event) in _CONCERN for entry in more)

    def _played(self, match: str) -> Played:
        return results.played(self._matches.history, match, self._matches.clock())


def _add(act: Act, match: str, found: Played, t: Tournament, by: Sender) -> None:
    act(t, by, match, found)
