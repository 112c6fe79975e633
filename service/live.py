"""Live matches: what is being played, in memory.

A command takes its match's lock, is carried out in memory, is made durable (`commit`) and only then
published and acknowledged. Whatever goes wrong between, the match in memory is thrown away and
resumed from its record by the next command. Idle matches leave memory and come back the same way.

Who follows a match hears of what is durable through `streams`.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

from domain.events import TYPES, ChanceDrawn, Entry, Rewound
from domain.match import Match, Opening, Refused, Stale
from domain.naming import Misstated
from domain.rulebook import Rulebook
from service import listing, rewinds
from service.commit import Committer
from service.dice import Dice
from service.history import EVERY, History
from service.logs import say
from service.store import Records, Work
from service.streams import Streams, ends

#: Snapshots are made once no command came for so long, or after so long in any case, in seconds.
QUIET, PATIENCE = 0.05, 20.0

#: Carries a command out on a match, `now` milliseconds after it was opened.
Command = Callable[[Match, int], None]

#: Takes a match to where it was: from the one in memory, its log, chance, and the time.
Change = Callable[[Match, Sequence[Entry], Dice, int], Match]


class UnknownGame(LookupError):
    """No rulebook of that name is at hand."""


class Live:
    """A match in memory, or on its way there (`match` is None)."""

    def __init__(self, name: str) -> None:
        self.id = name
        self.match: Match | None = None
        self.lock = asyncio.Lock()
        self.users = 0  # who hold the lock or wait for it
        self.used = 0.0
        self.snapped = 0  # the entry up to which snapshots are up to date
        self.rewound = False


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
    ) -> None:
        """At most `most` matches stay in memory, and none that nobody used for `idle` seconds.

        To be made within a running loop.
        """
        self.records = records
        self.history = History(records)
        self.rulebooks = rulebooks
        self.clock = clock
        self._most, self._idle = most, idle
        self._committer = Committer(records, seen)
        self._live: OrderedDict[str, Live] = OrderedDict()
        self.streams = Streams(self.history, lambda: self.clock())
        self._commanded = 0.0  # when the last command was carried out
        self._behind: asyncio.Queue[str] = asyncio.Queue()
        self._tasks = [
            asyncio.create_task(self._snapshots()),
            asyncio.create_task(self._sweep()),
        ]

    def __len__(self) -> int:
        """How many matches are in memory."""
        return len(self._live)

    async def close(self) -> None:
        """Finish what was begun."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._committer.close()

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
        opened = Match.open(self.rulebook(game), opening, dice)
        entries = opened.collect()
        also = listing.derive(match, entries, seed)
        await asyncio.shield(self._committer.submit(Work(match, entries, also, game)))
        live = self._live[match] = Live(match)
        live.match, live.used = opened, time.monotonic()
        self._make_room()
        return entries

    async def keep(self, match: str, game: str, entries: Sequence[Entry]) -> None:
        """Save a whole record under this id; raises `store.Conflict` if the id is taken."""
        also = listing.derive(match, entries)
        await asyncio.shield(self._committer.submit(Work(match, entries, also, game)))
        self._behind.put_nowait(match)

    async def command(
        self,
        match: str,
        command: Command,
        before: Callable[[], Any] | None = None,
    ) -> Sequence[Entry]:
        """Carry out a command; the entries it added, which are durable.

        `before` looks at the record first, in a thread, while nothing else happens to the match;
        what it raises ends the command. Raises what the command raises.
        """
        return await self._do(match, before, partial(self._carry_out, command))

    async def go_back(
        self, match: str, change: Change, before: Callable[[], Any] | None = None
    ) -> Sequence[Entry]:
        """Take a match to where it was before; the entries that this added. Like `command`."""
        return await self._do(match, before, partial(self._changed, change), apart=True)

    async def _do(
        self,
        match: str,
        before: Callable[[], Any] | None,
        work: Callable[[Live], Work],
        apart: bool = False,
    ) -> Sequence[Entry]:
        """Do something to a match under its lock, save it, publish it; `apart`: in a thread."""
        live = await self._enter(match)
        try:
            if before is not None:
                await asyncio.to_thread(before)
            found = await asyncio.to_thread(work, live) if apart else work(live)
        except BaseException:
            self._leave(live)
            raise
        done = self._committer.submit(found)
        done.add_done_callback(partial(self._settle, live, found.entries))
        await asyncio.shield(done)
        return found.entries

    def _changed(self, change: Change, live: Live) -> Work:
        """The match as it is changed takes the place of the one in memory."""
        was = live.match
        assert was is not None
        listed, log = listing.find(self.records, live.id), self.records.entries(live.id)
        dice = Dice(listed.seed, sum(type(entry.event) is ChanceDrawn for entry in log))
        live.match = match = change(was, log, dice, self.clock() - was.pos.heading.at)
        live.rewound = True
        entries = match.collect()
        return Work(live.id, entries, listing.derive(live.id, entries), listed.heading.game)

    def rewound(self, match: str) -> bool:
        """Whether a match was ever rewound, as far as that is known without looking it up."""
        live = self._live.get(match)
        return live is None or live.match is None or live.rewound

    async def look(self, match: str, at: Callable[[Match], Any]) -> Any:
        """Ask a match something that changes nothing."""
        live = await self._enter(match)
        try:
            assert live.match is not None
            return at(live.match)
        finally:
            self._leave(live)

    def _carry_out(self, command: Command, live: Live) -> Work:
        match = live.match
        assert match is not None
        try:
            command(match, self.clock() - match.pos.heading.at)
        except Misstated:
            live.match = None
            raise
        except (Refused, Stale):
            raise
        except BaseException:
            live.match = None
            raise
        self._commanded = time.monotonic()
        entries = match.collect()
        live.rewound = live.rewound or any(type(entry.event) is Rewound for entry in entries)
        return Work(live.id, entries, listing.derive(live.id, entries), match.pos.heading.game)

    def _settle(self, live: Live, entries: Sequence[Entry], done: asyncio.Future[None]) -> None:
        """What follows when a command is durable, or could not be made so."""
        if done.exception() is not None:
            live.match = None
        else:
            if ends(entries):
                say(logging.INFO, "match ended", match=live.id, entries=entries[-1].seq)
            self.streams.publish(live.id, entries)
            if entries[-1].seq - live.snapped >= EVERY:
                live.snapped = entries[-1].seq
                self._behind.put_nowait(live.id)
        self._leave(live)

    # -- memory ----------------------------------------------------------------------------------

    async def _enter(self, match: str) -> Live:
        """Take a match's lock, and bring it into memory if it is not there."""
        live = self._live.get(match)
        if live is None:
            live = self._live[match] = Live(match)
        live.users += 1
        live.used = time.monotonic()
        self._live.move_to_end(match)
        try:
            await live.lock.acquire()
        except BaseException:
            live.users -= 1
            raise
        if live.match is None:
            try:
                live.match, live.snapped, tail = await asyncio.to_thread(self._resume, live)
            except BaseException:
                self._leave(live)
                raise
            if tail >= 2 * EVERY:
                self._behind.put_nowait(match)
            self._make_room()
        return live

    def _leave(self, live: Live) -> None:
        live.lock.release()
        live.users -= 1
        if live.match is None and not live.users and self._live.get(live.id) is live:
            del self._live[live.id]

    def _resume(self, live: Live) -> tuple[Match, int, int]:
        """A match from its record, the entry of its snapshot, and how many entries came after."""
        match = live.id
        listed = listing.find(self.records, match)
        rules = self.rulebook(listed.heading.game)
        live.rewound = bool(rewinds.find(self.records, match))
        base = self.history.resting(match)
        start = base.seq if base is not None else 0
        tail = self.records.entries(match, start)
        drawn = 0 if listed.seed is None else self.records.count(match, _CHANCE)
        return Match.resume(rules, tail, Dice(listed.seed, drawn), base), start, len(tail)

    def _make_room(self) -> None:
        """Let the matches go that were not used for longest, if there are too many."""
        excess = len(self._live) - self._most
        if excess > 0:
            idle = (live for live in self._live.values() if not live.users)
            for live in list(islice(idle, excess)):
                del self._live[live.id]

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(min(self._idle, 30.0))
            last = time.monotonic() - self._idle
            for live in [one for one in self._live.values() if not one.users and one.used < last]:
                del self._live[live.id]

    async def _snapshots(self) -> None:
        """Keep the snapshots of `history` up to date, one match at a time, when nobody waits."""
        while True:
            match = await self._behind.get()
            for _ in range(int(PATIENCE / QUIET)):
                if time.monotonic() - self._commanded > QUIET:
                    break
                await asyncio.sleep(QUIET)
            due = await asyncio.to_thread(self.history.advance, match)
            if due:
                await asyncio.shield(self._committer.submit(Work(match, (), due)))


_CHANCE = next(tag for tag, cls in TYPES.items() if cls is ChanceDrawn)
