"""How the table and the cards of the game are drawn (`record.schema.looks`)."""

from __future__ import annotations

from domain.record.schema.looks import Look

LOOK = Look(
    side=(
        "4 field monster*7 grave banished",
        "3 extra spell*7 deck .",
        "4 hand*10",
    ),
    by=("kind",),
    frames={
        "spell": "teal", "trap": "plum", "xyz": "black", "synchro": "white", "fusion": "purple",
        "ritual": "blue", "effect": "rust", "normal": "gold",
    },
    emblems={"monster": "claw", "spell": "spark", "trap": "net"},
    stars="stars",
    glyphs={
        "piercing": "burst", "direct": "arrow", "attacks": "blade", "reflects": "rings",
        "must-attack": "bolt",
    },
    back=("rust", "rings"),
)  # fmt: skip
