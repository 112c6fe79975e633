"""A board as data: sides, zones, tiles. All texts are phrases or data of the record.

`boards` makes it. Nothing here depends on a screen: how much of it is shown, and how, is for the
screens.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from domain.record.schema import manifest
from domain.record.schema.looks import Look
from domain.words.phrases import phrase


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

    @property
    def words(self) -> str:
        """The figure by its sign or its name."""
        return self.text or phrase("{figure} {value}", figure=self.label, value=self.value)


class Counter(Struct, frozen=True):
    """Counters of a kind; `pips` is their sign so many times, where they have one."""

    kind: str
    label: str
    n: int
    pips: str = ""

    @property
    def words(self) -> str:
        """The counters by their sign or their name."""
        return self.pips or phrase("{n} {counters}", n=self.n, counters=self.label)


class Gem(Struct, frozen=True):
    """So many of each colour, of a printed fact; `words` has the colours by name."""

    key: str
    label: str
    colors: tuple[tuple[str, int], ...]
    words: str


class Glyph(Struct, frozen=True):
    """A keyword by its sign; `value` is how much of it, if that is counted."""

    sign: str
    label: str
    value: str = ""


class Face(Struct, frozen=True, kw_only=True):
    """How the face of a card is drawn: words for colours and emblems, and printed facts.

    A figure in the `corner` without a value has one in play only.
    """

    frame: str = "grey"
    emblem: str = ""
    corner: tuple[Figure, ...] = ()
    stars: Figure | None = None
    gems: tuple[Gem, ...] = ()


class Tile(Struct, frozen=True, kw_only=True):
    """A card. `number` is 0 for one that can't be told apart, `id` empty for one not known.

    `in_place` is its name as told apart from those in its place, by `nth`. `seat` is -1 where the
    zone says whose it is. `lies` says how it lies; `turn` is 0 for how cards arrive in its zone
    (`ready`: it lies so), 1 for the next way to lie, and so on; `turns`: there are several ways.
    `traits` is what is in force beside figures; `printed` what a card out of play has of it.
    `states` are those of `attacking`, `attacked`, `aimed`, `acting`, `departing`, `token` that it
    is. `bond` says to which card elsewhere it belongs, `bound` which belong to it, `going` why it
    is on its way out. `under` is what lies with it, by its role. `face` is how it is drawn,
    `glyphs` its keywords.
    """

    number: int
    name: str
    id: str = ""
    in_place: str = ""
    nth: str = ""
    kind: str = ""
    seat: int = -1
    letter: str = ""
    figures: tuple[Figure, ...] = ()
    counters: tuple[Counter, ...] = ()
    traits: tuple[str, ...] = ()
    printed: tuple[str, ...] = ()
    in_play: bool = False
    lies: str = ""
    sign: str = ""
    turn: int = 0
    turns: bool = False
    ready: bool = False
    down: bool = False
    new: bool = False
    states: tuple[str, ...] = ()
    bond: str = ""
    bound: str = ""
    going: str = ""
    under: tuple[Under, ...] = ()
    face: Face = Face()
    glyphs: tuple[Glyph, ...] = ()

    @property
    def plain(self) -> bool:
        """Whether there is nothing to see of it but its name and how it lies."""
        return not (self.figures or self.under or self.counters or self.down)

    def notes(self) -> Iterator[str]:
        """Further notes on it besides its figures and counters, in a line."""
        yield from (one.words for one in self.under)
        if self.down:
            yield phrase("face down")
        yield from self.traits
        if self.new:
            yield phrase("new")
        yield from filter(None, (self.bond, self.going))

    def all(self) -> Iterator[Tile]:
        """It, and what lies with it."""
        yield self
        for one in self.under:
            for tile in one.tiles:
                yield from tile.all()


class Under(Struct, frozen=True):
    """The cards attached to a card in a role (empty: in none)."""

    role: str
    words: str
    tiles: tuple[Tile, ...]


class Spot(Struct, frozen=True):
    """A card of a zone, or what stands there instead; both empty: nothing.

    In a zone whose places are counted it is in those from `first` to `last`; 0: in none of them.
    """

    first: int = 0
    last: int = 0
    tile: Tile | None = None
    text: str = ""


class Zone(Struct, frozen=True, kw_only=True):
    """A zone, as the manifest declares it, and what lies in it, from bottom to top.

    `whose` names it with its seat. `counted`: its places are; `front`: it is nearest to the middle.
    `n` is how many cards lie in it, `unknown` how many of them can't be told apart.
    """

    declared: manifest.Zone
    place: str
    label: str
    whose: str
    counted: bool = False
    front: bool = False
    n: int = 0
    unknown: int = 0
    counters: tuple[Counter, ...] = ()
    spots: tuple[Spot, ...] = ()

    @property
    def tiles(self) -> list[Tile]:
        """The cards that can be told apart."""
        return [one.tile for one in self.spots if one.tile is not None and one.tile.number]


class Side(Struct, frozen=True, kw_only=True):
    """A player's part of the table. Its `rows` of zones stand from the middle outward."""

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
    rows: tuple[tuple[Zone, ...], ...]


class Act(Struct, frozen=True):
    """An act that waits or is carried out; `link` is its place in a chain, or 0."""

    id: int
    link: int
    seat: int
    text: str
    resolving: bool


class Board(Struct, frozen=True, kw_only=True):
    """All of it. The `sides` stand in the order of a board: the rivals, then the near one.

    `shared` lies between them. `acts` stand with the latest last. `time` is in milliseconds. `look`
    says where zones lie and how cards are drawn.
    """

    game: str
    seq: int
    time: int
    where: tuple[str, ...]
    notes: tuple[str, ...]
    warnings: tuple[str, ...]
    over: bool
    sides: tuple[Side, ...]
    shared: tuple[Zone, ...]
    attack: str
    acts: tuple[Act, ...]
    scheduled: tuple[str, ...]
    decision: str
    decision_n: int
    look: Look = Look()

    def zones(self) -> Iterator[Zone]:
        """All zones, in the order of a board."""
        for side in self.sides:
            for row in side.rows:
                yield from row
        yield from self.shared
