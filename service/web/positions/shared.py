"""Recently rendered responses, so that a burst of equal requests costs one rendering.

Only what never changes is kept, bounded in bytes; those who ask for the same at the same time share
the work. A cache in front keeps the rest.
"""

from __future__ import annotations

import gzip
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from hashlib import blake2b

import zstandard
from msgspec import Struct

from service.live.background import Underway

#: Bytes that are kept.
MOST = 48 * 1024 * 1024
#: What is shorter is not compressed.
SHORT = 512
#: What an answer takes beside its bytes.
_EACH = 600


class Body(Struct, frozen=True):
    """The bytes of an answer, plain and compressed (by content coding), and what tells them apart.

    What is compressed holds no secret of a session and nothing that the asker has sent: so its
    length tells him nothing that he doesn't read (BREACH).
    """

    kind: str
    tag: str
    codings: dict[str, bytes]

    @classmethod
    def of(cls, data: bytes, kind: str) -> Body:
        """The body of an answer, compressed."""
        codings = {"": data}
        if len(data) >= SHORT:
            codings["gzip"] = gzip.compress(data, 5, mtime=0)
            codings["zstd"] = zstandard.ZstdCompressor(3).compress(data)
        return cls(kind, blake2b(data, digest_size=12).hexdigest(), codings)

    @property
    def size(self) -> int:
        """Bytes that it takes."""
        return _EACH + sum(map(len, self.codings.values()))


#: Makes a body.
Making = Callable[[], Awaitable[Body]]


class Shared:
    """Bodies by what they are of. To be used within one loop."""

    def __init__(self, most: int = MOST) -> None:
        self._most, self._size = most, 0
        self._kept: OrderedDict[Hashable, Body] = OrderedDict()
        self._making = Underway[Body]()

    def __len__(self) -> int:
        """How many bodies are kept."""
        return len(self._kept)

    @property
    def size(self) -> int:
        """Bytes that are kept."""
        return self._size

    async def get(self, key: Hashable, make: Making, *, keep: bool = True) -> Body:
        """The value for a key, made now or before; not `keep`: shared only while it is made."""
        kept = self._kept.get(key)
        if kept is not None:
            self._kept.move_to_end(key)
            return kept
        return await self._making.of(key, lambda: self._make(key, make, keep))

    async def _make(self, key: Hashable, make: Making, keep: bool) -> Body:
        body = await make()
        if keep:
            self._kept[key] = body
            self._size += body.size
        while self._size > self._most:
            _, gone = self._kept.popitem(last=False)
            self._size -= gone.size
        return body
