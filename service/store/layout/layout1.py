"""Layout 1 of the store, which is read and no longer written: a row for each entry.

An entry was deflated with a sample of such entries that lies in the same file. A stored entry
begins with the number of its sample, 0 if it is not deflated; its sequence number is left out,
since the row has it. The row's topic is the tag of its event. `upgrade` converts such a file.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping

import msgspec

from domain.record.entries import Entry, decode

#: No entry is longer than this.
MOST_BYTES = 1 << 22
_ARRAY = b"\x97"  # how an encoded entry begins: an array of seven, the sequence number first
_BITS = -15
_number = msgspec.msgpack.Encoder().encode


class Rows:
    """Reads rows of layout 1. `ValueError` where one can't be read."""

    def __init__(self, read: Callable[[], Mapping[int, bytes]]) -> None:
        """`read` finds the samples of the file, by number."""
        self._read = read
        self._samples: dict[int, bytes] = {}

    def unpack(self, version: int, state: bytes) -> list[Entry]:
        """The entry of a row."""
        number, rest = state[0], state[1:]
        if number:
            try:
                rest = zlib.decompressobj(_BITS, self._sample(number)).decompress(rest, MOST_BYTES)
            except zlib.error as error:
                raise ValueError(str(error)) from error
        return [decode(_ARRAY + _number(version) + rest)]

    def _sample(self, number: int) -> bytes:
        if not self._samples:
            self._samples = {at: zlib.decompress(data) for at, data in self._read().items()}
        if number not in self._samples:
            raise ValueError(f"it is written by sample {number}, which is not there")
        return self._samples[number]
