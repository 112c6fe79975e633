"""A field with a default, at the end of any structure of an entry, leaves older hashes as they are.

Each type is grown by itself here: an event, a structure within one, the entry. What a whole program
whose types have all grown makes of older stores and files is tried in `end_to_end`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache, reduce
from operator import or_
from pathlib import Path
from random import Random
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest
from msgspec import NODEFAULT, Struct, defstruct
from msgspec.structs import fields

from domain.record import entries
from domain.record.proof.canonical import canonical
from domain.record.values import Sealed
from domain.tournament import record as tournament
from tests.support import grown
from tests.support.made_up import some
from tests.support.marks import each

ENTRIES = (entries.Entry, tournament.Entry)
GROWN = ("grown", int, 7)


def structures(hint: Any) -> Iterator[type[Struct]]:
    """The structures that a type is made of, itself first, that are arrays; `Sealed` never grows.

    Those that are maps leave their defaults out wherever they are written.
    """
    if isinstance(hint, type) and issubclass(hint, Struct):
        if hint.__struct_config__.array_like:
            yield hint
            for inner in get_type_hints(hint).values():
                yield from structures(inner)
        else:
            assert hint.__struct_config__.omit_defaults
    for inner in get_args(hint):
        yield from structures(inner)


CASES = [
    pytest.param(entry, cls, id=f"{entry.__module__.split('.')[1]}-{cls.__name__}")
    for entry in ENTRIES
    for cls in dict.fromkeys(structures(entry))
]


class Grower:
    """Makes types again in which one structure has a field more."""

    def __init__(self, which: type[Struct]) -> None:
        self.which = which
        self.made = dict[type[Struct], type[Struct]]()

    def of(self, hint: Any) -> Any:
        """A type, made of the grown one where it was made of the other."""
        if isinstance(hint, type) and issubclass(hint, Struct):
            is_map = not hint.__struct_config__.array_like
            return hint if is_map else self.made.get(hint) or self._make(hint)
        args = [self.of(arg) for arg in get_args(hint)]
        if get_origin(hint) in (Union, UnionType):
            return reduce(or_, args)
        return get_origin(hint)[*args] if args else hint

    def _make(self, cls: type[Struct]) -> type[Struct]:
        hints, config = get_type_hints(cls), cls.__struct_config__
        members = [(one.name, self.of(hints[one.name]), self._default(one)) for one in fields(cls)]
        self.made[cls] = defstruct(
            cls.__name__, [*members, *[GROWN] * (cls is self.which)],
            tag=config.tag, array_like=True, frozen=True, kw_only=True,
            namespace={"ALWAYS_HASHED": getattr(cls, "ALWAYS_HASHED", 0)},
        )  # fmt: skip
        return self.made[cls]

    def _default(self, field: Any) -> Any:
        if field.required:
            return msgspec.field()
        if field.default is NODEFAULT:
            return msgspec.field(default_factory=field.default_factory)
        if isinstance(field.default, Struct):
            stored = msgspec.msgpack.encode(field.default)
            return msgspec.msgpack.decode(stored, type=self.of(type(field.default)))
        return field.default


@cache
def made_up(entry: type[Any]) -> list[Any]:
    """Entries with every type of event."""
    rng = Random(7)
    types = get_args(get_type_hints(entry)["event"])
    found = [some(rng, entry) for _ in range(2)]
    return [msgspec.structs.replace(one, event=some(rng, cls)) for one in found for cls in types]


@pytest.mark.parametrize(("entry", "cls"), each(4, CASES))
def test_a_type_that_has_grown_leaves_older_entries_their_bytes(entry: Any, cls: Any) -> None:
    grown = msgspec.msgpack.Decoder(Grower(cls).of(entry)).decode
    for old in made_up(entry):
        read = grown(msgspec.msgpack.encode(old))
        assert canonical(read) == canonical(old)
        for kept, now in zip(sealed(old), sealed(read), strict=True):
            assert canonical(now) == canonical(kept)
        assert grown(canonical(old)) == read


def sealed(entry: Any) -> list[Any]:
    """What is committed to of an entry, if it is kept from somebody."""
    values = (getattr(entry.event, name) for name in entry.event.__struct_fields__)
    return [one.value for one in values if isinstance(one, Sealed)]


@pytest.mark.parametrize(("entry", "cls"), each(4, CASES))
def test_what_the_new_field_says_is_hashed(entry: Any, cls: Any) -> None:
    grower = Grower(cls)
    grower.of(entry)
    found = grower.made[cls]
    old = msgspec.msgpack.encode(some(Random(1), cls))
    read = msgspec.msgpack.decode(old, type=found)
    other = msgspec.structs.replace(read, grown=8)
    assert canonical(other) != canonical(read)
    assert msgspec.msgpack.decode(canonical(other), type=found) == other


# -- a program whose types have all grown reads, verifies and goes on with what this one wrote -----


@pytest.mark.long
def test_older_stores_and_copies_are_as_they_were_when_every_type_has_grown(tmp_path: Path) -> None:
    file = tmp_path / "expected.json"
    file.write_text(json.dumps(grown.expected()), "utf-8")
    ended = subprocess.run(
        [sys.executable, grown.__file__, file], capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
