"""The interface of news."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

#: What there may be news of: a match, an event and its tournament, tokens and codes.
MATCH, EVENT, CREDENTIALS = KINDS = ("match", "event", "credentials")
#: The state of news that reach everybody.
OK = "ok"


class Piece(NamedTuple):
    """There is something new of this kind and id, up to entry `seq`; 0: look what there is.

    `trace`: where the trace of what made it goes on, as `traceparent` has it; empty: nowhere.
    """

    kind: str
    id: str
    seq: int = 0
    trace: str = ""


class News:
    """Carries news between servers. To be used within one loop; only `close` and `start` wait.

    This one carries none: a server is alone with its store.
    """

    @property
    def state(self) -> str:
        """`OK`, or since when and why news do not get through."""
        return OK

    def listen(self, heard: Callable[[Piece], None], missed: Callable[[], None]) -> None:
        """Set the listener for the news of others.

        `missed`: some may have been lost, so look everywhere once. To be called before `start`.
        """

    def follow(self, kind: str, id_: str) -> None:
        """Hear of this match or event from now on. Credentials are heard of in any case."""

    def leave(self, kind: str, id_: str) -> None:
        """Hear of it no more."""

    def tell(self, piece: Piece) -> None:
        """Tell the other servers. Never waits, never raises."""

    async def start(self) -> None:
        """Begin; the carrier of news may come later, and go."""

    async def close(self) -> None:
        """Send what is still to be sent, and end."""


class Several(News):
    """News by several ways: what one of them loses comes by another."""

    def __init__(self, *ways: News) -> None:
        self._ways: Sequence[News] = ways

    @property
    def state(self) -> str:
        """The state of the first carrier that does not work."""
        return next((way.state for way in self._ways if way.state != OK), OK)

    def listen(self, heard: Callable[[Piece], None], missed: Callable[[], None]) -> None:
        """Hear what comes by any way."""
        for way in self._ways:
            way.listen(heard, missed)

    def follow(self, kind: str, id_: str) -> None:
        """Hear of it by every way."""
        for way in self._ways:
            way.follow(kind, id_)

    def leave(self, kind: str, id_: str) -> None:
        """Hear of it no more."""
        for way in self._ways:
            way.leave(kind, id_)

    def tell(self, piece: Piece) -> None:
        """Tell it by every way."""
        for way in self._ways:
            way.tell(piece)

    async def start(self) -> None:
        """Begin with all."""
        for way in self._ways:
            await way.start()

    async def close(self) -> None:
        """End all."""
        for way in self._ways:
            await way.close()
