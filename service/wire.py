"""The wire: domain structures as messages of proto/kifu/v1, and messages as domain structures.

Both say the same in the same words, so one generic conversion serves them all. It is worked out
once per type, from its annotations and the message's descriptor; a field that one side has and the
other lacks is an error at import.

An entry comes back exactly as it was sent: encoding it again gives the bytes of the store, digests
included, so a client can fold and verify what it received.

A message has room for numbers of a certain size only. What it has no room for is an error, and so
is never recorded (`check`). Where an earlier version did record it, `entry_or_unreadable` sends a
mark in place of the event, and `clamped` the nearest number that there is room for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from functools import partial, reduce
from operator import attrgetter, itemgetter, or_
from sys import intern
from types import NoneType, UnionType
from typing import Any, ClassVar, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from google.protobuf.descriptor import Descriptor, FieldDescriptor, ServiceDescriptor
from google.protobuf.message_factory import GetMessageClass
from kifu.v1 import (
    catalog_service_pb2,
    decisions_pb2,
    desk_service_pb2,
    events_pb2,
    positions_pb2,
    tournament_service_pb2,
    tournaments_pb2,
    values_pb2,
)
from msgspec import Struct
from msgspec.structs import replace

from domain.officials.acts import ACTS
from domain.officials.corrections.fixes import Fix
from domain.record import decisions, position
from domain.record.entries import TYPES, AnyEvent, Entry, name_of
from domain.record.groups import Test
from domain.record.interventions import Unreadable
from domain.record.proof.chain import Head
from domain.record.schema import listing, manifest, tallies
from domain.record.schema.policy import Policy
from domain.record.values import Fact, Ref, Sealed, Value
from domain.tournament import record as tournament_record
from domain.tournament.acts.rows import ROWS
from domain.tournament.state import State as Tournament

Convert = Callable[[Any], Any]
#: From a domain value to what a message's constructor takes (None: leave it out), and back. A
#: message in a message is given as a dict of its fields: it is made in its place, not copied there.
Pair = tuple[Convert, Convert]
#: A part of a structure: where it is found in it, its type, and the field that carries it.
Member = tuple[Convert, Any, FieldDescriptor]


#: No entry is larger than this, in bytes: clients take no messages of more than four times this.
LARGEST = 1 << 20
#: Set while numbers are clamped to what their fields have room for.
_lenient = ContextVar("lenient", default=False)


class Unsendable(ValueError):
    """Something has no room in its message."""


class BadValue(ValueError):
    """A message says what no value can be."""


def _same(value: Any) -> Any:
    return value


_SAME = (_same, _same)
_SCALARS = (int, str, bool, bytes)


# -- one value -----------------------------------------------------------------------------------


def _pair(hint: Any, message: Descriptor | None) -> Pair:
    """The conversion of one value; `message` is None for a scalar."""
    if hint in _SCALARS:
        return _SAME
    if get_origin(hint) is Literal:
        return _same, intern  # a default is known by its identity
    assert message is not None, hint
    if hint == Ref:
        return _REF
    if hint == Value:
        return _VALUE
    if hint == Fact:
        return _FACT
    if hint == Test:
        return _TEST
    kind = get_origin(hint) or hint
    if kind is tuple and get_args(hint)[-1] is not ...:
        return _build(message, tuple, _items(hint, message.fields))
    if kind in (tuple, list, dict, Sequence, Mapping):
        return _list_message(hint, message)
    return _structure(hint, message)


def _structure(hint: Any, message: Descriptor) -> Pair:
    """A structure, worked out once; it may hold others of its own type."""
    key = hint, message.full_name
    if key not in _STRUCTURES:
        _STRUCTURES[key] = (
            lambda value: _STRUCTURES[key][0](value),
            lambda found: _STRUCTURES[key][1](found),
        )
        maker = _maker(get_origin(hint) or hint)
        _STRUCTURES[key] = _build(message, maker, _attributes(hint, message.fields))
    return _STRUCTURES[key]


_STRUCTURES: dict[tuple[Any, str], Pair] = {}


def _ref_fields(ref: Any) -> Any:
    return {"number": ref} if type(ref) is int else {"name": ref}


def _ref_of(found: Any) -> Any:
    return found.name if found.WhichOneof("kind") == "name" else found.number


def _value_fields(value: Any) -> Any:
    if value is None:
        return {}
    if isinstance(value, bool):
        return {"flag": value}
    if not isinstance(value, int):
        return {"text": value}
    return {"number": max(-(2**63), min(value, 2**63 - 1)) if _lenient.get() else value}


def _value_of(found: Any) -> Any:
    kind = found.WhichOneof("kind")
    if kind == "numbers":
        raise BadValue("several numbers are a fact of a frame, and no value")
    return getattr(found, kind) if kind else None


def _fact_fields(fact: Any) -> Any:
    return {"numbers": {"numbers": fact}} if isinstance(fact, tuple) else _value_fields(fact)


def _fact_of(found: Any) -> Any:
    numbers = found.WhichOneof("kind") == "numbers"
    return tuple(found.numbers.numbers) if numbers else _value_of(found)


def _test_fields(test: Any) -> Any:
    return {"texts": {"texts": test}} if isinstance(test, list) else _value_fields(test)


def _test_of(found: Any) -> Any:
    return [*found.texts.texts] if found.WhichOneof("kind") == "texts" else _value_of(found)


_REF, _VALUE = (_ref_fields, _ref_of), (_value_fields, _value_of)
_FACT, _TEST = (_fact_fields, _fact_of), (_test_fields, _test_of)


def _list_message(hint: Any, message: Descriptor) -> Pair:
    """A list where only one message fits: its one field holds it."""
    (field,) = message.fields
    name = field.name
    encode, decode = _many(hint, field)
    return lambda value: {name: encode(value)}, lambda found: decode(getattr(found, name))


# -- what has no room ----------------------------------------------------------------------------

_INT64 = (FieldDescriptor.CPPTYPE_INT64, FieldDescriptor.CPPTYPE_UINT64)


def _clamp(field: FieldDescriptor, value: Any) -> Any:
    """A value, clamped to what its field has room for."""
    if field.message_type is not None:
        return value
    most = 2**63 if field.cpp_type in _INT64 else 2**31

    def clamp(one: Any) -> Any:
        if isinstance(one, str):
            return one.encode(errors="replace").decode()
        return max(-most, min(one, most - 1)) if type(one) is int else one

    return [*map(clamp, value)] if field.is_repeated else clamp(value)


def clamped(convert: Convert, found: Any) -> Any:
    """Something as a message; numbers that have no room in it are clamped."""
    try:
        return convert(found)
    except ValueError:
        token = _lenient.set(True)
        try:
            return convert(found)
        finally:
            _lenient.reset(token)


# -- structures ----------------------------------------------------------------------------------


def _attributes(cls: Any, fields: Iterable[FieldDescriptor]) -> list[Member]:
    """The fields of a structure, each with the message's field of the same name."""
    if get_origin(cls) is Sealed:
        hints: dict[str, Any] = {"to": int, "value": get_args(cls)[0] | None}
    else:
        hints = {n: h for n, h in get_type_hints(cls).items() if get_origin(h) is not ClassVar}
    by_name = {field.name: field for field in fields}
    if differing := {*hints} ^ {*by_name}:
        raise TypeError(f"{cls} and its message differ in {sorted(differing)}")
    kind = get_origin(cls) or cls
    names = kind.__struct_fields__
    return [(attrgetter(name), hints[name], by_name[name]) for name in names]


def _maker(cls: Any) -> Convert:
    """Makes a structure of its fields, in order; by their names where it takes no others."""
    names = cls.__struct_fields__
    if cls.__match_args__ == names:
        return lambda parts: cls(*parts)
    return lambda parts: cls(**dict(zip(names, parts, strict=True)))


def _items(hint: Any, fields: Iterable[FieldDescriptor]) -> list[Member]:
    """The items of a tuple of fixed length, each with the message's field in the same place."""
    pairs = zip(get_args(hint), fields, strict=True)
    return [(itemgetter(at), arg, field) for at, (arg, field) in enumerate(pairs)]


def _build(message: Descriptor, build: Convert, members: Sequence[Member]) -> Pair:
    encoders, decoders = _converters(members)

    def encode(value: Any) -> Any:
        values = {}
        for name, get, convert in encoders:
            found = get(value) if convert is _same else convert(get(value))
            if found is not None:
                values[name] = found
        if _lenient.get():
            fields = message.fields_by_name
            return {name: _clamp(fields[name], found) for name, found in values.items()}
        return values

    def decode(found: Any) -> Any:
        return build([convert(found) for convert in decoders])

    return encode, decode


def _converters(
    members: Sequence[Member],
) -> tuple[list[tuple[str, Convert, Convert]], list[Convert]]:
    pairs = [_field(hint, field) for _, hint, field in members]
    encoders = [
        (field.name, get, encode)
        for (get, _, field), (encode, _) in zip(members, pairs, strict=True)
    ]
    return encoders, [decode for _, decode in pairs]


def _field(hint: Any, field: FieldDescriptor) -> Pair:
    """One field: encodes its value, decodes the message that has it."""
    name = field.name
    if field.is_repeated:
        encode, decode = _many(hint, field)
        return encode, lambda message: decode(getattr(message, name))
    inner, optional = _optional(hint)
    encode, decode = _pair(inner, field.message_type)
    if optional:
        return (
            encode if encode is _same else lambda value: None if value is None else encode(value),
            lambda message: decode(getattr(message, name)) if message.HasField(name) else None,
        )
    if inner == Ref:  # most refer to nothing
        return lambda ref: None if ref == 0 else encode(ref), _reader(name, decode)
    return encode, _reader(name, decode)


def _reader(name: str, decode: Convert) -> Convert:
    if decode is _same:
        return lambda message: getattr(message, name)
    return lambda message: decode(getattr(message, name))


def _optional(hint: Any) -> tuple[Any, bool]:
    if hint in (Ref, Value, Fact, Test) or get_origin(hint) not in (Union, UnionType):
        return hint, False
    args = [arg for arg in get_args(hint) if arg is not NoneType]
    return reduce(or_, args), len(args) < len(get_args(hint))


# -- lists ---------------------------------------------------------------------------------------


def _many(hint: Any, field: FieldDescriptor) -> Pair:
    """A repeated field: a tuple, a list, or a dict as a list of its items."""
    kind = get_origin(hint)
    if kind in (dict, Mapping):
        key, value = get_args(hint)
        return _dict(key, value, field.message_type)
    encode, decode = _pair(get_args(hint)[0], field.message_type)
    kind = tuple if kind is Sequence else kind
    if encode is _same:
        return _same, kind
    return lambda values: [*map(encode, values)], lambda found: kind(map(decode, found))


def _dict(key: Any, value: Any, message: Any) -> Pair:
    """Its items: the key is the message's first field, the value is spread over the others."""
    first, *rest = message.fields
    if isinstance(value, type) and issubclass(value, Struct):
        return _dict_of_structs(value, message)
    build: Convert = tuple
    if get_origin(value) is tuple and get_args(value)[-1] is not ...:
        spread = [(_chain(itemgetter(1), get), h, f) for get, h, f in _items(value, rest)]
        build = lambda parts: (parts[0], tuple(parts[1:]))  # noqa: E731
    else:
        spread = [(itemgetter(1), value, rest[0])]
    encode, decode = _build(message, build, [(itemgetter(0), key, first), *spread])
    return lambda table: [*map(encode, table.items())], lambda found: dict(map(decode, found))


def _dict_of_structs(cls: type[Struct], message: Descriptor) -> Pair:
    key = message.fields[0].name
    fields = [f for f in message.fields if f.name != key or key in cls.__struct_fields__]
    encode, decode = _build(message, lambda parts: cls(*parts), _attributes(cls, fields))

    def encode_all(table: dict[Any, Any]) -> list[Any]:
        return [{**encode(item), key: number} for number, item in table.items()]

    return encode_all, lambda found: {getattr(item, key): decode(item) for item in found}


def _chain(first: Convert, then: Convert) -> Convert:
    return lambda value: then(first(value))


# -- what is converted ---------------------------------------------------------------------------


def _both(cls: Any, message: Any) -> Pair:
    encode, decode = _pair(cls, message.DESCRIPTOR)
    return lambda value: message(**encode(value)), decode


def _events(
    message: Any, types: Mapping[int, type[Any]]
) -> tuple[dict[type[Any], tuple[str, Convert]], dict[str, Convert]]:
    """The conversions of events: their tags are the numbers of the message's fields."""
    kinds = {field.number: field for field in message.DESCRIPTOR.fields}
    if kinds.keys() != types.keys():
        raise TypeError(f"events without a message, or tags: {kinds.keys() ^ types.keys()}")
    pairs = {tag: _pair(cls, kinds[tag].message_type) for tag, cls in types.items()}
    encode = {cls: (kinds[tag].name, pairs[tag][0]) for tag, cls in types.items()}
    return encode, {field.name: pairs[tag][1] for tag, field in kinds.items()}


_ENCODE, _DECODE = _events(events_pb2.Event, TYPES)
_ENCODE_AT_TOURNAMENT, _DECODE_AT_TOURNAMENT = _events(
    tournaments_pb2.TournamentEvent, tournament_record.TYPES
)


def _requests(
    service: ServiceDescriptor, acts: Iterable[type[Struct]], subject: str
) -> tuple[Callable[[str, Any], Any], Convert]:
    """The requests of acts to a service, and the acts that requests ask for.

    Each has the method of its name. `subject` is the field that says what it is done to.
    """
    encode, decode = {}, {}
    for act in acts:
        message = service.methods_by_name[act.__name__].input_type
        members = _attributes(act, [field for field in message.fields if field.name != subject])
        names = [field.name for _, _, field in members]
        fields, read = _build(message, partial(_built, act, names), members)
        encode[act], decode[message.name] = (GetMessageClass(message), fields), read
    return (
        lambda about, act: encode[type(act)][0](**encode[type(act)][1](act), **{subject: about}),
        lambda request: decode[request.DESCRIPTOR.name](request),
    )


def _built(act: type[Struct], names: Sequence[str], parts: Sequence[Any]) -> Struct:
    return act(**dict(zip(names, parts, strict=True)))


desk_request, desk_act = _requests(
    desk_service_pb2.DESCRIPTOR.services_by_name["DeskService"], ACTS.values(), "match_id"
)
event_request, event_act = _requests(
    tournament_service_pb2.DESCRIPTOR.services_by_name["TournamentService"],
    ROWS.values(),
    "event_id",
)
value, value_of = _both(Value, values_pb2.Value)
ref, ref_of = _both(Ref, values_pb2.Ref)
offer, offer_of = _both(decisions.Offer, decisions_pb2.Offer)
act, act_of = _both(decisions.Act, decisions_pb2.Act)
decision, decision_of = _both(position.Decision, positions_pb2.Decision)
table, table_of = _both(position.Position, positions_pb2.Position)
#: Field by field of a position what it is as a message, and how to read it in one.
_TABLE = {
    field.name: (_field(hint, field), field)
    for _, hint, field in _attributes(position.Position, positions_pb2.Position.DESCRIPTOR.fields)
}
policy, policy_of = _both(Policy, events_pb2.Policy)
fix, fix_of = _both(Fix, desk_service_pb2.Fix)
manifest_, manifest_of = _both(manifest.Manifest, catalog_service_pb2.Manifest)
tally, tally_of = _both(tallies.Tally, catalog_service_pb2.Tally)
tournament, tournament_of = _both(Tournament, tournaments_pb2.Tournament)
format_, format_of = _both(tournament_record.Format, tournaments_pb2.TournamentFormat)
outcome, outcome_of = _both(tournament_record.Outcome, tournaments_pb2.TournamentOutcome)
pairing, pairing_of = _both(tournament_record.Table, tournaments_pb2.TournamentTable)
list_form, list_form_of = _both(listing.ListForm, catalog_service_pb2.ListForm)


def table_part(values: Mapping[str, Any]) -> positions_pb2.Position:
    """Some fields of a position, by name, as a message that has no others."""
    found = {}
    for name, value in values.items():
        (encode, _), field = _TABLE[name]
        part = encode(value)
        if part is not None:
            found[name] = _clamp(field, part) if _lenient.get() else part
    return positions_pb2.Position(**found)


def table_part_of(message: positions_pb2.Position, names: Iterable[str]) -> dict[str, Any]:
    """Those fields of a message that has a position, or some of it."""
    return {name: _TABLE[name][0][1](message) for name in names}


def tally_values(values: Mapping[str, Sequence[int]]) -> list[positions_pb2.TallyValue]:
    """The tallies of each seat, as messages."""
    return [
        positions_pb2.TallyValue(name=name, seat=seat, value=max(-(2**31), min(value, 2**31 - 1)))
        for name, each in values.items()
        for seat, value in enumerate(each)
    ]


def tally_values_of(messages: Iterable[positions_pb2.TallyValue]) -> dict[str, tuple[int, ...]]:
    """The tallies in messages, seat by seat, by name."""
    found = dict[str, tuple[int, ...]]()
    for one in messages:
        found[one.name] = (*found.get(one.name, ()), one.value)
    return found


def head(found: Head) -> values_pb2.Head:
    """A head as a message."""
    return values_pb2.Head(seq=found.seq, hash=found.hash, since=found.since, short=found.short)


def head_of(message: values_pb2.Head) -> Head:
    """The head that a message carries."""
    return Head(message.seq, message.hash, message.since)


def entry(e: Entry) -> events_pb2.Entry:
    """An entry as a message."""
    name, encode = _ENCODE[type(e.event)]
    return events_pb2.Entry(
        seq=e.seq,
        time=e.time,
        moment=e.moment,
        frame=e.frame,
        by=e.by,
        cites=e.cites,
        event={name: encode(e.event)},  # type: ignore[arg-type]
    )


def entry_or_unreadable(e: Entry) -> events_pb2.Entry:
    """An entry as a message; marked as unreadable where an event has no room in it."""
    try:
        return entry(e)
    except ValueError as error:
        return entry(replace(e, event=Unreadable(name_of(e.event), str(error)[:200])))


def sendable(e: Entry) -> events_pb2.Entry:
    """An entry as a message that can be sent; raises `Unsendable`."""
    try:
        message = entry(e)
        size = message.ByteSize()
    except ValueError as error:
        raise Unsendable(f"entry {e.seq} ({name_of(e.event)}): {error}") from error
    if size > LARGEST:
        raise Unsendable(f"entry {e.seq} ({name_of(e.event)}) has {size} bytes")
    return message


#: Whether MessagePack has a number in it that may take more than 32 bits; a text may look like one.
_wide = re.compile(b"[\xca\xcb\xce\xcf\xd3]").search
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(tuple[tuple[str, ...], AnyEvent]).decode


def check(e: Entry) -> None:
    """Make sure that an entry can be sent; raises `Unsendable`.

    Numbers of 32 bits have room in every field. So an entry that has no others, is of the types
    that it says and is short need not be converted to know that; few have to be.
    """
    try:
        data = _encode((e.cites, e.event))
        short = len(data) < LARGEST // 4 and max(e.seq, e.moment, e.frame) < 2**31
        if short and e.time < 2**63 and not _wide(data):
            _decode(data)
            return
    except ValueError as error:
        raise Unsendable(f"entry {e.seq} ({name_of(e.event)}): {error}") from error
    sendable(e)


def entry_of(message: events_pb2.Entry) -> Entry:
    """The entry that a message carries; `ValueError` if its event is one this version lacks."""
    name = message.event.WhichOneof("event")
    if name is None:
        raise ValueError(f"entry {message.seq}: no event that this version knows")
    return Entry(
        message.seq,
        message.time,
        message.moment,
        message.frame,
        message.by,
        tuple(message.cites),
        _DECODE[name](getattr(message.event, name)),
    )


def tournament_entry(e: tournament_record.Entry) -> tournaments_pb2.TournamentEntry:
    """An entry of a tournament's record as a message."""
    name, encode = _ENCODE_AT_TOURNAMENT[type(e.event)]
    event: Any = {name: encode(e.event)}
    return tournaments_pb2.TournamentEntry(seq=e.seq, time=e.time, by=e.by, event=event)


def tournament_entry_of(message: tournaments_pb2.TournamentEntry) -> tournament_record.Entry:
    """The entry that a message carries; `ValueError` if its event is one this version lacks."""
    name = message.event.WhichOneof("event")
    if name is None:
        raise ValueError(f"entry {message.seq}: no event that this version knows")
    event = _DECODE_AT_TOURNAMENT[name](getattr(message.event, name))
    return tournament_record.Entry(message.seq, message.time, message.by, event, "")
