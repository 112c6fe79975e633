"""The clock of a server: it shows the system's time, but never goes back.

Where somebody sets the system's clock back it goes on from where it was, by the time that passes;
set forward, as after a sleep of the machine, it follows. Either is logged, and kept, so that people
at an event can be told (`jumped`): tables have had less time than their clocks say.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable

from service.telemetry.logs import log_event

#: By how much the system's clock may differ from the time that has passed, in nanoseconds, until
#: that is a jump; how many of them are kept.
JUMP, KEPT = 2_000_000_000, 100
_MS = 1_000_000


class Clock:
    """Milliseconds since 1970. For any thread."""

    def __init__(
        self,
        system: Callable[[], int] = time.time_ns,
        passed: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """`system` and `passed` give nanoseconds: since 1970, and since any moment."""
        self._system, self._passed = system, passed
        self._lock = threading.Lock()
        self._now = self._was = system()
        self._at = passed()
        self._jumps = deque[tuple[int, int]](maxlen=KEPT)  # when, in ms, and by how much
        self._leapt = 0  # how much more it has shown than has passed

    def __call__(self) -> int:
        """The time."""
        with self._lock:
            system = self._system()  # before the other: what lies between them is not counted
            at = self._passed()
            passed = at - self._at
            by = system - self._was - passed
            leap = max(system - self._now - passed, 0)
            self._now += passed + leap
            self._leapt += leap if leap > JUMP else 0
            self._was, self._at = system, at
            if abs(by) > JUMP:
                self._jumps.append((self._now // _MS, by // _MS))
                log_event(logging.WARNING, "clock jumped", by_ms=by // _MS)
            return self._now // _MS

    def leapt(self) -> int:
        """How much more it has shown than has passed since it was made, in milliseconds."""
        self()
        return self._leapt // _MS

    def jumped(self, since: int) -> int:
        """By how much the system's clock was set since a time, in milliseconds; back: negative."""
        with self._lock:
            return sum(by for at, by in self._jumps if at >= since)
