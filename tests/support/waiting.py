"""Waiting until something is so: no longer than it takes, and far longer than it should.

What shall *not* happen is waited for by sleeping, which may make a test weaker, but never wrong.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

#: Seconds after which it is given up: a machine of tests may stand still for some.
PATIENCE = 30.0


def until(so: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait until a condition holds; raises `AssertionError` if it does not."""
    end = time.monotonic() + seconds
    while not so():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.01)


async def eventually(so: Callable[[], object], seconds: float = PATIENCE) -> None:
    """As `until`, while other tasks go on."""
    end = time.monotonic() + seconds
    while not so():
        assert time.monotonic() < end, "it never came to that"
        await asyncio.sleep(0.005)
