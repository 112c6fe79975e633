"""Repeats a command after a conflict with another server: nothing of the attempt was saved."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from service.store.errors import Conflict

T = TypeVar("T")


async def repeated(
    attempt: Callable[[], Awaitable[T]], times: int, forestalled: Callable[[], bool]
) -> T:
    """The result of an attempt, which is made at most so many `times`.

    After a `Conflict` it is made again if it was `forestalled`; other conflicts, and the last, are
    raised.
    """
    for _ in range(times - 1):
        try:
            return await attempt()
        except Conflict:
            if not forestalled():
                raise
    return await attempt()
