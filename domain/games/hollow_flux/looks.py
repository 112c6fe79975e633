"""How the table and the cards of the game are drawn (`record.schema.looks`)."""

from __future__ import annotations

from domain.record.schema.looks import Look

LOOK = Look(
    side=(
        "3 guard*5 damage*3 additional main",
        "2 energy*8 . trash",
        "4 hand*10",
    ),
    shared=("8 battlefield*9 exile",),
    by=("classes",),
    frames={
        "Lantern": "yellow", "Tide": "blue", "Machine": "grey", "Spirit": "purple",
        "Beast": "green", "command": "rust", "set": "teal", "world": "plum",
    },
    emblems={"character": "person", "command": "bolt", "set": "link", "world": "globe"},
    corner=("cost",),
    glyphs={
        "counter": "rings", "pierce": "burst", "heavy": "blade", "vigilance": "eye",
        "undying": "plus", "swift": "wing",
    },
    back=("purple", "cross"),
)  # fmt: skip
