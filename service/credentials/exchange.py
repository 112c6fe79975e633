"""Issue short codes, exchange them for tokens, revoke them.

A code is looked for in the store by what is kept of it, and one that was revoked, has expired or
never was takes the same way to the same answer. That it was not revoked is made sure of once more
in the transaction that saves its token, so that one that is good for one exchange is exchanged once
wherever it is brought. If there is nothing to give for a valid code yet, the answer says so
(`holders.NoPlace`).
"""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from msgspec import structs

from domain.tournament.state import State
from service.credentials import codes, holders, spelling, tokens
from service.credentials.attempts import Attempts, TooMany
from service.credentials.codes import Code
from service.credentials.holders import Holder, NoPlace, Place
from service.credentials.issuing import Tokens
from service.identity import Identity, Role, new_id
from service.live.matches import Matches
from service.store.derived import listing
from service.store.records import Conflict, NoSuchMatch, Work
from service.telemetry.logs import log_event
from service.telemetry.metrics import Metrics

_DAY = 86_400
#: What an event looks like now; raises what the service says of one that there is not.
Events = Callable[[str], Awaitable[State]]


class WrongCode(Exception):
    """A code that never existed or is no longer valid."""


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
        limits: Attempts | None = None,
    ) -> None:
        """`days` is how long a code is valid by default."""
        self._records, self._submit = matches.records, matches.committer.submit
        self._clock, self._run = matches.clock, partial(matches.lanes.run, unlimited=True)
        self._finish = matches.background.finish
        self._tokens, self._key, self.days = issued, key, days
        self._metrics, self.events = metrics, events
        self._limits = limits or Attempts()
        self._now = 0  # when the last were issued
        self._underway = 0  # how many are being exchanged
        self._gone = set[str]()  # ids of those that were revoked meanwhile

    async def issue(
        self,
        people: Sequence[Holder],
        by: str,
        days: float | None = None,
        *,
        replace: bool = False,
        once: bool = False,
    ) -> list[tuple[str, Code]]:
        """A code for each of these people, and what is kept of it.

        `replace`: those that the same had before are revoked; what they were exchanged for is not.
        `once`: they are used up by their first exchange. What has begun is finished.
        """
        self._tokens.require_writing()
        return await self._finish(self._issue(people, by, days, replace, once))

    async def _issue(
        self, people: Sequence[Holder], by: str, days: float | None, replace: bool, once: bool
    ) -> list[tuple[str, Code]]:
        lasts = self.days if days is None else days
        expires = int(time.time() + lasts * _DAY)
        texts, ids = await self._new(len(people)), sorted(new_id() for _ in people)
        before = await self._run(self._of_same, people) if replace else []
        self._now = now = max(self._clock(), self._now + 1)
        found = [
            (text, Code(id_, codes.fingerprint(text, self._key), one, now, expires, by, once=once))
            for text, id_, one in zip(texts, ids, people, strict=True)
        ]
        rows = [row for _, code in found for row in codes.saved(code)]
        await self._submit(Work("", (), rows))
        if replace:
            before += await self._run(self._issued_at_once, [code for _, code in found])
        if before:
            await self.revoke(sorted({code.id for code in before}), by, with_tokens=False)
        return found

    async def _new(self, count: int) -> list[str]:
        """So many codes that there are not yet."""
        found: dict[bytes, str] = {}
        while len(found) < count:
            new = {codes.fingerprint(text, self._key): text
                   for text in (spelling.new() for _ in range(count - len(found)))}  # fmt: skip
            taken = await self._run(codes.taken, self._records, [*new])
            found |= {kept: text for kept, text in new.items() if kept not in taken}
        return [*found.values()]

    def _of_same(self, people: Sequence[Holder]) -> list[Code]:
        """The codes that these people have."""
        same, now = {_who(holder) for holder in people}, time.time()
        return [
            code
            for match, event in {(one.match, one.event) for one in people}
            for code in codes.lines(self._records, codes.Filter(match, event, live=now))
            if _who(code.holder) in same
        ]

    def _issued_at_once(self, new: Sequence[Code]) -> list[Code]:
        """Codes that others issued to the same people while these were; of all the last stays."""
        last = {_who(code.holder): code.key for code in new}
        ids = {code.id for code in new}
        return [
            code
            for code in self._of_same([code.holder for code in new])
            if code.id not in ids and code.key < last[_who(code.holder)]
        ]

    async def exchange(
        self, text: str, peer: str, at_event: bool = False
    ) -> tuple[str, Place, Code]:
        """The token for a code, where its holder finds his match, and what is kept of the code.

        `at_event`: a player's is that of the event (`holders.in_event`).
        `peer` is the address of the caller, as gRPC writes it. Raises `Mistyped`, `TooMany`,
        `WrongCode`, `NoPlace`.
        """
        try:
            whole = spelling.read(text)
            give_back = await self._limits.use(peer)
        except (spelling.Mistyped, TooMany) as error:
            if isinstance(error, spelling.Mistyped):
                self._metrics.code("mistyped")
            else:
                self._metrics.code("too many")
                log_event(logging.WARNING, "too many wrong codes", peer=peer)
            raise
        code = await self._find(codes.fingerprint(whole, self._key))
        await give_back()
        while True:
            token, place = await self._given(code, at_event)
            if await self._still(code.holder, place):
                break
            await self._tokens.revoke([place.who.id], code.issuer)
        self._metrics.code("exchanged")
        return token, place, code

    async def _given(self, code: Code, at_event: bool) -> tuple[str, Place]:
        """The token for a good code, and what its holder finds now."""
        try:
            place = await self._place(code.holder, at_event)
        except NoPlace:
            self._metrics.code("no place")
            raise
        try:
            await self._limits.use_token(code.id)
        except TooMany:
            self._metrics.code("too many")
            raise
        token, who = await self._issued(code, place.who)
        return token, structs.replace(place, who=who)

    async def _still(self, holder: Holder, place: Place) -> bool:
        """Whether an official is still what his token says.

        If the code was revoked in the meantime, the tokens that existed by then were revoked with
        it.
        """
        if holder.role != Role.OFFICIAL or not holder.event:
            return True
        try:
            return (await self._place(holder)).who.role == place.who.role
        except NoPlace:
            return False

    async def _find(self, kept: bytes) -> Code:
        """The good code of which this is kept; raises `WrongCode`."""
        code = await self._run(codes.by_hash, self._records, kept)
        if code is None or code.revoked or code.expires <= time.time():
            self._metrics.code("wrong")
            raise WrongCode
        return code

    async def _issued(self, code: Code, person: Identity) -> tuple[str, Identity]:
        """A token for a code; raises `WrongCode` if the code was revoked in the meantime.

        Any further exchange of a one-time code fails from here on.
        """
        days = min(self.days, (code.expires - time.time()) / _DAY)
        counted = codes.counted(code, self._clock())
        self._underway += 1
        try:
            [(token, who)] = await self._tokens.issue(
                [person], code.issuer, code=code.id, days=days, also=[counted]
            )
            gone = code.id in self._gone
        except Conflict:  # it was revoked, or used up, and nothing was written
            self._metrics.code("wrong")
            raise WrongCode from None
        finally:
            self._underway -= 1
            if not self._underway:
                self._gone.clear()
        if gone:
            self._metrics.code("wrong")
            await self._tokens.revoke([who.id], code.issuer)
            raise WrongCode
        return token, who

    async def _place(self, holder: Holder, at_event: bool = False) -> Place:
        """The place of a holder now; raises `NoPlace`."""
        place = Place(Identity(Role.PUBLIC, ""), holder.name)
        match, seat = holder.match, holder.seat
        if holder.event:
            place = holders.in_event(holder, await self.events(holder.event), at_event)
            match, seat = place.who.match, place.who.seat
            if not match:
                return place
        try:
            listed = await self._run(listing.find, self._records, match)
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
        known = await self._run(codes.named, self._records, ids)
        revoked = sum(not code.revoked for code in known.values())
        now = self._clock()
        await self._submit(Work("", (), [codes.marked(code, now, by) for code in ids]))
        if self._underway:
            self._gone.update(ids)
        if revoked:
            log_event(logging.WARNING, "codes revoked", by=by, count=revoked)
        if not with_tokens:
            return revoked, 0
        given = await self._run(tokens.of_codes, self._records, ids)
        return revoked, await self._tokens.revoke(given, by) if given else 0


def _who(holder: Holder) -> Holder:
    """A holder without what may differ from one code of his to the next."""
    named = holder.event and holder.role == Role.OFFICIAL
    return structs.replace(holder, delay="", name=holder.name if named else "")
