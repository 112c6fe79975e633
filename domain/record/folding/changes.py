"""The difference of two positions of a viewer, from which the second follows from the first.

Things with a name or a number (zones, cards, holders, …) are sent one by one, in their present
state; everything else is sent whole. It compares positions as bytes, not entries: so it is right
for any fold, also across a rewind, and contains only what the positions contain.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, get_origin, get_type_hints

import msgspec
from msgspec import Struct, field

from domain.record.position import Position

_encode = msgspec.msgpack.Encoder().encode
_HINTS = get_type_hints(Position)
#: The fields that hold things by name or number, and those that are sent whole.
KEYED = tuple(name for name in Position.__struct_fields__ if get_origin(_HINTS[name]) is dict)
WHOLE = tuple(name for name in Position.__struct_fields__ if name not in KEYED)


class Changes(Struct):
    """How a position came to be another one; its values are those of the latter, and not copied.

    `removed` goes first, then `fields` are put in place, then `changed`: one that is not there is
    added at the end, one that is stays where it is.
    """

    fields: dict[str, Any] = field(default_factory=dict)
    changed: dict[str, dict[Any, Any]] = field(default_factory=dict)
    removed: dict[str, list[Any]] = field(default_factory=dict)


class Compared:
    """A position as it was when it was compared last."""

    def __init__(self, pos: Position) -> None:
        self._whole = {name: _encode(getattr(pos, name)) for name in WHOLE}
        self._keyed = {name: _each(getattr(pos, name)) for name in KEYED}

    def changes(self, pos: Position) -> Changes:
        """The changes since then; the next call compares with this position."""
        found = Changes()
        for name in WHOLE:
            value = getattr(pos, name)
            now = _encode(value)
            if now != self._whole[name]:
                found.fields[name], self._whole[name] = value, now
        for name in KEYED:
            table: Mapping[Any, Any] = getattr(pos, name)
            before, each = self._keyed[name], _each(table)
            if each == before and [*each] == [*before]:
                continue
            removed = _out_of_order(before, each)
            changed = {
                key: table[key]
                for key, data in each.items()
                if key in removed or before.get(key) != data
            }
            if removed:
                found.removed[name] = [*removed]
            if changed:
                found.changed[name] = changed
            self._keyed[name] = each
        return found


def _each(table: Mapping[Any, Any]) -> dict[Any, bytes]:
    return {key: _encode(value) for key, value in table.items()}


def _out_of_order(before: Iterable[Any], now: Mapping[Any, Any]) -> dict[Any, None]:
    """The things to remove so that all that is there now can be put in place or added at the end.

    That is what is gone, and what stands behind something that came in or was moved before it.
    """
    places = {key: at for at, key in enumerate(now)}
    removed, expected = dict[Any, None](), 0
    for key in before:
        if places.get(key) == expected:
            expected += 1
        else:
            removed[key] = None
    return removed


def apply(pos: Position, changes: Changes) -> None:
    """Make a position the one that it has changed to."""
    for name, keys in changes.removed.items():
        for key in keys:
            del getattr(pos, name)[key]
    for name, value in changes.fields.items():
        setattr(pos, name, value)
    for name, table in changes.changed.items():
        getattr(pos, name).update(table)
