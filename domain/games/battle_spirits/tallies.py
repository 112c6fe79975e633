"""The tallies of a match (`record.schema.tallies`): cores, the Soul Core among them."""

from __future__ import annotations

from domain.games.battle_spirits.manifest import CORES
from domain.record.schema.tallies import Tally

TALLIES = (
    Tally("life", "Life", zone="life", counters=CORES),
    Tally("deck", "Deck", zone="deck"),
    Tally("hand", "Hand", zone="hand"),
    Tally("reserve", "Reserve", zone="reserve", counters=CORES),
)
