"""Forgeries of what a stranger is given: bits and fields of entries, openings, whole bundles.

Entries are forged one at a time: all later ones are hashed over the entry's own hash, so a forgery
which changes it changes the head as well.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from domain.record.entries import Entry, decode
from domain.record.events import MatchOpened
from domain.record.proof import bundle
from domain.record.proof.bundle import Bundle, lines
from domain.record.proof.canonical import canonical
from domain.record.proof.chain import Head, genesis
from domain.record.proof.openings import openings, proven
from domain.record.views import redact
from tests import independent_verifier as other
from tests.golden import DIRECTORIES, logs
from tests.unit.record.proof.test_bundle import SECRET
from tests.unit.record.proof.test_independent import accepted_by_other, accepted_by_ours

BEFORE = bytes(range(32, 64))


class Link(NamedTuple):
    """One entry of a viewer's copy, with what opens it, after some head; and the right hash."""

    viewer: int
    entry: bytes
    opened: bytes
    hash: bytes


def link(entry: Entry, viewer: int) -> Link:
    """An entry as it is in a viewer's bundle."""
    (opened,) = openings([entry], SECRET, viewer)
    copy = redact(entry, viewer)
    after = proven(Head(entry.seq - 1, BEFORE), [copy], [opened], viewer)
    return Link(viewer, canonical(copy), opened, after.hash)


def seen(entry: Entry, viewer: int) -> Entry:
    """An entry as a viewer gets it."""
    return redact(entry, viewer)


def ours(forged: Link) -> bool:
    """Whether we take a forged link for the right one."""
    try:
        entry = decode(forged.entry)
        if canonical(entry) != forged.entry:
            return False
        head = Head(entry.seq - 1, BEFORE)
        return proven(head, [entry], [forged.opened], forged.viewer).hash == forged.hash
    except (ValueError, RecursionError, OverflowError):
        return False


def theirs(forged: Link) -> bool:
    """Whether the independent verifier does."""
    try:
        entry = other.unpack(forged.entry)
        if other.says_too_much(entry, forged.viewer):
            return False
        made = other.commitments(entry, forged.opened, forged.viewer).values()
        return other.sha256(b"\0", BEFORE, other.pack(other.public(entry)), *made) == forged.hash
    except (other.Refused, *other.FORM):
        return False


def one_of_each_type() -> Iterator[Entry]:
    """An entry with each type of event, the shortest ones of the golden records."""
    found: dict[type, Entry] = {}
    for directory in DIRECTORIES:
        for log in logs(directory).values():
            for entry in log:
                known = found.get(type(entry.event))
                if known is None or len(canonical(entry)) < len(canonical(known)):
                    found[type(entry.event)] = entry
    yield from found.values()


def flipped(data: bytes) -> Iterator[bytes]:
    """Some bytes with each single bit of them flipped."""
    for bit in range(8 * len(data)):
        at = bit // 8
        yield data[:at] + bytes([data[at] ^ 1 << bit % 8]) + data[at + 1 :]


def bundles(whole: Bundle, another: Bundle, rng: Random, share: float) -> Iterator[tuple[str, str]]:
    """Whole bundles forged, as text, and how; `share` of the bits of the text."""
    text = "".join(lines(whole))
    for at in range(8 * len(text.encode())):
        if rng.random() < share:
            data = bytearray(text.encode())
            data[at // 8] ^= 1 << at % 8
            forged = data.decode(errors="replace")
            if not _same(forged, whole):
                yield "a bit of a bundle's text", forged
    count = len(whole.entries)
    for _ in range(max(3, round(count * share * 4))):
        at, to = rng.randrange(count), rng.randrange(count)
        for how, rows in (
            ("removed", _without(text, at)), ("doubled", _doubled(text, at)),
            ("exchanged", _exchanged(text, at, to) if at != to else ""),
            ("renumbered after one was removed", _renumbered(whole, at)),
        ):  # fmt: skip
            if rows:
                yield f"an entry of a bundle {how}", rows
    for cut in {1, 2, count // 2, count - 1}:
        yield "the end of a bundle cut", _cut(whole, cut)
    n = min(count, len(another.entries))
    proof = replace(whole.proof, openings=whole.proof.openings[:n])
    mixed = replace(whole, entries=another.entries[:n], proof=proof)
    yield "the proof of another match", "".join(lines(mixed))
    header = json.loads(text.split("\n")[0])
    for name, values in {
        "match": ["x"], "viewer": [-2, -1, 0, 1, 5], "since": [1, count, count + 1],
        "head": ["0" * 64], "layout": [0, 2], "entries": [count - 1, count + 1],
    }.items():  # fmt: skip
        for value in values:
            if header[name] != value:
                row = json.dumps(header | {name: value})
                yield "a header of a bundle", row + text[text.index("\n") :]


def _same(text: str, whole: Bundle) -> bool:
    """Whether a text is read as the same bundle: then nothing was forged."""
    try:
        return bundle.read(text) == whole
    except bundle.BadBundle:
        return False


def _without(text: str, at: int) -> str:
    rows = text.splitlines(keepends=True)
    return "".join([*rows[: at + 1], *rows[at + 2 :]])


def _doubled(text: str, at: int) -> str:
    rows = text.splitlines(keepends=True)
    return "".join([*rows[: at + 2], *rows[at + 1 :]])


def _exchanged(text: str, one: int, two: int) -> str:
    rows = text.splitlines(keepends=True)
    rows[one + 1], rows[two + 1] = rows[two + 1], rows[one + 1]
    return "".join(rows)


def _renumbered(whole: Bundle, at: int) -> str:
    later = [replace(entry, seq=entry.seq - 1) for entry in whole.entries[at + 1 :]]
    opened = (*whole.proof.openings[:at], *whole.proof.openings[at + 1 :])
    head = replace(whole.proof.head, seq=whole.proof.head.seq - 1)
    proof = replace(whole.proof, openings=opened, head=head)
    return "".join(lines(replace(whole, entries=[*whole.entries[:at], *later], proof=proof)))


def _cut(whole: Bundle, n: int) -> str:
    """The end cut, and the header made to say so."""
    proof = whole.proof
    head = replace(proof.head, seq=proof.head.seq - n)
    cut = replace(proof, openings=proof.openings[:-n], head=head)
    return "".join(lines(replace(whole, entries=whole.entries[:-n], proof=cut)))


def noticed(text: str) -> dict[str, bool]:
    """Which verifiers refuse a forged bundle."""
    return {"ours": not accepted_by_ours(text), "theirs": not accepted_by_other(text)}


def recomputed(copy: Sequence[Entry], whole: Bundle) -> Bundle:
    """A forged copy with every hash made to fit that can be made without the match's secret."""
    opened = copy[0].event
    assert isinstance(opened, MatchOpened)
    before = genesis(whole.proof.match, opened, whole.proof.since)
    head = proven(before, copy, whole.proof.openings, whole.viewer)
    return replace(whole, entries=copy, proof=replace(whole.proof, before=before, head=head))
