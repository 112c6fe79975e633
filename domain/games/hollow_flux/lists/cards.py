"""The cards of this game as data: their figures, their effects, the demonstration decks.

Cards are written in `cards/*.toml` and decks in `decks.toml`; how an effect is written is in
domain/effects/VOCABULARY.md, and `WORDS` are the words that this game adds. What the words *do* is
the rulebook's and the interpreter's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import ClassVar, Literal

from msgspec import Struct, field

from domain.effects.catalogue import Catalogue
from domain.effects.instructions.ways import COMMON
from domain.effects.language.asked import filter_faults, keyword_faults
from domain.effects.language.instruction import Instruction, taken_up
from domain.effects.language.vocabulary import (
    Choose,
    Effect,
    Filter,
    Group,
    Phrases,
    Test,
    comparison,
)
from domain.effects.language.words import COSTS, Takes, Words
from domain.effects.select import contains, passes
from domain.games.hollow_flux.manifest import MANIFEST
from domain.games.kit.lists.cards import declarable, declarations, text_faults
from domain.record.values import Value
from domain.words.phrases import Phrase, labelled, phrase

#: Keywords that add up (hf:key.counter.3, key.pierce.2, key.heavy.2), and those that do not.
AMOUNTS = ("counter", "pierce", "heavy")
SWITCHES = ("vigilance", "undying", "swift")
#: The phases at whose end effects may be carried out.
PHASES = ("active", "draw", "energy", "main", "discard")
#: Occurrences that befall no card: times of the turn.
TIMES = ("main-start", "turn-end", *(f"{phase}-end" for phase in PHASES))

_KINDS = ("character", "command", "set", "world")

_DESTROYED = phrase("what is replaced is that a character is destroyed: say whose in `about`")


class FaceDown(Instruction, tag="face-down", kw_only=True):
    """The top card of your main deck comes face down as a card of `value`.

    A character or, with `choose`, a card set on that host.
    """

    value: dict[str, Value]
    choose: Choose | None = None

    example = 'value = { type = "character", power = 2000 }'
    phrases: ClassVar[Phrases] = {
        "": phrase("lay the top card of your main deck face down, as a card of {value}")
    }

    def check(self, effect: Effect, words: Words) -> Iterator[Phrase]:
        """The facts of a card while it lies face down: a type and a power, a name and classes.

        Set on something it is a set card, else a character, which has power (reading:hf/A13).
        """
        figures, wrong = self.value, [*undefinable(self.value)]
        if wrong:
            yield wrong[0]
        elif figures.get("type", "character") != ("character" if self.choose is None else "set"):
            yield phrase("it is a set card if it is set on something, else a character")
        elif self.choose is None and int(figures.get("power") or 0) < 1:
            yield phrase("a character needs power")


WORDS = Words(
    zones=frozenset(
        {
            "main", "guard", "additional", "hand", "energy", "damage", "battlefield", "trash",
            "exile",
        }
    ),
    layout={zone.name: zone for zone in MANIFEST.zones},
    field=frozenset({"", "battlefield"}),
    affected=frozenset({"", "battlefield"}),
    attributes=dict.fromkeys(("type", "name", "name-has", "class", "id", "orient"), (str,))
    | dict.fromkeys(("cost", "power", "sets"), (int,))
    | dict.fromkeys(SWITCHES, (bool,))
    | dict.fromkeys(AMOUNTS, (bool, int)),
    values={"type": frozenset(_KINDS), "orient": frozenset({"active", "asleep"})},
    occurrences=frozenset(
        {"enter", "set", "attack", "defend", "destroyed", "destroys", "destroyed-by-damage",
         "destroyed-by-effect", "damage-trigger", *TIMES}
    ),
    replaceable={
        "destroyed": "",
        "destroyed-by-damage": "",
        "destroyed-by-effect": "",
        "lost": "",
        "destroys": _DESTROYED,
        "enter": phrase("no rule says where a card stays that was paid for and did not enter"),
        "set": phrase("no rule says where a card stays that was paid for and was not set"),
        "attack": phrase("its player declares it or not; a text can forbid it"),
        "defend": phrase("its player declares it or not; a text can forbid it"),
        "damage-trigger": phrase("its player reveals it or not"),
        **dict.fromkeys(TIMES, phrase("a time of the turn is no event")),
    },
    of_players=frozenset({"lost"}),
    timings=frozenset(),
    figures=frozenset({"power"}),
    keywords=dict.fromkeys(AMOUNTS, int) | dict.fromkeys(SWITCHES, bool),
    acts=frozenset({"attack", "defend", "damage", "destroyed", "abilities", "effects"}),
    durations=frozenset({"turn"}),
    costs={
        **COSTS,
        **dict.fromkeys(("pay", "carnage"), Takes((), ("n", "x"))),
        "trash": Takes((), ("of", "n")),
        "discard": Takes((), ("n",)),
    },
    elsewhere=frozenset({"sky"}),
    losable=frozenset({"constant", "triggered", "activated", "replacement"}),
    instructions=taken_up(*COMMON, FaceDown, without=("pair", "token")),
)  # fmt: skip


#: The parts of a deck.
PARTS = ("main", "guard", "additional")


class Limit(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """At most `n` copies (None: any number) of each card that matches `of`, in those parts."""

    of: Filter = {}
    n: int | None = None
    among: tuple[str, ...] = PARTS


class Sky(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The condition of a sky-arms card (hf:key.sky.1): what a list must be like, and may be.

    No card of the parts `among` may match `without`. What takes the place of the usual rules of
    construction (hf:key.sky.4): `copies`, limits by name, and `limits`, by what cards are; `sizes`
    of the main and the guard deck. `additional` is the size of the further deck it grants, 0 if
    none.
    """

    without: Filter = {}
    among: tuple[str, ...] = PARTS
    copies: Mapping[str, int] = {}
    limits: tuple[Limit, ...] = ()
    sizes: Mapping[str, Test] = {}
    additional: int = 0


class Card(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The printed values of a card, without its wording.

    `power` is a character's; on a set card what its host gets. `art` filters the cards that let a
    secret-art card be played (hf:key.secret.3); None: it is none. `sky` makes it a sky-arms card.
    `host` restricts what a set card may be set on (hf:card.set.3).
    """

    id: str
    name: str
    type: Literal["character", "command", "set", "world"]
    cost: int = 0
    power: int = 0
    classes: tuple[str, ...] = ()
    keywords: Mapping[str, int | bool] = {}
    art: Filter | None = None
    sky: Sky | None = None
    host: Group | None = None
    effects: tuple[Effect, ...] = field(default=(), name="effect")


def matches(card: Card, wanted: Filter) -> bool:
    """Whether a card as it is printed matches a filter; for lists, where no card lies anywhere."""
    return all(
        (contains if key.endswith("-has") else passes)(_printed(card, key), test)
        for key, test in wanted.items()
    )


def kinds(card: Card) -> tuple[str, ...]:
    """Of what kinds a card is: a world set is a set card as well (hf:card.world.1)."""
    return ("world", "set") if card.type == "world" else (card.type,)


def _printed(card: Card, key: str) -> object:
    match key:
        case "type":
            return kinds(card)
        case "class":
            return card.classes
        case "name-has":
            return card.name
        case "id" | "name" | "cost" | "power":
            value: object = getattr(card, key)
            return value
    return card.keywords.get(key)


def undefinable(figures: Mapping[str, Value]) -> Iterator[Phrase]:
    """The faults of a statement about a face-down card (reading:hf/A13)."""
    kinds = {"type": str, "power": int, "name": str, "classes": str}
    if any(type(value) is not kinds.get(key) for key, value in figures.items()):
        yield phrase("what it counts as says type, power, name and classes, and nothing else")
    elif figures.get("type", "character") not in ("character", "set"):
        yield phrase("it is a character or a set card")


def _faults(card: Card, known: Mapping[str, Card]) -> Iterator[Phrase]:
    if card.cost < 0:
        yield phrase("a cost is never negative")
    if card.type == "character" and card.power < 1:
        yield phrase("a character needs power")  # reading:hf/A13
    if card.type in ("command", "world") and (card.power or card.keywords):
        yield phrase("a {type} card has no power and no keywords", type=card.type)
    yield from keyword_faults(card.keywords, WORDS)
    yield from filter_faults(card.art or {}, WORDS)
    yield from _sky_faults(card.sky or Sky())
    if card.host is not None:
        yield from filter_faults(card.host.match, WORDS)
        if card.type != "set" or card.host.zone:
            yield phrase(
                "`host` says on whose and which cards of the battlefield a set card may be set"
            )
    yield from text_faults(card, WORDS)
    for effect in card.effects:
        if (effect.kind == "command") != (card.type == "command") and effect.kind in (
            "command", "activated", "constant", "replacement",
        ):  # fmt: skip
            yield phrase(
                "{name}: a {type} card has no {kind} effects",
                name=effect.name,
                type=card.type,
                kind=effect.kind,
            )
        yield from (labelled(effect.name, fault) for fault in _cost_faults(effect))
        if effect.zone == "sky" and card.sky is None:
            yield phrase("{name}: only sky-arms cards have such effects", name=effect.name)
        if effect.zone == "sky" and (effect.kind != "triggered" or effect.on not in TIMES):
            yield phrase(
                "{name}: sky-arms go off at a time of the turn: {names}",
                name=effect.name,
                names=", ".join(TIMES),
            )
        if effect.on == "damage-trigger" and effect.about is not None:
            yield phrase(
                "{name}: a damage trigger is its own card's", name=effect.name
            )  # hf:key.trigger.1


#: Of which zones some costs take cards; nothing is paid with one card twice (hf:key.act.7).
_TAKEN = {"pay": "energy", "carnage": "damage", "discard": "hand"}


def _cost_faults(effect: Effect) -> Iterator[Phrase]:
    taken = {_TAKEN[cost.do]: cost.do for cost in effect.cost if cost.do in _TAKEN}
    for cost in effect.cost:
        if cost.of is not None and cost.of.zone in taken:
            yield phrase("{taken} and trash take cards of the same zone", taken=taken[cost.of.zone])


def _sky_faults(sky: Sky) -> Iterator[Phrase]:
    for wanted in (sky.without, *(limit.of for limit in sky.limits)):
        yield from filter_faults(wanted, WORDS)
    for part in {*sky.among, *(part for limit in sky.limits for part in limit.among)} - {*PARTS}:
        yield phrase("a deck has no part {part!r}", part=part)
    for part, size in sky.sizes.items():
        known = type(size) is int or (isinstance(size, str) and comparison(size) is not None)
        if part not in ("main", "guard") or not known:
            yield phrase(
                "`sizes` are those of the main and the guard deck: numbers, or comparisons"
            )


#: A command with its figures only is played like any other, and its text declared then.
TEXT = Effect(kind="command", name="text")
CATALOGUE: Catalogue[Card] = Catalogue(
    files(__package__), Card, WORDS, _faults, None, declarable(TEXT)
)
#: What is wrong with clauses that are declared.
declaration_faults = declarations(WORDS)
