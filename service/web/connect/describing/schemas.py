"""JSON Schemas of messages, as Protobuf maps them to JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor

from service.web.connect.describing.comments import comments

#: Where schemas are in the document.
PLACE = "#/components/schemas/"

_LONG = {"type": ["string", "integer"], "format": "int64"}
_NUMBER = {"type": ["number", "string"]}
_TYPES: Mapping[int, dict[str, Any]] = {
    FieldDescriptor.CPPTYPE_INT32: {"type": "integer", "format": "int32"},
    FieldDescriptor.CPPTYPE_UINT32: {"type": "integer", "minimum": 0},
    FieldDescriptor.CPPTYPE_INT64: _LONG,
    FieldDescriptor.CPPTYPE_UINT64: _LONG,
    FieldDescriptor.CPPTYPE_DOUBLE: _NUMBER,
    FieldDescriptor.CPPTYPE_FLOAT: _NUMBER,
    FieldDescriptor.CPPTYPE_BOOL: {"type": "boolean"},
    FieldDescriptor.CPPTYPE_STRING: {"type": "string"},
}
#: Messages that JSON has words of its own for.
_OWN: Mapping[str, dict[str, Any]] = {
    "google.protobuf.Timestamp": {"type": "string", "format": "date-time"},
    "google.protobuf.Duration": {"type": "string", "pattern": r"^-?[0-9]+(\.[0-9]+)?s$"},
    "google.protobuf.Struct": {"type": "object", "description": "Any object."},
    "google.protobuf.Any": {
        "type": "object",
        "properties": {"@type": {"type": "string"}},
        "required": ["@type"],
        "description": "A message with the address of its type.",
    },
}


def reached(messages: Iterable[Descriptor]) -> Iterator[Descriptor | EnumDescriptor]:
    """These messages and all that is in them, each once, in the order in which they are met."""
    seen = set[str]()
    waiting = list[Descriptor | EnumDescriptor](messages)[::-1]
    while waiting:
        one = waiting.pop()
        if one.full_name in seen:
            continue
        seen.add(one.full_name)
        yield one
        if isinstance(one, Descriptor) and one.full_name not in _OWN:
            entries = ((field, _entry(field)) for field in one.fields)
            referred = (_referred(e.fields_by_name["value"] if e else f) for f, e in entries)
            waiting += [other for other in referred if other is not None][::-1]


def schema(one: Descriptor | EnumDescriptor) -> dict[str, Any]:
    """The schema of a message or of an enumeration."""
    if one.full_name in _OWN:
        return _OWN[one.full_name]
    about = comments().get(one.full_name, "")
    if isinstance(one, EnumDescriptor):
        values = [(v.name, comments().get(f"{one.full_name}.{v.name}", "")) for v in one.values]
        about = "\n".join([about, "", *(f"- `{name}`: {text}" for name, text in values)])
        return {"type": "string", "enum": [v.name for v in one.values], "description": about}
    fields = {field.json_name: _field(field) for field in one.fields}
    choices = [oneof for oneof in one.oneofs if not oneof.name.startswith("_")]
    found: dict[str, Any] = {"type": "object", "properties": fields}
    if len(choices) == 1 and len(choices[0].fields) == len(fields):
        found["maxProperties"] = 1
    for choice in choices:
        names = ", ".join(f"`{field.json_name}`" for field in choice.fields)
        about += f"\n\nAt most one of {names}."
    return {**found, "description": about.strip()}


def reference(one: Descriptor | EnumDescriptor) -> dict[str, str]:
    """A reference to the schema of a message or an enumeration."""
    return {"$ref": PLACE + one.full_name}


def kind(field: FieldDescriptor) -> str:
    """The name of the type of a field, for people."""
    referred = _referred(field)
    if referred is not None:
        return str(referred.name)
    if field.type == FieldDescriptor.TYPE_BYTES:
        return "bytes"
    named = _TYPES[field.cpp_type]
    return str(named.get("format") or named["type"])


def _field(field: FieldDescriptor) -> dict[str, Any]:
    about = comments().get(field.full_name, "")
    entry = _entry(field)
    if entry is not None:
        item = {"type": "object", "additionalProperties": _item(entry.fields_by_name["value"])}
    elif field.is_repeated:
        item = {"type": "array", "items": _item(field)}
    else:
        item = _item(field)
    return {**item, "description": about} if about else item


def _item(field: FieldDescriptor) -> dict[str, Any]:
    referred = _referred(field)
    if referred is not None:
        return {**reference(referred)}
    if field.type == FieldDescriptor.TYPE_BYTES:
        return {"type": "string", "contentEncoding": "base64"}
    return {**_TYPES[field.cpp_type]}


def _entry(field: FieldDescriptor) -> Descriptor | None:
    """The entry of a map; None: the field is not a map."""
    message: Descriptor | None = field.message_type
    return message if message is not None and message.GetOptions().map_entry else None


def _referred(field: FieldDescriptor) -> Descriptor | EnumDescriptor | None:
    """The message or enumeration that a field has."""
    found: Descriptor | EnumDescriptor | None = field.message_type or field.enum_type
    return found
