"""The log as stored with the matches: leaves, tiles, checkpoints, cosignatures, keys.

Rows are added and never changed (LAYOUT.md). The leaves and the checkpoint that is signed over them
are written in one transaction, so that there is no checkpoint without its leaves, whenever the
program ends. Before anything is signed, the leaves in the file are compared with the last
checkpoint in it: a log whose past was changed is not signed again (`LogBroken`).

Leaves and checkpoints are numbered, and the store takes each number once. So of two servers that
both believe that they keep the log up (one stood still, and another took its place) one is refused
all that it would write, `Conflict`: there are never two checkpoints that contradict each other.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec import Struct

from domain.record.entries import TYPES
from domain.record.events import MatchEnded
from domain.record.proof.anchors import notes, tree
from domain.record.proof.anchors.checkpoints import AnchorProof, Checkpoint, checkpoint
from domain.record.proof.anchors.leaves import EVENT, Leaf
from domain.record.proof.anchors.notes import Note, Signature, SigningKey, VerifierKey
from domain.record.proof.anchors.tiles import HEIGHT, WIDTH, split
from domain.record.proof.anchors.tree import Subtrees
from domain.record.proof.chain import HASH, Head
from domain.words.phrases import phrase
from service.anchors import keys
from service.anchors.growth import Full, Tree
from service.store import chains
from service.store.layout.chaining import ChainBroken
from service.store.layout.newer import Newer
from service.store.records import NoSuchMatch, Records, Statement, StoreError, Work
from service.store.statements import insert, insert_new, upsert
from service.store.tables.tournaments import NoSuchTournament, RecordBroken, Tournaments

_LEAF = insert("leaves", "number, id, count, since, head")
_TILE = upsert("tiles", "level, number", "level, number, hashes")
_CHECKPOINT = (
    "INSERT INTO checkpoints (number, size, time, root, key, signature)"
    " SELECT ?,?,?,?,number,? FROM log_keys WHERE key=?"
)
_COSIGNATURE = insert_new("cosignatures", "checkpoint, line")
#: The number is the one after the last: only one server adds to the log at a time.
_KEY = (
    "INSERT INTO log_keys (number, key, size, time, endorsed)"
    " SELECT coalesce(max(number), 0) + 1,?,?,?,? FROM log_keys WHERE 1=1 ON CONFLICT DO NOTHING"
)
#: A match that has been played for so long is in the log, in milliseconds.
DUE = 120_000
_END = next(tag for tag, kind in TYPES.items() if kind is MatchEnded)
#: Full tiles that stay in memory: 8 KiB each.
TILES = 512


class LogBroken(StoreError):
    """The leaves in the file are not those that its last checkpoint was signed for."""


class TileDamaged(StoreError):
    """A tile is not what it should be; it can be made again from the leaves."""


class Signed(NamedTuple):
    """A checkpoint as the file has it: its number there, when it was made (ms), the note."""

    number: int
    time: int
    note: Note

    @property
    def checkpoint(self) -> Checkpoint:
        """Its content."""
        return checkpoint(self.note)


class LogKey(Struct, frozen=True):
    """A key that the log has or had, with how many leaves there were when it got it, and when (ms).

    `endorsed`: the key before it signed a checkpoint together with it.
    """

    key: VerifierKey
    size: int
    time: int
    endorsed: bool


class Grown(NamedTuple):
    """The additions of a step to the log: statements to write at once, and the state after."""

    statements: list[Statement]
    tree: Tree
    newest: Signed


def emptied(records: Records) -> str:
    """The fault of a store without a log although it had one; empty: none.

    That it was kept, what lies beside a file tells (`keys`). A server that was killed in its first
    seconds has signed nothing yet; but ends are anchored at once, and play every few seconds.
    """
    kept = not records.shared and keys.are_kept(records.path)
    if not kept or Ledger(records).last() is not None:
        return ""
    if not any(_is_due(records, match) for match, _ in chains.heads(records)):
        return ""
    return phrase("the log is empty, but its key is next to the file: it was lost")


def fault(records: Records) -> str:
    """The fault of a store's log as a whole; empty: none that shows without a key.

    Then it may lack what it had of matches.
    """
    try:
        Ledger(records).load()
    except StoreError as error:
        return str(error)
    return emptied(records)


def _is_due(records: Records, match: str) -> bool:
    """Whether a match must be in the log: it has an end, or has been played for a while."""
    if records.find(match, _END):
        return True
    last = records.last(match)
    return any(entry.time >= DUE for entry in records.entries(match, last - 1))


class Ledger:
    """The log of a file. Reading is for any thread; only one may add to it at a time."""

    def __init__(self, records: Records, key: SigningKey | None = None) -> None:
        """`key` signs; without one the log can be read."""
        self.records, self.key = records, key
        self._full = lru_cache(TILES)(self._read_tile)
        self.tree = Tree(0, (), self._full)
        self.newest: Signed | None = None
        self._repairs: list[Statement] = []

    # -- as it is --------------------------------------------------------------------------------

    def load(self) -> None:
        """Find out how far the log is; raises `LogBroken` if it can't be gone on with.

        O(1), or O(leaves) if its tiles are damaged.
        """
        self._full.cache_clear()
        with self.records.reading():  # as it is at one time: another may be adding to it
            newest = self.last()
            size = self.records.row("SELECT max(number) + 1 FROM leaves")[0] or 0
            try:
                found = self._from_tiles(size)
            except TileDamaged:
                found = None
            if found is None or not _fits(found, newest):
                found = self._rebuilt(size)
        if not _fits(found, newest):
            raise LogBroken("the leaves of the log are not those that it last signed")
        self.tree, self.newest = found, newest

    def last(self, number: int | None = None) -> Signed | None:
        """The newest checkpoint, or the one of a number, with its signatures by then."""
        found = self.records.row(_LAST if number is None else _NUMBERED, number or 0)
        return self._signed(found) if found is not None else None

    def newest_first(self, most: int) -> Iterable[Signed]:
        """The newest checkpoints, so many at most."""
        with self.records.rows(_NEWEST, most) as found:
            rows = found.fetchall()
        yield from map(self._signed, rows)

    def of_size(self, size: int) -> Signed | None:
        """The last checkpoint over so many leaves."""
        found = self.records.row(_OF_SIZE, size)
        return self._signed(found) if found is not None else None

    def known_keys(self) -> list[LogKey]:
        """All keys that the log had, the oldest first; that of an empty log is not among them."""
        with self.records.rows("SELECT * FROM log_keys ORDER BY number") as found:
            return [
                LogKey(
                    notes.verifier_key(row["key"]), row["size"], row["time"], bool(row["endorsed"])
                )
                for row in found
            ]

    def entries(self, start: int, end: int) -> list[bytes]:
        """Leaves, by their numbers; raises `StoreError` if they are not all there."""
        if start == end:
            return []
        sql = f"{_LEAVES} WHERE number>=? AND number<? ORDER BY number"
        with self.records.rows(sql, start, end) as found:
            try:
                data = [_leaf(row).encoded() for row in found]
            except (TypeError, ValueError) as error:
                raise LogBroken("a leaf of the log is damaged") from error
        if len(data) != end - start:
            raise LogBroken(f"leaves {start} to {end - 1} of the log are not all there")
        return data

    def leaf(self, match: str, upto: int, size: int) -> tuple[int, Leaf] | None:
        """The newest leaf of a match over at most so many entries, among the first `size` leaves.

        And its number.
        """
        found = self.records.row(_LEAF_OF, match, upto, size)
        return (found["number"], _leaf(found)) if found is not None else None

    def proof(self, index: int, over: Signed) -> AnchorProof:
        """The proof of a leaf under a checkpoint; `IndexError` if it came later.

        Raises `LogBroken` if the file has no such leaf.
        """
        (data,) = self.entries(index, index + 1)
        size = over.checkpoint.size
        for subtrees in self._subtrees(size):
            with suppress(TileDamaged):
                hashes = tree.inclusion(subtrees, index, size)
                found = AnchorProof(data, index, tuple(hashes), over.note)
                if found.leads:
                    return found
        raise LogBroken(f"leaf {index} of the log is not the one that was signed")

    def anchor(self, match: str, upto: int) -> str:
        """The proof of the newest leaf of a match over at most so many entries; empty: none."""
        newest = self.last()
        found = self.leaf(match, upto, newest.checkpoint.size) if newest is not None else None
        return str(self.proof(found[0], newest)) if found is not None and newest is not None else ""

    def consistency(self, old: int, over: Signed) -> list[bytes]:
        """The proof that so many leaves are still those under a checkpoint; `IndexError`.

        Raises `LogBroken` if they are not.
        """
        was, now = self.of_size(old), over.checkpoint
        root = was.checkpoint.root if was is not None else None
        for subtrees in self._subtrees(now.size):
            with suppress(TileDamaged):
                found = tree.consistency(subtrees, old, now.size)
                before = root if root is not None else tree.root(subtrees, old)
                if tree.consistent(old, before, now.size, now.root, found):
                    return found
        raise LogBroken(f"the first {old} leaves of the log are not those that were signed")

    def _subtrees(self, size: int) -> Iterator[Subtrees]:
        """The tree by its tiles, and if that leads nowhere by its leaves: a tile was damaged."""
        known = self.tree if self.tree.size >= size else self._from_tiles(size)
        yield known.subtrees
        yield self._rebuilt(size).subtrees

    def _signed(self, row: Any) -> Signed:
        key = notes.verifier_key(row["key"])
        text = Checkpoint(key.name, row["size"], row["root"]).text
        sql = "SELECT line FROM cosignatures WHERE checkpoint=?"
        with self.records.rows(sql, row["number"]) as found:
            lines = "".join(line["line"] for line in found)
        more = notes.signatures(lines) if lines else ()
        note = Note(text, (Signature(key.name, key.id, row["signature"]), *more))
        return Signed(row["number"], row["time"], note)

    @property
    def repairs(self) -> list[Statement]:
        """The statements that write damaged or missing tiles again, as found by `load`."""
        return [*self._repairs]

    # -- its growth ------------------------------------------------------------------------------

    def unanchored(self, heads: Iterable[tuple[str, Head]]) -> list[Leaf]:
        """The leaves that are missing: of each match whose head is not its newest leaf's.

        A match of an id that no leaf can have is left out, and one that does not follow its newest.
        """
        found = list[Leaf]()
        for match, head in heads:
            row = self.records.row(_NEWEST_OF, match)
            leaf = Leaf(match, head)
            new = row is None or _leaf(row).head != head
            if new and leaf.possible and (row is None or self._follows(_leaf(row))):
                found.append(leaf)
        return found

    def _follows(self, newest: Leaf) -> bool:
        """Whether the entries of a match lead on from what the log has of it. O(those after it)."""
        try:
            if newest.match.startswith(EVENT):  # which compares all of it
                Tournaments(self.records).log(newest.match.removeprefix(EVENT))
            else:
                chains.check(self.records, newest.match, newest.head, accepting=True)
        except (ChainBroken, NoSuchMatch, RecordBroken, Newer, NoSuchTournament):
            return False
        return True

    def heads(self, matches: Iterable[str]) -> Iterable[tuple[str, Head]]:
        """The heads of matches that have one; a chain that is broken is complained of elsewhere."""
        for match in matches:
            with suppress(ChainBroken):
                if (head := chains.head(self.records, match)) is not None:
                    yield match, head

    def grow(self, leaves: Sequence[Leaf], *others: SigningKey) -> Grown:
        """The statements for further leaves, and a checkpoint over them.

        It is signed by the log's key, and by others if there are any.
        """
        assert self.key is not None
        data, now = [leaf.encoded() for leaf in leaves], _now()
        grown, filled = self.tree.grown(map(tree.leaf_hash, data))
        made = Checkpoint(self.key.name, grown.size, grown.root)
        own, *more = (key.sign(made.text) for key in (self.key, *others))
        number = self.newest.number + 1 if self.newest is not None else 1
        public = str(self.key.verifier)
        statements = [
            *self._repairs,
            *(
                (_LEAF, (at, leaf.match, leaf.count, leaf.head.since, leaf.head.hash))
                for at, leaf in enumerate(leaves, self.tree.size)
            ),
            *map(_tile, filled),
            (_KEY, (public, grown.size, now, 0)),
            (_CHECKPOINT, (number, grown.size, now, grown.root, own.data, public)),
            *self.cosigned(number, more),
        ]
        return Grown(statements, grown, Signed(number, now, Note(made.text, (own, *more))))

    def is_ours(self) -> bool:
        """Whether the log's last key is the present one, or there is none yet."""
        known = self.known_keys()
        return not known or (self.key is not None and known[-1].key == self.key.verifier)

    def take(self, grown: Grown) -> None:
        """Go on from there: it was written, repairs as well."""
        if self._repairs:
            self._repairs = []
            self._full.cache_clear()
        self.tree, self.newest = grown.tree.settled(self._full), grown.newest

    def cosigned(self, number: int, signatures: Iterable[Signature]) -> list[Statement]:
        """The statements to write when others signed a checkpoint."""
        return [(_COSIGNATURE, (number, str(one))) for one in signatures]

    def rotate(self, new: SigningKey) -> None:
        """Go on with another key: list it, and sign the log as it is by both, if its name stays."""
        assert self.key is not None
        old, endorsed = self.key, new.name == self.key.name
        listed = [(_KEY, (str(old.verifier), self.tree.size, _now(), 0)),
                  (_KEY, (str(new.verifier), self.tree.size, _now(), int(endorsed)))]  # fmt: skip
        self.key = new
        grown = self.grow((), *[old] * endorsed)
        self.records.write(Work("", (), [*listed, *grown.statements]))
        self.take(grown)

    # -- its tiles -------------------------------------------------------------------------------

    def _read_tile(self, level: int, number: int) -> Sequence[bytes]:
        row = self.records.row("SELECT hashes FROM tiles WHERE level=? AND number=?", level, number)
        if row is None or type(row["hashes"]) is not bytes or len(row["hashes"]) != WIDTH * HASH:
            raise TileDamaged(f"tile {number} of level {level} of the log is damaged")
        return split(row["hashes"])

    def _from_tiles(self, size: int) -> Tree:
        """The tree by its full tiles, and the leaves that are in none."""
        edge: list[list[bytes]] = []
        level = 0
        while size >> HEIGHT * level:
            full = size >> HEIGHT * (level + 1)
            if level == 0:
                edge.append([*map(tree.leaf_hash, self.entries(full * WIDTH, size))])
            else:
                below = range(full * WIDTH, size >> HEIGHT * level)
                edge.append([tree.complete(self._full(level - 1, n)) for n in below])
            level += 1
        return Tree(size, edge, self._full)

    def _rebuilt(self, size: int) -> Tree:
        """The tree by all its leaves; its tiles are written along with what is written next."""
        kept: dict[tuple[int, int], Sequence[bytes]] = {}

        def full(level: int, number: int) -> Sequence[bytes]:
            return kept[level, number]

        found = Tree(0, (), full)
        for start in range(0, size, WIDTH):
            data = self.entries(start, min(start + WIDTH, size))
            found, filled = found.grown(map(tree.leaf_hash, data))
            kept.update({(level, number): hashes for level, number, hashes in filled})
            found = found.settled(full)
        self._repairs = [_tile((*where, hashes)) for where, hashes in kept.items()]
        return found


def _now() -> int:
    return time.time_ns() // 1_000_000


def _leaf(row: Any) -> Leaf:
    return Leaf(row["id"], Head(row["count"], row["head"], row["since"]))


def _tile(full: Full) -> Statement:
    level, number, hashes = full
    return (_TILE, (level, number, b"".join(hashes)))


def _fits(found: Tree, newest: Signed | None) -> bool:
    """Whether a tree is the one that was last signed."""
    if newest is None:
        return not found.size
    signed = newest.checkpoint
    return (found.size, found.root) == (signed.size, signed.root)


_SIGNED = (
    "SELECT c.number, c.size, c.time, c.root, c.signature, k.key FROM checkpoints c"
    " JOIN log_keys k ON k.number=c.key"
)
_LAST = f"{_SIGNED} WHERE c.number>? ORDER BY c.number DESC LIMIT 1"
_NUMBERED = f"{_SIGNED} WHERE c.number=?"
_NEWEST = f"{_SIGNED} ORDER BY c.number DESC LIMIT ?"
_OF_SIZE = f"{_SIGNED} WHERE c.size=? ORDER BY c.number DESC LIMIT 1"
_LEAVES = "SELECT number, id, count, since, head FROM leaves"
_LEAF_OF = (
    f"{_LEAVES} WHERE id=? AND count<=? AND number<? ORDER BY count DESC, number DESC LIMIT 1"
)
_NEWEST_OF = f"{_LEAVES} WHERE id=? ORDER BY number DESC LIMIT 1"
