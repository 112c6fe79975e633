"""Keys that let a browser in once: those of the service itself, for its organiser.

There is no short code for an organiser: eight letters on paper would open everything. The link
shown when the service starts has a key of 130 bits instead, which is good for an hour, for one
browser. The key is stored as a hash, only in memory unless several servers share a store; its token
is a separate one (`issuing`), which signing out revokes without affecting others.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Awaitable, Callable
from functools import partial
from hashlib import blake2b
from typing import Any

import msgspec
from msgspec.structs import replace

from service.credentials.issuing import SERVICE, Tokens
from service.credentials.spelling import LETTERS
from service.identity import Identity
from service.store.records import Conflict, Must, Records, Work
from service.store.statements import insert

#: Letters of a key, of 5 bits each; seconds that it is good; and how many there are at most.
SIZE, SECONDS, MOST = 26, 3600.0, 100
#: What the table of tokens has for the code of a token that such a key was exchanged for.
CODE = "entrance"


class Entrance:
    """The keys of a service. To be used within one loop."""

    def __init__(self, tokens: Tokens, clock: Callable[[], float] = time.monotonic) -> None:
        self._tokens, self._clock = tokens, clock
        self._good: dict[bytes, tuple[Identity, float]] = {}

    async def key(self, who: Identity) -> str:
        """A new key for one sign-in."""
        text = "".join(secrets.choice(LETTERS) for _ in range(SIZE))
        while len(self._good) >= MOST:
            del self._good[next(iter(self._good))]
        self._good[_hash(text)] = replace(who, id="", expires=0), self._clock() + SECONDS
        return text

    async def enter(self, text: str) -> tuple[str, Identity] | None:
        """The token for a key, which is used up by that; None: the key is invalid or used."""
        good, name = self._good, _hash(text.strip().upper())
        found = good.pop(name, None)
        if found is None or found[1] <= self._clock():
            return None
        try:
            [token] = await self._tokens.issue([found[0]], SERVICE, code=CODE)
        except BaseException:
            good[name] = found  # nobody has the token: the key is as good as before
            raise
        return token

    async def clear(self) -> None:
        """Let nobody in any more by the keys that there are."""
        self._good = {}


class SharedEntrance(Entrance):
    """The keys of all servers of a store, in the store: a browser may use any server."""

    def __init__(
        self,
        tokens: Tokens,
        records: Records,
        run: Callable[..., Awaitable[Any]],
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`run` runs something in a thread."""
        super().__init__(tokens, clock)
        self._records, self._run = records, partial(run, unlimited=True)

    async def key(self, who: Identity) -> str:
        """A new key for one sign-in."""
        text = "".join(secrets.choice(LETTERS) for _ in range(SIZE))
        now, kept = self._clock(), _encode(replace(who, id="", expires=0))
        new = (_NEW, (_hash(text).hex(), kept, now + SECONDS))
        await self._run(self._records.write, Work("", (), [(_EXPIRED, (now,)), new]))
        return text

    async def enter(self, text: str) -> tuple[str, Identity] | None:
        """The token for a key, which is used up by that; None: the key is invalid or used."""
        name = _hash(text.strip().upper()).hex()
        found = await self._run(self._records.row, "SELECT who FROM entrances WHERE hash=?", name)
        if found is None:
            return None
        used = Must(_USE, (name, self._clock()))
        try:
            [token] = await self._tokens.issue(
                [_decode(found["who"])], SERVICE, code=CODE, also=[used]
            )
        except Conflict:
            return None
        return token

    async def clear(self) -> None:
        """Let nobody in any more by the keys that there are."""
        await self._run(self._records.write, Work("", (), [("DELETE FROM entrances", ())]))


_NEW = insert("entrances", "hash, who, until")
_USE = "DELETE FROM entrances WHERE hash=? AND until>?"
_EXPIRED = "DELETE FROM entrances WHERE until<=?"
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Identity).decode


def _hash(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()
