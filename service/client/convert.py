"""Convert arguments of calls to messages of the contract, and auto-passes back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
from kifu.v1 import match_service_pb2
from kifu.v1.decisions_pb2 import Act as Message
from kifu.v1.values_pb2 import DeckPart, Fact, Identity, Label
from msgspec.structs import asdict, astuple

from domain.engine.passes.autopass import AutoPass
from domain.engine.passes.switches import ABLE, MARKED, Switch
from domain.record.decisions import Act
from domain.record.points import Point
from domain.record.values import Value
from domain.record.views import OFFICIAL, PUBLIC
from service import wire

if TYPE_CHECKING:
    from domain.engine.match import Deck

#: A ready-made deck by its name, or a list, part by part, maybe with a name of its own.
DeckLike: TypeAlias = "str | Deck | Mapping[str, Sequence[str]]"
#: How chance fell at a real table, in order: each an order, or one outcome.
Rolls = Sequence[Sequence[int]]
#: No card is named.
NO_NAMES: Mapping[int, str] = MappingProxyType({})
#: When a seat is asked, from the second word of messages on.
SWITCHES = ("", ABLE, MARKED)


def deck(deck: DeckLike) -> match_service_pb2.DeckChoice:
    """A deck, by its name or as a list."""
    if isinstance(deck, str):
        return match_service_pb2.DeckChoice(name=deck)
    name, listed = ("", deck) if isinstance(deck, Mapping) else (deck.name, deck.parts)
    parts = [DeckPart(part=part, cards=cards) for part, cards in listed.items()]
    return match_service_pb2.DeckChoice(name=name, parts=parts)


def act(given: Act) -> Message:
    """An act, whose picks may be lists; raises `TypeError` where a part of it is something else."""
    if not isinstance(given, Act):
        raise TypeError(f"an act is an Act, as Option.act() makes it, not {type(given).__name__}")
    try:
        message: Message = wire.act(msgspec.convert(astuple(given), Act))
        return message
    except msgspec.ValidationError as error:
        what, _, place = str(error).partition(" - at `$[")
        field = Act.__struct_fields__[int(place[0])]
        raise TypeError(f"Act.{field}{place[2:-1]}: {what}") from None


def names(names: Mapping[int, str]) -> list[Identity]:
    """Cards that were named, by number."""
    return [Identity(number=number, card=card) for number, card in names.items()]


def labels(labels: Mapping[str, str] | None) -> list[Label]:
    """Labels of a match."""
    return [Label(name=name, value=value) for name, value in (labels or {}).items()]


def options(options: Mapping[str, Value] | None) -> list[Fact]:
    """Options of a match."""
    return [Fact(key=key, value=wire.value(value)) for key, value in (options or {}).items()]


def point(point: Point) -> match_service_pb2.Point:
    """A point of a match; what is not set stays open."""
    given = {name: value for name, value in asdict(point).items() if value is not None}
    return match_service_pb2.Point(**given)


def view(viewer: int | None, why: str = "") -> match_service_pb2.View | None:
    """Whose view; None: one's own. `why` an official looks at what is hidden."""
    found = match_service_pb2.View(why=why)
    if viewer == PUBLIC:
        found.public = True
    elif viewer is not None and viewer != OFFICIAL:
        found.seat = viewer
    return found if found.ListFields() else None


def auto_pass(response: Any, field: str) -> AutoPass | None:
    """The auto-pass in a field of a response, if there is one."""
    if not response.HasField(field):
        return None
    message = getattr(response, field)
    return AutoPass(message.until_turn_ends, message.until_rival_acts, tuple(message.steps))


def switch(response: Any) -> Switch | None:
    """The switch in a response; None: the seat is asked always."""
    if not response.HasField("pass_switch"):
        return None
    message = response.pass_switch
    asks = SWITCHES[message.asks - 1]
    return Switch(asks, tuple(message.marked), since=message.since)


def rolls(rolls: Rolls) -> list[match_service_pb2.Roll]:
    """Outcomes of chance."""
    return [match_service_pb2.Roll(outcome=roll) for roll in rolls]
