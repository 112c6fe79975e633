"""Openings: the proofs of one viewer's copy of a record against the head of all copies.

For each part of an entry (`chain.parts`), in order, there is its salt where the viewer may know the
value, and its commitment where he may not: so he hashes what was hashed, and learns nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Any

from msgspec import Struct

from domain.record.entries import Entry
from domain.record.events import MatchOpened
from domain.record.proof.canonical import canonical
from domain.record.proof.chain import (
    COMMITMENT,
    HASH,
    LAYOUT,
    LINK,
    SALT,
    Form,
    Head,
    Part,
    commitment,
    genesis,
    parts,
    salt,
    split,
)
from domain.record.views import redact


class Unproven(ValueError):
    """A copy that does not lead where it should: from entry `seq` on nothing is proven."""

    def __init__(self, seq: int, why: str) -> None:
        super().__init__(f"entry {seq}: {why}")
        self.seq = seq


class Disclosed(Struct, frozen=True):
    """One part of entry `seq`, opened for a reader, encoded canonically."""

    seq: int
    field: int
    salt: bytes
    value: bytes


class Proof(Struct, frozen=True):
    """The proof of a viewer's copy of some entries of a match.

    It leads from the head `before` them to their last one's: each has its `openings`. `layout` and
    `since`, and what the first entry says of itself, are bound by the hash before that one.
    """

    match: str
    before: Head
    openings: tuple[bytes, ...]
    head: Head
    layout: int = LAYOUT

    @property
    def since(self) -> int:
        """How many entries were there when the chain began (`Head`)."""
        return self.head.since


def follow(proof: Proof, entries: Sequence[Entry], viewer: int) -> Head:
    """The head to which a proof leads by a viewer's copy; raises `Unproven`. O(entries).

    Where it begins is looked at only if that is the first entry: what comes before another has to
    be proven as well, or trusted.
    """
    if proof.layout != LAYOUT:
        raise Unproven(1, f"it is chained by layout {proof.layout}, which this version lacks")
    if len(entries) != len(proof.openings):
        raise Unproven(proof.before.seq + 1, "there are not as many openings as entries")
    if not proof.before.seq and entries:
        opened = entries[0].event
        if not isinstance(opened, MatchOpened):
            raise Unproven(1, "it opens no match")
        if genesis(proof.match, opened, proof.since) != proof.before:
            raise Unproven(1, "it is of another match, or chained since another entry")
    head = proven(proof.before, entries, proof.openings, viewer)
    if head != proof.head:
        raise Unproven(proof.before.seq + 1, "from here on they do not lead to the head")
    return head


def openings(entries: Iterable[Entry], secret: bytes, viewer: int) -> Iterator[bytes]:
    """The openings of a viewer's copy of these entries, in order; empty: nothing is sealed.

    `entries` are as the official sees them.
    """
    for entry in entries:
        yield b"".join(shown(entry.seq, part, secret, viewer) for part in parts(entry))


def shown(seq: int, part: Part, secret: bytes, viewer: int) -> bytes:
    """The opening of a part for a viewer: its salt, or else its commitment."""
    made = salt(secret, seq, part.field)
    return made if part.open_to(viewer) else commitment(made, part.value)


def proven(head: Head, entries: Iterable[Entry], opens: Iterable[bytes], viewer: int) -> Head:
    """The head to which a viewer's copy leads from `head`, by its openings; raises `Unproven`.

    It is for the caller to compare it with a head that he trusts. O(entries).
    """
    for entry, opened in zip(entries, opens, strict=True):
        if redact(entry, viewer) != entry:
            raise Unproven(entry.seq, "it says more than its viewer may know")
        head = link(head, entry, opened, viewer)
    return head


def link(head: Head, entry: Any, opened: bytes, viewer: int, form: Form = split) -> Head:
    """The head after a viewer's copy of the entry that follows one; raises `Unproven`."""
    if entry.seq != head.seq + 1:
        raise Unproven(head.seq + 1, "it is missing")
    leaf = canonical(form(entry)[1]) + b"".join(commitments(entry, opened, viewer, form))
    return Head(entry.seq, sha256(LINK + head.hash + leaf).digest(), head.since)


def commitments(entry: Any, opened: bytes, viewer: int, form: Form = split) -> Iterator[bytes]:
    """The commitments of an entry, by a viewer's openings; raises `Unproven`."""
    at = 0
    for part in form(entry)[0]:
        to = at + (SALT if part.open_to(viewer) else HASH)
        given, at = opened[at:to], to
        yield commitment(given, part.value) if part.open_to(viewer) else given
    if at != len(opened):
        raise Unproven(entry.seq, "its openings have the wrong length")


def opened_parts(entry: Entry, opened: bytes, viewer: int) -> Iterator[Disclosed]:
    """The parts that a viewer's openings open to him, for him to show to others."""
    at = 0
    for part in parts(entry):
        to = at + (SALT if part.open_to(viewer) else HASH)
        if part.open_to(viewer):
            yield Disclosed(entry.seq, part.field, opened[at:to], canonical(part.value))
        at = to


def discloses(shown: Disclosed, entry: Entry, opened: bytes, viewer: int) -> bool:
    """Whether a disclosed part is the one that a proven copy of its entry commits to."""
    kept = dict(
        zip((p.field for p in parts(entry)), commitments(entry, opened, viewer), strict=True)
    )
    return kept.get(shown.field) == sha256(COMMITMENT + shown.salt + shown.value).digest()
