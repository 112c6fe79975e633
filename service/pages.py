"""Pages: opaque tokens that say where a list was left, and for which list that is true."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import blake2b
from typing import Any, TypeVar, cast

import msgspec

from service.errors import malformed

_encode = msgspec.msgpack.encode
T = TypeVar("T")


def size(asked: int, default: int, most: int) -> int:
    """How long a page is to be; asking for too much gets the most there is."""
    if asked < 0:
        raise malformed("page_size", "must not be negative")
    return min(asked or default, most)


def token(scope: tuple[Any, ...], at: Any) -> str:
    """A token for where a page ended, in the list that `scope` describes."""
    return urlsafe_b64encode(_encode((_digest(scope), at))).decode().rstrip("=")


def left(text: str, scope: tuple[Any, ...], kind: type[T]) -> T | None:
    """Where the last page of that list ended; None if there was none."""
    if not text:
        return None
    try:
        data = urlsafe_b64decode(text + "=" * (-len(text) % 4))
        digest, at = msgspec.msgpack.decode(data, type=tuple[bytes, kind])  # type: ignore[valid-type]
    except ValueError:
        raise malformed("page_token", "is not one that was given out here") from None
    if digest != _digest(scope):
        raise malformed("page_token", "belongs to another list")
    return cast(T, at)


def _digest(scope: tuple[Any, ...]) -> bytes:
    return blake2b(_encode(scope), digest_size=6).digest()
