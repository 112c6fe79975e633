"""The cards of this game as data: their figures, their effects, the starter decks.

Cards are written in `cards/*.toml`, one file a set, and decks in `decks.toml`; how an effect is
written is in domain/effects/VOCABULARY.md, and `WORDS` are the words that this game adds. All
faults are found here, when data is loaded (a scenario's own cards go through `parse` too), so that
the interpreter may trust what it is given. What the words *do* is the rulebook's and the
interpreter's.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Any, Literal

import msgspec
from msgspec import Struct, field

from domain.effects.check import Takes, Words, faults, filter_faults
from domain.effects.vocabulary import Effect, Filter, clauses_from

Keywords = Mapping[str, int | bool]

#: Keywords with a number, which add up (gcg:11-1-1, 11-1-2, 11-1-3), and those without one.
AMOUNTS = frozenset({"repair", "breach", "support"})
SWITCHES = frozenset({"blocker", "first-strike", "high-maneuver"})

_KINDS = frozenset({"unit", "pilot", "command", "base", "resource"})
_COLORS = frozenset({"blue", "green", "red", "white"})
_LIES = frozenset({"active", "rested"})

#: The words of this game, which its effects may use beside those that all games share.
WORDS = Words(
    zones=frozenset(
        {
            "deck", "resource-deck", "resource", "battle", "base", "shield", "removal", "hand",
            "trash",
        }
    ),
    attributes=dict.fromkeys(
        ("type", "name", "name-has", "trait", "color", "id", "role", "orient"), (str,)
    )
    | dict.fromkeys(("lv", "cost", "ap", "hp"), (int,))
    | dict.fromkeys(("linked", "paired", "token", *SWITCHES), (bool,))
    | dict.fromkeys(AMOUNTS, (bool, int)),
    values={"type": _KINDS, "color": _COLORS, "orient": _LIES, "role": frozenset({"pilot"})},
    occurrences=frozenset(
        {
            "deploy", "attack", "destroyed", "paired", "linked", "burst", "turn-start", "turn-end",
            "destroys-unit", "destroys-shield",
        }
    ),
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
    instructions={"ex-resource": Takes((), ("n", "orient")), "retarget": Takes(("choose",), ())},
)  # fmt: skip


class PilotSide(Struct, forbid_unknown_fields=True, frozen=True):
    """The pilot effect of a Command: the name it has while it lies under a Unit (gcg:2-3-5-4-1)."""

    name: str


class Card(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """What is printed on a card, but for its wording.

    Figures are integers; on a Pilot or a Command with a `pilot` side AP and HP are what its Unit
    gets. `names` are further names it counts as. `link` tells which Pilots make this Unit a Link
    Unit; None: none does. Tokens and EX cards are `token`s.
    """

    id: str
    name: str
    type: Literal["unit", "pilot", "command", "base", "resource"]
    color: Literal["", "blue", "green", "red", "white"] = ""
    lv: int = 0
    cost: int = 0
    ap: int = 0
    hp: int = 0
    traits: tuple[str, ...] = ()
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

    def effect(self, name: str) -> Effect:
        """The effect of that name; `KeyError` if it has none."""
        for effect in self.effects:
            if effect.name == name:
                return effect
        raise KeyError(name)


class BadCard(ValueError):
    """Card data that can't be used; the text names the card and every fault."""


def parse(
    tables: Iterable[Mapping[str, Any]], tokens: Iterable[str] = (), whole: bool = False
) -> dict[str, Card]:
    """Cards from tables as they stand in the files (`[[card]]`), by id.

    `tokens` are ids that may be placed though they are not among these cards. If they must be
    `whole`, no figure may be left out that every printed card has. Raises `BadCard`.
    """
    cards: dict[str, Card] = {}
    bad: list[str] = []
    for table in tables:
        called = table.get("id", "a card without an id")
        try:
            card = msgspec.convert(table, Card)
        except msgspec.ValidationError as error:
            bad.append(f"{called}: {error}")
            continue
        if card.id in cards:
            bad.append(f"{called}: listed twice")
        else:
            cards[card.id] = card
    known = {card.id for card in cards.values() if card.token} | set(tokens)
    for card in cards.values():
        found = [*_faults(card, known), *(_gaps(card) if whole else ())]
        bad += [f"{card.id}: {fault}" for fault in found]
    if bad:
        raise BadCard("\n".join(bad))
    return cards


@lru_cache(maxsize=1)
def cards() -> Mapping[str, Card]:
    """Every card of the catalogue, by id, in the order of the files."""
    return MappingProxyType(parse((table for _, table in _tables()), whole=True))


@lru_cache(maxsize=1)
def decks() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """The ready-made decks: name to part (`main`, `resource`) to card ids, a copy each."""
    return MappingProxyType(
        {
            name: {part: _copies(deck[part], name) for part in ("main", "resource")}
            for name, deck in _decks().items()
        }
    )


@lru_cache(maxsize=1)
def titles() -> Mapping[str, str]:
    """What the ready-made decks are called."""
    return MappingProxyType({name: str(deck["title"]) for name, deck in _decks().items()})


@lru_cache(maxsize=1)
def digest() -> str:
    """SHA-256 of the card data, hex: of what it says, not of how the files are laid out."""
    said = {str(table["id"]): table for _, table in _tables()}
    return sha256(msgspec.json.encode(said, order="sorted")).hexdigest()


# -- reading -------------------------------------------------------------------------------------


def _here() -> Traversable:
    return files(__package__ or __name__.rpartition(".")[0])


@cache
def _tables() -> tuple[tuple[str, dict[str, Any]], ...]:
    """Every card table, with the file it stands in."""
    found = []
    for file in sorted(_here().joinpath("cards").iterdir(), key=lambda file: file.name):
        if file.name.endswith(".toml"):
            data = tomllib.loads(file.read_text("utf-8"))
            if set(data) != {"card"}:
                raise BadCard(f"{file.name}: only [[card]] tables are expected")
            found += [(file.name, table) for table in data["card"]]
    return tuple(found)


@cache
def _decks() -> dict[str, dict[str, Any]]:
    return tomllib.loads(_here().joinpath("decks.toml").read_text("utf-8"))


def _copies(counts: Mapping[str, int], deck: str) -> tuple[str, ...]:
    unknown = [card for card in counts if card not in cards()]
    if unknown:
        raise BadCard(f"deck {deck}: unknown cards {', '.join(unknown)}")
    return tuple(card for card, n in counts.items() for _ in range(n))


# -- checking ------------------------------------------------------------------------------------

_ID = re.compile(r"\w+(-\w+)*", re.ASCII)


def _gaps(card: Card) -> Iterator[str]:
    bare = card.token or card.type == "resource"
    if not bare and not (card.color and card.lv and card.cost):
        yield "all but tokens and Resources have a color, Lv and cost"  # gcg:2-4-2, 2-8-2, 2-9-2


def declaration_faults(text: str, effect: Effect) -> list[str]:
    """What is wrong with clauses that are declared for an effect; empty if they can be played."""
    try:
        clauses = clauses_from(text)
    except msgspec.DecodeError as error:
        return [str(error)]
    if not clauses:
        return ["a declaration says at least one thing"]
    told = msgspec.structs.replace(effect, do=clauses)
    tokens = {card.id for card in cards().values() if card.token}
    return list(faults(told, WORDS, effects=(), tokens=tokens))


def _faults(card: Card, tokens: set[str]) -> Iterator[str]:
    if not _ID.fullmatch(card.id):
        yield f"an id is letters, digits and dashes, not {card.id!r}"
    if not card.name.strip():
        yield "it needs a name"
    if min(card.lv, card.cost, card.ap, card.hp) < 0:
        yield "figures are never negative"
    if card.type in ("unit", "base") and card.hp < 1:
        yield f"a {card.type} needs HP"
    if card.token and (card.color or card.lv or card.cost):
        yield "a token has no color, Lv or cost"  # gcg:4-17-2-2, 4-17-2-3
    if card.link is not None:
        if card.type != "unit":
            yield "only Units have a link condition"  # gcg:2-11-2
        yield from filter_faults(card.link, WORDS)
    if card.pilot is not None and card.type != "command":
        yield "only Commands have a pilot side"
    if card.keywords and card.type != "unit":
        yield "only Units have keywords; a text that gives one is an effect"
    for name, value in card.keywords.items():
        wanted = WORDS.keywords.get(name)
        if wanted is None:
            yield f"unknown keyword {name!r}"
        elif type(value) is not wanted or value < 1:
            yield f"{name} needs {'a number' if wanted is int else 'true'}"
    named = [effect.name for effect in card.effects]
    if len(named) != len(set(named)):
        yield "two effects have the same name"
    for effect in card.effects:
        yield from faults(effect, WORDS, effects=named, tokens=tokens)
        if effect.kind == "command" and card.type != "command":
            yield f"{effect.name}: only Commands have command effects"
