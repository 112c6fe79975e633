"""The tallies of a Duel (`record.schema.tallies`): Life Points are counters of seats."""

from __future__ import annotations

from domain.record.schema.tallies import Tally

TALLIES = (
    Tally("life", "Life Points", counters=("life",)),
    Tally("deck", "Main Deck", zone="deck"),
    Tally("hand", "Hand", zone="hand"),
    Tally("extra", "Extra Deck", zone="extra"),
)
