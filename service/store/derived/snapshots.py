"""Snapshots: the position as everybody sees it, kept every so many entries.

Each is of the position as the official, the public and each seat see it, folded from that viewer's
entries (it can't be masked out of the whole position). Several form a chain: the first is
compressed with the game's dictionary, each other with the one before it, which it hardly differs
from. Reading one takes as many steps as there are before it in its chain: `CHAIN` at most.

They are derived: one that is damaged is bypassed and reported, and made again (`checks`). When they
are due is in `history`.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, NamedTuple
from zlib import crc32

import msgspec

from domain.record.position import Position, decoded
from domain.record.views import OFFICIAL
from service.store.layout.compression import QUICK, compress_after, decompress_after
from service.store.records import LAST, Records, Statement
from service.store.statements import upsert

#: How many snapshots form a chain at most.
CHAIN = 16

#: How a position is laid out: a snapshot that was made of another one is not used, but made again.
SHAPE = blake2b(
    msgspec.json.encode(msgspec.json.schema(Position), order="deterministic"), digest_size=8
).digest()


class Place(NamedTuple):
    """A snapshot: after which entry, how many decisions there were, which is first in its chain."""

    seq: int
    decisions: int
    head: int


class LoadedSnapshot(NamedTuple):
    """A snapshot that was read: its place, how many come before it in its chain, its contents."""

    place: Place
    steps: int
    plain: bytes


class Snapshots:
    """The snapshots of a file."""

    def __init__(self, records: Records) -> None:
        self._records = records

    def last(self, match: str, first: int = 0, last: int = LAST) -> Place | None:
        """The last snapshot in a stretch of entries."""
        return self._place("seq BETWEEN ?2 AND ?3 ORDER BY seq DESC", match, first, last)

    def before(self, match: str, decision: int) -> Place | None:
        """The last snapshot that a decision came after."""
        return self._place(
            "decisions<?2 AND seq>0 ORDER BY decisions DESC, seq DESC", match, decision
        )

    def every(self, match: str, upto: int) -> list[Place]:
        """All snapshots of a match up to an entry."""
        with self._records.rows(f"{_PLACES} AND seq<=?2 ORDER BY seq", match, upto) as found:
            return [Place(*row) for row in found]

    def stray(self, match: str) -> bool:
        """Whether there is one of no entry at all."""
        with self._records.rows(_PLACES, match) as found:  # a damaged number may be a text
            return any(type(row["seq"]) is not int for row in found)

    def _place(self, which: str, *values: Any) -> Place | None:
        row = self._records.row(f"{_PLACES} AND {which} LIMIT 1", *values)
        return Place(*row) if row is not None else None

    def read(self, match: str, place: Place, viewer: int | None = None) -> list[Position] | None:
        """A snapshot as a viewer sees it, or everybody; nothing if it is damaged.

        None if positions were laid out otherwise when it was made.
        """
        loaded = self.load(match, place)
        if loaded is None:
            return []
        shape, *views = _split(loaded.plain)
        if shape != SHAPE:
            return None
        return [decoded(view) for view in (views if viewer is None else [views[viewer - OFFICIAL]])]

    def load(self, match: str, place: Place) -> LoadedSnapshot | None:
        """The decompressed views; None if they are damaged, which is reported."""
        plain, steps, packed = b"", -1, b""
        try:
            with self._records.rows(_CHAIN, match, place.seq, place.head) as found:
                for (packed,) in found:
                    plain = self._unpacked(packed, plain)
                    steps += 1
            if packed[:_SUM] == _sum(match, place, plain):
                return LoadedSnapshot(place, steps, plain)
        except (ValueError, TypeError, IndexError):
            pass
        self._records.report_damage(match, f"snapshot {place.seq}")
        return None

    def _unpacked(self, packed: bytes, before: bytes) -> bytes:
        number, frame = packed[_SUM], packed[_SUM + 1 :]
        if before:
            return decompress_after(frame, before)
        return self._records.row_mapper.compression.decompress(frame, number)

    def save(
        self,
        match: str,
        views: Sequence[Position],
        before: LoadedSnapshot | None,
        level: int = QUICK,
    ) -> tuple[LoadedSnapshot, Statement]:
        """A new snapshot, and what saves it; `before` is the last one there is."""
        whole = views[0]  # its number and decisions are those of all
        plain = _pack([SHAPE, *(view.encoded() for view in views)])
        if before is None or before.steps + 1 >= CHAIN:
            mapper, place = self._records.row_mapper, Place(whole.seq, whole.decisions, whole.seq)
            number = mapper.in_use.get(whole.heading.game, 0)
            loaded, frame = (
                LoadedSnapshot(place, 0, plain),
                mapper.compression.compress(plain, number, level),
            )
        else:
            number, place = 0, Place(whole.seq, whole.decisions, before.place.head)
            loaded = LoadedSnapshot(place, before.steps + 1, plain)
            frame = compress_after(plain, before.plain, level)
        packed = _sum(match, place, plain) + bytes((number,)) + frame
        return loaded, (_SAVE, (match, *place, packed))


_PLACES = "SELECT seq, decisions, head FROM snapshots WHERE id=?1"
#: A damaged value may be of another type, which SQLite would try to read as that.
_CHAIN = (
    "SELECT CAST(views AS BLOB) FROM snapshots WHERE id=?1 AND seq<=?2 AND seq>=?3 AND head=?3"
    " ORDER BY seq"
)
_SAVE = upsert("snapshots", "id, seq", "id, seq, decisions, head, views")
_SUM = 4
_pack = msgspec.msgpack.Encoder().encode
_split = msgspec.msgpack.Decoder(list[bytes]).decode


def _sum(match: str, place: Place, plain: bytes) -> bytes:
    """A checksum that shows whether a snapshot was changed or moved."""
    head = f"{match}\n{place.seq}\n{place.decisions}\n{place.head}\n"
    return crc32(plain, crc32(head.encode())).to_bytes(_SUM)
