"""The findings of anchors about a record or log: included, grown, cut, altered, exchanged, forked.

All of it is found without a server, from what an auditor has in his hands: an older checkpoint, a
proof of inclusion, a newer checkpoint, the log's own files. A finding accuses somebody only if
there is no other explanation: a proof that leads nowhere is `NOT_SHOWN`, since its sender may have
damaged it; two roots of one size signed by one key are `FORKED`, and the two notes convince third
parties too. The sentences for people are the auditor's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum

from msgspec import Struct

from domain.record.proof.anchors import leaves, tiles, tree
from domain.record.proof.anchors.checkpoints import AnchorProof
from domain.record.proof.anchors.encoding import Malformed
from domain.record.proof.anchors.leaves import Leaf
from domain.record.proof.anchors.policy import Judged, Policy, Standing, judge
from domain.record.proof.anchors.tiles import BadTile, path, width


class Found(StrEnum):
    """The kinds of findings."""

    UNKNOWN_KEY = "unknown key"  # of a checkpoint: no log that is believed signed it
    FORGED = "forged"  # of a checkpoint: it names a key that did not sign it
    UNSEEN = "unseen"  # of a checkpoint: too few witnesses saw it
    OTHER_LOG = "other log"  # of two checkpoints: they are of different logs
    NOT_SHOWN = "not shown"  # a proof that leads nowhere: nothing is proven, for or against
    FORKED = "forked"  # the log signed two things that can't both be true
    REPLACED = "replaced"  # another log is in the place of the one that there was
    SHORT = "short"  # the log as it is now lacks leaves that it had
    DAMAGED = "damaged"  # the log's files are not what was signed
    UNANCHORED = "unanchored"  # of a record: the log says nothing of its match
    CUT = "cut"  # of a record: its end is missing
    ALTERED = "altered"  # of a record: it is not the one that was anchored
    EXCHANGED = "exchanged"  # of a record: it is another match's


class Finding(Struct, frozen=True):
    """A finding with its evidence.

    `notes` are the checkpoints that show it, as they are written. `leaf` is what the log says of
    the match, `sizes` are those of the older and the newer log, or of the leaf and the record;
    `match` is whose record it is where matches were exchanged; `why` is what a file is wrong in.
    """

    found: Found
    notes: tuple[str, ...] = ()
    leaf: Leaf | None = None
    sizes: tuple[int, int] = (0, 0)
    match: str = ""
    why: str = ""


#: What is found of a checkpoint that does not hold.
_STANDING = {
    Standing.UNKNOWN_KEY: Found.UNKNOWN_KEY,
    Standing.FORGED: Found.FORGED,
    Standing.UNSEEN: Found.UNSEEN,
}


def doubted(judged: Judged) -> Finding | None:
    """Why a checkpoint does not hold; None: it does."""
    found = _STANDING.get(judged.standing)
    return Finding(found, (str(judged.note),)) if found else None


def shown(proof: AnchorProof, policy: Policy) -> tuple[Leaf | None, Finding | None]:
    """The leaf that a proof shows under a policy, or why it shows nothing."""
    if not proof.leads:  # for any signer of the checkpoint
        return None, Finding(Found.NOT_SHOWN, (str(proof.note),))
    finding = doubted(judge(proof.note, policy))
    return (None, finding) if finding else (proof.parsed, None)


def compare(older: Judged, newer: Judged, proof: Sequence[bytes] | None = None) -> Finding | None:
    """The difference of two valid checkpoints of a log; None: the newer contains all of the older.

    `proof` is that of consistency. Which was signed first they don't say: the smaller one is older.
    """
    old, new = sorted((older.checkpoint, newer.checkpoint), key=lambda one: one.size)
    notes = (str(older.note), str(newer.note))
    if old.origin != new.origin:
        return Finding(Found.OTHER_LOG, notes)
    if old.size == new.size and old.root != new.root:
        return Finding(Found.FORKED, notes, sizes=(old.size, new.size))
    if old.size == new.size or (
        proof is not None and tree.consistent(old.size, old.root, new.size, new.root, proof)
    ):
        return None
    return Finding(Found.NOT_SHOWN, notes, sizes=(old.size, new.size))


class Archive:
    """A log that is in hand whole: its leaves, which lead to the root of its checkpoint."""

    def __init__(self, judged: Judged, entries: Sequence[bytes]) -> None:
        """Raises `BadTile` if these are not the leaves under the root."""
        self.judged, self.checkpoint = judged, judged.checkpoint
        self.entries = entries[: self.checkpoint.size]
        self._hashes = [*map(tree.leaf_hash, self.entries)]
        self._subtrees = tree.held(self._hashes)
        if len(self.entries) < self.size or self._root(self.size) != self.checkpoint.root:
            raise BadTile("the entries are not those that the checkpoint was signed for")
        self._leaves: dict[str, list[Leaf]] = {}
        for entry in self.entries:
            try:
                leaf = leaves.parse(entry)
            except Malformed:
                continue  # a later form, or another log's
            self._leaves.setdefault(leaf.match, []).append(leaf)

    @property
    def size(self) -> int:
        """How many leaves it has."""
        return self.checkpoint.size

    def of(self, match: str) -> Sequence[Leaf]:
        """All that the log says of a match, the oldest first."""
        return self._leaves.get(match, ())

    @property
    def matches(self) -> Iterable[str]:
        """The matches that the log has."""
        return self._leaves.keys()

    def proof(self, index: int) -> AnchorProof:
        """The proof of a leaf, for others."""
        hashes = tree.inclusion(self._subtrees, index, self.size)
        return AnchorProof(self.entries[index], index, tuple(hashes), self.judged.note)

    def since(self, older: Judged) -> Finding | None:
        """The finding of a valid older checkpoint; None: this log contains all of it."""
        was = older.checkpoint
        notes = (str(older.note), str(self.judged.note))
        sizes, other = (was.size, self.size), was.origin != self.checkpoint.origin
        if was.size > self.size:
            return Finding(Found.REPLACED if other else Found.SHORT, notes, sizes=sizes)
        if self._root(was.size) != was.root:
            return Finding(Found.REPLACED if other else Found.FORKED, notes, sizes=sizes)
        return None  # one of another name may go on where the other ended

    def _root(self, size: int) -> bytes:
        return tree.root(self._subtrees, size)


def archive(judged: Judged, fetch: Callable[[str], bytes | None]) -> Archive:
    """The log in files of which this is the checkpoint; raises `BadTile`.

    `fetch` gives the bytes of a file by its path (`tiles`), None where there is none. The tiles are
    compared with the entries, so that one that was changed is found here and not by who uses it.
    """
    size = judged.checkpoint.size
    entries = list[bytes]()
    for number in range(-(-size // tiles.WIDTH)):
        found = tiles.unbundle(_part(fetch, tiles.ENTRIES, number, width(0, number, size)))
        entries += found[: tiles.WIDTH]
    whole = Archive(judged, entries)
    subtrees = tree.held([*map(tree.leaf_hash, whole.entries)])
    for level, number, wide in tiles.needed(size):
        first = number * tiles.WIDTH
        made = [subtrees(level * tiles.HEIGHT, first + at) for at in range(wide)]
        if tiles.split(_part(fetch, level, number, wide))[:wide] != made:
            raise BadTile(f"{path(level, number, wide)} is not what follows from the entries")
    return whole


def _part(fetch: Callable[[str], bytes | None], level: int | str, number: int, wide: int) -> bytes:
    """A tile or bundle, or the fuller one that has taken its place; raises `BadTile`."""
    for name in dict.fromkeys((path(level, number, wide), path(level, number))):
        if (data := fetch(name)) is not None:
            return data
    raise BadTile(f"{path(level, number, wide)} is missing")


def counts(anchored: Iterable[Leaf]) -> set[int]:
    """After how many entries the hashes of a record are asked for (`against`)."""
    return {leaf.count for leaf in anchored}


def against(
    anchored: Sequence[Leaf],
    count: int,
    hashes: Mapping[int, bytes],
    whose: Callable[[], str] = lambda: "",
) -> Finding | None:
    """The leaves of a match that contradict its record; None: it is what was anchored.

    `hashes` has the record's chain after each number of entries that is asked for and that it has,
    `count` is how many those are. `whose` looks for the match whose record it really is (`owner`).
    """
    if not anchored:
        return Finding(Found.UNANCHORED)
    newest = max(anchored, key=lambda leaf: leaf.count)
    cut = Finding(Found.CUT, leaf=newest, sizes=(newest.count, count))
    for leaf in anchored:
        if leaf.count <= count and hashes[leaf.count] != leaf.head.hash:
            if other := whose():
                return Finding(Found.EXCHANGED, leaf=leaf, sizes=(leaf.count, count), match=other)
            if newest.count > count:  # and chained again: what is left may be as it was
                return cut
            return Finding(Found.ALTERED, leaf=leaf, sizes=(leaf.count, count))
    return cut if newest.count > count else None


def owner(log: Archive, count: int, hashes: Callable[[str, set[int]], Mapping[int, bytes]]) -> str:
    """The match whose anchors a record leads to, if it is taken for that match's; empty: none's.

    `hashes` chains the record as that of a match of another id. O(matches times entries).
    """
    for match in log.matches:
        anchored = [leaf for leaf in log.of(match) if leaf.count <= count]
        if anchored and against(anchored, count, hashes(match, counts(anchored))) is None:
            return match
    return ""
