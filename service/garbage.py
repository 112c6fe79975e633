"""Short pauses for the garbage collector of a server process, however many matches are in memory.

A full collection looks at everything that lives: catalogues, and some hundred objects of each
match; with 2,000 matches that stops all calls for a fifth of a second, to find nothing. So what
lives long is put aside (`gc.freeze`): once after the start, and whenever `MANY` matches have come
into memory, after a collection of what came since. A match that is dropped needs no collector
(`Match.close`).

What was put aside and has become garbage in a circle since, such as the tasks of that moment, is
looked for at long intervals, when nobody plays. This changes a whole process, so it is for `serve`
alone, not for a service within another program.
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
#: Matches that come into memory before all is put aside: their collection takes a few milliseconds.
MANY = 64
#: How often to look, how long nobody must have played, how long what was put aside stays so, in s.
OFTEN, QUIET, LONG = 0.5, 2.0, 3600.0


class Garbage:
    """Puts aside what lives long, as matches come and go."""

    def __init__(self, brought: Callable[[], int], played: Callable[[], float]) -> None:
        """`brought`: how many matches have come into memory so far; `played`: when last (s)."""
        self._brought, self._played = brought, played
        self._seen, self._thawed = brought(), time.monotonic()

    async def tend(self) -> None:
        """Look after it for as long as the process serves."""
        gc.set_threshold(*THRESHOLDS)
        put_aside()
        while True:
            await asyncio.sleep(OFTEN)
            self.look(time.monotonic())

    def look(self, now: float) -> None:
        """Put aside what has come, if that is much; search all of it, if that is due."""
        quiet = now - self._played() > QUIET
        due = now - self._thawed
        if due > LONG and (quiet or due > 24 * LONG):
            gc.unfreeze()
            self._thawed = now
        elif self._brought() - self._seen < MANY:
            return
        self._seen = self._brought()
        put_aside()


def put_aside() -> None:
    """Have all that lives now be left alone by the collections to come."""
    gc.collect()
    gc.freeze()
