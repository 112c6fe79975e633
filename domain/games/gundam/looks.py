"""How the table and the cards of the game are drawn (`record.schema.looks`)."""

from __future__ import annotations

from domain.record.schema.looks import Look

LOOK = Look(
    side=(
        "4 base battle*8 deck",
        "2 shield battle*8 trash",
        "3 shield resource*6 resource-deck removal trash",
        "4 hand*10",
    ),
    by=("color",),
    frames={
        "blue": "blue", "green": "green", "red": "red", "white": "white", "purple": "purple",
        "resource": "grey",
    },
    emblems={
        "unit": "machine", "pilot": "person", "command": "bolt", "base": "tower",
        "resource": "cell",
    },
    corner=("lv", "cost"),
    glyphs={
        "linked": "link", "repair": "plus", "breach": "burst", "support": "arrow",
        "blocker": "shield", "first-strike": "blade", "high-maneuver": "wing",
        "suppression": "rings",
    },
    back=("blue", "chevrons"),
)  # fmt: skip
