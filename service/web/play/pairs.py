"""Pairs of friends, from the invitation on: in memory, so that another server knows none of them.

What is lost with the service is the way to a rematch; matches are not.
"""

from __future__ import annotations

import secrets
import time
from asyncio import Lock
from collections import OrderedDict
from collections.abc import Callable

from kifu.v1 import match_service_pb2 as pb

from service.api.calls.guard import Sender

#: How many pairs there are at most, and for how long one is kept, in seconds.
MOST, LASTS = 500, 24 * 3600.0


class Pair:
    """Who has a match opened, the names and decks by seat, the match, and the seats' tokens.

    Who plays `alone` does so against the site's rival.
    """

    def __init__(self, game: str, host: Sender, name: str, deck: pb.DeckChoice, at: float) -> None:
        self.code, self.secret = secrets.token_urlsafe(16), secrets.token_urlsafe(16)
        self.game, self.host, self.at = game, host, at
        self.names, self.decks = [name], [deck]
        self.match, self.alone = "", False
        self.tokens: dict[int, str] = {}
        self.lock = Lock()

    def swap(self) -> None:
        """Have each play the deck of the other."""
        self.decks.reverse()


class Pairs:
    """The pairs of a site, the oldest first."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._pairs: OrderedDict[str, Pair] = OrderedDict()
        self._of: dict[str, Pair] = {}

    def invite(self, game: str, host: Sender, name: str, deck: pb.DeckChoice) -> Pair:
        """A new pair, whose other has not come yet."""
        for pair in [*self._pairs.values()]:
            if len(self._pairs) < MOST and pair.at + LASTS > self._clock():
                break
            self._drop(pair)
        found = Pair(game, host, name, deck, self._clock())
        self._pairs[found.code] = found
        return found

    def named(self, code: str) -> Pair | None:
        """The pair of an invitation."""
        return self._pairs.get(code)

    def of(self, match: str) -> Pair | None:
        """The pair that plays a match, or has played it."""
        return self._of.get(match)

    def plays(self, pair: Pair, match: str) -> None:
        """Note the match that a pair plays from now on."""
        pair.match = match
        self._of[match] = pair

    def _drop(self, pair: Pair) -> None:
        del self._pairs[pair.code]
        for match in [match for match, one in self._of.items() if one is pair]:
            del self._of[match]
