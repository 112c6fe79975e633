"""The passes that switches of seats make in their time (`domain.engine.passes.paced`).

After each command of a match, and when it comes into memory, a timer is set for the pass that is
due next, if one is. Several servers may have one for the same pass: whoever comes second finds
nothing due. A pass that a seat makes by hand before that is `Held`, and its command carried out
once it is due.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextvars import Context
from functools import partial

from domain.engine.match import Match, Refused, Stale
from domain.engine.passes import paced
from domain.record.decisions import Act
from service.store.errors import StoreError

#: How long a timer waits at least, and again after a failure, in seconds.
LEAST, AFTER = 0.02, 2.0


class Held(Exception):
    """A pass that is held back for so many seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"for {seconds} s")
        self.seconds = seconds


def hold_back(match: Match, seat: int, n: int, act: Act, now: int) -> None:
    """Raise `Held` if a seat's own pass at decision `n` is to be held back."""
    if match.auto_passes and match.pos.decision is not None and match.pos.decision.n == n:
        until = paced.held_until(match.auto_passes, match.pos, match.rules.passes, seat, act)
        if now < until:
            raise Held((until - now) / 1000)


class Pacing:
    """The timers of matches. To be used within one loop."""

    def __init__(
        self, answer: Callable[[str], Awaitable[object]], clock: Callable[[], int]
    ) -> None:
        """`answer` makes the pass of a match that is due; `clock` tells milliseconds since 1970."""
        self._answer, self._clock = answer, clock
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._answering: set[asyncio.Task[None]] = set()

    def plan(self, name: str, match: Match | None) -> None:
        """Set the timer of a match anew."""
        old = self._timers.pop(name, None)
        if old is not None:
            old.cancel()
        if match is None or not match.auto_passes or match.unfit is not None:
            return
        found = paced.next_paced(match.auto_passes, match.pos, match.rules.passes)
        if found is not None:
            wait = (found.due + match.pos.heading.at - self._clock()) / 1000
            self._set(name, max(LEAST, wait))

    def close(self) -> None:
        """Give the timers up."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()

    def _set(self, name: str, wait: float) -> None:
        loop = asyncio.get_running_loop()
        # in a context of its own: it is nobody's command
        self._timers[name] = loop.call_later(wait, partial(self._fire, name), context=Context())

    def _fire(self, name: str) -> None:
        self._timers.pop(name, None)
        task = asyncio.create_task(self._answered(name))
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)

    async def _answered(self, name: str) -> None:
        try:
            await self._answer(name)
        except (
            Refused,
            Stale,
        ):  # time has run out, or an official was quicker: a command plans anew
            return
        except StoreError:
            self._set(name, AFTER)
