"""How the table and the cards of the game are drawn (`record.schema.looks`)."""

from __future__ import annotations

from domain.record.schema.looks import Look

LOOK = Look(
    side=(
        "4 life field*8 deck",
        "4 reserve field*8 trash",
        "4 hand*9 exile",
    ),
    by=("colors",),
    frames={
        "red": "red", "purple": "purple", "green": "green", "white": "white",
        "yellow": "yellow", "blue": "blue",
    },
    emblems={"spirit": "flame", "nexus": "arch", "magic": "spark"},
    corner=("cost", "level"),
    gems=("reduction",),
    glyphs={"true-release": "burst"},
    back=("blue", "rays"),
)  # fmt: skip
