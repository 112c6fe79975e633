"""Compression of rows and snapshots: zstd, with dictionaries that lie in the same file.

A dictionary is trained for a game (`training`) and copied into each file that has matches of it, so
that a file needs nothing else to be read. It goes by its game and digest: a new one is one more,
and what was written with an older one stays readable. Number 0 is no dictionary.

Objects of `zstandard` that compress and decompress must not be shared: two threads that use one at
once corrupt the memory of the process. Each thread has its own; dictionaries are shared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from threading import Lock, local
from typing import Any

import zstandard
from zstandard import ZstdCompressionDict, ZstdCompressor, ZstdDecompressor

#: How hard to compress: what a player waits for, and what is done once, when nobody waits.
QUICK, HARD = 12, 19
#: The most bytes that anything may decompress to.
MOST_BYTES = 1 << 28
#: How each zstd frame begins; it is not stored.
MAGIC = b"\x28\xb5\x2f\xfd"
FOLDER = Path(__file__).parent / "dictionaries"
_MOST = 0xFF


class Compression:
    """Compresses and decompresses with the dictionaries of a file."""

    def __init__(self, read: Callable[[], Mapping[int, bytes]] = dict) -> None:
        """`read` finds the dictionaries of the file, by number."""
        self._read = read
        self._found: dict[int, bytes] = {}
        self._digested: dict[tuple[int, int], ZstdCompressionDict] = {}
        self._lock = Lock()
        self._thread = local()

    def compress(self, plain: bytes, number: int, level: int = QUICK) -> bytes:
        """Bytes as a zstd frame without its magic number."""
        kept = self._codecs()
        packer = kept.get((number, level))
        if packer is None:
            packer = kept[number, level] = _compressor(level, self._dictionary(number, level))
        return bytes(packer.compress(plain)[len(MAGIC) :])

    def decompress(self, packed: bytes, number: int) -> bytes:
        """The decompressed bytes; `ValueError` if they can't be read."""
        kept = self._codecs()
        unpacker = kept.get(number)
        if unpacker is None:
            dictionary = self._dictionary(number, 0)
            unpacker = kept[number] = ZstdDecompressor(dict_data=dictionary)
        return _decompressed(unpacker, packed)

    def _codecs(self) -> dict[Any, Any]:
        """The compressor and decompressor of this thread."""
        kept: dict[Any, Any] | None = getattr(self._thread, "kept", None)
        if kept is None:
            kept = self._thread.kept = {}
        return kept

    def _dictionary(self, number: int, level: int) -> ZstdCompressionDict | None:
        """A dictionary, made ready for a level once; level 0: for decompressing."""
        if not number:
            return None
        with self._lock:
            found = self._digested.get((number, level))
            if found is None:
                found = ZstdCompressionDict(self._bytes(number))
                if level:
                    found.precompute_compress(level=level)
                self._digested[number, level] = found
            return found

    def _bytes(self, number: int) -> bytes:
        if number not in self._found:  # another process may have added it
            self._found = dict(self._read())
        if number not in self._found:
            raise ValueError(f"it was written with dictionary {number}, which is not there")
        return self._found[number]


def compress_after(plain: bytes, before: bytes, level: int = QUICK) -> bytes:
    """Bytes as a zstd frame with what is known already as its dictionary; with a checksum."""
    return bytes(_compressor(level, _raw(before), check=True).compress(plain)[len(MAGIC) :])


def decompress_after(packed: bytes, before: bytes) -> bytes:
    """The text that `compress_after` compressed; `ValueError` if it can't be read."""
    return _decompressed(ZstdDecompressor(dict_data=_raw(before)), packed)


def _raw(data: bytes) -> ZstdCompressionDict | None:
    return ZstdCompressionDict(data, zstandard.DICT_TYPE_RAWCONTENT) if data else None


def _compressor(
    level: int, dictionary: ZstdCompressionDict | None, *, check: bool = False
) -> ZstdCompressor:
    parameters = zstandard.ZstdCompressionParameters.from_level(
        level, write_content_size=True, write_checksum=check, write_dict_id=False
    )
    return ZstdCompressor(compression_params=parameters, dict_data=dictionary)


def _decompressed(unpacker: ZstdDecompressor, packed: bytes) -> bytes:
    frame = MAGIC + packed
    try:
        if not 0 <= zstandard.frame_content_size(frame) <= MOST_BYTES:
            raise ValueError("it has no size, or one that nothing has")
        return bytes(unpacker.decompress(frame, read_across_frames=False, allow_extra_data=False))
    except zstandard.ZstdError as error:
        raise ValueError(str(error)) from error


# -- dictionaries --------------------------------------------------------------------------------


def shipped(game: str) -> bytes:
    """The dictionary that this version of Kifu has for a game; empty if none."""
    path = FOLDER / f"{game}.zdict"
    return path.read_bytes() if path.is_file() else b""


def name_of(game: str, data: bytes) -> str:
    """The name of a dictionary."""
    return f"{game} {sha256(data).hexdigest()}"


def next_number(numbers: Iterable[int]) -> int:
    """The number of the next dictionary; `ValueError` if there can't be another."""
    number = max(numbers, default=0) + 1
    if number > _MOST:
        raise ValueError("no more dictionaries fit into this file")
    return number


def undamaged(name: str, data: object) -> bytes | None:
    """A dictionary of a file, or the same one that is shipped if it is damaged there; else None."""
    game = name.partition(" ")[0]
    for found in (data, shipped(game) if game.isidentifier() else b""):
        if isinstance(found, bytes) and name_of(game, found) == name:
            return found
    return None
