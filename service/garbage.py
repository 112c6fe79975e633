"""Short garbage collections in a server process, however many matches are in memory.

A full collection looks at everything that lives: catalogues, and some hundred objects of each
match; with 2,000 matches that stops all calls for a fifth of a second, to find nothing. So what
lives long is frozen (`gc.freeze`): once after the start, and whenever `BATCH` matches have come
into memory, after a collection of what came since. A match that is dropped needs no collector
(`Match.close`).

Frozen objects that have become garbage in a circle since, such as the tasks of that moment, are
unfrozen and collected at long intervals, when nobody plays. This changes a whole process, so it is
for `kifu serve` only, not for a service within another program.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable

#: Objects that come before the youngest are collected, and young collections before those of the
#: older ones. Nearly all that a command makes goes by its references: with the 700 of Python's own
#: a collection comes with every command, and finds nothing.
THRESHOLDS = (5000, 20, 10)
#: Matches that come into memory before all is frozen: their collection takes a few milliseconds.
BATCH = 64
#: How often to look, how long no command must have come, how long objects stay frozen, in seconds.
POLL, QUIET, UNFREEZE_EVERY = 0.5, 2.0, 3600.0


class Garbage:
    """Freezes objects that live long, as matches come and go."""

    def __init__(self, loaded: Callable[[], int], played: Callable[[], float]) -> None:
        """`loaded`: how many matches have come into memory so far; `played`: when last (s)."""
        self._loaded, self._played = loaded, played
        self._frozen_at, self._unfrozen = loaded(), time.monotonic()

    async def run(self) -> None:
        """Look after it for as long as the process serves."""
        gc.set_threshold(*THRESHOLDS)
        freeze()
        while True:
            await asyncio.sleep(POLL)
            self.step(time.monotonic())

    def step(self, now: float) -> None:
        """Freeze what has come, if that is much; unfreeze and collect all of it, if that is due."""
        quiet = now - self._played() > QUIET
        due = now - self._unfrozen
        if due > UNFREEZE_EVERY and (quiet or due > 24 * UNFREEZE_EVERY):
            gc.unfreeze()
            self._unfrozen = now
        elif self._loaded() - self._frozen_at < BATCH:
            return
        self._frozen_at = self._loaded()
        freeze()


def freeze() -> None:
    """Collect garbage, and exempt all objects that are left from later collections."""
    gc.collect()
    gc.freeze()
