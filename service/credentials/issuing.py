"""Issues and revokes tokens, for every servicer that does so.

A token is durable in the table (`tokens`) before anybody has it; it is invalid from the
moment on in which its revocation is durable, also on streams that are open, and after a restart.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from service.credentials import tokens
from service.credentials.tokens import Filter, Issued
from service.identity import Identity, Keys, new_id
from service.live.matches import Matches
from service.store.records import Records, Statement, StoreError, Unwritable, Work
from service.store.tables.lists import PAGE
from service.telemetry.logs import log_event

#: Those of the service itself, for its organiser.
SERVICE = "the service"


class Tokens:
    """The tokens of a service. To be used within one loop."""

    def __init__(
        self,
        matches: Matches,
        keys: Keys,
        days: float,
        recheck: Callable[[], None] = lambda: None,
    ) -> None:
        """`days` is how long a token is valid by default.

        `recheck` is called once tokens were revoked: it ends the streams that they have opened.
        """
        self._records, self._submit = matches.records, matches.committer.submit
        self._clock, self._in_thread = matches.clock, matches.lanes.run
        self._finish: Callable[[Coroutine[Any, Any, int]], Awaitable[int]]
        self._finish = matches.background.finish
        self._keys, self._days, self._recheck = keys, days, recheck
        self._now = 0  # when the last were issued

    async def issue(
        self,
        people: Sequence[Identity],
        by: str,
        *,
        code: str = "",
        days: float | None = None,
        also: Sequence[Statement] = (),
    ) -> list[tuple[str, Identity]]:
        """A token for each of these people, and the identity as it will be read from it.

        `by` is who issues them, `code` the id of the code that one was exchanged for; `also` is
        written with it.
        """
        self.require_writing()
        lasts = self._days if days is None else days
        ids = sorted(new_id() for _ in people)  # in lists they stand in the order of their issue
        found = [self._keys.issue(one, lasts, id_) for one, id_ in zip(people, ids, strict=True)]
        self._now = max(self._clock(), self._now + 1)
        issued = [Issued(who, self._now, by, code=code) for _, who in found]
        rows = [statement for token in issued for statement in tokens.saved(token)]
        await self._submit(Work("", (), [*rows, *also]))
        return found

    async def revoke(self, chosen: Filter | Sequence[str], by: str, but: str = "") -> int:
        """Revoke the tokens that a filter means or that have these ids; how many that were.

        All but the one with the id `but`. What has begun is finished.
        """
        self.require_writing()
        return await self._finish(self._revoke(chosen, by, but))

    def require_writing(self) -> None:
        """Raises `Unwritable` where nothing can be kept of what is issued or revoked."""
        if not self._records.writable:
            raise Unwritable(self._records.read_only_reason)

    async def _revoke(self, chosen: Filter | Sequence[str], by: str, but: str) -> int:
        if isinstance(chosen, Filter):
            gone = await self._revoke_meant(chosen, by, but)
        else:
            gone = [token for token in chosen if token != but]
            await self._mark(gone, by)
        fresh = self._keys.revoke(gone)
        if fresh:
            self._recheck()
            log_event(logging.WARNING, "tokens revoked", by=by, count=fresh)
        return fresh

    async def _revoke_meant(self, chosen: Filter, by: str, but: str) -> list[str]:
        """Mark those that a filter means, also those that are being issued; all that are now."""
        read = partial(self._in_thread, unlimited=True)
        await self._submit(Work("", ()))  # what was to be saved before this is there now
        while some := [one for one in await read(tokens.good, self._records, chosen) if one != but]:
            await self._mark(some, by)
        return list(await read(tokens.revoked, self._records, chosen))

    async def _mark(self, ids: Sequence[str], by: str) -> None:
        for at in range(0, len(ids), PAGE):
            marks = tokens.marked(ids[at : at + PAGE], self._clock(), by)
            await self._submit(Work("", (), marks))


def load_revoked(records: Records, keys: Keys) -> None:
    """Have the tokens refused that were revoked before the service was started.

    Where that can't be read, no token is good that was issued before.
    """
    try:
        keys.revoke(tokens.revoked(records))
    except StoreError as error:
        keys.distrust()
        log_event(logging.ERROR, "revoked tokens can't be read: all are refused", wrong=error)


def live(chosen: Filter) -> Filter:
    """Of those only the ones that somebody may still come with."""
    return replace(chosen, live=time.time())
