"""Live tournaments: commands are carried out, saved and published, like those of matches.

A command takes the lock of its tournament, is carried out in memory, is saved by the committer that
matches share, and only then acknowledged and published. If anything fails in between, what is in
memory is dropped and read again. What a command means for the matches of a round is in `carrying`,
how their ends come back in `following`.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from functools import partial
from typing import Protocol, TypeVar

from domain.tournament.folding import fold
from domain.tournament.record import Entry
from domain.tournament.state import State, place_of
from domain.tournament.tournament import Sender, Tournament
from domain.words.phrases import phrase
from service.live.background import Background, Shared, repeated
from service.live.lanes import Lanes
from service.live.streams.channels import Closing
from service.news.news import EVENT, News, Piece
from service.store.commit import Committer
from service.store.records import Conflict, Records, Work
from service.store.tables import archived
from service.store.tables.tournaments import NEW, key_of
from service.store.tables.tournaments import Tournaments as Store

T = TypeVar("T")
#: How many tournaments stay in memory that nobody uses.
MOST = 32
#: How often a command is carried out, at most, where other servers are quicker each time.
ATTEMPTS = 8


class Ticket(Protocol):
    """Names a command, so that a repeat of it is found: empty, it has no name."""

    @property
    def name(self) -> str: ...

    def __bool__(self) -> bool: ...

    def repeats(self, kept: str | None) -> bool:
        """Whether that ticket is this one; raises if only the name is the same."""
        ...


class Live:
    """A tournament in memory: its entries, its state, and who waits for it."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.carrying = asyncio.Lock()  # one command after the other is carried to the matches
        self.tournament: Tournament | None = None  # None: to be read
        self.log: list[Entry] = []
        self.tail = NEW
        self.users = 0
        self.changed = asyncio.Event()
        self.look: Shared | None = None  # whether another server has added to it
        self.stored = 0  # up to which entry it was seen to have

    @property
    def is_behind(self) -> bool:
        """Whether it is to be read; it may have been found so while it was being read."""
        return self.tournament is None or len(self.log) < self.stored

    def wake(self) -> None:
        """Wake all followers."""
        self.changed.set()
        self.changed = asyncio.Event()


class Tournaments:
    """All tournaments of a store. To be made within a running loop."""

    def __init__(
        self,
        records: Records,
        committer: Committer,
        lanes: Lanes,
        background: Background,
        clock: Callable[[], int],
        news: News | None = None,
        saved: Callable[[str], None] = lambda key: None,
    ) -> None:
        """`clock` gives milliseconds since 1970; `news` tell other servers of what is added.

        `saved` is called with the key (`key_of`) of each tournament that has gone on.
        """
        self.records, self.store, self.clock = records, Store(records), clock
        self._committer, self._background = committer, background
        self.in_thread = partial(lanes.run, unlimited=True)
        self._live: OrderedDict[str, Live] = OrderedDict()
        self._news, self._saved = news or News(), saved
        self._closing = False

    async def open(self, id_: str, begin: Callable[[str], Tournament]) -> Sequence[Entry]:
        """Begin a tournament under an id; raises `Conflict` if that is taken."""
        if await self.in_thread(self._taken, id_):
            raise Conflict(phrase("the id {id} is taken", id=id_))
        new = begin(id_)
        return await self._background.finish(self._opened(id_, new))

    def _taken(self, id_: str) -> bool:
        gone = archived.find(self.records, id_)
        return bool(gone or self.store.taken(id_) or self.records.last(id_))

    async def _opened(self, id_: str, new: Tournament) -> Sequence[Entry]:
        live = self._acquire(id_)
        try:
            async with live.lock:
                if live.tournament is not None:
                    raise Conflict(phrase("the id {id} is taken", id=id_))
                return await self._commit(id_, live, new)
        finally:
            self._release(live)

    async def opened(self) -> list[tuple[int, str]]:
        """All tournaments, the newest first: when each was opened, and its id."""
        return await self.in_thread(self.store.opened)

    async def state(self, id_: str) -> State:
        """A tournament as it stands; not to be changed, or kept beyond the next `await`."""
        live = self._acquire(id_)
        try:
            async with live.lock:
                return (await self._loaded(id_, live)).state
        finally:
            self._release(live)

    async def log(self, id_: str) -> Sequence[Entry]:
        """The entries of a tournament by now; not to be changed."""
        live = self._acquire(id_)
        try:
            async with live.lock:
                await self._loaded(id_, live)
                return live.log
        finally:
            self._release(live)

    async def command(
        self,
        id_: str,
        by: Sender,
        ticket: Ticket | None,
        act: Callable[[Tournament, Sender], T],
        *,
        in_thread: bool = False,
    ) -> tuple[Sequence[Entry], T | None]:
        """Carry out a command: the entries it added, which are durable, and what it answers.

        Of a repeat those that the first one added, and no answer. `in_thread`: it may take long.
        Raises what `act` raises.
        """
        return await self._background.finish(self._command(id_, by, ticket, act, in_thread))

    async def _command(
        self,
        id_: str,
        by: Sender,
        ticket: Ticket | None,
        act: Callable[[Tournament, Sender], T],
        in_thread: bool,
    ) -> tuple[Sequence[Entry], T | None]:
        live = self._acquire(id_)
        try:
            async with live.lock:
                return await repeated(
                    partial(self._once, id_, live, by, ticket, act, in_thread),
                    ATTEMPTS if self.records.shared else 1,
                    lambda: live.tournament is None,  # dropped: it was not refused, but not saved
                )
        finally:
            self._release(live)

    async def _once(
        self,
        id_: str,
        live: Live,
        by: Sender,
        ticket: Ticket | None,
        act: Callable[[Tournament, Sender], T],
        in_thread: bool,
    ) -> tuple[Sequence[Entry], T | None]:
        tournament = await self._loaded(id_, live)
        if ticket and (before := _repeated(live.log, by.name, ticket)):
            return before, None
        try:
            work = partial(act, tournament, by)
            answer = await self.in_thread(work) if in_thread else work()
        except BaseException:
            if tournament.collect():  # it failed midway, which a refusal never does
                live.tournament = None
            raise
        return await self._commit(id_, live, tournament), answer

    async def carried(self, id_: str, work: Callable[[], Awaitable[T]]) -> T:
        """Do something to the matches of a tournament, one such thing after the other."""
        return await self._background.finish(self._carried(id_, work))

    async def _carried(self, id_: str, work: Callable[[], Awaitable[T]]) -> T:
        live = self._acquire(id_)
        try:
            async with live.carrying:
                return await work()
        finally:
            self._release(live)

    async def watch(self, id_: str, after: int) -> AsyncGenerator[Sequence[Entry], None]:
        """The entries after a number, and those to come, as long as the service runs.

        How far other servers have come is asked once; from then on they tell (`caught_up`).
        """
        live = self._acquire(id_)
        try:
            known = False
            while True:
                changed = live.changed
                if not known or live.is_behind:
                    async with live.lock:
                        if not known or live.is_behind:  # or another has just read it
                            await self._loaded(id_, live)
                    known = True
                found = live.log[after:]
                if found:
                    after = found[-1].seq
                    yield found
                elif self._closing:
                    raise Closing
                else:
                    await changed.wait()
        finally:
            self._release(live)

    def caught_up(self, id_: str, seq: int = 0) -> None:
        """Another server says that a tournament has entries up to this number; 0: perhaps."""
        live = self._live.get(id_)
        if live is None or not live.users or 0 < seq <= len(live.log):
            return
        if live.look is None:
            live.look = Shared(partial(self._look, id_, live))
        live.look()

    async def _look(self, id_: str, live: Live) -> None:
        """Wake those who follow a tournament, if another server has added to it."""
        live.stored = await self.in_thread(self.store.last, id_)
        if live.stored > len(live.log):
            live.tournament = None  # it is read by the first of them
            live.wake()

    def missed(self) -> None:
        """Other servers may have added to any tournament."""
        for id_ in self._live:
            self.caught_up(id_)

    def drain(self) -> None:
        """Let those who follow read what is durable, and end with `Closing`."""
        self._closing = True
        for live in self._live.values():
            live.wake()

    # -- in memory -------------------------------------------------------------------------------

    def _acquire(self, id_: str) -> Live:
        if (live := self._live.get(id_)) is None:
            live = self._live[id_] = Live()
            self._news.follow(EVENT, id_)
        self._live.move_to_end(id_)
        live.users += 1
        return live

    def _release(self, live: Live) -> None:
        live.users -= 1
        unused = [id_ for id_, one in self._live.items() if not one.users]
        empty = [id_ for id_ in unused if self._live[id_].tournament is None]
        for id_ in {*empty, *unused[: max(len(self._live) - MOST, 0)]}:
            del self._live[id_]
            self._news.leave(EVENT, id_)

    async def _loaded(self, id_: str, live: Live) -> Tournament:
        """The tournament, read from its record if it is not in memory. Under its lock."""
        if live.tournament is not None and self.records.shared:
            last = await self.in_thread(self.store.last, id_)
            if last != (live.log[-1].seq if live.log else 0):
                live.tournament = None  # another server has gone on with it
        if live.tournament is None or not self.records.writable:
            live.log, live.tail = await self.in_thread(self.store.log, id_)
            live.tournament = await self.in_thread(lambda: Tournament(fold(live.log)))
        return live.tournament

    async def _commit(self, id_: str, live: Live, tournament: Tournament) -> Sequence[Entry]:
        """Save and publish what a command added. Under the lock."""
        entries = tournament.collect()
        if not entries:
            return entries
        live.tournament = None  # until its entries are durable
        statements, tail = self.store.saved(id_, entries, live.tail)
        try:
            await self._committer.submit(Work("", (), statements))
        except Exception:
            live.wake()  # it may have been made all the same
            raise
        live.log += entries
        live.tournament, live.tail = tournament, tail
        live.wake()
        self._news.tell(Piece(EVENT, id_, entries[-1].seq))
        self._saved(key_of(id_))
        return entries


def _repeated(log: Sequence[Entry], by: str, ticket: Ticket) -> list[Entry]:
    """The additions of the first command of that name, if there was one."""
    return [one for one in log if one.ticket and one.by == by and ticket.repeats(one.ticket)]


def tournament_of(match: str) -> str:
    """The tournament of a match, by its id; empty: it has none."""
    place = place_of(match)
    return place[0] if place is not None else ""
