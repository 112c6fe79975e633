"""Health: whether the service is alive, and whether it is ready for calls.

Alive is a service that answers; to start it again mends nothing that it lacks. Ready is one that
may be sent calls: its store answers, and it is not about to stop. Without its store it goes on with
what it has in memory, and is ready again by itself. News from other servers change nothing but
delay, so it is ready without them; their failure is reported.

All this is checked once a second, however often it is asked for, and reported in fixed words: the
reason of a failure may name hosts, and is in the log.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple

from service.telemetry.logs import log_event

#: How often is looked, and how long an answer may take, in seconds.
EVERY, PATIENCE = 1.0, 2.0
#: After how many seconds without a turn the service counts as dead, by the clock of others.
STUCK = 30.0
#: The state of a part: it works; it does not; it is not there, and need not be.
OK, FAILING, NOT_NEEDED = "ok", "failing", "not needed"


class Part(NamedTuple):
    """A part of a service: what says why it does not work (empty: it does), or raises that.

    `needed`: without it the service is not ready. None in place of `ask`: it is not there.
    `settling`: for how many seconds nothing is logged of one that has not worked yet.
    """

    ask: Callable[[], Awaitable[str]] | None
    needed: bool = True
    settling: float = 0.0


class Health:
    """Whether a service is alive and ready; `round`, over and over, keeps it up to date."""

    def __init__(
        self,
        parts: Mapping[str, Part],
        turned: Callable[[Mapping[str, bool]], Awaitable[None]],
    ) -> None:
        """`turned` is called for parts, and for `ready`, whenever a state changes."""
        self._parts, self._turned = parts, turned
        self._leaving = False
        self._reasons: dict[str, str] = {}
        self._begun = time.monotonic()
        self._worked = set[str]()
        self._reported: Mapping[str, bool] = {}
        self._beat = time.monotonic()
        self.states = {
            name: OK if part.ask is not None else NOT_NEEDED for name, part in parts.items()
        }

    @property
    def alive(self) -> bool:
        """Whether its loop turns. May be asked from any thread."""
        return time.monotonic() - self._beat < STUCK

    @property
    def leaving(self) -> bool:
        """Whether it is about to stop."""
        return self._leaving

    @property
    def ready(self) -> bool:
        """Whether it may be sent calls."""
        needed = (name for name, part in self._parts.items() if part.needed)
        return not self._leaving and all(map(self.works, needed))

    def works(self, name: str) -> bool:
        """Whether a part of it works, or is not there and need not be."""
        return self.states[name] != FAILING

    def states_by_name(self) -> dict[str, str]:
        """Its state, and that of its parts."""
        ready = "leaving" if self._leaving else OK if self.ready else FAILING
        return {"ready": ready, **self.states}

    async def leave(self) -> None:
        """Be ready no more, for good."""
        self._leaving = True
        await self._tell()

    async def round(self) -> None:
        """Look, and wait until it is time to look again."""
        await self.look()
        await asyncio.sleep(EVERY)

    async def look(self) -> None:
        """Find out how it is."""
        self._beat = time.monotonic()
        await asyncio.gather(*map(self._look_at, self._parts))
        await self._tell()

    async def _look_at(self, name: str) -> None:
        ask, _, settling = self._parts[name]
        if ask is None:
            return
        try:
            async with asyncio.timeout(PATIENCE):
                why = await ask()
        except TimeoutError:
            why = f"no answer in {PATIENCE:g} s"
        except Exception as error:
            why = str(error) or type(error).__name__
        self.states[name] = FAILING if why else OK
        if not why:
            self._worked.add(name)
        elif name not in self._worked and time.monotonic() - self._begun < settling:
            return
        if why and not self._reasons.get(name):
            log_event(logging.WARNING, f"{name} fails", text=why)
        elif self._reasons.get(name) and not why:
            log_event(logging.INFO, f"{name} works again")
        self._reasons[name] = why

    async def _tell(self) -> None:
        works = {name: self.works(name) for name in self.states}
        found = {**works, "ready": self.ready}
        if found != self._reported:
            self._reported = found
            await self._turned(found)
