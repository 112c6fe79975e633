"""Random numbers for dealt matches: the system's, or repeatable from a seed."""

from __future__ import annotations

from random import Random
from secrets import SystemRandom


class Dice:
    """Draws an order of cards, or one of some outcomes (`domain.engine.rulebook.Dice`).

    With a seed, the n-th draw of a match depends on the seed and n alone, so that a match that left
    memory goes on with the same luck.
    """

    def __init__(self, seed: int | None = None, drawn: int = 0) -> None:
        self._seed = seed
        self._drawn = drawn

    def __call__(self, kind: str, of: int) -> tuple[int, ...]:
        rng = _SYSTEM if self._seed is None else Random(f"{self._seed}/{self._drawn}")
        self._drawn += 1
        if kind not in ("shuffle", "order"):
            return (rng.randrange(of),)
        order = list(range(of))
        rng.shuffle(order)
        return tuple(order)


_SYSTEM = SystemRandom()
