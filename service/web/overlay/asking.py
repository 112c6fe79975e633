"""The parameters of an overlay's address: theme, elements, positions.

`?theme=bold&show=players,clock&at.clock=top-left&at.last=2,20,80`. Unreadable parameters are
ignored, and reported on the page only with `?debug`: a stream never shows a fault.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct, field

from domain.words.phrases import Phrase, phrase

#: What an overlay may show.
ELEMENTS = (
    "players", "score", "turn", "clock", "last", "chain", "announce", "next", "banner", "board",
)  # fmt: skip
#: What it shows unless something else is asked for.
USUAL = tuple(name for name in ELEMENTS if name != "board")
#: What may be placed: players one by one.
SLOTS = ("player-0", "player-1", *(name for name in ELEMENTS if name != "players"))
_OF = {"player-0": "players", "player-1": "players"}
#: Where something may stand, in words.
PLACES = (
    "top-left", "top", "top-right", "left", "center", "right", "bottom-left", "bottom",
    "bottom-right",
)  # fmt: skip
#: The theme of an overlay that names none, and what a theme may be called.
THEME, NAME = "plain", r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}"
#: A size in percent of what the theme has, at least and at most.
SMALLEST, LARGEST = 10, 500


class Place(Struct, frozen=True):
    """Where an element stands: `name` is one of `PLACES`, or empty: `x` and `y` in percent.

    `size` is in percent of what it is in the theme; 0: as it is.
    """

    name: str = ""
    x: float = 0.0
    y: float = 0.0
    size: float = 0.0


class Wish(Struct):
    """The parameters of an address; `faults` lists the unreadable ones.

    `at` is the entry that is shown, 0: the newest; `remote` the channel that says so.
    """

    theme: str = THEME
    at: int = 0
    remote: str = ""
    show: tuple[str, ...] = USUAL
    places: dict[str, Place] = field(default_factory=dict)
    debug: bool = False
    faults: list[Phrase] = field(default_factory=list)

    @property
    def slots(self) -> list[str]:
        """The elements that are shown, players one by one."""
        return [slot for slot in SLOTS if slot in self.show or _OF.get(slot) in self.show]


def read(asked: Mapping[str, str]) -> Wish:
    """Read these parameters."""
    wish = Wish(debug="debug" in asked)
    _read_theme(wish, asked.get("theme", ""))
    _read_elements(wish, asked.get("show", ""))
    _read_entry(wish, asked.get("at", ""))
    wish.remote = asked.get("remote", "")
    for key, value in asked.items():
        if key.startswith("at."):
            _read_place(wish, key[3:], value)
    return wish


def _read_theme(wish: Wish, name: str) -> None:
    if re.fullmatch(NAME, name):
        wish.theme = name
    elif name:
        wish.faults.append(phrase("{name!r} is no name of a theme", name=name))


def _read_entry(wish: Wish, text: str) -> None:
    if re.fullmatch("[1-9][0-9]{0,8}", text):
        wish.at = int(text)
    elif text:
        wish.faults.append(phrase("{text!r} is no number of an entry", text=text))


def _read_elements(wish: Wish, text: str) -> None:
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in ELEMENTS:
            wish.faults.append(phrase("there is no element {name!r} to show", name=name))
    if names:
        wish.show = tuple(name for name in ELEMENTS if name in names) or USUAL


def _read_place(wish: Wish, slot: str, text: str) -> None:
    place = _place(text)
    if slot not in SLOTS:
        wish.faults.append(phrase("there is no element {name!r} to place", name=slot))
    elif place is None:
        wish.faults.append(phrase("{text!r} is no place for {name}", text=text, name=slot))
    else:
        wish.places[slot] = place


def _place(text: str) -> Place | None:
    """`top-left`, `top-left,80` or `2.5,40,80`; None: none of these."""
    first, *rest = (part.strip() for part in text.split(","))
    if first in PLACES:
        sizes = [_number(part, SMALLEST, LARGEST) for part in rest]
        if len(sizes) > 1 or None in sizes:
            return None
        return Place(first, size=sizes[0] or 0.0 if sizes else 0.0)
    if len(rest) not in (1, 2):
        return None
    x, y = _number(first, 0, 100), _number(rest[0], 0, 100)
    size = _number(rest[1], SMALLEST, LARGEST) if len(rest) == 2 else 0.0
    return Place("", x, y, size) if x is not None and y is not None and size is not None else None


def _number(text: str, least: float, most: float) -> float | None:
    if not re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,3})?", text):
        return None
    return float(text) if least <= float(text) <= most else None
