"""What a live match takes in memory, and how long a collection stops a server with 2,000 of them.

    python -m tests.benchmarks memory

A pause is that of a full collection: of all there is, as it would be, and of what has come since
what lives was put aside (`service.garbage`), when as much has come as ever does before that.
"""

from __future__ import annotations

import gc
import time

from domain.engine.match import Match
from service.garbage import BATCH, freeze
from tests.benchmarks.domain import _stood, live_bytes, setups
from tests.benchmarks.table import Found, show

LIVE, DECISIONS = 2000, 8


def pause() -> float:
    """Milliseconds of the processor for a full collection."""
    start = time.process_time()
    gc.collect()
    return (time.process_time() - start) * 1e3


def pauses() -> tuple[list[float], list[float]]:
    """Milliseconds with all matches looked at, and with most of them put aside."""
    wanted = setups(LIVE)
    live = list[Match]()
    for setup in wanted[: LIVE - BATCH]:
        live.append(_stood(setup, DECISIONS))
    gc.collect()
    whole = [pause() for _ in range(5)]
    freeze()
    for setup in wanted[LIVE - BATCH :]:
        live.append(_stood(setup, DECISIONS))
    aside = [pause() for _ in range(5)]
    gc.unfreeze()
    assert len(live) == LIVE
    return whole, aside


def main() -> list[Found]:
    size = live_bytes() / 1000
    whole, aside = pauses()
    found = [
        Found("live match", "a live match in memory, kB", (size,), "", "45", less=True),
        Found(
            "pause", f"a collection with {LIVE:,} live matches, beside one of all that lives",
            tuple(one / whole_ for one, whole_ in zip(aside, whole, strict=True)),
            f"{min(aside):.0f}–{max(aside):.0f} ms, of all {min(whole):.0f}–{max(whole):.0f} ms",
            "30 ms", less=True,
        ),
    ]  # fmt: skip
    for one in found:
        show(one.text, {"ratio": str(one), "figures": one.figures})
    return found


if __name__ == "__main__":
    main()
