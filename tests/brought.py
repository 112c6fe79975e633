"""Cards that matches bring are known for good; in tests only as long as a test lasts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from domain.games.gundam.cards import CATALOGUE as GUNDAM
from domain.games.hollow_flux.cards import CATALOGUE as FLUX


@contextmanager
def forgotten() -> Iterator[None]:
    """What is brought within is not known afterwards."""
    kept = set(GUNDAM.further), set(FLUX.further)
    try:
        yield
    finally:
        for card in set(GUNDAM.further) - kept[0]:
            del GUNDAM.further[card], GUNDAM.cards[card]
        for card in set(FLUX.further) - kept[1]:
            del FLUX.further[card], FLUX.cards[card]
        for forget in (*GUNDAM.forget, *FLUX.forget):
            forget()
