"""Entries of a newer version of Kifu that this one does not know.

While servers are replaced one by one, old and new ones share a store. An event of an unknown type,
or with an unknown field, is not read here: the entries before it are, and requests for more, or to
add something, are refused (`Newer`). It differs from damage: a complete row of well-formed entries
(FORMAT.md says how those may grow).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from domain.record.entries import TYPES, AnyEvent, Entry, name_of
from service.store.errors import StoreError

#: How the library says that something has more than its type: an array, or a map.
_MORE = re.compile(r"Expected `array` of at most length|Object contains unknown field").match
_event = msgspec.msgpack.Decoder(AnyEvent).decode
_tagged = msgspec.msgpack.Decoder(list[msgspec.Raw]).decode
_tag = msgspec.msgpack.Decoder(int).decode


class Newer(StoreError):
    """An entry that a newer version wrote; `before` are those before it that come with it."""

    def __init__(self, of: str, seq: int, what: str, before: Sequence[Entry] = ()) -> None:
        super().__init__(f"{of}: entry {seq} is of a newer version of Kifu ({what})")
        self.seq, self.before = seq, [*before]


def unknown(event: bytes) -> str:
    """The part of an event, in MessagePack, that this version does not know; empty: none found."""
    try:
        tag = _tag(_tagged(event)[0])
    except (msgspec.MsgspecError, IndexError):
        return ""
    if tag not in TYPES:
        return f"an event of type {tag}"
    try:
        _event(event)
    except msgspec.ValidationError as error:
        return f"more of {name_of(TYPES[tag])}" if _MORE(str(error)) else ""
    except ValueError:
        pass
    return ""
