"""Page tokens: opaque, signed, and valid only for the list that they were issued for.

They are signed because a token is a position in a list, which clients must not make up.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from hmac import compare_digest
from typing import Any, TypeVar, cast

import msgspec
from google.protobuf.message import Message

from service.api.calls.errors import malformed

_encode = msgspec.msgpack.encode
T = TypeVar("T")
M = TypeVar("M", bound=Message)
#: No page is much larger, in bytes, however few of a list that is: clients take four times as much.
ROOM = 1 << 20


def size(requested: int, default: int, most: int) -> int:
    """How long a page is to be; asking for too much gets the most there is."""
    if requested < 0:
        raise malformed("page_size", "must not be negative")
    return min(requested or default, most)


def up_to_limit(things: Iterable[T], message: Callable[[T], M]) -> list[M]:
    """Messages of as many of these as fit into `ROOM`; at least one."""
    found, room = list[M](), ROOM
    for thing in things:
        found.append(message(thing))
        room -= found[-1].ByteSize()
        if room <= 0:
            break
    return found


class Pages:
    """Makes tokens, and reads its own."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def token(self, scope: tuple[Any, ...], at: Any) -> str:
        """A token for where a page ended, in the list that `scope` describes."""
        return urlsafe_b64encode(_encode((self._sign(scope, at), at))).decode().rstrip("=")

    def page(
        self,
        scope: tuple[Any, ...],
        found: Sequence[T],
        size: int,
        message: Callable[[T], M],
        at: Callable[[T], Any],
    ) -> tuple[list[M], str]:
        """The messages of a page, and the token of the next; empty if it is the last.

        `found` is one more than the page may have, if there are so many; `at` is where one stands.
        """
        sent = up_to_limit(found[:size], message)
        return sent, self.token(scope, at(found[len(sent)])) if len(found) > len(sent) else ""

    def read(self, text: str, scope: tuple[Any, ...], kind: type[T]) -> T | None:
        """Where the last page of that list ended; None if there was none."""
        if not text:
            return None
        try:
            data = urlsafe_b64decode(text + "=" * (-len(text) % 4))
            signed, at = msgspec.msgpack.decode(data, type=tuple[bytes, kind])  # type: ignore[valid-type]
        except ValueError:
            signed, at = b"", None
        if not compare_digest(signed, self._sign(scope, at)):
            raise malformed("page_token", "is not one that was given out for this list")
        return cast(T, at)

    def _sign(self, scope: tuple[Any, ...], at: Any) -> bytes:
        return blake2b(_encode((scope, at)), key=self._key, digest_size=12).digest()
