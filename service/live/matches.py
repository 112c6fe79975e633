"""Live matches: commands are carried out, saved and published.

A command takes the lock of its match, is carried out in memory (`memory`), is saved (`commit`), and
only then published (`streams`) and acknowledged. Once it has the lock it runs to its end, whoever
gives up waiting (`background`). A match that is taken back replaces the one in memory once that is
saved. If anything fails in between, the match in memory is dropped, and the next command resumes it
from its record. Snapshots follow behind (`upkeep`).
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from domain.engine.match import Match, Opening, Refused, Stale
from domain.engine.naming import Misstated
from domain.engine.rulebook import Rulebook
from domain.record.entries import Entry
from domain.record.events import ChanceDrawn
from service import wire
from service.dice import Dice
from service.live.background import Background
from service.live.memory import Live, Memory
from service.live.streams import Streams, ends
from service.live.turns import Turns
from service.live.upkeep import Upkeep
from service.logs import about, log_event
from service.store import listing
from service.store.commit import Committer
from service.store.history import EVERY, History
from service.store.records import Records, Work

#: How often to look for what the process has added that holds the file, in seconds.
POLL = 0.5

#: Carries a command out on a match, `now` milliseconds after it was opened.
Command = Callable[[Match, int], None]

#: Takes a match to where it was: from the one in memory, its log, chance, and the time.
Change = Callable[[Match, Sequence[Entry], Dice, int], Match]


#: Does something to a match in memory: that match, or another which is to take its place.
Doing = Callable[[Match, "Live", int], Match]


class UnknownGame(LookupError):
    """No rulebook of that name is at hand."""


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
        orphaned: Callable[[Exception], None] = lambda error: None,
    ) -> None:
        """At most `most` matches stay in memory, and none that nobody used for `idle` seconds.

        `seen` is told how many works shared a transaction, `failed` which task beside the play
        failed, `orphaned` what a command raised whose caller had given up waiting. To be made
        within a running loop.
        """
        self.records = records
        self.history = History(records)
        self.rulebooks = rulebooks
        self.clock = clock
        self._committer = Committer(records, seen)
        self.turns = Turns()
        self._aside = partial(self.turns.do, patient=True)  # what was begun is not refused midway
        self._background = Background(failed, orphaned)
        self._finish = self._background.finish
        self.memory = Memory(
            self.history,
            self.rulebook,
            self.turns,
            lambda match: self.upkeep.behind(match),
            most=most,
            idle=idle,
        )
        self.upkeep = Upkeep(
            self.history, self.memory, self._committer, self.turns, self._background
        )
        self._background.repeat("sweep", self.memory.sweep)
        poll = POLL if records.hold is None else None
        self.streams = Streams(self.history, self.turns, lambda: self.clock(), poll)

    def __len__(self) -> int:
        """How many matches are in memory."""
        return len(self.memory)

    async def close(self) -> None:
        """Finish what was begun."""
        self.upkeep.close()
        await self._background.close()
        await self._committer.close()
        self.turns.close()

    def rulebook(self, game: str) -> Rulebook:
        """The rulebook of a game; raises `UnknownGame`."""
        try:
            return self.rulebooks[game]
        except KeyError:
            raise UnknownGame(game) from None

    async def open(self, match: str, game: str, opening: Opening, seed: int | None) -> list[Entry]:
        """Open a match under this id; raises `store.Conflict` if the id is taken."""
        dice = Dice(seed)
        with about(match=match):
            opened = await self._aside(Match.open, self.rulebook(game), opening, dice)
        entries = opened.collect()
        work = Work(match, entries, listing.derive(match, entries, seed), game)
        live = await self.memory.hold(match)
        await self._finish(self._opened(live, opened, work))
        return entries

    async def _opened(self, live: Live, opened: Match, work: Work) -> None:
        try:
            await self._committer.submit(work)
            live.match = opened
        finally:
            self.memory.leave(live)
        self.memory.make_room()

    async def keep(self, match: str, game: str, entries: Sequence[Entry]) -> None:
        """Save a whole record under this id; raises `store.Conflict` if the id is taken."""
        work = Work(match, entries, listing.derive(match, entries), game)
        sent = await self._aside(lambda: [*map(wire.packed, entries)])
        await self._finish(self._kept(work._replace(sent=sent)))

    async def _kept(self, work: Work) -> None:
        await self._committer.submit(work)
        self.upkeep.behind(work.match)

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
        live = await self.memory.hold(match)
        return await self._finish(self._looked(live, at, apart))

    async def _do(
        self, match: str, before: Callable[[], Any] | None, work: Doing, apart: bool = False
    ) -> Sequence[Entry]:
        """Do something to a match under its lock, save it, publish it; `apart`: in a thread."""
        live = await self.memory.hold(match)
        return await self._finish(self._done(live, before, work, apart))

    async def _done(
        self, live: Live, before: Callable[[], Any] | None, work: Doing, apart: bool
    ) -> Sequence[Entry]:
        try:
            was = await self.memory.awake(live)
            if before is not None:
                await self._aside(before)
            live.match = None  # until what comes of it is durable
            with about(**_standing(live, was)):
                match = await self._worked(live, was, work, apart)
                entries = await self._saved(live, match)
            live.match = match
            return entries
        finally:
            self.memory.leave(live)

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
        self.upkeep.commanded()
        entries = match.collect()
        if entries:
            also, game = listing.derive(live.id, entries), match.pos.heading.game
            try:
                await self._committer.submit(Work(live.id, entries, also, game))
            except Exception:
                self.streams.look_again(live.id)  # it may have been made all the same
                raise
            self._publish(live, entries)
        return entries

    async def _looked(self, live: Live, at: Callable[[Match], Any], apart: bool) -> Any:
        try:
            match, live.match = await self.memory.awake(live), None
            with about(**_standing(live, match)):
                found = await self._aside(at, match) if apart else at(match)
            live.match = match
            return found
        finally:
            self.memory.leave(live)

    def _changed(self, change: Change, was: Match, live: Live, now: int) -> Match:
        """The match as it is changed, which is to take the place of the one in memory."""
        listed, log = listing.find(self.records, live.id), self.records.entries(live.id)
        dice = Dice(listed.seed, sum(type(entry.event) is ChanceDrawn for entry in log))
        return change(was, log, dice, now)

    def _publish(self, live: Live, entries: Sequence[Entry]) -> None:
        """What follows when a command is durable."""
        if ends(entries):
            log_event(logging.INFO, "match ended", match=live.id, entries=entries[-1].seq)
            self.upkeep.behind(live.id)
        self.streams.publish(live.id, entries)
        if entries[-1].seq - live.snapped >= EVERY:
            live.snapped = entries[-1].seq
            self.upkeep.behind(live.id)


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
