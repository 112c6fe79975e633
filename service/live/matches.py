"""Live matches: what is being played, in memory.

A command takes its match's lock, is carried out in memory, is made durable (`commit`) and only then
published and acknowledged. From the lock on it runs to its end, whoever gives up waiting for it; a
match that was taken back takes the place of the other once that is durable. Whatever goes wrong
between, the match in memory is thrown away and resumed from its record by the next command. Idle
matches leave memory and come back the same way.

Who follows a match hears of what is durable through `streams`.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any, TypeVar

from domain.engine.match import Match, Opening, Refused, Stale
from domain.engine.naming import Misstated
from domain.engine.rulebook import Rulebook
from domain.record.entries import TYPES, Entry
from domain.record.events import ChanceDrawn
from service import wire
from service.dice import Dice
from service.live.streams import Streams, ends
from service.live.turns import CALLER, Busy, Turns
from service.logs import about, say
from service.store import derived, listing
from service.store.commit import Committer
from service.store.history import EVERY, History
from service.store.records import Records, StoreError, Work

#: Snapshots are made once no command came for so long, or after so long in any case, in seconds.
QUIET, PATIENCE = 0.05, 20.0
#: How often to look for what the process has added that holds the file, in seconds.
POLL = 0.5

T = TypeVar("T")

#: How many calls of one sender may wait for a match.
WAITING = 16

#: Carries a command out on a match, `now` milliseconds after it was opened.
Command = Callable[[Match, int], None]

#: Takes a match to where it was: from the one in memory, its log, chance, and the time.
Change = Callable[[Match, Sequence[Entry], Dice, int], Match]


#: Does something to a match in memory: that match, or another which is to take its place.
Doing = Callable[[Match, "Live", int], Match]


class UnknownGame(LookupError):
    """No rulebook of that name is at hand."""


class Live:
    """A match in memory, or on its way there (`match` is None)."""

    def __init__(self, name: str) -> None:
        self.id = name
        self.match: Match | None = None
        self.lock = asyncio.Lock()
        self.users = 0  # who hold the lock or wait for it
        self.waiting: Counter[str] = Counter()  # and who of them wait, by their tokens
        self.used = 0.0
        self.snapped = 0  # the entry up to which snapshots are up to date


class Matches:
    """All matches of a store, those in memory and those that are not."""

    def __init__(
        self,
        records: Records,
        rulebooks: Mapping[str, Rulebook],
        *,
        most: int = 1000,
        idle: float = 600.0,
        clock: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        seen: Callable[[int], None] = lambda works: None,
        failed: Callable[[str], None] = lambda task: None,
        unheard: Callable[[Exception], None] = lambda error: None,
    ) -> None:
        """At most `most` matches stay in memory, and none that nobody used for `idle` seconds.

        `seen` is told how many works shared a transaction, `failed` which task beside the play
        failed, `unheard` what a command raised whose caller had given up waiting. To be made within
        a running loop.
        """
        self.records = records
        self.history = History(records)
        self.rulebooks = rulebooks
        self.clock = clock
        self._most, self._idle = most, idle
        self._failed, self._unheard = failed, unheard
        self._committer = Committer(records, seen)
        self.turns = Turns()
        self._aside = partial(self.turns.do, patient=True)  # what was begun is not refused midway
        self._live: OrderedDict[str, Live] = OrderedDict()
        poll = POLL if records.hold is None else None
        self.streams = Streams(self.history, self.turns, lambda: self.clock(), poll)
        self._commanded = 0.0  # when the last command was carried out
        self._behind: asyncio.Queue[str] = asyncio.Queue()
        if records.hold is not None:
            soon = asyncio.get_running_loop().call_soon_threadsafe
            records.doubted = lambda match: (soon(self._behind.put_nowait, match), None)[1]
        self._under_way: set[asyncio.Task[Any]] = set()
        self._tasks = [
            asyncio.create_task(self._supervised("snapshots", self._snapshot)),
            asyncio.create_task(self._supervised("sweep", self._sweep)),
            asyncio.create_task(self._look_over()),
        ]

    def __len__(self) -> int:
        """How many matches are in memory."""
        return len(self._live)

    async def close(self) -> None:
        """Finish what was begun."""
        self.records.doubted = lambda match: None
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, *self._under_way, return_exceptions=True)
        await self._committer.close()
        self.turns.close()

    def rulebook(self, game: str) -> Rulebook:
        """The rulebook of a game; raises `UnknownGame`."""
        try:
            return self.rulebooks[game]
        except KeyError:
            raise UnknownGame(game) from None

    # -- commands --------------------------------------------------------------------------------

    async def open(self, match: str, game: str, opening: Opening, seed: int | None) -> list[Entry]:
        """Open a match under this id; raises `store.Conflict` if the id is taken."""
        dice = Dice(seed)
        with about(match=match):
            opened = await self._aside(Match.open, self.rulebook(game), opening, dice)
        entries = opened.collect()
        work = Work(match, entries, listing.derive(match, entries, seed), game)
        live = await self._hold(match)
        await self._whole(self._opened(live, opened, work))
        return entries

    async def _opened(self, live: Live, opened: Match, work: Work) -> None:
        try:
            await self._committer.submit(work)
            live.match = opened
        finally:
            self._leave(live)
        self._make_room()

    async def keep(self, match: str, game: str, entries: Sequence[Entry]) -> None:
        """Save a whole record under this id; raises `store.Conflict` if the id is taken."""
        work = Work(match, entries, listing.derive(match, entries), game)
        sent = await self._aside(lambda: [*map(wire.packed, entries)])
        await self._whole(self._kept(work._replace(sent=sent)))

    async def _kept(self, work: Work) -> None:
        await self._committer.submit(work)
        self._behind.put_nowait(work.match)

    async def command(
        self,
        match: str,
        command: Command,
        before: Callable[[], Any] | None = None,
        *,
        apart: bool = False,
    ) -> Sequence[Entry]:
        """Carry out a command; the entries it added, which are durable.

        `before` looks at the record first, in a thread, while nothing else happens to the match;
        what it raises ends the command. `apart`: the command is one that may take long. Raises what
        the command raises, and `Busy` if its sender has too many waiting.
        """
        return await self._do(match, before, partial(_carried_out, command), apart)

    async def go_back(
        self, match: str, change: Change, before: Callable[[], Any] | None = None
    ) -> Sequence[Entry]:
        """Take a match to where it was before; the entries that this added. Like `command`."""
        return await self._do(match, before, partial(self._changed, change), apart=True)

    async def look(self, match: str, at: Callable[[Match], Any], *, apart: bool = False) -> Any:
        """Ask a match something that changes nothing; `apart`: something that may take long."""
        live = await self._hold(match)
        return await self._whole(self._looked(live, at, apart))

    async def _do(
        self, match: str, before: Callable[[], Any] | None, work: Doing, apart: bool = False
    ) -> Sequence[Entry]:
        """Do something to a match under its lock, save it, publish it; `apart`: in a thread."""
        live = await self._hold(match)
        return await self._whole(self._done(live, before, work, apart))

    async def _done(
        self, live: Live, before: Callable[[], Any] | None, work: Doing, apart: bool
    ) -> Sequence[Entry]:
        try:
            was = await self._awake(live)
            if before is not None:
                await self._aside(before)
            live.match = None  # until what comes of it is durable
            with about(**_standing(live, was)):
                match = await self._worked(live, was, work, apart)
                entries = await self._saved(live, match)
            live.match = match
            return entries
        finally:
            self._leave(live)

    async def _worked(self, live: Live, was: Match, work: Doing, apart: bool) -> Match:
        """The match as a command leaves it; refused, it stays in memory as it was."""
        doing = partial(work, was, live, self.clock() - was.pos.heading.at)
        try:
            return await self._aside(doing) if apart else doing()
        except (Refused, Stale) as error:
            if not isinstance(error, Misstated) and not was.collect():
                live.match = was
            raise

    async def _saved(self, live: Live, match: Match) -> list[Entry]:
        """Save and publish what a command added: those entries."""
        self._commanded = time.monotonic()
        entries = match.collect()
        if entries:
            also, game = listing.derive(live.id, entries), match.pos.heading.game
            sent = await self._committer.submit(Work(live.id, entries, also, game))
            self._publish(live, entries, sent)
        return entries

    async def _looked(self, live: Live, at: Callable[[Match], Any], apart: bool) -> Any:
        try:
            match, live.match = await self._awake(live), None
            with about(**_standing(live, match)):
                found = await self._aside(at, match) if apart else at(match)
            live.match = match
            return found
        finally:
            self._leave(live)

    def _changed(self, change: Change, was: Match, live: Live, now: int) -> Match:
        """The match as it is changed, which is to take the place of the one in memory."""
        listed, log = listing.find(self.records, live.id), self.records.entries(live.id)
        dice = Dice(listed.seed, sum(type(entry.event) is ChanceDrawn for entry in log))
        return change(was, log, dice, now)

    def _publish(self, live: Live, entries: Sequence[Entry], sent: Sequence[Any]) -> None:
        """What follows when a command is durable."""
        if ends(entries):
            say(logging.INFO, "match ended", match=live.id, entries=entries[-1].seq)
        self.streams.publish(live.id, entries, sent)
        if entries[-1].seq - live.snapped >= EVERY:
            live.snapped = entries[-1].seq
            self._behind.put_nowait(live.id)

    async def _whole(self, work: Coroutine[Any, Any, T]) -> T:
        """Carry something out to its end, even if whoever waits for it gives up."""
        task = asyncio.create_task(work)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(self._went_unheard)
            raise

    def _went_unheard(self, task: asyncio.Task[Any]) -> None:
        """Nobody waits for it any more; if it failed, somebody must hear all the same."""
        if not task.cancelled() and isinstance(error := task.exception(), Exception):
            self._unheard(error)

    # -- memory ----------------------------------------------------------------------------------

    async def _hold(self, match: str) -> Live:
        """Take a match's lock, whether it is in memory or not. Who gives up here began nothing."""
        live = self._live.get(match)
        if live is None:
            live = self._live[match] = Live(match)
        caller = CALLER.get()
        sender = caller.token if caller is not None else ""
        if caller is not None and live.waiting[sender] >= WAITING:
            raise Busy(0.2)
        live.users += 1
        live.used = time.monotonic()
        self._live.move_to_end(match)
        live.waiting[sender] += 1
        try:
            await live.lock.acquire()
        except BaseException:
            self._let_go(live)
            raise
        finally:
            live.waiting[sender] -= 1
            live.waiting += Counter()  # drops what came to nothing
        return live

    def _leave(self, live: Live) -> None:
        live.lock.release()
        self._let_go(live)

    def _let_go(self, live: Live) -> None:
        live.users -= 1
        if live.match is None and not live.users and self._live.get(live.id) is live:
            del self._live[live.id]

    async def _awake(self, live: Live) -> Match:
        """The match, which is brought into memory if it is not there."""
        if live.match is None:
            with about(match=live.id):
                found = await self._aside(self._resume, live.id)
            live.match, live.snapped, tail = found
            if tail >= 2 * EVERY:
                self._behind.put_nowait(live.id)
            self._make_room()
        return live.match

    def _resume(self, match: str) -> tuple[Match, int, int]:
        """A match from its record, the entry of its snapshot, and how many entries came after."""
        listed = listing.find(self.records, match)
        rules = self.rulebook(listed.heading.game)
        base = self.history.resting(match)
        start = base.seq if base is not None else 0
        tail = self.records.entries(match, start)
        drawn = 0 if listed.seed is None else self.records.count(match, _CHANCE)
        found = Match.resume(rules, tail, Dice(listed.seed, drawn), base)
        return found, start, len(tail)

    def _make_room(self) -> None:
        """Let the matches go that were not used for longest, if there are too many."""
        excess = len(self._live) - self._most
        if excess > 0:
            idle = (live for live in self._live.values() if not live.users)
            for live in list(islice(idle, excess)):
                del self._live[live.id]

    # -- beside the play -------------------------------------------------------------------------

    async def _supervised(self, name: str, once: Callable[[], Awaitable[None]]) -> None:
        """Do something over and over; a failure is logged and counted, and ends nothing."""
        while True:
            try:
                await once()
            except Exception as error:
                say(logging.ERROR, "background task failed", wrong=error, task=name)
                self._failed(name)

    async def _sweep(self) -> None:
        await asyncio.sleep(min(self._idle, 30.0))
        last = time.monotonic() - self._idle
        for live in [one for one in self._live.values() if not one.users and one.used < last]:
            del self._live[live.id]

    async def _snapshot(self) -> None:
        """Bring the snapshots of a match up to date (`history`), when nobody waits."""
        match = await self._behind.get()
        for _ in range(int(PATIENCE / QUIET)):
            if time.monotonic() - self._commanded > QUIET:
                break
            await asyncio.sleep(QUIET)
        if match in self.records.doubts:
            live = await self._hold(match)
            await self._whole(self._made_anew(live))
            return
        due = await self._aside(self.history.advance, match)
        if due:
            await self._committer.submit(Work(match, (), due))

    async def _look_over(self) -> None:
        """Find the matches that are in no listing."""
        try:
            for match in await self._aside(derived.missing, self.records):
                self.records.doubt(match, "listing")
        except StoreError as error:
            say(logging.ERROR, "the listing can't be read", wrong=error)

    async def _made_anew(self, live: Live) -> None:
        """Make all that is derived of a match anew, while nothing else happens to it."""
        try:
            steps = derived.anew(self.records, live.id)
            while (due := await self._aside(next, steps, None)) is not None:
                await self._committer.submit(Work(live.id, (), due))
            self.records.doubts.discard(live.id)
            say(logging.INFO, "derived data made anew", match=live.id)
        finally:
            self._leave(live)


def _standing(live: Live, match: Match) -> dict[str, object]:
    """Where a match stands, for the log: the open decision, and the last entry that is durable."""
    decision = match.pos.decision
    return {
        "match": live.id,
        "decision": decision.n if decision is not None else 0,
        "entry": match.pos.seq,
    }


def _carried_out(command: Command, match: Match, _: Live, now: int) -> Match:
    command(match, now)
    return match


_CHANCE = next(tag for tag, cls in TYPES.items() if cls is ChanceDrawn)
