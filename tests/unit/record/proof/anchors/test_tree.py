"""The Merkle tree: Certificate Transparency's published vectors, and all small trees."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.record.proof.anchors import tiles, tree

#: The leaves of Certificate Transparency's own tests, and the roots of the first n of them.
LEAVES = [
    *map(bytes.fromhex, ["", "00", "10", "2021", "3031", "40414243", "5051525354555657"]),
    bytes(range(0x60, 0x70)),
]
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
#: Proofs of the same tests: leaf (from 0) and size, sizes; what proves it.
INCLUSION = {
    (0, 8): [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ],
    (5, 8): [
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ],
}
CONSISTENCY = {
    (1, 1): [],
    (1, 8): INCLUSION[0, 8],
    (6, 8): [
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ],
    (2, 5): [
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ],
}
PUBLISHED = tree.held([*map(tree.leaf_hash, LEAVES)])
MOST = 40
HASHES = [tree.leaf_hash(n.to_bytes(2)) for n in range(MOST)]
HELD = tree.held(HASHES)


def mth(data: list[bytes]) -> bytes:
    """The root, as the RFC's section 2.1 has it, written by itself."""
    if not data:
        return sha256(b"").digest()
    if len(data) == 1:
        return sha256(b"\x00" + data[0]).digest()
    k = max(2**n for n in range(20) if 2**n < len(data))
    return sha256(b"\x01" + mth(data[:k]) + mth(data[k:])).digest()


@pytest.mark.parametrize("size", range(9))
def test_published_roots(size: int) -> None:
    assert tree.root(PUBLISHED, size).hex() == ROOTS[size] == mth(LEAVES[:size]).hex()


@pytest.mark.parametrize(("index", "size"), INCLUSION)
def test_published_inclusion(index: int, size: int) -> None:
    assert [one.hex() for one in tree.inclusion(PUBLISHED, index, size)] == INCLUSION[index, size]


@pytest.mark.parametrize(("old", "size"), CONSISTENCY)
def test_published_consistency(old: int, size: int) -> None:
    assert [one.hex() for one in tree.consistency(PUBLISHED, old, size)] == CONSISTENCY[old, size]


def test_all_small_trees_prove_each_leaf_and_each_tree_before_them_and_nothing_else() -> None:
    roots = [tree.root(HELD, size) for size in range(MOST)]
    assert roots == [mth([n.to_bytes(2) for n in range(size)]) for size in range(MOST)]
    for size in range(1, MOST):
        for index in range(size):
            proof = tree.inclusion(HELD, index, size)
            fits = [
                tree.included(HASHES[one], index, size, proof, roots[size])
                for one in (index, (index + 1) % MOST)
            ]
            assert fits == [True, False]
            others = (n for n in range(size) if n != index)
            assert not any(
                tree.included(HASHES[index], n, size, proof, roots[size]) for n in others
            )
        for old in range(size + 1):
            proof = tree.consistency(HELD, old, size)
            assert tree.consistent(old, roots[old], size, roots[size], proof)
            wrong = (old + 1) % size
            assert roots[wrong] == roots[old] or not tree.consistent(
                old, roots[wrong], size, roots[size], proof
            )


def test_there_is_no_proof_of_what_is_not_there() -> None:
    for index, size in ((-1, 3), (3, 3), (0, 0)):
        with pytest.raises(IndexError):
            tree.inclusion(HELD, index, size)
        assert not tree.included(HASHES[0], index, size, [], tree.root(HELD, size))
    for old, size in ((-1, 3), (4, 3)):
        with pytest.raises(IndexError):
            tree.consistency(HELD, old, size)
        assert not tree.consistent(old, HASHES[0], size, HASHES[0], [])
    assert not tree.consistent(0, HASHES[0], 3, tree.root(HELD, 3), [])


@given(st.data())
def test_no_spoilt_proof_holds(data: st.DataObject) -> None:
    size = data.draw(st.integers(2, MOST - 1))
    index, old = data.draw(st.integers(0, size - 1)), data.draw(st.integers(1, size - 1))
    root, was = tree.root(HELD, size), tree.root(HELD, old)
    in_it = spoilt(data, tree.inclusion(HELD, index, size))
    assert not tree.included(HASHES[index], index, size, in_it, root)
    grown = spoilt(data, tree.consistency(HELD, old, size))
    assert not tree.consistent(old, was, size, root, grown)


def spoilt(data: st.DataObject, proof: list[bytes]) -> list[bytes]:
    """A proof with a bit turned, a hash taken out, put in, or exchanged with its neighbour."""
    at = data.draw(st.integers(0, len(proof) - 1))
    some = list(proof)
    match data.draw(st.sampled_from(["bit", "out", "in", "end", "swap"])):
        case "bit":
            bit = data.draw(st.integers(0, 255))
            some[at] = (int.from_bytes(some[at]) ^ 1 << bit).to_bytes(32)
        case "out":
            del some[at]
        case "in":
            some.insert(at, data.draw(st.binary(min_size=32, max_size=32)))
        case "end":
            some.append(some[at])
        case "swap":
            some[at], some[at - 1] = some[at - 1], some[at]
            if some == proof:
                some.pop()
    return some


PATHS = {0: "000", 999: "999", 1000: "x001/000", 1234067: "x001/x234/067"}


@pytest.mark.parametrize("number", PATHS)
def test_paths_of_tiles(number: int) -> None:
    assert tiles.path(3, number) == f"tile/3/{PATHS[number]}"
    assert tiles.path("entries", number, 7) == f"tile/entries/{PATHS[number]}.p/7"


def test_the_tiles_that_the_specification_counts_for_a_tree_of_70000() -> None:
    found = list(tiles.needed(70_000))
    assert len([one for one in found if one[0] == 0 and one[2] == 256]) == 273
    assert [one for one in found if one[2] < 256] == [(0, 273, 112), (1, 1, 17), (2, 0, 1)]
    assert [one for one in found if one[0] == 1] == [(1, 0, 256), (1, 1, 17)]
    assert list(tiles.needed(256)) == [(0, 0, 256), (1, 0, 1)]
    assert list(tiles.needed(70_001, 70_000)) == [(0, 273, 113)]
    assert list(tiles.needed(70_000, 70_000)) == []


@given(st.integers(1, 70_000), st.data())
def test_a_tree_kept_in_tiles_is_the_same(size: int, data: st.DataObject) -> None:
    read = {(level, number): TILES[level][number * 256 :][:wide]
            for level, number, wide in tiles.needed(size)}  # fmt: skip
    kept = tiles.subtrees(lambda level, number: read[level, number])
    index, old = data.draw(st.integers(0, size - 1)), data.draw(st.integers(0, size))
    root = tree.root(kept, size)
    assert tree.included(TILES[0][index], index, size, tree.inclusion(kept, index, size), root)
    was, proof = tree.root(kept, old), tree.consistency(kept, old, size)
    assert tree.consistent(old, was, size, root, proof)


TILES = [[tree.leaf_hash(n.to_bytes(3)) for n in range(70_000)]]
while len(TILES[-1]) >= 256:
    whole = len(TILES[-1]) // 256
    TILES.append([tree.complete(TILES[-1][n * 256 : n * 256 + 256]) for n in range(whole)])


@given(st.lists(st.binary(max_size=300), max_size=10))
def test_bundles_are_read_back(entries: list[bytes]) -> None:
    data = tiles.bundle(entries)
    assert tiles.unbundle(data) == entries
    if entries:
        with pytest.raises(tiles.BadTile):
            tiles.unbundle(data[:-1]) if entries[-1] else tiles.unbundle(data[:-1] + b"\x01")
