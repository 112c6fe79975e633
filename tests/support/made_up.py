"""Made-up values of any type that entries are made of, the empty ones among them."""

from __future__ import annotations

from random import Random
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from domain.record.values import EVERYONE, OFFICIALS, Sealed, Value

#: How deep values lie in one another, where they need not lie deeper.
DEEPEST = 6


def some(rng: Random, hint: Any, depth: int = 0) -> Any:
    """A value of a type."""
    origin, args = get_origin(hint), get_args(hint)
    if hint == Value:
        return rng.choice([None, True, False, 0, -3, "", "word"])
    if origin in (Union, UnionType):
        options = [arg for arg in args if arg is not NoneType]
        if NoneType in args and (depth > DEEPEST or rng.random() < 0.3):
            return None
        return some(rng, rng.choice(options), depth)
    if origin is Literal:
        return rng.choice(args)
    if hint is bool:
        return rng.random() < 0.5
    if hint is int:
        return rng.randrange(0, 50)
    if hint is str:
        return rng.choice(["", "hand/0", "ünïcode", "a word"])
    if hint is bytes:
        return rng.randbytes(8)
    if origin is Sealed:
        to = rng.choice([EVERYONE, OFFICIALS, 1, 2])
        return Sealed(to, some(rng, args[0] | None, depth))
    if origin is list:
        return [some(rng, args[0], depth + 1) for _ in range(rng.randrange(1, 3))]
    if origin is tuple:
        if args[-1] is ...:
            return tuple(some(rng, args[0], depth + 1) for _ in range(rng.randrange(3)))
        return tuple(some(rng, arg, depth + 1) for arg in args)
    if origin is dict:
        return {f"key {n}": some(rng, args[1], depth + 1) for n in range(rng.randrange(3))}
    return _structure(rng, hint, depth)


def _structure(rng: Random, cls: Any, depth: int) -> Any:
    hints = get_type_hints(cls)
    return cls(**{name: some(rng, hints[name], depth + 1) for name in cls.__struct_fields__})
