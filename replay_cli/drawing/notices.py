"""What is said of a match as a whole, wherever it is shown: where chance comes from, that it waits.

A match whose chance could be foretold, or that has not begun, is never shown without a word of it.
"""

from __future__ import annotations

from domain.engine.opening import terms
from domain.record.proof import draws
from domain.words.phrases import Phrase, phrase
from replay_cli.drawing.names import player

SEEDED = phrase("SEEDED: chance comes from a seed in clear; who knows it can foretell every draw")
_HOW = {
    "silent": "{player} gave no seed to chance",
    "withheld": "{player} did not open the seed that chance was to come from",
    "misfit": "{player} sent another seed than the one committed to",
}


def chance(source: str) -> Phrase | None:
    """Where chance comes from, as far as that is to be said beforehand."""
    if source == draws.SEED:
        return SEEDED
    if source == draws.SHARED:
        return phrase("chance comes from seeds of the service and of the seats, opened at the end")
    return None


def waiting(waits: str) -> Phrase:
    """For what a match waits to begin."""
    if waits == terms.SEEDS:
        return phrase("it begins once the seeds of all seats are there")
    return phrase("it begins when an official says so")


def without(seat: int, how: str) -> Phrase:
    """A seat that has no part in chance, and how so."""
    return phrase(_HOW.get(how, _HOW["silent"]), player=player(seat))
