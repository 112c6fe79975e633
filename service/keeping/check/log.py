"""The log of heads: its leaves lead to every root that was signed, and its keys did sign them.

Leaves are read once, in their order, and no more of the tree is in memory than its right edge.
Whether leaves say what is in the records is for `matches`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from domain.record.proof.anchors import notes, tree
from domain.record.proof.anchors.checkpoints import Checkpoint
from domain.record.proof.anchors.encoding import Malformed
from domain.record.proof.anchors.leaves import Leaf
from domain.record.proof.anchors.notes import BadSignature, Note, Signature, VerifierKey
from domain.record.proof.chain import Head
from domain.words.phrases import phrase
from service.anchors.growth import Tree
from service.anchors.ledger import emptied
from service.keeping.check.findings import DERIVED, LOG, Fault
from service.keeping.check.rows import read
from service.store.records import Records

SUBJECT = "the log"


def faults(records: Records, kept: Sequence[Checkpoint] = ()) -> Iterator[Fault]:
    """The faults of a store's log. O(leaves), a signature for each checkpoint.

    `kept` are checkpoints from elsewhere: what they cover has to be there.
    """
    yield from _kept_faults(records, kept)
    if why := emptied(records):
        yield Fault(SUBJECT, LOG, why)
    known = dict[int, VerifierKey]()
    for row in read(records, "log_keys"):
        try:
            known[row["number"]] = notes.verifier_key(row["key"])
        except (Malformed, TypeError, AttributeError):
            continue  # which is a fault of its values
    grown, tiles, number = _Growing(records), 0, 0
    for row in read(records, "checkpoints"):
        number += 1
        if row["number"] != number:
            yield Fault(SUBJECT, LOG, phrase("checkpoint {number} is missing", number=number))
            number = row["number"] if type(row["number"]) is int else number
        for why in _checkpoint_faults(row, grown, known):
            text = phrase("checkpoint {number}: {why}", number=row["number"], why=why)
            yield Fault(SUBJECT, LOG, text)
        yield from grown.faults()
        tiles = grown.filled
    if more := sum(1 for _ in grown.leaves):
        yield Fault(SUBJECT, LOG, phrase("{more} leaves are under no checkpoint", more=more))
    more = records.row("SELECT count(*) FROM tiles")[0] - tiles
    if more > 0:
        yield Fault(SUBJECT, DERIVED, phrase("it has {n} tiles too many", n=more))


def _kept_faults(records: Records, kept: Sequence[Checkpoint]) -> Iterator[Fault]:
    """The contradictions to checkpoints from elsewhere."""
    grown = _Growing(records)
    for one in sorted(kept, key=lambda one: one.size):
        root = grown.to(one.size)
        if root is None:
            why = phrase("it has {n} leaves that can be read, your checkpoint {size}",
                         n=grown.tree.size, size=one.size)  # fmt: skip
            yield Fault(SUBJECT, LOG, why)
        elif root != one.root:
            why = phrase("its first {size} leaves are not those of your checkpoint", size=one.size)
            yield Fault(SUBJECT, LOG, why)


class _Growing:
    """The tree as it grows leaf by leaf, and what is found on the way."""

    def __init__(self, records: Records) -> None:
        self._records, self._found = records, list[Fault]()
        self.tree, self.filled, self.broken = Tree(0, (), _none), 0, False
        self.leaves = read(records, "leaves")

    def to(self, size: int) -> bytes | None:
        """The root over so many leaves; None if they are not there."""
        while self.tree.size < size:
            row = next(self.leaves, None)
            if row is None or row["number"] != self.tree.size:
                self._report(LOG, phrase("leaf {n} is missing", n=self.tree.size))
                return None
            try:
                leaf = Leaf(row["id"], Head(row["count"], row["head"], row["since"])).encoded()
            except (TypeError, ValueError, AttributeError):
                self._report(LOG, phrase("leaf {n} is damaged", n=self.tree.size))
                return None
            self.tree, filled = self.tree.grown([tree.leaf_hash(leaf)])
            self.tree = self.tree.settled(_none)
            for level, number, hashes in filled:
                self._compare(level, number, hashes)
        return self.tree.root

    def _compare(self, level: int, number: int, hashes: Sequence[bytes]) -> None:
        """A full tile, with the one that is kept."""
        self.filled += 1
        sql = "SELECT hashes FROM tiles WHERE level=? AND number=?"
        row = self._records.row(sql, level, number)
        if row is None or row[0] != b"".join(hashes):
            which = phrase(
                "tile {number} of level {level} is not what its leaves give",
                number=number, level=level,
            )  # fmt: skip
            self._report(DERIVED, which)

    def _report(self, part: str, why: str) -> None:
        self.broken = self.broken or part == LOG
        self._found.append(Fault(SUBJECT, part, why))

    def faults(self) -> list[Fault]:
        """The findings since the last call."""
        found, self._found = self._found, []
        return found


def _none(level: int, number: int) -> Sequence[bytes]:
    raise AssertionError("roots need no tile that is full")


def _checkpoint_faults(
    row: dict[str, Any], grown: _Growing, keys: dict[int, VerifierKey]
) -> Iterator[str]:
    size, root, key = row["size"], row["root"], keys.get(row["key"])
    if type(size) is not int or type(root) is not bytes or type(row["signature"]) is not bytes:
        yield phrase("it can't be read")
        return
    if not grown.broken:
        if size < grown.tree.size:
            yield phrase("it is smaller than the one before it")
        elif (found := grown.to(size)) is not None and found != root:
            yield phrase("its leaves do not lead to its root")
    if key is None:
        yield phrase("it is signed by a key that is not listed")
        return
    text = Checkpoint(key.name, size, root).text
    signed = Note(text, (Signature(key.name, key.id, row["signature"]),))
    try:
        key.of(signed)
    except BadSignature:
        yield phrase("its signature is not of its key")
