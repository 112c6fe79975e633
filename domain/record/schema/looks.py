"""How a game's table and cards are drawn, as data: where zones lie, and what is where on a card.

Nothing of a record depends on it, nor does the digest of a manifest. Colours, emblems, glyphs and
patterns are words that a screen has pictures for (`service/web/board/static/cards.css`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct

#: How many columns a mat has.
COLUMNS = 10


class Cell(NamedTuple):
    """The part of a mat that a zone takes, from column `x` and unit `y`, both from 1."""

    x: int
    y: int
    wide: int
    high: int


class Look(Struct, frozen=True):
    """How a game's table and its cards are drawn.

    `side` says where zones lie, as their player sees them, from the middle outward, `shared` those
    between the sides. A row is `HEIGHT ZONE*COLUMNS …`: heights are shares, columns are `COLUMNS`
    in all (`.`: free). A zone that is named in rows below each other takes all of them.

    `frames` gives the colour of a frame for a word of a card, the first that fits: its type, or a
    value of the printed facts in `by`. `emblems` gives the picture in place of an illustration, by
    type. `corner` are the facts in the upper left corner; `stars` one that is shown as so many
    stars; `gems` those that count colours; `glyphs` the signs of keywords. `back` are the colour
    and the pattern of a back.
    """

    side: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    frames: Mapping[str, str] = {}
    emblems: Mapping[str, str] = {}
    corner: tuple[str, ...] = ()
    stars: str = ""
    gems: tuple[str, ...] = ()
    glyphs: Mapping[str, str] = {}
    back: tuple[str, str] = ("grey", "rings")


def cells(rows: tuple[str, ...], heights: Mapping[int, int] = {}) -> tuple[dict[str, Cell], int]:
    """The zones of a mat with their cells, and the height of all; `heights` has others for rows."""
    found, y = dict[str, Cell](), 1
    for row, line in enumerate(rows):
        first, *words = line.split()
        high, x = heights.get(row, int(first)), 1
        for word in words:
            name, _, times = word.partition("*")
            wide = int(times or 1)
            above = found.get(name)
            if above is not None:
                found[name] = above._replace(high=y + high - above.y)
            elif name != ".":
                found[name] = Cell(x, y, wide, high)
            x += wide
        y += high
    return found, y - 1
