"""What stands in the fields of events: card numbers, seats, zones, and words of which kind.

One table says it for every event. `faults` finds the words of an entry that its game's manifest
does not declare; scenario files use it to tell a card's number from an amount, and a slip from
something that just did not happen (`text.scenario.patterns`). What the words mean to people is in
the manifest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct, structs

from domain.record import events as ev
from domain.record.decisions import sums
from domain.record.entries import AnyEvent, Entry
from domain.record.interventions import (
    ClockSet,
    EngineChanged,
    Irregularity,
    Looked,
    MatchBegan,
    Noted,
    Paused,
    Penalty,
    ResultCorrected,
    Rewound,
    Ruling,
    SeedCommitted,
    SeedGiven,
    SeedsOpened,
    ShuffleWitnessed,
    TimeCalled,
    Unreadable,
)
from domain.record.position import zone_of
from domain.record.schema.manifest import KINDS, Manifest
from domain.record.values import Sealed

#: What a field may hold that is in no list of a manifest. `card`: a card's number. `ref`: that, a
#: zone or a seat. `effect`: `card id/name`. `change`: what a modifier does. `print`: what is
#: printed on cards. `penalty`: one of the event's scheme (`policy`).
SORTS = frozenset(
    {
        "card", "ref", "place", "seat", "number", "flag", "orient", "effect", "rule", "change",
        "print", "origin", "text", "penalty",
    }
)  # fmt: skip

#: Event by event what its fields hold, `field:sort`, alternatives with a bar between them. A sort
#: is one of `SORTS`, or a list of the manifest. What lies deeper has a dotted name: a field of a
#: struct, a column of rows, the facts that are cards and the rest of them. Fields that are left out
#: are spoken of nowhere.
_TABLE: Mapping[type[ev.Event], str] = {
    ev.MatchOpened: "game:text engine:text digests:text mode:text best_of:number seats:text"
    " labels:text options:text at:number origin:text policy:text prints:text chance:text"
    " commitment:text waits:text id:text",
    ev.DeckRegistered: "seat:seat name:text sizes:text|number cards:text",
    ev.GameBegan: "n:number",
    ev.SeatLost: "seats:seat why:reasons",
    ev.GameEnded: "winner:seat why:reasons",
    ev.MatchEnded: "winner:seat score:number",
    ev.TurnBegan: "n:number seat:seat",
    ev.StepBegan: "path:steps",
    ev.FrameOpened: "id:number kind:frames parent:number cause:number facts.cards:ref"
    " facts.rest:number|flag|text",
    ev.FrameClosed: "id:number outcome:outcomes",
    ev.DecisionOpened: "n:number seats:seat kind:decisions about:ref rest:flag",
    ev.OptionsOffered: "n:number seat:seat",
    ev.DecisionMade: "n:number seat:seat ms:number origin:origin act.kind:acts"
    " act.card:ref act.picks:ref act.effect:effect",
    ev.Interjected: "seat:seat kind:acts about:ref picks:ref|text stated:text",
    ev.CardsMade: "n:number cards:card place:place owner:seat token:flag up:flag orient:orient"
    " why:reasons part:text",
    ev.CardsMoved: "n:number was:card now:card src:place dst:place at:number up:flag"
    " orient:orient why:reasons kept:flag",
    ev.CardsTurned: "cards:card up:flag orient:orient",
    ev.CardsKnown: "n:number place:place cards:card why:reasons",
    ev.CardsOrdered: "place:place n:number base:number order:card why:reasons",
    ev.CardsControlled: "cards:card seat:seat",
    ev.CardsAttached: "cards:card host:card role:roles",
    ev.CardsDefined: "cards:card figures:print|number|flag",
    ev.CardsRemoved: "cards:card why:reasons",
    ev.DepartureBegan: "cards:card cause:reasons responsible:ref to:place",
    ev.CardsLinked: "cards:card host:card role:roles",
    ev.CountersMoved: "kind:counters n:number src:ref dst:ref",
    ev.ModifierBegan: "id:number source:ref targets:ref change.key:change change.op:change"
    " change.value:number|flag until:durations",
    ev.ModifierEnded: "ids:number why:durations|reasons",
    ev.StatsSet: "stats.subject:ref stats.key:stats stats.value:number|flag|print",
    ev.Marked: "subject:ref key:marks value:number|flag|place",
    ev.EffectTriggered: "id:number effect:effect source:ref seat:seat cause:number"
    " optional:flag group:number about:ref",
    ev.ActDeclared: "id:number kind:declarations source:ref effect:effect seat:seat targets:ref"
    " x:number speed:number mode:text",
    ev.ActResolving: "id:number frame:number",
    ev.ActEnded: "id:number outcome:outcomes",
    ev.NotDone: "what:attempts ref:ref why:reasons asked:number done:number",
    ev.EffectScheduled: "id:number kind:declarations effect:effect source:ref seat:seat"
    " due:durations turn:number whose:seat targets:ref x:number",
    ev.ScheduleEnded: "ids:number outcome:outcomes",
    ev.AttackDeclared: "attacker:card target:ref",
    ev.AttackChanged: "target:ref defender:card why:reasons",
    ev.AttackEnded: "outcome:outcomes",
    ev.DamageDealt: "source:ref to:ref n:number kind:damages",
    ev.ChanceDrawn: "kind:chances of:number result:number",
    Irregularity: "rule:rule note:text seat:seat",
    Ruling: "about:number text:text decision:number evidence:number",
    Penalty: "seat:seat kind:penalty note:text effect:text",
    Rewound: "to:number note:text who:text",
    ClockSet: "clock:text left:number running:flag",
    EngineChanged: "engine:text digests:text",
    Noted: "about:number text:text",
    Paused: "on:flag note:text",
    TimeCalled: "turns:number ms:number",
    Looked: "view:text why:text",
    MatchBegan: "without:seat|text",
    ResultCorrected: "winner:seat score:number note:text lost:seat",
    SeedCommitted: "seat:seat commitment:text",
    SeedsOpened: "service:text seats:text",
    ShuffleWitnessed: "seat:seat shuffler:seat cutter:seat checked:text",
    SeedGiven: "seat:seat seed:text",
    Unreadable: "event:text reason:text",
}

Sorts = Mapping[str, tuple[str, ...]]


def _parsed(row: str) -> Sorts:
    pairs = (item.split(":") for item in row.split())
    return {field: tuple(sorts.split("|")) for field, sorts in pairs}


#: Event by event, field by field, what it may hold.
FIELDS: Mapping[type[ev.Event], Sorts] = {cls: _parsed(row) for cls, row in _TABLE.items()}

#: What a seat's answer may come from (`DecisionMade.origin`).
ORIGINS = frozenset({"seat", "implied", "timeout", "official", "auto"})

#: The fields of an event that hold words of one list of the manifest, and nothing else.
_WORDS: Mapping[type[ev.Event], tuple[tuple[str, tuple[str, ...]], ...]] = {
    cls: tuple(
        (field, sorts)
        for field, sorts in fields.items()
        if set(sorts) <= set(KINDS) and "." not in field
    )
    for cls, fields in FIELDS.items()
}
_PLACES: Mapping[type[ev.Event], tuple[str, ...]] = {
    cls: tuple(field for field, sorts in fields.items() if sorts == ("place",))
    for cls, fields in FIELDS.items()
}


#: The facts of a frame that are cards or seats, and the columns of a row of derived numbers.
_CARD_FACTS = frozenset({"attacker", "target", "defender", "card", "host", "source"})
_COLUMNS = ("subject", "key", "value")


def contents(event: AnyEvent) -> Iterator[tuple[str, tuple[str, ...], list[object]]]:
    """What an event holds, field by field: of which sorts it is, and everything that is there."""
    for path, sorts in FIELDS[type(event)].items():
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
            for field in structs.fields(value):
                yield from _flattened(getattr(value, field.name))
        case _:
            yield value


def faults(manifest: Manifest, entry: Entry) -> Iterator[str]:
    """The words of an entry that the manifest does not declare."""
    event = entry.event
    for field in _PLACES[type(event)]:
        place = getattr(event, field)
        if zone_of(place) not in manifest.words("zones"):
            yield f"undeclared zone {place!r}"
    for field, kinds in _WORDS[type(event)]:
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
