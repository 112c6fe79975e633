"""Ends matches whose minutes are over, once time was called (`engine.timekeeping.runs_out`).

A match is noted whenever it has gone on (`note`), and one that nobody goes on with is found in its
list: after a crash, or if another server had it. What ends it are ordinary entries of a command,
with the time at which the minutes ran out: so it is as it would have been if somebody had been
there at once, and of several servers one is the first.

If the system's clock is set forward, or the machine slept, the minutes have not been played: each
match gets them back before any is ended.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, Protocol

from domain.engine.match import Match, Refused
from domain.engine.signals import RollRequired
from domain.engine.timekeeping import runs_out
from domain.officials import clocks
from domain.officials.frame import Official
from domain.record.entries import Entry
from domain.record.position import Position
from service.live.background import Background
from service.live.lanes import Lanes
from service.live.rolls import Rolls
from service.store.derived import listing
from service.store.records import ChainBroken, Conflict, NoSuchMatch, Records, StoreError
from service.store.tables import lists
from service.telemetry.logs import log_event

#: How often is looked whether the minutes of a match are over, and for those that others left, in
#: seconds.
EVERY, LEFT = 0.5, 15.0
#: Who ends them.
WHO, OVER, LEAPT = "kifu", "the minutes are over", "the clock was set forward, or had slept"


class Command(Protocol):
    """Carries a command out on a match (`Matches.command`)."""

    def __call__(
        self, match: str, command: Callable[[Match, int], None], *, in_thread: bool
    ) -> Awaitable[Sequence[Entry]]: ...


class Minutes:
    """The matches whose time was called, and when each ends. To be used within one loop."""

    def __init__(
        self,
        records: Records,
        lanes: Lanes,
        background: Background,
        query: Callable[[str, Callable[[Match], Any]], Awaitable[Any]],
        clock: Callable[[], int],
        leapt: Callable[[], int],
    ) -> None:
        """`clock` gives milliseconds since 1970, `leapt` how many of them did not pass."""
        self._records, self._in_thread = records, partial(lanes.run, unlimited=True)
        self._finish, self._query, self._clock = background.finish, query, clock
        self._leapt, self._counted = leapt, leapt()
        self._due = dict[str, int | None]()  # since 1970; None: not as they stand
        self._failed = set[str]()

    def note(self, match: str, p: Position) -> None:
        """Note how a match stands."""
        if p.over or p.heading.fork or not (p.called and p.deadline):
            self._due.pop(match, None)
            return
        due = runs_out(p)
        self._due[match] = p.heading.at + due if due is not None else None

    async def look(self, command: Command) -> None:
        """Wait a moment, then end those whose minutes are over."""
        await asyncio.sleep(EVERY)
        leapt = self._leapt()
        leap, self._counted = leapt - self._counted, leapt
        if leap > 0:
            await self._each([*self._due], partial(_give_back, leap), command)
        now = self._clock()
        due = [match for match, at in self._due.items() if at is not None and at <= now]
        await self._each(due, end, command)

    async def take_up(self) -> None:
        """Note those that may have been left, or gone on with, by other servers; then wait."""
        if await self._in_thread(self._records.driver.leading, "minutes"):
            found = await self._in_thread(lambda: [*lists.every(self._records, listing.TIMED)])
            for match in [match for page in found for _, match in page]:
                if self._due.get(match) is None and match not in self._failed:
                    try:
                        await self._query(match, partial(self._noted, match))
                    except Exception as error:  # one that can't be read keeps no other from it
                        self._leave(match, str(error), for_good=not isinstance(error, StoreError))
        await asyncio.sleep(LEFT)

    def _noted(self, match: str, m: Match) -> None:
        self.note(match, m.pos)

    async def _each(
        self,
        matches: Sequence[str],
        act: Callable[[Rolls, Match, Official], None],
        command: Command,
    ) -> None:
        done = (self._finish(self._one(match, act, command)) for match in matches)
        await asyncio.gather(*done)

    async def _one(
        self, match: str, act: Callable[[Rolls, Match, Official], None], command: Command
    ) -> None:
        rolls = Rolls()
        while True:
            try:
                await command(
                    match, lambda m, now: act(rolls, m, Official(WHO, now, OVER)), in_thread=True
                )
            except RollRequired:  # and is rolled by now
                continue
            except (StoreError, Conflict) as error:  # it is away, or others are quicker
                self._leave(match, str(error))
            except (Refused, NoSuchMatch, ChainBroken) as error:
                self._leave(match, str(error), for_good=True)
            except Exception as error:
                log_event(logging.ERROR, "match not ended by time", match=match, wrong=error)
                self._leave(match, "", for_good=True)
            return

    def _leave(self, match: str, why: str, for_good: bool = False) -> None:
        """Let go of a match until it is taken up, or (`for_good`) goes on."""
        log_event(logging.WARNING, "match not ended by time", match=match, text=why)
        self._due.pop(match, None)
        if for_good:
            self._failed.add(match)


def end(rolls: Rolls, m: Match, by: Official) -> None:
    """End a match by time, unless its minutes are not over: it has gone on meanwhile."""
    due = runs_out(m.pos)
    if due is not None and due <= by.now:
        rolls.used(0, by, partial(clocks.run_out, m))


def _give_back(ms: int, _: Rolls, m: Match, by: Official) -> None:
    """Give a match back what its minutes have lost, if they run and are not over for good."""
    p = m.pos
    if p.deadline and not p.over and p.paused < 0 and p.deadline + ms > max(by.now, p.time):
        clocks.give_minutes(m, Official(by.who, by.now, LEAPT), ms)
