"""The printed values of a card of this game, without its wording, and their faults.

The words that its texts may use, and the catalogue, are in `cards`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct, field, structs

from domain.effects.language.vocabulary import Effect, Filter, Test, comparison
from domain.words.phrases import Phrase, phrase

#: What monsters can be at once; `normal` is one without effects. Those summoned out of the Extra
#: Deck say how (ygo:base.deck.3).
EXTRA = ("fusion", "synchro", "xyz")
MONSTERS = (
    "normal", "effect", *EXTRA, "ritual", "tuner", "flip", "spirit", "gemini", "union", "toon",
)  # fmt: skip
#: What a Spell or a Trap is: one of these.
SPELLS = ("normal", "continuous", "equip", "quick-play", "field", "ritual")
TRAPS = ("normal", "continuous", "counter")
KINDS = {"monster": MONSTERS, "spell": SPELLS, "trap": TRAPS}

ATTRIBUTES = ("dark", "divine", "earth", "fire", "light", "water", "wind")
#: The last three came later; Normal Monsters of today have them too.
RACES = (
    "aqua", "beast", "beast-warrior", "dinosaur", "divine-beast", "dragon", "fairy", "fiend",
    "fish", "insect", "machine", "plant", "psychic", "pyro", "reptile", "rock", "sea-serpent",
    "spellcaster", "thunder", "warrior", "winged-beast", "zombie", "cyberse", "illusion", "wyrm",
)  # fmt: skip
#: The highest Level and Rank.
STARS = 12


class Material(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Materials that a monster is summoned with: `n` (a number, or a comparison) that match.

    With `different` no two of them have the same value of that attribute.
    """

    n: Test = 1
    match: Filter = {}
    different: str = ""


class AsMonster(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The values of a Trap that its text has Special Summoned; `still`: it is also a Trap."""

    kind: tuple[str, ...]
    stars: int
    attribute: str
    race: str
    atk: int = 0
    defence: int = field(default=0, name="def")
    still: bool = True


class Card(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The printed values of a card, without its wording; `id` is its passcode, of eight digits.

    `kind` says what a monster is all at once, and of a Spell or a Trap which one. `stars` are the
    Level of a monster, the Rank of an Xyz Monster (ygo:base.rank.1). `unset` are the figures it
    shows a question mark for, `atk` or `def`: 0 until a text says more. `names` are further names
    it always counts as. `special`: it can't be Summoned or Set as usual (ygo:special.monster.1);
    `unbound`: it has nevertheless no revival limit. `materials` are what it is summoned with out of
    the Extra Deck, each with its own cards. `monster` is what a Trap may be Summoned as.
    """

    id: str
    name: str
    type: Literal["monster", "spell", "trap"]
    kind: tuple[str, ...] = ()
    stars: int = 0
    attribute: str = ""
    race: str = ""
    atk: int = 0
    defence: int = field(default=0, name="def")
    unset: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    special: bool = False
    unbound: bool = False
    token: bool = False
    materials: tuple[Material, ...] = ()
    monster: AsMonster | None = None
    effects: tuple[Effect, ...] = field(default=(), name="effect")

    def called(self) -> tuple[str, ...]:
        """Every name it counts as."""
        return (self.name, *self.names)

    def became(self) -> Card:
        """The values of a Trap as a monster; `ValueError` if it is never one."""
        if self.monster is None:
            raise ValueError(self.name)
        figures = structs.asdict(self.monster)
        del figures["still"]
        return structs.replace(self, type="monster", **figures)

    @property
    def extra(self) -> bool:
        """Whether it belongs in an Extra Deck (ygo:base.deck.3)."""
        return self.type == "monster" and any(kind in EXTRA for kind in self.kind)

    @property
    def level(self) -> int:
        """Its Level; 0: it has none."""
        return 0 if "xyz" in self.kind else self.stars

    @property
    def rank(self) -> int:
        """Its Rank; 0: it has none."""
        return self.stars if "xyz" in self.kind else 0

    @property
    def summoned_specially(self) -> bool:
        """Whether it is a Special Summon Monster (ygo:special.monster.1)."""
        return self.special or self.extra or (self.type == "monster" and "ritual" in self.kind)

    @property
    def revival_limit(self) -> bool:
        """Whether texts revive it only once it was properly summoned (ygo:special.revive.1)."""
        return self.summoned_specially and not self.unbound


def figure_faults(card: Card) -> Iterator[Phrase]:
    """The faults of a card's figures."""
    for kind in card.kind:
        if kind not in KINDS[card.type]:
            yield phrase("a {type} card is not {kind}", type=card.type, kind=kind)
    yield from _monster_faults(card) if card.type == "monster" else _spell_faults(card)
    if card.monster is not None and card.type != "trap":
        yield phrase("only a Trap is Summoned as a monster")


def _spell_faults(card: Card) -> Iterator[Phrase]:
    if len(card.kind) != 1:
        yield phrase("a Spell or a Trap is of one kind")
    figures = (card.stars, card.atk, card.defence, card.attribute, card.race, card.unset)
    if any(figures) or card.materials or card.special or card.token:
        yield phrase("only monsters have figures")
    if card.monster is not None:
        yield from figure_faults(structs.replace(card.became(), monster=None))


def _monster_faults(card: Card) -> Iterator[Phrase]:
    if card.attribute not in ATTRIBUTES:
        yield phrase("there is no attribute {name!r}", name=card.attribute)
    if card.race not in RACES:
        yield phrase("there is no race {name!r}", name=card.race)
    if not 0 < card.stars <= STARS:
        yield phrase("a Level, or a Rank, is 1 to {most}", most=STARS)
    if min(card.atk, card.defence) < 0:
        yield phrase("figures are never negative")
    if not {*card.unset} <= {"atk", "def"}:
        yield phrase("question marks stand for `atk` and `def`")
    ways = [kind for kind in card.kind if kind in (*EXTRA, "ritual")]
    if len(ways) > 1:
        yield phrase("a monster is summoned in one of these ways: {names}", names=", ".join(ways))
    if "normal" in card.kind and {"effect", "flip", "spirit"} & {*card.kind}:
        yield phrase("a Normal Monster has no effects")
    if card.materials and not card.extra:
        yield phrase("only monsters of the Extra Deck have Materials")
    for material in card.materials:
        if isinstance(material.n, str) and comparison(material.n) is None:
            yield phrase("of Materials there is a number, or a comparison")
