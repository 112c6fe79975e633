"""Changes of positions as messages (positions.proto), and back; whole positions are in `wire`."""

from __future__ import annotations

from typing import Any

from kifu.v1 import positions_pb2 as pb

from domain.record.folding.changes import KEYED, Changes
from service import wire


def message(found: Changes) -> pb.PositionChanges:
    """Changes as a message; they are copied into it."""
    removed = [_removed(field, keys) for field, keys in found.removed.items()]
    to = wire.clamped(wire.table_part, {**found.fields, **found.changed})
    return pb.PositionChanges(fields=found.fields, to=to, removed=removed)


def _removed(field: str, keys: list[Any]) -> pb.RemovedElements:
    if isinstance(keys[0], int):
        return pb.RemovedElements(field=field, numbers=keys)
    return pb.RemovedElements(field=field, names=keys)


def of(found: pb.PositionChanges) -> Changes:
    """The changes that a message has."""
    changed = wire.table_part_of(found.to, KEYED)
    return Changes(
        wire.table_part_of(found.to, found.fields),
        {name: table for name, table in changed.items() if table},
        {one.field: [*(one.numbers or one.names)] for one in found.removed},
    )
