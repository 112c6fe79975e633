"""The tallies of a match (`record.schema.tallies`): the guard deck takes the damage."""

from __future__ import annotations

from domain.record.schema.tallies import Tally

TALLIES = (
    Tally("life", "Guard Deck", zone="guard"),
    Tally("deck", "Main Deck", zone="main"),
    Tally("hand", "Hand", zone="hand"),
    Tally("damage", "Damage Field", zone="damage"),
    Tally("energy", "Energy Field", zone="energy"),
)
