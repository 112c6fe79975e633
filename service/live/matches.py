"""Live matches: commands are carried out, saved and published.

A command takes the lock of its match, is carried out in memory (`memory`), is saved
(`store.commit`), and only then published (`streams`) and acknowledged. Once it has the lock it runs
to its end, even if the caller gives up (`background`). A match that is taken back replaces the one
in memory once that is saved. If anything fails in between, the match in memory is dropped, and the
next command resumes it from its record. Snapshots follow behind (`upkeep`).
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from msgspec.structs import replace

from domain.engine.match import Match, Opening, Refused, Stale
from domain.engine.naming import Misstated
from domain.engine.opening import seeding
from domain.engine.passes import implying
from domain.engine.passes.autopass import without
from domain.engine.rulebook import Dice as EngineDice
from domain.engine.rulebook import Rulebook
from domain.games import chosen
from domain.record.entries import Entry
from domain.record.interventions import SeedsOpened
from domain.record.proof import draws
from domain.record.proof.chain import Head
from service.dice import Dice
from service.live.access import AccessLog
from service.live.background import Background, repeated
from service.live.heads import Heads
from service.live.lanes import Lanes
from service.live.memory import Live, Memory
from service.live.minutes import Minutes
from service.live.pacing import Held, Pacing
from service.live.streams.channels import ends
from service.live.streams.streams import Streams
from service.live.upkeep import Upkeep
from service.news.news import News
from service.store.commit import Committer
from service.store.derived import listing
from service.store.history import EVERY, History
from service.store.records import Records, Statement, Version, Work
from service.store.tables import auto_passes, seeds
from service.telemetry import tracing
from service.telemetry.logs import About, log_event
from service.telemetry.metrics import Metrics

T = TypeVar("T")

#: How often a command is carried out, at most, where other servers are quicker each time.
ATTEMPTS = 8

#: Carries a command out on a match, `now` milliseconds after it was opened.
Command = Callable[[Match, int], None]

#: Makes an earlier state of a match: from the one in memory, its log, chance, and the time.
Change = Callable[[Match, Sequence[Entry], EngineDice, int], Match]


#: Changes a match in memory: returns that match, or another which replaces it.
Operation = Callable[[Match, "Live", int], Match]


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
        metrics: Metrics | None = None,
        failed: Callable[[str], None] = lambda task: None,
        orphaned: Callable[[Exception], None] = lambda error: None,
        saved: Callable[[str, Sequence[Entry]], None] = lambda match, entries: None,
        news: News | None = None,
        keeping: bool = True,
        leapt: Callable[[], int] = lambda: 0,
    ) -> None:
        """At most `most` matches stay in memory, and none that nobody used for `idle` seconds.

        `metrics` count transactions. Called back are `failed` with the name of a background task
        that failed, `orphaned` with what a command raised after its caller was cancelled, `saved`
        with further entries of a match, which are durable. `news` are told the matches that have
        streams. `keeping`: what is derived is kept up (`upkeep`), and matches end by time
        (`minutes`); `leapt` is how much more the clock has shown than has passed. To be made within
        a running loop.
        """
        self.records = records
        self.history = History(records)
        self.rulebooks = rulebooks
        self.clock = clock
        self._saved = saved
        self.metrics = metrics or Metrics()
        self.committer = Committer(records, self.metrics.store)
        self.lanes = Lanes()
        self._in_thread = partial(
            self.lanes.run, unlimited=True
        )  # what was begun is not refused midway
        self.background = Background(failed, orphaned)
        self._finish = self.background.finish
        self.memory = Memory(
            self.history,
            self.rulebook,
            self.lanes,
            lambda match: self.upkeep.queue(match),
            self.metrics.cache,
            most=most,
            idle=idle,
        )
        self.heads = Heads(records, self.memory, self.lanes)
        self.access = AccessLog(
            records, self.committer.submit, lambda: self.clock(), self.lanes.run
        )
        self.upkeep = Upkeep(
            self.history, self.memory, self.committer, self.lanes, self.background, keeping
        )
        self.minutes = Minutes(records, self.lanes, self.background, self.query, self.clock, leapt)
        self.background.repeat("sweep", self.memory.drop_idle)
        if keeping:
            self.background.repeat("minutes", partial(self.minutes.look, self.command))
            self.background.repeat("minutes left", self.minutes.take_up)
        self.pacing = Pacing(self._pass_in_time, lambda: self.clock())
        self.memory.on_reload.append(lambda match: self.pacing.plan(match, self.memory.get(match)))
        self.streams = Streams(
            self.history,
            self.lanes,
            lambda: self.clock(),
            news or News(),
            self.metrics.cache.delivered,
        )

    def __len__(self) -> int:
        """How many matches are in memory."""
        return len(self.memory)

    async def close(self) -> None:
        """Finish what was begun."""
        self.pacing.close()
        self.upkeep.close()
        await self.background.close()
        await self.committer.close()
        self.lanes.close()

    def rulebook(self, game: str) -> Rulebook:
        """The rulebook of a game; raises `UnknownGame`."""
        try:
            return self.rulebooks[game]
        except KeyError:
            raise UnknownGame(game) from None

    def chosen(self, game: str, edition: str = "") -> Rulebook:
        """The rulebook of a game that somebody asks for (`domain.games`); raises `UnknownGame`."""
        try:
            return self.rulebooks[chosen(game, edition, self.rulebooks)]
        except (KeyError, ValueError):
            raise UnknownGame(f"{game}@{edition}" if edition else game) from None

    async def open(self, match: str, game: str, opening: Opening, seed: int | None) -> list[Entry]:
        """Open a match under this id; raises `store.Conflict` if the id is taken.

        Where chance is to come from seeds of all, the service is bound to its own hereby.
        """
        dice: EngineDice = Dice(seed)
        kept: list[Statement] = []
        if opening.chance == draws.SHARED:
            own = secrets.token_bytes(draws.SIZE)
            opening = replace(opening, id=match, commitment=draws.of_service(match, own))
            dice, kept = draws.Shared(own), [seeds.saved(match, own)]
        with About(match=match):
            opened = await self._in_thread(Match.open, self.rulebook(game), opening, dice)
        entries = opened.collect()
        work = Work(match, entries, [*listing.derive(match, entries, seed), *kept], game)
        live = await self.memory.acquire(match)
        await self._finish(self._commit_opened(live, opened, work))
        return entries

    async def _commit_opened(self, live: Live, opened: Match, work: Work) -> None:
        try:
            links = await self.committer.submit(work)
            live.match, live.version = opened, Version(work.entries[-1].seq)
            live.heads.extend(links or ())
            self._saved(work.match, work.entries)
        finally:
            self.memory.release(live)
        self.memory.loaded_one()

    async def save(self, match: str, game: str, entries: Sequence[Entry]) -> None:
        """Save a whole record under this id; raises `store.Conflict` if the id is taken."""
        also = listing.derive(match, entries)
        work = Work(match, entries, also, game, since=len(entries))
        await self._finish(self._imported(work))

    async def _imported(self, work: Work) -> None:
        await self.committer.submit(work)
        self._saved(work.match, work.entries)
        self.upkeep.queue(work.match)

    async def command(
        self,
        match: str,
        command: Command,
        before: Callable[[], Any] | None = None,
        *,
        in_thread: bool = False,
        accepting: bool = False,
    ) -> Sequence[Entry]:
        """Carry out a command; the entries it added, which are durable.

        `before` runs first, in a thread, under the lock of the match; what it raises ends the
        command. `in_thread`: the command may take long. Raises what the command raises, and `Busy`
        if its sender has too many waiting; `ChainBroken` if the entries that there are do not fit
        their chain, unless it is by `accepting` them that the match is to go on.
        """
        work = partial(_apply, command)
        return await self._run_locked(match, before, work, in_thread, accepting)

    async def go_back(
        self, match: str, change: Change, before: Callable[[], Any] | None = None
    ) -> Sequence[Entry]:
        """Take a match to where it was before; the entries that this added. Like `command`."""
        return await self._run_locked(match, before, partial(self._changed, change), in_thread=True)

    async def query(
        self, match: str, at: Callable[[Match], Any], *, in_thread: bool = False
    ) -> Any:
        """The result of a function that changes nothing; `in_thread`: it may take long."""
        live = await self.memory.acquire(match)
        return await self._finish(self._queried(live, at, in_thread))

    async def foresee(self, match: str, ends: bool = False) -> tuple[int, implying.Foreseen]:
        """Where passes lead from the open decision, and its number (0: none is open)."""

        def foreseen(m: Match) -> tuple[int, implying.Foreseen]:
            n = m.pos.decision.n if m.pos.decision is not None else 0
            return n, implying.foresee(m, ends)

        return await self.resumed(match, foreseen)

    async def resumed(self, match: str, trying: Callable[[Match], T]) -> T:
        """The result of a function that may change its match: it gets a copy."""
        return await self.lanes.run(self._resumed, match, trying)

    def _resumed(self, match: str, trying: Callable[[Match], T]) -> T:
        found, _, _ = self.memory.resumed(match)
        try:
            return trying(found)
        finally:
            found.close()

    async def _run_locked(
        self,
        match: str,
        before: Callable[[], Any] | None,
        work: Operation,
        in_thread: bool = False,
        accepting: bool = False,
    ) -> Sequence[Entry]:
        """Carry out an operation under the lock of its match, save and publish what it added."""
        live = await self.memory.acquire(match)
        once = partial(self._once, live, before, work, in_thread, accepting)
        return await self._finish(self._locked(live, once))

    async def _locked(
        self, live: Live, once: Callable[[], Awaitable[Sequence[Entry]]]
    ) -> Sequence[Entry]:
        try:
            times = ATTEMPTS if self.records.shared else 1
            return await repeated(once, times, self._forestalled)
        finally:
            self.memory.release(live)

    def _forestalled(self) -> bool:
        self.metrics.cache.repeated()
        return True

    async def _once(
        self,
        live: Live,
        before: Callable[[], Any] | None,
        work: Operation,
        in_thread: bool,
        accepting: bool,
    ) -> Sequence[Entry]:
        was = await self.memory.load(live)
        if live.broken is not None and not accepting:
            raise live.broken
        if before is not None:
            await self._in_thread(before)
        live.match = None  # until its entries are durable
        with About(**_log_facts(live, was)):
            match = await self._applied(live, was, work, in_thread)
            entries = await self._commit(live, match, accepting)
        live.match = match
        self.pacing.plan(live.id, match)
        return entries

    async def _pass_in_time(self, match: str) -> None:
        await self.command(match, lambda m, now: m.answer_paced(now), in_thread=True)

    async def _applied(self, live: Live, was: Match, work: Operation, in_thread: bool) -> Match:
        """The match as a command leaves it; refused, it stays in memory as it was."""
        operation = partial(work, was, live, self.clock() - was.pos.heading.at)
        in_thread = in_thread or bool(was.auto_passes)  # which may answer many decisions
        facts = _log_facts(live, was) if tracing.enabled() else {}
        try:
            with tracing.span("engine", {_ATTRIBUTES[key]: value for key, value in facts.items()}):
                return await self._in_thread(operation) if in_thread else operation()
        except (Refused, Stale, Held) as error:
            if not isinstance(error, Misstated) and not was.collect():
                live.match = was
            raise

    async def _commit(self, live: Live, match: Match, accepting: bool) -> list[Entry]:
        """Save and publish what a command added: those entries.

        `accepting` those that there were: all are chained again.
        """
        self.upkeep.command_came()
        seeding.open_all(match)
        entries = match.collect()
        left = auto_passes.changed(live.id, live.auto_passes, match.auto_passes)
        if entries or left:
            heading = match.pos.heading
            also = [*listing.derive(live.id, entries, at=heading.at), *left]
            since = entries[0].seq - 1 if accepting and entries else None
            if SeedsOpened in {type(entry.event) for entry in entries}:
                also.append(seeds.dropped(live.id))
            try:
                version = live.version if self.records.shared else None
                work = Work(live.id, entries, also, heading.game, since, version, bool(left))
                links = await self.committer.submit(work)
            except Exception:
                self.streams.recheck(live.id)  # it may have been made all the same
                raise
            live.auto_passes = match.auto_passes
            seq = entries[-1].seq if entries else live.version.seq
            live.version = Version(seq, live.version.left + bool(left))
            if links is not None:
                live.heads.extend(links)
                live.broken = None
                self._publish(live, entries, links)
        self.minutes.note(live.id, match.pos)
        return entries

    async def _queried(self, live: Live, at: Callable[[Match], Any], in_thread: bool) -> Any:
        try:
            match, live.match = await self.memory.load(live, patient=False), None
            with About(**_log_facts(live, match)):
                found = await self._in_thread(at, match) if in_thread else at(match)
            live.match = match
            return found
        finally:
            self.memory.release(live)

    def _changed(self, change: Change, was: Match, live: Live, now: int) -> Match:
        """The match as it is changed, which is to take the place of the one in memory."""
        listed, log = listing.find(self.records, live.id), self.records.entries(live.id)
        found = change(was, log, seeds.dice(self.records, listed), now)
        found.auto_passes = without(was.auto_passes, tuple(was.auto_passes))  # switches stay
        return found

    def _publish(self, live: Live, entries: Sequence[Entry], heads: Sequence[Head]) -> None:
        """Publish entries that are durable; queue snapshots that are due."""
        if ends(entries):
            log_event(logging.INFO, "match ended", match=live.id, entries=entries[-1].seq)
            self.upkeep.queue(live.id)
        with _publishing(live.id, entries[-1].seq) as span:
            self._saved(live.id, entries)
            self.streams.publish(live.id, entries, heads, span.place)
        if entries[-1].seq - live.snapshot_seq >= EVERY:
            live.snapshot_seq = entries[-1].seq
            self.upkeep.queue(live.id)


def _publishing(match: str, seq: int) -> tracing.Span:
    """The span of publishing the entries of a match."""
    if not tracing.enabled():
        return tracing.NOTHING
    attributes: tracing.Attributes = {
        "messaging.system": "kifu",
        "messaging.operation.name": "publish",
        "messaging.operation.type": "send",
        "messaging.destination.name": match,
        "match.entry": seq,
    }
    return tracing.span("publish", attributes, "producer")


#: What spans call what the log says.
_ATTRIBUTES = {"match": "match.id", "decision": "match.decision", "entry": "match.entry"}


def _log_facts(live: Live, match: Match) -> dict[str, str | int]:
    """The log line of a match: the open decision, and the last entry that is durable."""
    decision = match.pos.decision
    return {
        "match": live.id,
        "decision": decision.n if decision is not None else 0,
        "entry": match.pos.seq,
    }


def _apply(command: Command, match: Match, _: Live, now: int) -> Match:
    command(match, now)
    return match
