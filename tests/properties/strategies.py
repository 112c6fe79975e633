"""What the properties are tried on: setups of random matches, and points to stop at.

A whole match is one example, so a handful of examples are some thousand decisions. `examples`
says how many a test gets in `ci`; the profiles `wide` and `long` multiply that.
"""

from __future__ import annotations

import os

from hypothesis import settings
from hypothesis import strategies as st

from tests.playouts import PAIRS, Setup

FACTOR = {"wide": 2, "long": 20}.get(os.environ.get("KIFU_PROFILE", ""), 1)

seeds = st.integers(0, 2**24)
#: Each game as often as the others, however many decks it has.
decks = st.sampled_from(sorted(PAIRS)).flatmap(lambda game: st.sampled_from(PAIRS[game]))


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
    )


def examples(n: int) -> settings:
    """Try a property on `n` examples, or on many more in a long run."""
    return settings(max_examples=n * FACTOR)


def points(n: int) -> st.SearchStrategy[list[float]]:
    """Where in a match to look: shares of its length."""
    return st.lists(st.floats(0, 1, exclude_max=True), min_size=n, max_size=n)
