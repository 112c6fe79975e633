"""A board as templates get it: sides, zones, tiles. All texts are phrases or data of the record.

`tiles` makes the cards, `zones` the zones and `board` puts them together; `board.html` and
`parts.html` say how it is written down, `static/board.css` how it looks.
"""

from __future__ import annotations

from msgspec import Struct


class Figure(Struct, frozen=True):
    """A figure of a card. `text`: its sign as often as it counts, else empty.

    `way` is `up` or `down` where it is not what is `printed` (empty: nothing is known of that).
    """

    key: str
    label: str
    value: str
    text: str = ""
    printed: str = ""
    way: str = ""


class Counter(Struct, frozen=True):
    """Counters of a kind; `pips` is their sign so many times, where they have one."""

    kind: str
    label: str
    n: int
    pips: str = ""


class Tile(Struct, frozen=True, kw_only=True):
    """A card. `turn` is 0 for how it arrives in its zone, 1 for the next way to lie, and so on.

    `number` is 0 for a card that can't be told apart; `classes` say what befalls it. `under` is
    what lies with it, by its role. `nth` tells it from others of its name in its place. `seat` is
    -1 where the zone says whose it is.
    """

    number: int
    name: str
    nth: str = ""
    known: bool = True
    kind: str = ""
    seat: int = -1
    letter: str = ""
    figures: tuple[Figure, ...] = ()
    counters: tuple[Counter, ...] = ()
    traits: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    lies: str = ""
    sign: str = ""
    turn: int = 0
    down: bool = False
    new: bool = False
    image: str = ""
    classes: str = ""
    under: tuple[tuple[str, tuple[Tile, ...]], ...] = ()


class Slot(Struct, frozen=True):
    """A place of a zone that is counted: `first` to `last`; `text` is what stands there instead."""

    first: int
    last: int
    text: str = ""


class Shown(Struct, frozen=True, kw_only=True):
    """A zone. `look` is how it is drawn: `tiles`, `hand`, `chips`, `pile`, `stack`, `counters`.

    `groups` are its cards: of a zone that the players share, those of each. Of a pile that is the
    card on top; `rest` is looked through. `unknown` are cards that can't be told apart.
    """

    place: str
    label: str
    whose: str
    look: str
    n: int = 0
    counters: tuple[Counter, ...] = ()
    groups: tuple[tuple[Tile | Slot, ...], ...] = ()
    rest: tuple[Tile, ...] = ()
    unknown: int = 0
    tally: tuple[tuple[int, str], ...] = ()
    classes: str = ""


class Side(Struct, frozen=True, kw_only=True):
    """A player's part of the table. `lines` lay out cards, `rail` are piles, stacks, counters."""

    seat: int
    letter: str
    player: str
    name: str
    deck: str
    turn: bool
    asked: bool
    clock: str
    late: bool
    counters: tuple[Counter, ...]
    lines: tuple[tuple[Shown, ...], ...]
    rail: tuple[Shown, ...]


class Act(Struct, frozen=True):
    """What waits or is carried out; `link` is its place in a chain, or 0."""

    id: int
    link: int
    seat: int
    text: str
    resolving: bool


class Board(Struct, frozen=True, kw_only=True):
    """All of it. The sides stand in the order of a board: the rivals, then the near one.

    `shared` lies between them, `aside` at its side.
    """

    game: str
    seq: int
    time: str
    where: tuple[str, ...]
    notes: tuple[str, ...]
    warnings: tuple[str, ...]
    over: bool
    far: tuple[Side, ...]
    near: Side
    shared: tuple[Shown, ...]
    aside: tuple[Shown, ...]
    attack: str
    acts: tuple[Act, ...]
    scheduled: tuple[str, ...]
    decision: str
    decision_n: int
