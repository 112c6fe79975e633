"""Checkpoints, and proofs that need nothing else: c2sp.org/tlog-checkpoint and tlog-proof.

A checkpoint is a note that says how many leaves a log has, and their root. A proof is one file that
has a leaf, its way to the root of a checkpoint, and the checkpoint. Which keys are trusted is in
`policy`.
"""

from __future__ import annotations

from msgspec import Struct

from domain.record.proof.anchors import leaves, notes, tree
from domain.record.proof.anchors.encoding import Malformed, base64, number, unbase64
from domain.record.proof.anchors.notes import Note
from domain.record.proof.chain import HASH

#: The first line of a proof, and how its file's name ends.
FORM, SUFFIX = "c2sp.org/tlog-proof@v1", ".tlog-proof"


class Checkpoint(Struct, frozen=True):
    """How far a log had come: its name, how many leaves it had, and their root."""

    origin: str
    size: int
    root: bytes
    more: tuple[str, ...] = ()  # lines that other logs may add; ours has none

    @property
    def text(self) -> str:
        """The text that is signed."""
        lines = (self.origin, str(self.size), base64(self.root), *self.more)
        return "".join(f"{line}\n" for line in lines)


def checkpoint(note: Note) -> Checkpoint:
    """The checkpoint in a note, with any signer; raises `Malformed`."""
    *lines, _ = note.text.split("\n")
    if len(lines) < 3 or not all(lines):
        raise Malformed("no checkpoint: it should have a name, a size and a root")
    origin, size, root, *more = lines
    hash_ = unbase64(root)
    if len(hash_) != HASH:
        raise Malformed("a root of another length")
    return Checkpoint(origin, number(size), hash_, tuple(more))


class AnchorProof(Struct, frozen=True):
    """The proof that a leaf is in a log, for a bundle of evidence.

    `leaf` are its bytes, which this form keeps as extra data: nothing is believed of them until
    their hash has led to the root.
    """

    leaf: bytes
    index: int
    hashes: tuple[bytes, ...]
    note: Note

    @property
    def checkpoint(self) -> Checkpoint:
        """The checkpoint of the proof; raises `Malformed`."""
        return checkpoint(self.note)

    @property
    def leads(self) -> bool:
        """Whether the leaf is one of those under the root; it does not check who signed that."""
        to = self.checkpoint
        return tree.included(tree.leaf_hash(self.leaf), self.index, to.size, self.hashes, to.root)

    @property
    def parsed(self) -> leaves.Leaf:
        """The leaf that a text describes; raises `Malformed`."""
        return leaves.parse(self.leaf)

    def __str__(self) -> str:
        hashes = "".join(f"{base64(one)}\n" for one in self.hashes)
        return f"{FORM}\nextra {base64(self.leaf)}\nindex {self.index}\n{hashes}\n{self.note}"


def parse(text: str) -> AnchorProof:
    """The proof that is written like this; raises `Malformed`."""
    form, extra, index, *rest = (*text.split("\n"), "", "", "")
    if form != FORM:
        raise Malformed("no proof of a log")
    if not extra.startswith("extra ") or not index.startswith("index "):
        raise Malformed("a proof without its leaf, or without its place in the log")
    if "" not in rest[: tree.MOST_HASHES + 1]:
        raise Malformed("a proof that is longer than any is")
    hashes = rest[: rest.index("")]
    note = text.split("\n\n", 1)[1]
    return AnchorProof(
        unbase64(extra.removeprefix("extra ")),
        number(index.removeprefix("index ")),
        tuple(map(unbase64, hashes)),
        notes.parse(note),
    )
