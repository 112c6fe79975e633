"""Adding to the log of access (`store.access`): a line is durable before what it is about is sent.

Somebody who goes on reading the same of a match is not written down again for a while (`COVERS`).
Where the file is only read, nothing can be added to it: the program's own log says so instead.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from msgspec.structs import replace

from service.identity import Identity
from service.logs import log_event
from service.store import access
from service.store.access import Head, Line
from service.store.records import Records, Work

#: For how long a line covers what the same person reads of the same match in the same way, in
#: seconds.
COVERS = 600.0
#: How many such readers are remembered.
REMEMBERED = 10_000


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
        self._head: Head | None = None  # None: to be read, as a write may have failed
        self._lock = asyncio.Lock()
        self._covered: dict[tuple[str, ...], float] = {}
        self._waiting: list[tuple[Line, asyncio.Future[None]]] = []  # to be numbered and saved

    async def add(self, who: Identity, match: str, what: str, view: str, why: str = "") -> None:
        """Write down that somebody is about to read what is hidden; returns once it is durable."""
        key, now = (match, who.subject, what, view, why), time.monotonic()
        if self._covered.get(key, 0.0) > now:
            return
        if self._records.lock is None:
            text = "access not kept: the file is only read"
            log_event(logging.WARNING, text, match=match, who=who.subject, what=what, view=view)
        else:
            await self._add(who, match, what, view, why)
        if len(self._covered) >= REMEMBERED:
            self._covered.clear()
        self._covered[key] = now + COVERS

    async def _add(self, who: Identity, match: str, what: str, view: str, why: str) -> None:
        seq = self._records.last(match)  # by an index: waiting for a thread would take longer
        line = Line(0, self._clock(), who.subject, who.role, match, what, view, seq, why)
        done = asyncio.get_running_loop().create_future()
        self._waiting.append((line, done))
        async with self._lock:
            if not done.done():  # whoever was before has saved it with his own
                await asyncio.shield(asyncio.ensure_future(self._save()))
        await done

    async def _save(self) -> None:
        """Chain what waits, and save it in one go; each who waits hears how that went."""
        some, self._waiting = self._waiting, []
        head, self._head = self._head, None
        try:
            if head is None:
                head = await self._in_thread(access.head, self._records)
            statements = []
            for line, _ in some:
                head, statement = access.appended(head, replace(line, n=head.n + 1))
                statements.append(statement)
            await self._submit(Work("", (), statements))
        except Exception as error:
            for _, done in some:
                if not done.done():
                    done.set_exception(error)
        else:
            self._head = head
            for _, done in some:
                if not done.done():
                    done.set_result(None)
