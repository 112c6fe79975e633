"""The printed values of a card of this game, without its wording, and their faults.

The words that its texts may use are in `words`, the catalogue in `cards`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct, field

from domain.effects.language.vocabulary import Effect
from domain.words.phrases import Phrase, phrase

#: bs:2-11-1-1
COLORS = ("red", "purple", "green", "white", "yellow", "blue")
TYPES = ("spirit", "nexus", "magic")


class Level(Struct, array_like=True, forbid_unknown_fields=True, frozen=True):
    """A Lv: how many cores it takes (bs:2-8-3-1), and the BP it gives a Spirit (bs:2-9-1)."""

    cores: int
    bp: int = 0


class Card(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True, rename="kebab"):
    """The printed values of a card, without its wording; `id` is its card number (bs:2-12-1).

    `identifier` is what stands behind the name in brackets and is no part of it (bs:2-1-4);
    `names` are those that its own text gives it (bs:2-1-3). Of `reduction`, `symbols`, EX symbols
    (`ex`) and the symbols that let it be used with the Soul Core (`soul_magic`) there are so many
    of a color. `levels` are in order, from Lv1 on; with `true_release` the Soul Core alone makes it
    Lv2 (bs:12-2-1-1-2). `icons` are the block icons it was printed with, the newest last. `note`
    says what is doubted of the data, which state what is printed.
    """

    id: str
    name: str
    type: Literal["spirit", "nexus", "magic"]
    identifier: str = ""
    names: tuple[str, ...] = ()
    colors: tuple[str, ...] = ()
    cost: int = 0
    reduction: Mapping[str, int] = {}
    symbols: Mapping[str, int] = {}
    ex: Mapping[str, int] = {}
    families: tuple[str, ...] = ()
    levels: tuple[Level, ...] = ()
    true_release: bool = False
    succession: bool = False
    soul_magic: Mapping[str, int] = {}
    icons: tuple[str, ...] = ()
    note: str = ""
    effects: tuple[Effect, ...] = field(default=(), name="effect")

    def called(self) -> tuple[str, ...]:
        """Every name it has; an identifier is part of none."""
        return (self.name, *self.names)

    @property
    def icon(self) -> str:
        """The block icon that counts: the newest it was printed with (bs:2-13-1-4); "" for none."""
        return self.icons[-1] if self.icons else ""

    @property
    def price(self) -> tuple[str, ...]:
        """Its reduction symbols, one after the other."""
        return tuple(color for color, n in self.reduction.items() for _ in range(n))


def figure_faults(card: Card) -> Iterator[Phrase]:
    """The faults of a card's figures."""
    if not card.colors:
        yield phrase("a card has a color")
    counted = (card.reduction, card.symbols, card.ex, card.soul_magic)
    for color in dict.fromkeys((*card.colors, *(one for counts in counted for one in counts))):
        if color not in COLORS:
            yield phrase("there is no color {name!r}", name=color)
    if card.cost < 0 or any(n < 1 for counts in counted for n in counts.values()):
        yield phrase("a cost is never negative, and of symbols there is one at least")
    yield from _magic_faults(card) if card.type == "magic" else _level_faults(card)


def _magic_faults(card: Card) -> Iterator[Phrase]:
    if card.levels or card.true_release:
        yield phrase("a Magic card has no Lv")


def _level_faults(card: Card) -> Iterator[Phrase]:
    if card.soul_magic:
        yield phrase("only a Magic card is used with the Soul Core")
    if not card.levels:
        yield phrase("a Spirit, or a Nexus, has a Lv")
        return
    costs = [level.cores for level in card.levels]
    if costs != sorted(set(costs)) or costs[0] < 0:
        yield phrase("each Lv takes more cores than the one before")
    if card.true_release and len(card.levels) < 2:
        yield phrase("True Release stands with Lv2")
    if card.type == "nexus" and (costs[0] or any(level.bp for level in card.levels)):
        yield phrase("a Nexus has no BP, and its Lv1 takes no core")  # bs:3-3-3-3
    if any(level.bp < 0 for level in card.levels):
        yield phrase("no BP is negative")
