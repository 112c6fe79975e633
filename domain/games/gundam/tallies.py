"""The tallies of a match for overlays (`record.schema.tallies`): shields, above all."""

from __future__ import annotations

from domain.record.schema.tallies import Tally

TALLIES = (
    Tally("life", "Shields", zone="shield"),
    Tally("deck", "Deck", zone="deck"),
    Tally("hand", "Hand", zone="hand"),
    Tally("resources", "Resources", zone="resource"),
)
