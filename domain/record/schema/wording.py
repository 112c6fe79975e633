"""The sorts of values in the fields of events: card numbers, seats, zones, words of a kind.

It follows from the types and names of the fields, but for some exceptions. `faults` finds the words
of an entry that its game's manifest does not declare; scenario files use it to tell a card's number
from an amount, and a slip from something that just did not happen (`text.scenario.patterns`). What
the words mean to people is in the manifest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from types import NoneType
from typing import Any, get_args, get_type_hints

from msgspec import Struct

from domain.record import events as ev
from domain.record import interventions as iv
from domain.record.decisions import sums
from domain.record.entries import AnyEvent, Entry
from domain.record.position import zone_of
from domain.record.schema.manifest import KINDS, Manifest
from domain.record.values import Ref, Sealed

#: What a field may hold that is in no list of a manifest. `card`: a card's number. `ref`: that, a
#: zone or a seat. `effect`: `card id/name`. `change`: what a modifier does. `print`: what is
#: printed on cards. `penalty`: one of the event's scheme (`policy`).
SORTS = frozenset(
    {
        "card", "ref", "place", "seat", "number", "flag", "orient", "effect", "rule", "change",
        "print", "origin", "text", "penalty",
    }
)  # fmt: skip

Sorts = Mapping[str, tuple[str, ...]]

#: Of which sort a field is by its name, where its type does not say it.
_BY_NAME = {
    **dict.fromkeys(("attacker", "cards", "defender", "host", "now", "order", "was"), "card"),
    **dict.fromkeys(("cutter", "lost", "owner", "seat", "seats", "shuffler", "whose"), "seat"),
    **dict.fromkeys(("dst", "place", "src"), "place"),
    **dict.fromkeys(("due", "until"), "durations"),
    "winner": "seat", "orient": "orient", "outcome": "outcomes", "role": "roles", "why": "reasons",
    "effect": "effect", "path": "steps", "what": "attempts", "key": "marks", "rule": "rule",
}  # fmt: skip
#: Fields that hold something else than others of their name and type, event by event: `field:sort`,
#: alternatives with a bar between them. What lies deeper has a dotted name: a field of a struct, a
#: column of rows, the facts that are cards and the rest of them.
_EXCEPTIONS: Mapping[type[ev.Event], str] = {
    ev.MatchOpened: "seats:text options:text",
    ev.DeckRegistered: "cards:text",
    ev.FrameOpened: "kind:frames facts.cards:ref facts.rest:number|flag|text",
    ev.DecisionOpened: "kind:decisions",
    ev.DecisionMade: "origin:origin act.kind:acts act.card:ref act.picks:ref act.effect:effect",
    ev.Interjected: "kind:acts picks:ref|text stated:text",
    ev.CardsDefined: "figures:print|number|flag",
    ev.DepartureBegan: "cause:reasons to:place",
    ev.CountersMoved: "kind:counters src:ref dst:ref",
    ev.ModifierBegan: "change.key:change change.op:change change.value:number|flag",
    ev.ModifierEnded: "why:durations|reasons",
    ev.StatsSet: "stats.subject:ref stats.key:stats stats.value:number|flag|print",
    ev.Marked: "value:number|flag|place",
    ev.ActDeclared: "kind:declarations",
    ev.EffectScheduled: "kind:declarations",
    ev.DamageDealt: "kind:damages",
    ev.ChanceDrawn: "kind:chances",
    iv.Penalty: "kind:penalty effect:text",
    iv.Looked: "why:text",
    iv.MatchBegan: "without:seat|text",
    iv.SeedsOpened: "seats:text",
}
#: Fields that nobody speaks of, but where an exception says so.
_UNSPOKEN = {"answer", "digest", "offer", "scope", "stated", "ticket"}


@cache
def sorts_of(cls: type[ev.Event]) -> Sorts:
    """Field by field what an event may hold: one of `SORTS`, or a list of the manifest.

    It follows from the types of the fields, their names and the exceptions.
    """
    pairs = (item.split(":") for item in _EXCEPTIONS.get(cls, "").split())
    named = {path: tuple(sorts.split("|")) for path, sorts in pairs}
    exceptional = {path.partition(".")[0] for path in named}
    found: dict[str, tuple[str, ...]] = {}
    for field, hint in get_type_hints(cls).items():
        if field in exceptional:
            found |= {path: of for path, of in named.items() if path.partition(".")[0] == field}
        elif field in _BY_NAME:
            found[field] = (_BY_NAME[field],)
        elif field not in _UNSPOKEN:
            found[field] = tuple(dict.fromkeys(_of_type(hint)))
    return found


def _of_type(hint: Any) -> Iterator[str]:
    """The sorts of what a value of a type holds."""
    if hint == Ref:
        yield "ref"
    elif args := get_args(hint):
        for arg in args:
            yield from _of_type(arg)
    elif hint not in (NoneType, ...):
        yield {int: "number", bool: "flag"}.get(hint, "text")


#: What a seat's answer may come from (`DecisionMade.origin`).
ORIGINS = frozenset({"seat", "implied", "timeout", "official", "auto"})


_LISTS = frozenset(KINDS)
#: The facts of a frame that are cards or seats, and the columns of a row of derived numbers.
_CARD_FACTS = frozenset({"attacker", "target", "defender", "card", "host", "source"})
_COLUMNS = ("subject", "key", "value")


def contents(event: AnyEvent) -> Iterator[tuple[str, tuple[str, ...], list[object]]]:
    """The contents of an event, field by field: the sort of each, and all its values."""
    for path, sorts in sorts_of(type(event)).items():
        field, _, part = path.partition(".")
        value = getattr(event, field)
        value = value.value if isinstance(value, Sealed) else value
        if part and value is not None:
            value = _part(value, part)
        yield path, sorts, list(_flattened(value))


def _part(value: Any, part: str) -> object:
    if isinstance(value, dict):
        cards = {key: one for key, one in value.items() if key in _CARD_FACTS}
        return (
            list(cards.values())
            if part == "cards"
            else (*cards, *_flattened(_without(value, cards)))
        )
    if isinstance(value, tuple):
        return [row[_COLUMNS.index(part)] for row in value]
    return getattr(value, part)


def _without(value: Mapping[str, object], other: Mapping[str, object]) -> dict[str, object]:
    return {key: one for key, one in value.items() if key not in other}


def _flattened(value: object) -> Iterator[object]:
    match value:
        case dict():
            for key, inner in value.items():
                yield key
                yield from _flattened(inner)
        case tuple() | list():
            for inner in value:
                yield from _flattened(inner)
        case Struct():
            for name in value.__struct_fields__:
                yield from _flattened(getattr(value, name))
        case _:
            yield value


def faults(manifest: Manifest, entry: Entry) -> Iterator[str]:
    """The words of an entry that the manifest does not declare."""
    event = entry.event
    for field, kinds in sorts_of(type(event)).items():
        if kinds == ("place",):
            place = getattr(event, field)
            if zone_of(place) not in manifest.words("zones"):
                yield f"undeclared zone {place!r}"
        elif _LISTS.issuperset(kinds) and "." not in field:
            word = getattr(event, field)
            word = word.partition(":")[0] if field == "key" else word
            if word and not any(word in manifest.words(kind) for kind in kinds):
                yield f"undeclared word {word!r} ({' or '.join(kinds)})"
    for kind, word in _nested_words(event):
        if word not in manifest.words(kind):
            yield f"undeclared word {word!r} ({kind})"


def _nested_words(event: AnyEvent) -> Iterator[tuple[str, str]]:
    """The words that stand deeper in an event than in a field."""
    match event:
        case ev.OptionsOffered(offer=Sealed(value=offer)) if offer is not None:
            for option in offer.options:
                yield "acts", option.kind
                yield from (("parts", part.name) for part in option.parts)
                yield from (("parts", one.name) for one in sums(option))
        case ev.StatsSet(stats=stats):
            yield from (("stats", key) for _, key, _ in stats.value or ())
        case _:
            return
