"""The audience: how many follow each match at this server, by any transport.

Streams of the API are counted one by one (`service.api.watching`); so are pages, though they share
one stream (`service.web.positions.following`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class Audience:
    """Counts those who follow, by match."""

    def __init__(self) -> None:
        self._following: dict[str, int] = {}

    def __getitem__(self, match: str) -> int:
        """How many follow a match."""
        return self._following.get(match, 0)

    @contextmanager
    def follower(self, match: str) -> Iterator[None]:
        """Somebody who follows a match for as long as this lasts."""
        self._following[match] = self[match] + 1
        try:
            yield
        finally:
            self._following[match] -= 1
            if not self._following[match]:
                del self._following[match]
