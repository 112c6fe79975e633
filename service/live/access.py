"""Adds to the log of access (`tables.access`): a line is durable before its data are sent.

Somebody who goes on reading the same of a match is not written down again for a while (`COVERS`).
Where the file is only read, or the disk is full, nothing can be added to it: the program's own log
says so instead, so that a full disk keeps no judge from ruling.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, cast

from msgspec.structs import replace

from service.identity import Identity
from service.live.background import repeated
from service.store.records import Full, Records, Statement, Work
from service.store.tables import access
from service.store.tables.access import Head, Line
from service.telemetry.logs import log_event

#: For how long a line covers what the same person reads of the same match in the same way, in
#: seconds.
COVERS = 600.0
#: How many such readers are remembered, and how many heads.
REMEMBERED = 10_000
#: How often a line is written where others add to the same log at the same time.
TRIES = 20


class AccessLog:
    """Adds lines, one after the other. To be used within a running loop."""

    def __init__(
        self,
        records: Records,
        submit: Callable[[Work], Awaitable[Any]],
        clock: Callable[[], int],
        in_thread: Callable[..., Awaitable[Any]],
    ) -> None:
        """`clock` gives milliseconds since 1970."""
        self._records, self._submit, self._clock = records, submit, clock
        self._in_thread = partial(in_thread, unlimited=True)
        self._heads: dict[str, Head] = {}  # of logs; one is to be read if a write may have failed
        self._covered: dict[tuple[str, ...], float] = {}
        self._waiting: list[tuple[Line, asyncio.Future[None]]] = []  # to be numbered and saved
        self._saving: asyncio.Task[None] | None = None

    async def add(self, who: Identity, match: str, what: str, view: str, why: str = "") -> None:
        """Write down that somebody is about to read what is hidden; returns once it is durable."""
        key, now = (match, who.subject, what, view, why), time.monotonic()
        if self._covered.get(key, 0.0) > now:
            return
        facts: dict[str, Any] = {"match": match, "who": who.subject, "what": what, "view": view}
        if not self._records.writable:
            log_event(logging.WARNING, "access not kept: the file is only read", **facts)
        else:
            try:
                await self._add(who, match, what, view, why)
            except Full:
                log_event(logging.WARNING, "access not kept: the disk is full", **facts)
                return  # the next such look may find room
        if len(self._covered) >= REMEMBERED:
            self._covered.clear()
        self._covered[key] = now + COVERS

    async def _add(self, who: Identity, match: str, what: str, view: str, why: str) -> None:
        seq = await self._last(match)
        line = Line(0, self._clock(), who.subject, who.role, match, what, view, seq, why)
        done = asyncio.get_running_loop().create_future()
        self._waiting.append((line, done))
        if self._saving is None:
            self._saving = asyncio.create_task(self._save())
        await done

    async def _last(self, match: str) -> int:
        """The last entry of a match; a file has it at hand sooner than a thread would."""
        if self._records.shared:
            return cast(int, await self._in_thread(self._records.last, match))
        return self._records.last(match)

    async def _save(self) -> None:
        """Chain the waiting lines, each log at once, even if callers give up; tell the outcome."""
        while self._waiting:
            some, self._waiting = self._waiting, []
            logs: dict[str, list[tuple[Line, asyncio.Future[None]]]] = {}
            for line, done in some:
                logs.setdefault(access.log_of(self._records, line.match), []).append((line, done))
            await asyncio.gather(*(self._save_to(log, these) for log, these in logs.items()))
        self._saving = None

    async def _save_to(self, log: str, some: Sequence[tuple[Line, asyncio.Future[None]]]) -> None:
        outcome: Exception | None = None
        try:
            await self._append(log, [line for line, _ in some])
        except Exception as error:
            outcome = error
        for _, done in some:
            if done.done():
                continue
            if outcome is not None:
                done.set_exception(outcome)
            else:
                done.set_result(None)

    async def _append(self, log: str, lines: Sequence[Line]) -> None:
        """Add lines to a log; where another server was before, after what it has added."""

        async def attempt() -> Head:
            head = self._heads.pop(log, None)
            if head is None:
                head = await self._in_thread(access.head, self._records, log)
            statements: list[Statement] = []
            for line in lines:
                head, new = access.appended(head, replace(line, n=head.n + 1), log)
                statements += new
            await self._submit(Work("", (), statements))
            return head

        head = await repeated(attempt, TRIES, lambda: True)
        if len(self._heads) >= REMEMBERED:
            self._heads.clear()
        self._heads[log] = head
