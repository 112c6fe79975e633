"""Packing of rows: the entries of a match as the rows of its file, and back (LAYOUT.md).

A row holds what one command added, or 128 entries of a match that has ended (`repacking`). Times,
moments and frames are written as differences. The row's topic says how many entries it has, so that
the store can tell what may follow it, and which rare types of events; a checksum covers all of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from zlib import crc32

import msgspec
from msgspec import Struct, defstruct
from msgspec.structs import fields, replace

from domain.record import events as ev
from domain.record.entries import TYPES, Entry
from domain.record.interventions import ResultCorrected, Rewound
from service.store.layout import newer
from service.store.layout.compression import QUICK, Compression

#: How many entries a row has at most.
CHUNK = 128
_SUM = 4
#: A row as it is stored: its match, the number of its last entry, its topic and its state.
Row = tuple[str, int, bytes, bytes]
#: Rare types of events, which the topic of a row names: they are found without reading.
_RARE_TAGS: dict[type[ev.Event], int] = {
    cls: tag
    for tag, cls in TYPES.items()
    if cls
    in (ev.ChanceDrawn, ev.GameEnded, ev.Interjected, ev.MatchEnded, Rewound, ResultCorrected)
}


#: An entry in a row: all its fields but `seq`, with `time`, `moment` and `frame` less those of the
#: entry before it there.
PackedEntry = defstruct(
    "PackedEntry",
    [
        (one.name, one.type) if one.required else (one.name, one.type, one.default)
        for one in fields(Entry)[1:]
    ],
    array_like=True, frozen=True, gc=False, forbid_unknown_fields=True,
)  # fmt: skip

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[PackedEntry]).decode  # type: ignore[valid-type]
#: Fields that entries got after those that are named below, which takes half the time.
_LATER = PackedEntry.__struct_fields__[6:]
_packed_entry = msgspec.msgpack.Decoder(PackedEntry).decode


def runs(entries: Sequence[Entry]) -> Iterator[Sequence[Entry]]:
    """Entries as they are divided into rows: the rows of a chunk end where its number does."""
    at = 0
    while at < len(entries):
        most = CHUNK - (entries[at].seq - 1) % CHUNK if len(entries) > CHUNK else CHUNK
        yield entries[at : at + most]
        at += most


def pack(
    match: str, entries: Sequence[Entry], compression: Compression, number: int, level: int = QUICK
) -> tuple[int, str, bytes]:
    """Entries that follow one another as a row: its version, topic and state."""
    rare = {_RARE_TAGS[type(entry.event)] for entry in entries if type(entry.event) in _RARE_TAGS}
    topic = _topic(len(entries), rare)
    return _packed(match, entries[-1].seq, topic, plain(entries), compression, number, level)


def _packed(
    match: str, last: int, topic: str, plain: bytes, compression: Compression, number: int,
    level: int,
) -> tuple[int, str, bytes]:  # fmt: skip
    body = bytes((number,)) + compression.compress(plain, number, level)
    return last, topic, _sum(match, last, topic.encode(), body) + body


def unpack(
    match: str, last: int, topic: bytes, state: bytes, compression: Compression
) -> list[Entry]:
    """The entries of a row; `ValueError` if they can't be read."""
    data = _decompressed(match, last, topic, state, compression)
    try:
        rows = _decode(data)
    except msgspec.ValidationError:
        _see_whether_newer(match, last, topic, data)
        raise
    if first(last, topic) + len(rows) != last + 1:
        raise ValueError("it has another number of entries than it says")
    return _unpacked(last - len(rows), rows)


def _unpacked(seq: int, rows: Sequence[Any]) -> list[Entry]:
    """The entries of a row, which follow one with this number."""
    found, time, moment, frame = [], 0, 0, 0
    for row in rows:
        seq += 1
        time += row.time
        moment += row.moment
        frame += row.frame
        found.append(Entry(seq, time, moment, frame, row.by, row.cites, row.event))
    return _with_later(found, rows)


def _with_later(made: list[Any], of: Iterable[Any]) -> list[Any]:
    """Entries, or what a row has of them, with those of their fields that came later."""
    if not _LATER:
        return made
    return [
        replace(one, **{name: getattr(source, name) for name in _LATER})
        for one, source in zip(made, of, strict=True)
    ]


def _see_whether_newer(match: str, last: int, topic: bytes, data: bytes) -> None:
    """Raises `Newer` if a newer version wrote what can't be read of a row."""
    some = _parts(data)
    begin = last - len(some)
    if first(last, topic) != begin + 1:
        return
    for n, one in enumerate(some):
        fields = _parts(one)
        if len(fields) < len(PackedEntry.__struct_fields__):
            return
        more = "more of an entry" if len(fields) > len(PackedEntry.__struct_fields__) else ""
        if what := more or newer.unknown(bytes(fields[5])):
            before = _unpacked(begin, [_packed_entry(entry) for entry in some[:n]])
            raise newer.Newer(f"match {match}", begin + n + 1, what, before)


def _decompressed(
    match: str, last: int, topic: bytes, state: bytes, compression: Compression
) -> bytes:
    """The decompressed content of a row whose checksum is right."""
    body = state[_SUM:]
    if state[:_SUM] != _sum(match, last, topic, body):
        raise ValueError("its checksum is wrong")
    return compression.decompress(body[1:], body[0])


def first(last: int, topic: bytes) -> int:
    """The first entry of a row, by its topic; the last one if the topic is malformed."""
    count = topic.partition(b" ")[0] if isinstance(topic, bytes) else b""
    good = type(last) is int and count.isdigit() and 0 < int(count) <= min(CHUNK, last)
    return last - int(count) + 1 if good else last


def topic_pattern(tag: int) -> str:
    """The pattern of topics of rows with events of this tag; empty: topics do not list it."""
    return f" {tag} " if tag in _RARE_TAGS.values() else ""


def plain(entries: Sequence[Entry]) -> bytes:
    """The content to compress: the entries, with differences."""
    found, time, moment, frame = [], 0, 0, 0
    for entry in entries:
        one = PackedEntry(
            entry.time - time, entry.moment - moment, entry.frame - frame,
            entry.by, entry.cites, entry.event,
        )  # fmt: skip
        found.append(one)
        time, moment, frame = entry.time, entry.moment, entry.frame
    return _encode(_with_later(found, entries))


def dictionary_of(state: bytes) -> int:
    """The number of the dictionary of a row; `ValueError` if it is malformed."""
    if len(state) <= _SUM:
        raise ValueError("it is cut")
    return state[_SUM]


def renumbered(match: str, last: int, topic: str, state: bytes, number: int) -> bytes:
    """The state of a row, once its dictionary has another number; else as it is."""
    if state[_SUM] == number:
        return state
    body = bytes((number,)) + state[_SUM + 1 :]
    if state[:_SUM] != _sum(match, last, topic.encode(), state[_SUM:]):
        raise ValueError("its checksum is wrong")
    return _sum(match, last, topic.encode(), body) + body


# -- rows as they are, their events unread ---------------------------------------------------------


class RawEntry(Struct, array_like=True, frozen=True, gc=False):
    """An entry in a row, like `PackedEntry`; what it says stays the bytes that it is."""

    time: int
    moment: int
    frame: int
    by: int
    cites: msgspec.Raw
    event: msgspec.Raw


_decode_unread = msgspec.msgpack.Decoder(list[RawEntry]).decode
_parts = msgspec.msgpack.Decoder(list[msgspec.Raw]).decode
_tag = msgspec.msgpack.Decoder(int).decode


def raw_entries(rows: Iterable[Row], compression: Compression) -> Iterator[tuple[int, RawEntry]]:
    """The entries of rows, with their numbers and with full times, moments and frames."""
    for match, last, topic, state in rows:
        some = _decode_unread(_decompressed(match, last, topic, state, compression))
        time = moment = frame = 0
        for seq, one in enumerate(some, last - len(some) + 1):
            time, moment, frame = time + one.time, moment + one.moment, frame + one.frame
            yield seq, replace(one, time=time, moment=moment, frame=frame)


def repack(
    match: str, entries: Sequence[tuple[int, RawEntry]], compression: Compression, number: int,
    level: int,
) -> tuple[int, str, bytes]:  # fmt: skip
    """Such entries as one row."""
    found, time, moment, frame = [], 0, 0, 0
    for _, one in entries:
        found.append(
            replace(one, time=one.time - time, moment=one.moment - moment, frame=one.frame - frame)
        )
        time, moment, frame = one.time, one.moment, one.frame
    rare = {_tag(_parts(one.event)[0]) for _, one in entries} & {*_RARE_TAGS.values()}
    topic = _topic(len(entries), rare)
    return _packed(match, entries[-1][0], topic, _encode(found), compression, number, level)


def _topic(entries: int, rare: set[int]) -> str:
    return " ".join(map(str, (entries, *sorted(rare), ""))) if rare else str(entries)


def _sum(match: str, last: int, topic: bytes, body: bytes) -> bytes:
    """A checksum that shows whether a row was changed or moved."""
    return crc32(body, crc32(f"{match}\n{last}\n".encode() + topic + b"\n")).to_bytes(_SUM)
