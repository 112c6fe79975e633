"""News to send, and news sent so recently that they may have been lost.

Of each topic only the last piece counts, so the size is bounded however long nothing can be sent:
above a limit the oldest are dropped, and found by polling (`polling`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from service.news.news import Piece

#: The last piece of each kind and id.
Pieces = dict[tuple[str, str], Piece]
#: Pieces of news that wait at most.
MOST = 10_000


class Outbox:
    """Pieces of news, the last of each kind and id. To be used within one loop."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._waiting: Pieces = {}
        self._sent: Pieces = {}  # since the last call of `mark`
        self._marked: Pieces = {}  # before it
        self._some = asyncio.Event()

    def __len__(self) -> int:
        """How many wait."""
        return len(self._waiting)

    def put(self, pieces: Iterable[Piece]) -> None:
        """Add pieces of news, in the place of earlier ones."""
        _keep(self._waiting, pieces, self._most)
        if self._waiting:
            self._some.set()

    async def take(self) -> list[Piece]:
        """Wait for some, and take all; they count as sent."""
        await self._some.wait()
        self._some.clear()
        found = [*self._waiting.values()]
        self._waiting.clear()
        _keep(self._sent, found, self._most)
        return found

    def mark(self) -> None:
        """Something is sent now after which all that was sent before will have got through."""
        marked = [*self._sent.values()]
        self._sent.clear()
        _keep(self._marked, marked, self._most)

    def confirm(self) -> None:
        """It got through."""
        self._marked.clear()

    def take_back(self) -> None:
        """Nobody knows what got through: all that may not have is to be sent again."""
        unsure = [*self._marked.values(), *self._sent.values()]
        self._marked.clear()
        self._sent.clear()
        self.put(unsure)


def _keep(into: Pieces, pieces: Iterable[Piece], most: int) -> None:
    for piece in pieces:
        key = piece.kind, piece.id
        kept = into.pop(key, piece)
        into[key] = kept if kept.seq > piece.seq else piece  # now the last of them
        if len(into) > most:
            del into[next(iter(into))]
