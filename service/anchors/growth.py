"""The tree of the log in memory: the part to the right of the full tiles.

At each level it keeps the hashes of the tile that is not full yet, at most 255; full tiles are read
from wherever they are (`ledger`). A tree that grows is another object, so a reader in another
thread keeps the tree that he began with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from domain.record.proof.anchors import tree
from domain.record.proof.anchors.tiles import HEIGHT, WIDTH, subtrees
from domain.record.proof.anchors.tree import Subtrees, complete

#: A tile that is full: its level, its number, its hashes.
Full = tuple[int, int, Sequence[bytes]]
#: Reads a full tile, by its level and number.
FullReader = Callable[[int, int], Sequence[bytes]]


class Tree:
    """A tree of so many leaves."""

    def __init__(self, size: int, edge: Sequence[Sequence[bytes]], full: FullReader) -> None:
        """`edge` has the hashes of each level that are in no full tile."""
        self.size, self.edge, self._full = size, edge, full

    def grown(self, leaves: Iterable[bytes]) -> tuple[Tree, list[Full]]:
        """The tree with further leaves, by their hashes, and the tiles that they fill."""
        edge, filled, size = [list(level) for level in self.edge], list[Full](), self.size
        for leaf in leaves:
            level, hash_, size = 0, leaf, size + 1
            while True:
                if level == len(edge):
                    edge.append([])
                edge[level].append(hash_)
                if len(edge[level]) < WIDTH:
                    break
                number = (size >> HEIGHT * (level + 1)) - 1
                filled.append((level, number, edge[level]))
                hash_, edge[level], level = complete(edge[level]), [], level + 1
        new = {(level, number): hashes for level, number, hashes in filled}

        def full(level: int, number: int) -> Sequence[bytes]:
            return new.get((level, number)) or self._full(level, number)

        return Tree(size, edge, full if new else self._full), filled

    def settled(self, full: FullReader) -> Tree:
        """The same, once all its full tiles can be read there."""
        return Tree(self.size, self.edge, full)

    def tile(self, level: int, number: int) -> Sequence[bytes]:
        """The hashes of a tile, full or not."""
        if number < self.size >> HEIGHT * (level + 1):
            return self._full(level, number)
        return self.edge[level] if level < len(self.edge) else ()

    @property
    def subtrees(self) -> Subtrees:
        """Its complete subtrees, from which proofs are made."""
        return subtrees(self.tile)

    @property
    def root(self) -> bytes:
        """Its root."""
        return tree.root(self.subtrees, self.size)
