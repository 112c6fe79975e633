"""The tree as static files: c2sp.org/tlog-tiles.

    checkpoint                    the newest checkpoint
    tile/<L>/<N>[.p/<W>]          up to 256 hashes, of the leaves (L = 0) or of full tiles of L - 1
    tile/entries/<N>[.p/<W>]      up to 256 leaves, each after its length in two bytes

A full tile never changes. A tile that is not full yet has its width in its name, so that one never
changes either. `findings` reads a log from its files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from domain.record.proof.anchors.tree import Subtrees, complete

#: A full tile stands for a subtree of this height, and has so many hashes.
HEIGHT, WIDTH = 8, 256
#: Bytes of a hash, and of the length before an entry; how long an entry can be.
HASH, LENGTH = 32, 2
MOST_BYTES = (1 << 8 * LENGTH) - 1
#: The name of the newest checkpoint, and what stands for the level in the path of a bundle.
CHECKPOINT, ENTRIES = "checkpoint", "entries"

#: The hashes of a tile, by its level and number.
TileReader = Callable[[int, int], Sequence[bytes]]


class BadTile(ValueError):
    """A tile or bundle that is missing, or is not what its name says."""


def path(level: int | str, number: int, width: int = WIDTH) -> str:
    """Where a tile lies; `level` is `ENTRIES` for a bundle, `width` less than 256 for a part."""
    digits = f"{number:03}" if number < 1000 else f"{number:0{-(-len(str(number)) // 3) * 3}}"
    *above, last = (digits[at : at + 3] for at in range(0, len(digits), 3))
    named = "/".join([*(f"x{part}" for part in above), last])
    return f"tile/{level}/{named}" + (f".p/{width}" if width < WIDTH else "")


def width(level: int, number: int, size: int) -> int:
    """How many hashes a tile has in a tree of `size` leaves; 0: there is no such tile."""
    return max(0, min(WIDTH, (size >> HEIGHT * level) - number * WIDTH))


def needed(size: int, before: int = 0) -> Iterator[tuple[int, int, int]]:
    """The tiles of a tree (level, number, width) which that of `before` leaves did not have."""
    level = 0
    while (now := size >> HEIGHT * level) > 0:
        was = before >> HEIGHT * level
        for number in range(was // WIDTH, -(-now // WIDTH)):
            if number * WIDTH + width(level, number, size) > was:
                yield level, number, width(level, number, size)
        level += 1


def subtrees(read: TileReader) -> Subtrees:
    """The subtrees of a tree that is kept in tiles."""

    def subtree(height: int, index: int) -> bytes:
        level, above = divmod(height, HEIGHT)
        number, at = divmod(index << above, WIDTH)
        return complete(read(level, number)[at : at + (1 << above)])

    return subtree


def split(data: bytes) -> list[bytes]:
    """The hashes of a tile's file; raises `BadTile`."""
    if len(data) % HASH:
        raise BadTile(f"a tile has whole hashes, not {len(data)} bytes")
    return [data[at : at + HASH] for at in range(0, len(data), HASH)]


def bundle(entries: Sequence[bytes]) -> bytes:
    """Entries as the file of a bundle."""
    return b"".join(len(entry).to_bytes(LENGTH) + entry for entry in entries)


def unbundle(data: bytes) -> list[bytes]:
    """The entries of a bundle's file; raises `BadTile`."""
    found, at = list[bytes](), 0
    while at < len(data):
        start = at + LENGTH
        at = start + int.from_bytes(data[at:start])
        found.append(data[start:at])
        if at > len(data):
            raise BadTile("a bundle ends within an entry")
    return found
