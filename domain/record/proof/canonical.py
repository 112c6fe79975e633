"""The canonical encoding: the bytes of a value that are hashed, the same for ever.

MessagePack in its shortest forms, the keys of a map in order. Of every structure, wherever it lies
in the value, the fields at its end that have their defaults are left out. So a field that is added
at the end of a structure, with a default, leaves the bytes and hashes of all older values as they
are: that follows from the types, and nobody keeps a list of what was added when. Two exceptions: a
type with `ALWAYS_HASHED` keeps so many of its first fields, so that values of a type that has no
others need no look; `Sealed` is always an array of two, so that who verifies a copy finds both.

AUDIT.md says it byte by byte; what is hashed with it is in `chain`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, get_origin

import msgspec
from msgspec import NODEFAULT, Struct, inspect
from msgspec.inspect import StructType, Type
from msgspec.structs import astuple

from domain.record.values import Sealed

#: From a value to what is encoded in its place; None: values of the type are encoded as they are.
Shorten = Callable[[Any], Any] | None

_encode = msgspec.msgpack.Encoder(order="sorted").encode


def canonical(value: object) -> bytes:
    """The canonical encoding of a value."""
    shorten = _BY_CLASS[type(value)]
    return _encode(value if shorten is None else shorten(value))


def _shortened(value: Any) -> Any:
    """A value of any type, with the structures in it shortened."""
    shorten = _BY_CLASS[type(value)]
    return value if shorten is None else shorten(value)


class _ByClass(dict[type[Any], Shorten]):
    """How values are shortened, by their class; worked out once."""

    def __missing__(self, cls: type[Any]) -> Shorten:
        self[cls] = found = _of_class(cls)
        return found


_BY_CLASS = _ByClass()


def _of_class(cls: type[Any]) -> Shorten:
    if issubclass(cls, Struct):
        return _of_type(inspect.type_info(cls))
    if issubclass(cls, tuple | list):
        return lambda value: [*map(_shortened, value)]
    if issubclass(cls, dict):
        return lambda value: {key: _shortened(one) for key, one in value.items()}
    return None


def _of_type(type_: Type) -> Shorten:
    """How values of a declared type are shortened."""
    match type_:
        case inspect.StructType():
            return _of_struct(type_)
        case inspect.VarTupleType() | inspect.ListType():
            each = _of_type(type_.item_type)
            return None if each is None else lambda value: [*map(each, value)]
        case inspect.DictType():
            one = _of_type(type_.value_type)
            return one and (lambda value: {key: one(inner) for key, inner in value.items()})
        case inspect.UnionType() | inspect.TupleType() | inspect.AnyType():
            return _shortened if _may_be_shortened(type_) else None
    return None


def _of_struct(type_: StructType) -> Shorten:
    if not type_.array_like:
        return _of_map(type_)
    if (get_origin(type_.cls) or type_.cls) is Sealed:
        return _of_sealed(type_)
    leading = () if type_.tag is None else (type_.tag,)
    defaults, size = [*_last_defaults(type_)], len(type_.fields)
    inner = [
        (at, shorten_field)
        for at, field in enumerate(type_.fields)
        if (shorten_field := _of_type(field.type)) is not None
    ]
    if not defaults and not inner:
        return None

    def shorten(value: Struct) -> object:
        found, kept, short = astuple(value), size, None
        for default in defaults:
            last = found[kept - 1]
            if last is not default and (last != default or type(last) is not type(default)):
                break
            kept -= 1
        for at, shorten_field in inner:
            if at < kept and (one := shorten_field(found[at])) is not found[at]:
                if short is None:
                    short = [*found[:kept]]
                short[at] = one
        if short is None and kept == size:
            return value
        return (*leading, *(short or found[:kept]))

    return shorten


def _of_map(type_: StructType) -> Shorten:
    """A structure that is a map of its fields: all that have their defaults are left out."""
    defaults = {field.name: _default(field) for field in type_.fields}

    def shorten(value: Struct) -> object:
        return {
            name: _shortened(found)
            for name, default in defaults.items()
            if not _is(found := getattr(value, name), default)
        }

    return shorten


def _of_sealed(type_: StructType) -> Shorten:
    """`Sealed`: always two, its audience and its value."""
    inner = _of_type(type_.fields[1].type)
    if inner is None:
        return None
    return lambda one: one if one.value is None else (one.to, inner(one.value))


def _last_defaults(type_: StructType) -> Iterator[object]:
    """The defaults of the fields that can be left out, from the last one on."""
    always = getattr(type_.cls, "ALWAYS_HASHED", 0)
    for field in reversed(type_.fields[always:]):
        if field.required:
            return
        yield _default(field)


def _default(field: inspect.Field) -> object:
    """The default of a field; `NODEFAULT` if it has none."""
    if field.default_factory is not NODEFAULT:
        return field.default_factory()
    return field.default


def _is(value: object, default: object) -> bool:
    """Whether a value is a default: 1 is not `True`."""
    return value is default or (type(value) is type(default) and value == default)


def _may_be_shortened(type_: Type) -> bool:
    """Whether there may be structures to shorten in values of this type, however deep."""
    if isinstance(type_, inspect.StructType | inspect.AnyType):
        return isinstance(type_, inspect.AnyType) or _of_struct(type_) is not None
    inner = (getattr(type_, name) for name in type_.__struct_fields__)
    parts = (part for one in inner for part in (one if isinstance(one, tuple) else (one,)))
    return any(_may_be_shortened(part) for part in parts if isinstance(part, Type))
