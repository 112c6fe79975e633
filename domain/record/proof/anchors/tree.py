"""The Merkle tree of RFC 6962, section 2.1: roots, inclusion and consistency proofs, verification.

A tree is known here by its *subtrees*: a function that gives the hash of the complete subtree with
2^height leaves whose number at that height is `index`. Proofs are made from those alone, so the
result is the same whether they are in memory or in tiles (`tiles`). Verification is that of RFC
9162, 2.1.3.2 and 2.1.4.2, and shares nothing with making proofs but the two hashes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from hashlib import sha256

#: The hash of the complete subtree of a height (0: a leaf) and a number at that height.
Subtrees = Callable[[int, int], bytes]

#: The root of a tree without leaves.
EMPTY = sha256().digest()
#: More hashes than any proof has: a tree has less than 2^63 leaves.
MOST_HASHES = 63


def leaf_hash(data: bytes) -> bytes:
    """The hash of a leaf."""
    return sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of a node above two."""
    return sha256(b"\x01" + left + right).digest()


def complete(hashes: Sequence[bytes]) -> bytes:
    """The hash of a complete subtree, from those of one height below it: 2^n of them."""
    while len(hashes) > 1:
        hashes = [node_hash(*hashes[at : at + 2]) for at in range(0, len(hashes), 2)]
    return hashes[0]


def held(leaves: Sequence[bytes]) -> Subtrees:
    """The subtrees of a tree whose leaf hashes are at hand. O(leaves of the subtree) each."""
    return lambda height, index: complete(leaves[index << height : (index + 1) << height])


def root(subtrees: Subtrees, size: int) -> bytes:
    """The root of the tree of the first `size` leaves."""
    return _range(subtrees, 0, size) if size else EMPTY


def _range(subtrees: Subtrees, start: int, end: int) -> bytes:
    """MTH(D[start:end]), where `start` is a multiple of the largest power of two within."""
    parts, at = [], start
    for height in reversed(range((end - start).bit_length())):
        if (end - start) >> height & 1:
            parts.append(subtrees(height, at >> height))
            at += 1 << height
    return reduce(lambda right, left: node_hash(left, right), reversed(parts))


def _split(size: int) -> int:
    """The largest power of two smaller than `size`."""
    return 1 << (size - 1).bit_length() - 1


def inclusion(subtrees: Subtrees, index: int, size: int) -> list[bytes]:
    """PATH(index, D[size]): what proves leaf `index` against the root, from its sibling upward.

    Raises `IndexError` if the tree has no such leaf.
    """
    if not 0 <= index < size:
        raise IndexError(f"there is no leaf {index} in a tree of {size}")
    start, end, proof = 0, size, list[bytes]()
    while end - start > 1:
        middle = start + _split(end - start)
        if index < middle:
            proof.append(_range(subtrees, middle, end))
            end = middle
        else:
            proof.append(_range(subtrees, start, middle))
            start = middle
    return proof[::-1]


def consistency(subtrees: Subtrees, old: int, size: int) -> list[bytes]:
    """PROOF(old, D[size]): what proves that the first `old` leaves are still those of the tree.

    Empty where `old` is 0 or `size`. Raises `IndexError` if it is neither that nor in between.
    """
    if not 0 <= old <= size:
        raise IndexError(f"a tree of {size} was never one of {old}")
    start, end, whole, proof = 0, size, True, list[bytes]()
    while old and old != end:
        middle = start + _split(end - start)
        if old <= middle:
            proof.append(_range(subtrees, middle, end))
            end = middle
        else:
            proof.append(_range(subtrees, start, middle))
            start, whole = middle, False
    if not whole:
        proof.append(_range(subtrees, start, end))
    return proof[::-1]


def included(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Whether a proof leads from the hash of leaf `index` to the root of a tree of `size`."""
    if not 0 <= index < size:
        return False
    at, last, found = index, size - 1, leaf
    for sibling in proof:
        if not last:
            return False
        if at & 1 or at == last:
            found = node_hash(sibling, found)
            while at and not at & 1:
                at, last = at >> 1, last >> 1
        else:
            found = node_hash(found, sibling)
        at, last = at >> 1, last >> 1
    return not last and found == root


def consistent(old: int, old_root: bytes, size: int, root: bytes, proof: Sequence[bytes]) -> bool:
    """Whether a proof leads to both roots: a tree of `old` leaves grew to one of `size`."""
    if not 0 < old < size:
        return not proof and (old_root == root if old == size else not old and old_root == EMPTY)
    path = [old_root, *proof] if not old & (old - 1) else [*proof]
    if not path:
        return False
    at, last = old - 1, size - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    before = after = path[0]
    for sibling in path[1:]:
        if not last:
            return False
        if at & 1 or at == last:
            before, after = node_hash(sibling, before), node_hash(sibling, after)
            while at and not at & 1:
                at, last = at >> 1, last >> 1
        else:
            after = node_hash(after, sibling)
        at, last = at >> 1, last >> 1
    return not last and before == old_root and after == root
