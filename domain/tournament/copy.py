"""A copy of an event's record with its proofs: in a store, an archive or a file.

`proof` says how entries are hashed; whether a log has the head is for the auditor. As a file it has
the form of a match's bundle (`domain.record.proof.bundle`), with `event` in its first line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from domain.record.proof import bundle
from domain.record.proof.anchors.encoding import base64, unbase64
from domain.record.proof.anchors.leaves import EVENT
from domain.record.proof.bundle import BadBundle, Header
from domain.record.proof.canonical import canonical
from domain.record.proof.chain import Head
from domain.record.proof.openings import Unproven
from domain.record.views import OFFICIAL
from domain.tournament import proof
from domain.tournament.record import Entry


class Copy(Struct, frozen=True):
    """All entries of an event as the official or the public has them (`domain.record.views`).

    `head` is what the maker of the copy says; `opens` is nothing where no chain proves it;
    `attached` has what else proves something, by name.
    """

    event: str
    entries: Sequence[Entry]
    head: Head
    opens: Sequence[bytes] | None = None
    viewer: int = OFFICIAL
    attached: Mapping[str, Any] = {}

    @property
    def key(self) -> str:
        """The key of the event among chains and leaves."""
        return f"{EVENT}{self.event}"


def check(copy: Copy) -> list[Head]:
    """The heads after each entry; raises `Unproven` where they don't lead to the copy's head."""
    opens = copy.opens if copy.opens is not None else ()
    found = proof.heads(copy.event, copy.head.since, copy.entries, opens, copy.viewer)
    if not found or found[-1] != copy.head:
        raise Unproven(1, "from here on they do not lead to the head")
    return found


# -- as a file -------------------------------------------------------------------------------------


def lines(copy: Copy) -> Iterator[str]:
    """A copy that something proves, line by line."""
    header = Header.of(copy.head, copy.viewer, event=copy.event)
    yield bundle.line(header.row())
    for entry, opened in zip(copy.entries, copy.opens or (), strict=True):
        yield bundle.line({"entry": base64(canonical(entry)), "opens": base64(opened)})
    for name, value in copy.attached.items():
        yield bundle.line({name: value})


def is_copy(text: str) -> bool:
    """Whether a text may be that of a copy, by its first line."""
    start = text[: text.find("\n") + 1]
    return start.startswith(bundle.LINE) and bundle.objects(start)[0].keys() >= {"event"}


def read(text: str) -> Copy:
    """The copy in a file, unchecked; raises `BadBundle`."""
    first, *rows = bundle.objects(text)
    entries = [row for row in rows if row.keys() == {"entry", "opens"}]
    attached = {name: value for row in rows[len(entries) :] for name, value in row.items()}
    if rows[: len(entries)] != entries or len(attached) != len(rows) - len(entries):
        raise BadBundle("it is neither entries nor, after them, attachments")
    header = Header.read(first)
    try:
        log = [decoded(unbase64(row["entry"])) for row in entries]
        opens = [unbase64(row["opens"]) for row in entries]
    except (ValueError, TypeError, AttributeError) as error:
        raise BadBundle(f"it can't be read: {error}") from error
    if len(log) != header.entries or not header.event or header.match:
        raise BadBundle("it is not all of an event")
    return Copy(header.event, log, header.to_head(), opens, header.viewer, attached)


def decoded(data: bytes) -> Entry:
    """An entry as it is hashed; raises `ValueError`."""
    entry = _decode(data)
    if canonical(entry) != data:
        raise ValueError("an entry is not encoded canonically")
    return entry


_decode = msgspec.msgpack.Decoder(Entry, strict=True).decode
