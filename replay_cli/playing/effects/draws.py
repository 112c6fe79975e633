"""Draws, of several values, those more often that have led to something for effects of a kind."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

#: How much more likely than others a value is drawn that has led to something each time.
LEARNT = 20
#: After how many tries of an effect half of that is forgotten.
PATIENCE = 20
#: How much it counts that an effect has been used where more was wanted.
HALF_WAY = 0.05

T = TypeVar("T")


class Draws:
    """Draws values in answer to questions, those more often that have led to something."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._tried: dict[tuple[str, str, str], list[float]] = {}
        self._of: tuple[str, ...] = ("",)
        self._drawn: dict[str, str] = {}
        self._trust = 1.0

    def begin(self, of: Sequence[str], tries: int) -> None:
        """Begin a position, for effects of these kinds; after many tries of one, anything goes."""
        self._of, self._drawn, self._trust = tuple(of), {}, 1 / (1 + tries / PATIENCE)

    def __call__(self, question: str, values: Sequence[T]) -> T:
        weights = []
        for value in values:
            counts = [self._tried.get((of, question, str(value)), (0, 0)) for of in self._of]
            tried, led = map(sum, zip(*counts, strict=True))
            weights.append(((1 + LEARNT * led) / (1 + tried)) ** self._trust)
        (value,) = self._rng.choices(values, weights)
        self._drawn[question] = str(value)
        return value

    def learn(self, led: float) -> None:
        """What was drawn has led to something new (1), to something (less), or not (0)."""
        for question, value in self._drawn.items():
            for of in self._of:
                counts = self._tried.setdefault((of, question, value), [0, 0])
                counts[0] += 1
                counts[1] += led
