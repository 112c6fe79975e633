"""Issue short codes, exchange them for tokens, revoke them.

The codes that are good are in memory, by what is kept of them, so that one that was revoked, has
expired or never was takes the same way to the same answer. Whoever has a good one is told if there
is nothing to give him yet (`holders.NoPlace`).
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence

from msgspec import structs

from domain.tournament.state import State
from service.credentials import codes, holders, spelling, tokens
from service.credentials.attempts import Attempts, TooMany
from service.credentials.codes import Code
from service.credentials.holders import Holder, NoPlace, Place
from service.credentials.issuing import Tokens
from service.identity import LETTERS, Identity, Role
from service.live.matches import Matches
from service.logs import log_event
from service.metrics import Metrics
from service.store.derived import listing
from service.store.records import NoSuchMatch, StoreError, Work

_ID, _DAY = 10, 86_400
#: What an event looks like now; raises what the service says of one that there is not.
Events = Callable[[str], Awaitable[State]]


class WrongCode(Exception):
    """A code that is none, or none any more."""


class Codes:
    """The codes of a service. To be used within one loop."""

    def __init__(
        self,
        matches: Matches,
        issued: Tokens,
        key: bytes,
        days: float,
        metrics: Metrics,
        events: Events,
        attempts: Attempts | None = None,
    ) -> None:
        """`days` is how long a code is good, unless said otherwise."""
        self._records, self._submit = matches.records, matches.committer.submit
        self._clock, self._in_thread = matches.clock, matches.lanes.run
        self._finish = matches.background.finish
        self._tokens, self._key, self.days = issued, key, days
        self._metrics, self.events = metrics, events
        self._attempts = attempts or Attempts()
        self._good: dict[bytes, Code] = {}
        try:
            known = codes.lines(self._records, codes.Filter(live=time.time()))
        except StoreError as error:
            log_event(logging.ERROR, "codes can't be read: none is good", wrong=error)
        else:
            self._good = {code.hash: code for code in known}

    async def issue(
        self,
        people: Sequence[Holder],
        by: str,
        days: float | None = None,
        *,
        replace: bool = False,
    ) -> list[tuple[str, Code]]:
        """A code for each of these people, and what is kept of it.

        `replace`: those that the same had before are revoked; what they were exchanged for is not.
        """
        self._tokens.require_writing()
        lasts, now = self.days if days is None else days, self._clock()
        expires = int(time.time() + lasts * _DAY)
        found: dict[bytes, tuple[str, Code]] = {}
        for holder in people:
            while True:
                text = spelling.new()
                kept = codes.fingerprint(text, self._key)
                if kept not in self._good and kept not in found:
                    break
            id_ = "".join(secrets.choice(LETTERS) for _ in range(_ID))
            found[kept] = text, Code(id_, kept, holder, now, expires, by)
        await self._submit(Work("", (), [codes.saved(code) for _, code in found.values()]))
        if replace:
            same = {_who(holder) for holder in people}
            gone = [code.id for code in self._good.values() if _who(code.holder) in same]
            await self.revoke(gone, by, with_tokens=False)
        self._good.update((kept, code) for kept, (_, code) in found.items())
        return [*found.values()]

    async def exchange(self, text: str, peer: str) -> tuple[str, Place, Code]:
        """The token for a code, where its holder finds his match, and what is kept of the code.

        `peer` is the address of whoever has it, as gRPC writes it. Raises `Mistyped`, `TooMany`,
        `WrongCode`, `NoPlace`.
        """
        try:
            whole = spelling.read(text)
            used = self._attempts.use(peer)
        except (spelling.Mistyped, TooMany) as error:
            if isinstance(error, spelling.Mistyped):
                self._metrics.code("mistyped")
            else:
                self._metrics.code("too many")
                log_event(logging.WARNING, "too many wrong codes", peer=peer)
            raise
        code = self._find(codes.fingerprint(whole, self._key))
        for bucket in used:
            bucket.take(-1)
        try:
            place = await self._place(code.holder)
        except NoPlace:
            self._metrics.code("no place")
            raise
        try:
            self._attempts.use_token(code.id)
        except TooMany:
            self._metrics.code("too many")
            raise
        token, who = await self._issued(code, place.who)
        self._metrics.code("exchanged")
        return token, Place(who, place.name, place.round, place.table), code

    def _find(self, kept: bytes) -> Code:
        """The good code of which this is kept; raises `WrongCode`."""
        code = self._good.get(kept)
        if code is None or code.expires <= time.time():
            self._metrics.code("wrong")
            raise WrongCode
        return code

    async def _issued(self, code: Code, person: Identity) -> tuple[str, Identity]:
        """A token for a code; raises `WrongCode` if the code was revoked in the meantime."""
        self._find(code.hash)
        days = min(self.days, (code.expires - time.time()) / _DAY)
        counted = codes.counted(code.id, self._clock())
        [(token, who)] = await self._tokens.issue(
            [person], code.issuer, code=code.id, days=days, also=[counted]
        )
        try:
            self._find(code.hash)
        except WrongCode:
            await self._tokens.revoke([who.id], code.issuer)
            raise
        return token, who

    async def _place(self, holder: Holder) -> Place:
        """What a holder gets now; raises `NoPlace`."""
        place = Place(Identity(Role.PUBLIC, ""), holder.name)
        match, seat = holder.match, holder.seat
        if holder.event:
            place = holders.in_event(holder, await self.events(holder.event))
            match, seat = place.who.match, place.who.seat
            if not match:
                return place
        try:
            listed = await self._in_thread(listing.find, self._records, match, unlimited=True)
        except NoSuchMatch:
            if not holder.event:
                raise
            raise holders.not_yet(place.round) from None
        heading = listed.heading
        if listed.ended and holder.role in (Role.SEAT, Role.SCOREKEEPER):
            raise holders.over(place.round + 1 if holder.event else 0)
        who = holders.in_match(holder, match, seat, heading.policy.delay)
        names = heading.seats
        name = place.name or (names[seat] if 0 <= seat < len(names) else "")
        return Place(who, name, place.round, place.table)

    async def revoke(self, ids: Sequence[str], by: str, *, with_tokens: bool) -> tuple[int, int]:
        """Revoke the codes with these ids; how many that were, and how many tokens.

        `with_tokens`: also those that they were exchanged for. What has begun is finished.
        """
        self._tokens.require_writing()
        return await self._finish(self._revoke(ids, by, with_tokens))

    async def _revoke(self, ids: Sequence[str], by: str, with_tokens: bool) -> tuple[int, int]:
        now, gone = self._clock(), {*ids}
        await self._submit(Work("", (), [codes.marked(code, now, by) for code in ids]))
        revoked = [kept for kept, code in self._good.items() if code.id in gone]
        for kept in revoked:
            del self._good[kept]
        if revoked:
            log_event(logging.WARNING, "codes revoked", by=by, count=len(revoked))
        if not with_tokens:
            return len(revoked), 0
        given = await self._in_thread(tokens.of_codes, self._records, ids, unlimited=True)
        return len(revoked), await self._tokens.revoke(given, by) if given else 0


def _who(holder: Holder) -> Holder:
    """A holder without what may differ from one code of his to the next."""
    named = holder.event and holder.role == Role.OFFICIAL
    return structs.replace(holder, delay="", name=holder.name if named else "")
