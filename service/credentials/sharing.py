"""Credentials that servers of one store share.

All sign with the same key (`require_same_key`), and a token that was revoked at one is refused at
the others: at once where news get through, else as soon as they look (`Revocations`). Limits on
guessing are in `attempts`, keys that let a browser in once in `entrance`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from domain.words.phrases import phrase
from service.credentials import tokens
from service.identity import BadKey, Keys
from service.store.records import Records, Work
from service.store.statements import insert_new
from service.store.tables import lists
from service.store.tables.lists import Key

#: How often to look for tokens that other servers have revoked, in seconds; and how far apart
#: their clocks may be, in milliseconds.
EVERY, APART = 2.0, 600_000
_KEY = "key of tokens"
_MARK = insert_new("marks", "name, value")


def require_same_key(records: Records, keys: Keys) -> None:
    """Raises `BadKey` if other servers of the same store sign with another key."""
    if not records.shared or not records.writable:
        return
    own = keys.of("fingerprint").hex()[:16]
    records.write(Work("", (), [(_MARK, (_KEY, own))]))
    if records.row("SELECT value FROM marks WHERE name=?", _KEY)["value"] != own:
        raise BadKey(
            phrase(
                "servers of {where} sign with another key: give this one theirs (FILE-key)",
                where=records.where,
            )
        )


class Revocations:
    """The tokens that other servers revoke. To be used within one loop."""

    def __init__(
        self,
        records: Records,
        keys: Keys,
        run: Callable[..., Awaitable[Any]],
        recheck: Callable[[], None],
    ) -> None:
        """`run` runs something in a thread; `recheck` ends what revoked tokens have opened."""
        self._records, self._keys, self._recheck = records, keys, recheck
        self._run = partial(run, unlimited=True)
        self._asked = asyncio.Event()
        self._since = 0

    def look(self) -> None:
        """Look now: something was revoked."""
        self._asked.set()

    async def round(self) -> None:
        """Look once it is time, or somebody asks for it."""
        try:
            async with asyncio.timeout(EVERY):
                await self._asked.wait()
        except TimeoutError:
            pass
        self._asked.clear()
        found = await self._run(self._revoked)
        if found:
            self._since = max(at for at, _ in found)
        if self._keys.revoke(token for _, token in found):
            self._recheck()

    def _revoked(self) -> list[Key]:
        """Those that were revoked recently, by the clock of the server that did so."""
        found: list[Key] = []
        for page in lists.every(self._records, tokens.REVOKED):
            found += [key for key in page if key[0] > self._since - APART]
            if page[-1][0] <= self._since - APART:
                break
        return found
