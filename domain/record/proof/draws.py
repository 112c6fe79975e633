"""Draws: where chance comes from, and how every draw is derived from seeds that all have given.

Each party commits to its seed before it can know another's: the service when the match is opened
(`of_service`), each seat after that (`of_seat`). All seeds give one key, and the key and the number
of a draw give the draw. So anybody with the seeds, which are published at the end, derives all
draws again (`engine.checks.chance`). CHANCE.md says it byte by byte, for those who write it again.

Who keeps the service's seed is the concern of `service.store`, when seats give theirs that of
`engine.opening.seeding`.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256

#: Where chance comes from (`MatchOpened.chance`): the service's system; a given seed, for
#: demonstrations; seeds of the service and of the seats; real dice and real shuffles.
SYSTEM, SEED, SHARED, TABLE = "system", "seed", "shared", "table"
SOURCES = (SYSTEM, SEED, SHARED, TABLE)
#: Bytes of a hash, and of a seed.
HASH, SIZE = 32, 32
#: The first byte of what is hashed, beside those of `chain`: commitments to seeds, keys.
COMMITTED, KEY = b"\x02", b"\x03"
#: In the place of a seat's number: the service.
SERVICE = b"\xff"
#: What is drawn as an order; everything else is one of some outcomes.
ORDERS = ("shuffle", "order")
#: A word of the stream that a draw is made of: so many bytes, and how many words there are.
_WORD = 8
_WORDS = 1 << 8 * _WORD


def of_service(match: str, seed: bytes) -> bytes:
    """The service's commitment to its seed for a match."""
    name = match.encode()
    return sha256(COMMITTED + SERVICE + len(name).to_bytes(2) + name + seed).digest()


def of_seat(service: bytes, seat: int, seed: bytes) -> bytes:
    """A seat's commitment to its seed, in the match that the service's commitment is for.

    Another seat that sends the same can't open it, nor can it be opened in another match.
    """
    return sha256(COMMITTED + seat.to_bytes(1) + service + seed).digest()


def key(commitment: bytes, seed: bytes, seats: Sequence[bytes]) -> bytes:
    """The key of a match's draws: the service's seed and, seat by seat, theirs (empty: none)."""
    parts = (b"\x01" + one if one else b"\x00" for one in seats)
    return hmac.digest(seed, KEY + commitment + b"".join(parts), "sha256")


def draw(key_: bytes, n: int, kind: str, of: int) -> tuple[int, ...]:
    """The nth draw of a match (from 1): an order of so many, or one of so many outcomes."""
    words = _words(key_, n)
    if kind not in ORDERS:
        return (_below(of, words),)
    order = list(range(of))
    for last in range(of - 1, 0, -1):
        other = _below(last + 1, words)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def _words(key_: bytes, n: int) -> Iterator[int]:
    """The stream of a draw, word by word; it does not end."""
    block = 0
    while True:
        data = hmac.digest(key_, n.to_bytes(8) + block.to_bytes(4), "sha256")
        for at in range(0, HASH, _WORD):
            yield int.from_bytes(data[at : at + _WORD])
        block += 1


def _below(of: int, words: Iterator[int]) -> int:
    """One of so many outcomes, each equally likely: words that would favour some are left out."""
    most = _WORDS - _WORDS % of
    return next(word for word in words if word < most) % of


class Shared:
    """Chance from the seeds of all (`engine.rulebook.Dice`): the service's, and those of the seats.

    `drawn`: how many draws the record has, abandoned ones included. `settle` comes before the
    first.
    """

    def __init__(self, seed: bytes, drawn: int = 0) -> None:
        self.seed, self.drawn = seed, drawn
        self._key = b""

    def settle(self, commitment: bytes, seats: Sequence[bytes]) -> None:
        """Take the seeds of the seats, once they are all there; they don't change after that."""
        if not self._key:
            self._key = key(commitment, self.seed, seats)

    def __call__(self, kind: str, of: int) -> tuple[int, ...]:
        assert self._key, "chance is asked before the match has begun"
        self.drawn += 1
        return draw(self._key, self.drawn, kind, of)


class Lost:
    """Chance of a match whose service has lost its seed: some other dice, which nobody can check.

    The record says so at its end: no seed of the service is opened.
    """

    def __init__(self, dice: Callable[[str, int], tuple[int, ...]]) -> None:
        self._dice = dice

    def __call__(self, kind: str, of: int) -> tuple[int, ...]:
        return self._dice(kind, of)
