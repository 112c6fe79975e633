"""Live matches: what is being played, in memory; and the streams that follow it.

A command takes its match's lock, is carried out in memory, is made durable (`commit`) and only then
published and acknowledged. Whatever goes wrong between, the match in memory is thrown away and
resumed from its record by the next command. Idle matches leave memory and come back the same way.

A stream has no buffer of its own: it reads the match's recent entries, and the store when it has
fallen behind those. So a slow reader costs nothing, and nothing is missed or repeated. What is
released to who sees a match late (`delay`) is asked anew whenever that may have changed.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict, deque
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any

from domain.events import TYPES, ChanceDrawn, Entry, MatchEnded, Rewound
from domain.match import Match, Opening, Refused, Stale
from domain.naming import Misstated
from domain.rulebook import Rulebook
from service import delay, listing, rewinds
from service.commit import Committer
from service.delay import Delay, Released
from service.dice import Dice
from service.history import EVERY, History
from service.logs import say
from service.store import Records, Work

#: How many of a match's last entries are kept for its streams.
RECENT = 64
#: How many entries a stream reads from the store at a time.
PAGE = 256

#: Snapshots are made once no command came for so long, or after so long in any case, in seconds.
QUIET, PATIENCE = 0.05, 20.0

#: Carries a command out on a match, `now` milliseconds after it was opened.
Command = Callable[[Match, int], None]

#: Takes a match to where it was: from the one in memory, its log, chance, and the time.
Change = Callable[[Match, Sequence[Entry], Dice, int], Match]


class UnknownGame(LookupError):
    """No rulebook of that name is at hand."""


class Closing(Exception):
    """The service is shutting down; a stream may be resumed after its last entry."""


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


class Recent:
    """A recent entry, and what it looked like on the wire to each kind of viewer so far."""

    __slots__ = ("entry", "sent")

    def __init__(self, entry: Entry) -> None:
        self.entry = entry
        self.sent: dict[int, Any] = {}


class Channel:
    """What the streams of one match share. It exists as long as there are any."""

    def __init__(self) -> None:
        self.streams = 0
        self.over = False
        self.recent: deque[Recent] = deque(maxlen=RECENT)
        self.changed = asyncio.Event()
        self.released: dict[Delay, tuple[Released, int]] = {}  # and until when that is true

    def publish(self, entries: Sequence[Entry]) -> None:
        """Hand on entries that are durable."""
        self.recent.extend(map(Recent, entries))
        self.over = self.over or _ends(entries)
        self.released.clear()
        self.changed.set()
        self.changed = asyncio.Event()

    def since(self, seq: int) -> list[Recent] | None:
        """The entries after number `seq`; None if they are no longer (or not yet) kept here."""
        if not self.recent or self.recent[0].entry.seq > seq + 1:
            return None
        return list(islice(self.recent, seq + 1 - self.recent[0].entry.seq, None))


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
        self._channels: dict[str, Channel] = {}
        self._closing = False
        self._commanded = 0.0  # when the last command was carried out
        self._behind: asyncio.Queue[str] = asyncio.Queue()
        self._tasks = [
            asyncio.create_task(self._snapshots()),
            asyncio.create_task(self._sweep()),
        ]

    def __len__(self) -> int:
        """How many matches are in memory."""
        return len(self._live)

    @property
    def streams(self) -> int:
        """How many streams are being followed."""
        return sum(channel.streams for channel in self._channels.values())

    def drain(self) -> None:
        """Let the streams send what is durable, and end with `Closing`."""
        self._closing = True
        for channel in self._channels.values():
            channel.changed.set()

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
        live = await self._enter(match)
        try:
            if before is not None:
                await asyncio.to_thread(before)
            work = self._carry_out(live, command)
        except BaseException:
            self._leave(live)
            raise
        done = self._committer.submit(work)
        done.add_done_callback(partial(self._settle, live, work.entries))
        await asyncio.shield(done)
        return work.entries

    async def go_back(
        self, match: str, change: Change, before: Callable[[], Any] | None = None
    ) -> Sequence[Entry]:
        """Take a match to where it was before; the entries that this added. Like `command`."""
        live = await self._enter(match)
        try:
            if before is not None:
                await asyncio.to_thread(before)
            work = await asyncio.to_thread(self._changed, live, change)
        except BaseException:
            self._leave(live)
            raise
        done = self._committer.submit(work)
        done.add_done_callback(partial(self._settle, live, work.entries))
        await asyncio.shield(done)
        return work.entries

    def _changed(self, live: Live, change: Change) -> Work:
        """The match as it is changed takes the place of the one in memory."""
        was = live.match
        assert was is not None
        listed, log = listing.find(self.records, live.id), self.records.entries(live.id)
        dice = Dice(listed.seed, sum(type(entry.event) is ChanceDrawn for entry in log))
        live.match = match = change(was, log, dice, self.clock() - was.pos.heading.at)
        live.rewound = True
        entries = match.collect()
        return Work(live.id, entries, listing.derive(live.id, entries), listed.heading.game)

    async def adopt(self, match: str, game: str, entries: Sequence[Entry]) -> None:
        """Take in a match that has these entries; raises `store.Conflict` if the id is taken."""
        also = listing.derive(match, entries)
        await asyncio.shield(self._committer.submit(Work(match, entries, also, game)))

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

    def _carry_out(self, live: Live, command: Command) -> Work:
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
            if _ends(entries):
                say(logging.INFO, "match ended", match=live.id, entries=entries[-1].seq)
            if channel := self._channels.get(live.id):
                channel.publish(entries)
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

    # -- streams ---------------------------------------------------------------------------------

    async def watch(
        self, match: str, after: int, late: Delay = delay.NONE
    ) -> AsyncGenerator[list[Recent], None]:
        """The entries after number `after`, and those to come, until the match ends.

        Each comes when it is released, to who sees it so `late`; it is as if it happened then.
        """
        channel = self._channels.setdefault(match, Channel())
        channel.streams += 1
        try:
            listed = await asyncio.to_thread(listing.find, self.records, match)
            channel.over = channel.over or listed.ended
            while True:
                changed, over = channel.changed, channel.over
                upto, everything, wait = await self._released(channel, match, late)
                lines = channel.since(after)
                if lines is None:
                    page = await asyncio.to_thread(self.records.entries, match, after, upto, PAGE)
                    lines = [Recent(entry) for entry in page]
                lines = [line for line in lines if line.entry.seq <= upto]
                if lines:
                    after = lines[-1].entry.seq
                    yield lines
                elif over and everything:
                    return
                elif self._closing:
                    raise Closing
                else:
                    with suppress(TimeoutError):
                        await asyncio.wait_for(changed.wait(), wait / 1000 if wait >= 0 else None)
        finally:
            channel.streams -= 1
            if not channel.streams:
                self._channels.pop(match, None)

    async def _released(self, channel: Channel, match: str, late: Delay) -> Released:
        """What is released of a match; streams that are equally late share the work."""
        if not late:
            return delay.EVERYTHING
        changed, now = channel.changed, self.clock()
        found, until = channel.released.get(late, (delay.EVERYTHING, 0))
        if until <= now:
            found = await asyncio.to_thread(self._work_out, match, late, now)
            until = now + found.wait if found.wait >= 0 else _NEVER
            if channel.changed is changed:
                channel.released[late] = found, until
        return found._replace(wait=until - now) if found.wait >= 0 else found

    def _work_out(self, match: str, late: Delay, now: int) -> Released:
        return delay.released(self.history, listing.find(self.records, match), late, now)


#: A time that never comes, in milliseconds since 1970.
_NEVER = 1 << 62
_CHANCE = next(tag for tag, cls in TYPES.items() if cls is ChanceDrawn)


def _ends(entries: Sequence[Entry]) -> bool:
    return any(type(entry.event) is MatchEnded for entry in entries)
