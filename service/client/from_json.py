"""Messages from the JSON of the contract, by a table for each type that is made once.

protobuf's own reader asks for each value what its field is: that was five sixths of what verifying
an exported file takes. What programs usually write is read here; anything else, and all that is
wrong, is left to that reader (`read`), so that what is accepted and what is refused is its affair.
"""

from __future__ import annotations

import json
from binascii import a2b_base64
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple, TypeVar

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.json_format import Parse
from google.protobuf.message import Message

M = TypeVar("M", bound=Message)
#: How deep messages may lie in each other; protobuf's reader refuses what is deeper than 100.
DEEPEST = 50
_INTEGERS = {
    FieldDescriptor.TYPE_INT32, FieldDescriptor.TYPE_SINT32,
    FieldDescriptor.TYPE_INT64, FieldDescriptor.TYPE_SINT64,
}  # fmt: skip


class Unusual(ValueError):
    """A value that is not read here."""


class _Field(NamedTuple):
    """A field: its name in Python, what reads one value of it, whether it has several."""

    name: str
    read: Callable[[Any, int], Any]
    several: bool
    oneof: str


def read(text: str, kind: type[M]) -> M:
    """A message from its JSON; raises `json_format.ParseError` and `ValueError` as that does."""
    try:
        values = json.loads(text, object_pairs_hook=_once)
        return kind(**_message(_fields(kind.DESCRIPTOR), values, 0))
    except (ValueError, TypeError, RecursionError):
        found: M = Parse(text, kind())
        return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, each key of which there is once."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Unusual
    return found


def _message(fields: Mapping[str, _Field], values: Any, depth: int) -> dict[str, Any]:
    """The arguments of a message."""
    if type(values) is not dict or depth > DEEPEST:
        raise Unusual
    found, chosen = dict[str, Any](), set[str]()
    for key, value in values.items():
        field = fields.get(key)
        if field is None or field.name in found:
            raise Unusual
        if field.oneof:
            if field.oneof in chosen:
                raise Unusual
            chosen.add(field.oneof)
        if field.several:
            if type(value) is not list:
                raise Unusual
            found[field.name] = [field.read(one, depth) for one in value]
        else:
            found[field.name] = field.read(value, depth)
    return found


@cache
def _fields(kind: Descriptor) -> dict[str, _Field]:
    """The fields of a type of messages, by the names that they have in JSON."""
    found = {}
    for field in kind.fields:
        oneof = field.containing_oneof
        one = _Field(field.name, _reader(field), field.is_repeated, oneof.name if oneof else "")
        found[field.json_name] = found[field.name] = one
    return found


def _reader(field: FieldDescriptor) -> Callable[[Any, int], Any]:
    """What reads a value of a field."""
    if field.message_type is not None:
        if field.message_type.full_name.startswith("google."):
            return _unusual
        kind = field.message_type
        return lambda value, depth: _message(_fields(kind), value, depth + 1)
    return _READERS.get(field.type, _unusual)


def _unusual(value: Any, depth: int) -> Any:
    raise Unusual


def _integer(value: Any, depth: int) -> int:
    if type(value) is int:
        return value
    if type(value) is str and value.removeprefix("-").isdecimal() and value.isascii():
        return int(value)
    raise Unusual


def _string(value: Any, depth: int) -> str:
    if type(value) is str:
        return value
    raise Unusual


def _bool(value: Any, depth: int) -> bool:
    if type(value) is bool:
        return value
    raise Unusual


def _bytes(value: Any, depth: int) -> bytes:
    return a2b_base64(_string(value, depth), strict_mode=True)


_READERS: dict[int, Callable[[Any, int], Any]] = {
    FieldDescriptor.TYPE_BOOL: _bool,
    FieldDescriptor.TYPE_BYTES: _bytes,
    FieldDescriptor.TYPE_STRING: _string,
    **dict.fromkeys(_INTEGERS, _integer),
}
