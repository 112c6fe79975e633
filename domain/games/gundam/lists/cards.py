"""The cards of this game as data: their figures, their effects, the starter decks.

Cards are written in `cards/*.toml`, one file a set, and decks in `decks.toml`; how an effect is
written is in domain/effects/VOCABULARY.md, and `WORDS` are the words that this game adds. All
faults are found here, when data is loaded (a scenario's own cards too), so that the interpreter may
trust what it is given. What the words *do* is the rulebook's and the
interpreter's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from importlib.resources import files
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from domain.effects.catalogue import Catalogue
from domain.effects.instructions import cards, lasting
from domain.effects.instructions.ways import COMMON
from domain.effects.language.asked import filter_faults, keyword_faults
from domain.effects.language.instruction import Instruction, Lies, Numbered, taken_up
from domain.effects.language.vocabulary import Choose, Effect, Filter, Group, Of, Phrases
from domain.effects.language.words import Words
from domain.effects.select import Running
from domain.games.gundam.manifest import MANIFEST
from domain.games.kit.lists.cards import declarable, declarations, text_faults
from domain.record.values import Change
from domain.words.phrases import Phrase, phrase

Keywords = Mapping[str, int | bool]

#: Keywords with a number, which add up (gcg:11-1-1, 11-1-2, 11-1-3), and those without one.
AMOUNTS = frozenset({"repair", "breach", "support"})
SWITCHES = frozenset({"blocker", "first-strike", "high-maneuver", "suppression"})

#: The kinds of damage that a text may lower.
DAMAGES = ("damage", "battle-damage")
_KINDS = frozenset({"unit", "pilot", "command", "base", "resource"})
_COLORS = frozenset({"blue", "green", "red", "white", "purple"})
_LIES = frozenset({"active", "rested"})

_DESTROYED = phrase("what is replaced is that a card is destroyed: say whose in `about`")


class Token(cards.Token, tag="token"):
    """Places `n` tokens of that id."""

    phrases: ClassVar[Phrases] = {"": phrase("deploy {n} × {token}")}


class ExResource(Numbered, tag="ex-resource"):
    """In Gundam: you place `n` EX Resources."""

    orient: Lies = ""

    example = "n = 1"
    phrases: ClassVar[Phrases] = {"": phrase("place {n} × EX Resource")}


class Retarget(Instruction, tag="retarget", kw_only=True):
    """In Gundam: the attack in progress goes on against that card."""

    choose: Choose

    example = 'choose = { of = { zone = "battle", whose = "theirs" } }'
    phrases: ClassVar[Phrases] = {"": phrase("let the attack go on against {cards}")}


class Reduce(lasting.Lasting, tag="reduce", kw_only=True):
    """In Gundam, from 1.9: what damage is dealt to them is `n` less; `key` says which.

    That is all `damage`, or `battle-damage`; with `against`, from such cards.
    """

    key: Annotated[str, Of("act")] = "damage"
    n: int = 1
    against: Group | None = None

    plain: ClassVar[bool] = True
    example = 'n = 2, until = "turn", to = { zone = "this" }'
    phrases: ClassVar[Phrases] = {
        "": phrase("reduce by {n} the damage that {cards} would receive"),
        "battle-damage": phrase("reduce by {n} the battle damage that {cards} would receive"),
    }

    def change(self, run: Running) -> Change:
        return Change(self.key, self.do, self.n, self.against)

    def check(self, effect: Effect, words: Any) -> Iterator[Phrase]:
        if self.key not in DAMAGES or self.n < 1:
            yield phrase("what is reduced is `damage` or `battle-damage`, by a number above 0")
        yield from super().check(effect, words)


class PairedCommand(Instruction, tag="paired-command"):
    """In Gundam, from 1.9: the command effect with that timing of the card paired with this Unit.

    It is activated as that of a Command, without being played; the card stays paired.
    """

    key: Annotated[str, Of("timing")] = "main"

    plain: ClassVar[bool] = True
    example = 'key = "main"'
    ruled: ClassVar[bool] = False
    phrases: ClassVar[Phrases] = {
        "main": phrase("activate the Main of the card paired with this card"),
        "action": phrase("activate the Action of the card paired with this card"),
    }


class Battle(Instruction, tag="battle", kw_only=True):
    """In Gundam, from 1.9: a battle with that Unit, the Damage Step alone; this Unit attacks.

    With `by = "chosen"` the first Unit that the text has chosen does.
    """

    by: Literal["", "chosen"] = ""
    choose: Choose

    example = 'choose = { of = { zone = "battle", whose = "theirs" } }'
    phrases: ClassVar[Phrases] = {
        "": phrase("begin a battle of this card with {cards}, with a Damage Step alone"),
        "chosen": phrase("begin a battle of the first one with {cards}, with a Damage Step alone"),
    }


#: Where else than on the field a text can say that it works (1.9: 3-3-9-2-1).
ELSEWHERE = frozenset({"trash"})
#: The words of this game, which its effects may use beside those that all games share.
WORDS = Words(
    zones=frozenset(
        {
            "deck", "resource-deck", "resource", "battle", "base", "shield", "removal", "hand",
            "trash",
        }
    ),
    layout={zone.name: zone for zone in MANIFEST.zones},
    field=frozenset({"", "battle", "base"}),
    affected=frozenset({"", "battle", "base", "shield"}),
    attributes=dict.fromkeys(
        ("type", "name", "name-has", "trait", "terrain", "color", "id", "role", "orient"), (str,)
    )
    | dict.fromkeys(("lv", "cost", "ap", "hp"), (int,))
    | dict.fromkeys(("linked", "paired", "battling", "token", *SWITCHES), (bool,))
    | dict.fromkeys(AMOUNTS, (bool, int)),
    values={"type": _KINDS, "color": _COLORS, "orient": _LIES, "role": frozenset({"pilot"})},
    occurrences=frozenset(
        {
            "deploy", "attack", "destroyed", "paired", "linked", "burst", "turn-start", "turn-end",
            "destroys-unit", "destroys-shield", "rested", "readied", "returned",
            "destroyed-by-damage", "destroyed-by-effect",
        }
    ),
    replaceable={
        "destroyed": "",
        "destroyed-by-damage": "",
        "destroyed-by-effect": "",
        "rested": "",
        "returned": "",
        "lost": "",
        "deploy": phrase("no rule says where a card stays that was paid for and not deployed"),
        "readied": phrase("no rule says what else is done as a card becomes active"),
        "paired": phrase("no rule says where a Pilot stays that was paid for and not paired"),
        "linked": phrase("a Unit and its Pilot link or don't; nobody does it"),
        "attack": phrase("its player declares it or not; a text can forbid it"),
        "burst": phrase("its player activates it or not"),
        "turn-start": phrase("a step of the turn is no event"),
        "turn-end": phrase("a step of the turn is no event"),
        "destroys-unit": _DESTROYED,
        "destroys-shield": _DESTROYED,
    },
    of_players=frozenset({"lost"}),
    timings=frozenset({"main", "action"}),
    figures=frozenset({"ap", "hp", "lv"}),
    keywords=dict.fromkeys(AMOUNTS, int) | dict.fromkeys(SWITCHES, bool),
    acts=frozenset(
        {
            "attack", "attack-player", "attack-target", "block", "activate", "damage",
            "battle-damage",
        }
    ),
    durations=frozenset({"turn", "battle"}),
    elsewhere=ELSEWHERE,
    provided=True,
    losable=frozenset({"constant", "triggered", "activated", "replacement"}),
    instructions=taken_up(
        *COMMON, cards.Target, Token, ExResource, Retarget, Battle, Reduce, PairedCommand
    ),
)  # fmt: skip


#: The words of the first edition: these came later.
LATER = frozenset(
    {
        "suppression", "battle", "battling", "target", "reduce", "readied", "purple",
        "paired-command", "terrain",
    }
)  # fmt: skip
FIRST_WORDS = replace(WORDS.without(LATER), elsewhere=())


class PilotSide(Struct, forbid_unknown_fields=True, frozen=True):
    """The pilot effect of a Command: the name it has while it lies under a Unit (gcg:2-3-5-4-1)."""

    name: str


class Card(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The printed values of a card, without its wording.

    Figures are integers; on a Pilot or a Command with a `pilot` side AP and HP are what its Unit
    gets. `names` are further names it counts as, `terrain` is space or earth (in the book: zone)
    or both. `link` tells which Pilots make this Unit a Link
    Unit; None: none does. Tokens and EX cards are `token`s.
    """

    id: str
    name: str
    type: Literal["unit", "pilot", "command", "base", "resource"]
    color: Literal["", "blue", "green", "red", "white", "purple"] = ""
    lv: int = 0
    cost: int = 0
    ap: int = 0
    hp: int = 0
    traits: tuple[str, ...] = ()
    terrain: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    link: Filter | None = None
    keywords: Keywords = {}
    token: bool = False
    pilot: PilotSide | None = None
    effects: tuple[Effect, ...] = field(default=(), name="effect")

    def called(self, role: str = "") -> tuple[str, ...]:
        """Every name it counts as; in the role of a `pilot`, the name of its pilot side too."""
        if role == "pilot" and self.pilot is not None:
            return (self.name, *self.names, self.pilot.name)
        return (self.name, *self.names)


# -- checking ------------------------------------------------------------------------------------


def _gaps(card: Card, known: Mapping[str, Card]) -> Iterator[Phrase]:
    bare = card.token or card.type == "resource"
    if not bare and not (card.color and card.lv and card.cost):
        # gcg:2-4-2, 2-8-2, 2-9-2
        yield phrase("all but tokens and Resources have a color, Lv and cost")


def _faults(card: Card, known: Mapping[str, Card], words: Words = WORDS) -> Iterator[Phrase]:
    if min(card.lv, card.cost, card.ap, card.hp) < 0:
        yield phrase("figures are never negative")
    if card.type in ("unit", "base") and card.hp < 1:
        yield phrase("a {type} needs HP", type=card.type)
    if card.color and card.color not in words.values["color"]:
        yield phrase("{color} is no color in this edition", color=card.color)
    if card.token and (card.color or card.lv or card.cost):
        yield phrase("a token has no color, Lv or cost")  # gcg:4-17-2-2, 4-17-2-3
    if card.link is not None:
        if card.type != "unit":
            yield phrase("only Units have a link condition")  # gcg:2-11-2
        yield from filter_faults(card.link, words)
    if card.pilot is not None and card.type != "command":
        yield phrase("only Commands have a pilot side")
    if card.keywords and card.type != "unit":
        yield phrase("only Units have keywords; a text that gives one is an effect")
    yield from keyword_faults(card.keywords, words)
    yield from text_faults(card, words, _tokens(known))
    for effect in card.effects:
        if effect.on == "burst" and effect.about is not None:
            yield phrase("{name}: a Burst is its own card's", name=effect.name)  # gcg:11-2-5-2
        if effect.zone and effect.kind not in ("triggered", "activated"):
            yield phrase("{name}: only what triggers or is activated works there", name=effect.name)
        if effect.kind == "command" and card.type != "command":
            yield phrase("{name}: only Commands have command effects", name=effect.name)


def _tokens(known: Mapping[str, Card]) -> set[str]:
    return {card.id for card in known.values() if card.token}


#: A Command with its figures only is played like any other, and its text declared then.
TEXT = Effect(kind="command", name="text", at=["main", "action"])
CATALOGUE: Catalogue[Card] = Catalogue(
    files(__package__), Card, WORDS, _faults, _gaps, declarable(TEXT)
)
#: The same cards, for the first edition.
FIRST = CATALOGUE.narrowed(FIRST_WORDS, partial(_faults, words=FIRST_WORDS))
#: What is wrong with clauses that are declared.
declaration_faults = declarations(
    WORDS, tokens=lambda p: _tokens(CATALOGUE.known(p.heading.prints))
)
