"""Chance at a tournament: numbers derived from a seed, which is recorded with the draw.

With the seed anybody can compute the same pairings and places, in any language: a number is the
beginning of a SHA-256 over the seed and what is drawn for (a player, two players), as decimals with
a slash between them.
"""

from __future__ import annotations

from hashlib import sha256

#: How many bits of the hash a number has.
BITS = 48


def drawn(seed: int, *parts: int) -> int:
    """The number from 0 to 2**48 that a seed gives to what is named by these numbers."""
    text = "/".join(map(str, (seed, *parts)))
    return int.from_bytes(sha256(text.encode()).digest()[: BITS // 8])
