"""Answers queries of immutable data from memory while the database is gone.

A position at an entry is such, and so are the entries up to one. How far a match is by now nobody
can say then: another server may have gone on with it. Rights are not cached: the caller has been
admitted, and the result is kept for callers with the same rights. Where the records are a file
there is nothing that could be gone.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import TypeVar

from google.protobuf.message import Message
from msgspec.structs import replace

from service.identity import Identity
from service.store.errors import Gone

M = TypeVar("M", bound=Message)

#: Bytes of answers that are kept.
MOST = 16 * 1024 * 1024


class Recall:
    """The last answer to each question. To be used within one loop."""

    def __init__(self, most: int = MOST) -> None:
        self._most, self._size = most, 0
        self._kept: OrderedDict[tuple[Identity, bytes], Message] = OrderedDict()

    async def of(self, who: Identity, request: Message, read: Callable[[], Awaitable[M]]) -> M:
        """The result of a read, now or when it last succeeded; raises `Gone` if it never did."""
        asked = f"{type(request).__name__}:".encode() + request.SerializeToString(
            deterministic=True
        )
        key = replace(who, id="", subject="", expires=0), asked
        try:
            found = await read()
        except Gone:
            if (kept := self._kept.get(key)) is None:
                raise
            return kept  # type: ignore[return-value]  # what this request is answered with
        self._keep(key, found)
        return found

    def _keep(self, key: tuple[Identity, bytes], found: Message) -> None:
        if (before := self._kept.pop(key, None)) is not None:
            self._size -= before.ByteSize()
        self._kept[key] = found
        self._size += found.ByteSize()
        while self._size > self._most:
            _, oldest = self._kept.popitem(last=False)
            self._size -= oldest.ByteSize()
