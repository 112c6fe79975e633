"""What was ever written into records or sent, line by line: it stays, and grows at its end alone.

`format.txt` has a line for each type of event, for each structure in an entry, for each message,
enumeration and call of the protocol. `python -m tests.golden.promises` adds what is new to it, and
refuses where something that is there went or changed (domain/record/FORMAT.md).
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, get_origin

import kifu.v1
from google.protobuf.descriptor import Descriptor, FieldDescriptor, FileDescriptor
from msgspec import NODEFAULT, Struct, inspect
from msgspec.inspect import StructType, Type

from domain.record import entries
from domain.record.values import Sealed, kept_fields
from domain.tournament import record as tournament

FILE = Path(__file__).with_name("format.txt")
#: What is at a place of its own in its line: nothing comes before it or between.
IN_ORDER = ("event", "struct")
#: A line: what it is of, and what that has.
Lines = Mapping[str, list[str]]


@cache
def today() -> Lines:
    """The lines of the program at hand."""
    return dict(sorted((*_records(), *_protocol())))


def kept() -> Lines:
    """The lines that were written."""
    rows = (row.split("; ") for row in FILE.read_text("utf-8").splitlines())
    return {key: parts for key, *parts in rows}


def broken(was: Lines, now: Lines) -> Iterator[str]:
    """What went or changed, or was added elsewhere than at an end or without a default."""
    for key, parts in was.items():
        if key not in now:
            yield f"{key} is gone"
        elif key.startswith(IN_ORDER):
            yield from _broken_in_order(key, parts, now[key])
        else:
            yield from (f"{key}: {part} is gone" for part in parts if part not in now[key])


def _broken_in_order(key: str, was: list[str], now: list[str]) -> Iterator[str]:
    if now[: len(was)] != was:
        yield f"{key}: {was} has become {now}"
    for part in now[len(was) :]:
        if " = " not in part and not key.endswith(" (map)"):
            yield f"{key}: {part} has come without a default"


# -- records ---------------------------------------------------------------------------------------


def _records() -> Iterator[tuple[str, list[str]]]:
    for of, entry in (("match", entries.Entry), ("organisers", tournament.Entry)):
        for struct in _structs(inspect.type_info(entry), {}):
            cls = get_origin(struct.cls) or struct.cls
            sort = "struct" if struct.tag is None else f"event {struct.tag}"
            form = "" if struct.array_like else " (map)"
            seen = {name for _, name in kept_fields(cls)} if struct.tag is not None else set()
            yield (
                f"{sort} of {of}: {cls.__name__}{form}",
                [_field(one, one.name in seen) for one in struct.fields],
            )


def _structs(type_: Type, found: dict[str, StructType]) -> Iterable[StructType]:
    """The structures that there are in values of a type."""
    if isinstance(type_, StructType):
        if str(type_.cls) in found:
            return found.values()
        found[str(type_.cls)] = type_
        for field in type_.fields:
            _structs(field.type, found)
    for name in type_.__struct_fields__:
        inner = getattr(type_, name)
        for part in inner if isinstance(inner, tuple) else (inner,):
            if isinstance(part, Type) and not isinstance(part, inspect.Field):
                _structs(part, found)
    return [one for one in found.values() if "Sealed" not in str(one.cls)]


def _field(field: inspect.Field, may_be_kept: bool) -> str:
    made = field.default if field.default_factory is NODEFAULT else field.default_factory()
    if isinstance(made, Struct):  # how its own fields are filled is in its own line
        assert made == type(made)()
        default = f" = {type(made).__name__}()"
    else:
        default = "" if made is NODEFAULT else f" = {made!r}"
    return f"{field.name}: {'kept ' * may_be_kept}{_shape(field.type)}{default}"


def _shape(type_: Type) -> str:
    match type_:
        case inspect.StructType(cls=cls) if get_origin(cls) is Sealed:
            return f"Sealed[{_shape(type_.fields[-1].type)}]"
        case inspect.StructType(cls=cls):
            return cls.__name__
        case inspect.LiteralType(values=values):
            return " | ".join(map(repr, values))
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            return f"[{_shape(item)}]"
        case inspect.TupleType(item_types=items):
            return f"({', '.join(map(_shape, items))})"
        case inspect.DictType(key_type=key, value_type=value):
            return f"{{{_shape(key)}: {_shape(value)}}}"
        case inspect.UnionType(types=types):
            tagged = any(isinstance(one, StructType) and one.tag for one in types)
            return "event" if tagged else " | ".join(map(_shape, types))
    return type(type_).__name__.removesuffix("Type").lower()


# -- the protocol ----------------------------------------------------------------------------------


def _protocol() -> Iterator[tuple[str, list[str]]]:
    for module in iter_modules(kifu.v1.__path__):
        if module.name.endswith("_pb2"):
            file: Any = import_module(f"kifu.v1.{module.name}").DESCRIPTOR
            yield from _file(file)


def _file(file: FileDescriptor) -> Iterator[tuple[str, list[str]]]:
    for message in file.message_types_by_name.values():
        yield from _message(message)
    for enum in file.enum_types_by_name.values():
        yield f"enum {enum.name}", [f"{one.number} {one.name}" for one in enum.values]
    for service in file.services_by_name.values():
        calls = (
            f"{one.name} {one.input_type.name}{'...' * one.client_streaming}"
            f" -> {one.output_type.name}{'...' * one.server_streaming}"
            for one in service.methods
        )
        yield f"service {service.name}", [*calls]


def _message(message: Descriptor) -> Iterator[tuple[str, list[str]]]:
    yield f"message {message.full_name}", [_numbered(field) for field in message.fields]
    for inner in message.nested_types:
        yield from _message(inner)
    for enum in message.enum_types:
        yield f"enum {enum.full_name}", [f"{one.number} {one.name}" for one in enum.values]


def _numbered(field: FieldDescriptor) -> str:
    kind = field.message_type or field.enum_type
    name = kind.full_name if kind is not None else f"type {field.type}"
    return f"{field.number} {field.name} {name}{'...' * field.is_repeated}"


def main() -> int:
    """Write what is new; 1 where something went or changed."""
    now = today()
    if FILE.exists() and (wrong := [*broken(kept(), now)]):
        print("\n".join(wrong))
        return 1
    FILE.write_text("".join("; ".join((key, *parts)) + "\n" for key, parts in now.items()), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
