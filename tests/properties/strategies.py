"""Setups of random matches for the properties, and points to stop at.

A whole match is one example, so a handful of examples are some thousand decisions. `examples`
says how many a test should get: the profile `ci` is content with less, `wide` and `long` want more.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from hypothesis import example, settings
from hypothesis import strategies as st

from tests.playouts import DRAWN, PAIRS, Setup
from tests.support.marks import each

T = TypeVar("T")

PROFILE = os.environ.get("KIFU_PROFILE", "ci")
FACTOR = 20 if PROFILE == "long" else 1
#: How much of that is tried in `ci`.
SHORT = 1 / 10

seeds = st.integers(0, 2**24)
#: The first of all examples, which is often the only one of a short run, is of Gundam: its matches
#: are the shortest of the real games.
ORDER = sorted(PAIRS, key=lambda game: (PROFILE == "ci" and game != "gundam", game))
#: Each game as often as the others, however many decks it has; and any cards of Gundam.
decks = st.sampled_from([*ORDER, ""]).flatmap(
    lambda game: st.sampled_from(PAIRS[game]) if game else st.just(DRAWN)
)


def setups(
    best_of: tuple[int, ...] = (1, 1, 3), restless: bool | None = None
) -> st.SearchStrategy[Setup]:
    """Matches of all games, deck pairs and bots, some of them a best of three."""
    return st.builds(
        Setup,
        seeds,
        decks,
        st.sampled_from(best_of),
        st.sampled_from(["keen", "keen", "aimless", "shy"]),
        st.booleans() if restless is None else st.just(restless),
        st.booleans(),
    )


def examples(n: int) -> settings:
    """Try a property on `n` examples in a run of all tests, less in the short one, or on many more.

    The short run's are the first of them.
    """
    return settings(max_examples=round(n * FACTOR if PROFILE != "ci" else n * SHORT) or 1)


def unless_short(*arguments: object) -> Callable[[T], T]:
    """An example that was needed once and takes seconds: all runs but the short one try it."""
    return example(*arguments) if PROFILE != "ci" else lambda test: test


def some(n: int, cases: Iterable[T]) -> list[Any]:
    """As `each`, but `wide` and `long`, which leave out what is marked `long`, try all of them."""
    return each(n if PROFILE == "ci" else 1, cases)


def points(n: int) -> st.SearchStrategy[list[float]]:
    """Where in a match to look: shares of its length."""
    return st.lists(st.floats(0, 1, exclude_max=True), min_size=n, max_size=n)
