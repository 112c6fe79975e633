"""The servicer of short codes (code_service.proto): issuing, listing, revoking, exchanging them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from grpc import StatusCode
from kifu.v1 import code_service_pb2 as pb
from msgspec.structs import replace

from domain.words.phrases import message_of, phrase
from service.api.calls.errors import Fault, malformed, organisers_only, too_much
from service.api.calls.pages import Pages
from service.api.calls.requests import short
from service.api.credentials import (
    IDS,
    officials_only,
    page_of,
    require_few,
    require_known,
    require_scope,
)
from service.credentials import codes as rows
from service.credentials import holders
from service.credentials.attempts import TooMany
from service.credentials.codes import Code, Filter
from service.credentials.exchange import Codes, WrongCode
from service.credentials.holders import Holder, NoPlace
from service.credentials.spelling import Mistyped
from service.identity import Identity, Role
from service.live.lanes import CALLER
from service.live.matches import Matches
from service.store import delay
from service.store.derived import listing

#: The methods that need no token.
FOR_ANYBODY = ("ExchangeCode",)
#: Days that a code is good at most.
DAYS = 366.0


class CodeServicer:
    """Answers `kifu.v1.CodeService`."""

    def __init__(self, matches: Matches, codes: Codes, marks: Pages) -> None:
        self._matches, self._codes, self._pages = matches, codes, marks
        self.web = ""  # where browsers find the pages of the service

    async def issue_codes(
        self, request: pb.IssueCodesRequest, who: Identity
    ) -> pb.IssueCodesResponse:
        organisers_only(who)
        if not 0 < len(request.holders) <= IDS:
            raise malformed("holders", phrase("must be 1 to {most}", most=IDS))
        if not 0 <= request.days <= DAYS:
            raise malformed("days", phrase("must be at most {most}", most=int(DAYS)))
        people = [_holder(one) for one in request.holders]
        await self._check(people)
        days = request.days or None
        found = await self._codes.issue(
            people, who.subject, days, replace=request.replace, once=request.once
        )
        return pb.IssueCodesResponse(
            codes=[text for text, _ in found],
            issued=[_issued(code) for _, code in found],
            web=self.web,
        )

    async def _check(self, people: Sequence[Holder]) -> None:
        """Raises `Fault` if there is no such seat, player or official."""
        for match in {one.match for one in people if one.match}:
            listed = await self._matches.lanes.run(listing.find, self._matches.records, match)
            fork, table = listed.heading.origin is not None, listed.heading.mode == "table"
            for one in people:
                if one.match != match:
                    continue
                if one.seat >= len(listed.heading.seats):
                    raise malformed("holders.seat", "is not one of the match's")
                if (fork and one.role != Role.OFFICIAL) or (
                    one.role == Role.SCOREKEEPER and not table
                ):
                    raise malformed("holders.role", "is not one of the match's")
        for event in {one.event for one in people if one.event}:
            state = await self._codes.events(event)
            for one in people:
                if one.event != event:
                    continue
                if one.player and one.player not in state.players:
                    raise malformed("holders.player", "is not one of the event's")
                named = one.role == Role.OFFICIAL and one.name
                if named and not state.officials.get(one.name):
                    raise malformed("holders.name", "is no official of the event")

    async def list_codes(self, request: pb.ListCodesRequest, who: Identity) -> pb.ListCodesResponse:
        chosen = _filter(request.filter, who)
        chosen = chosen if request.with_past else replace(chosen, live=time.time())
        sent, token = await page_of(
            self._matches, self._pages, request, rows.lines, chosen, _issued
        )
        return pb.ListCodesResponse(codes=sent, next_page_token=token)

    async def revoke_codes(
        self, request: pb.RevokeCodesRequest, who: Identity
    ) -> pb.RevokeCodesResponse:
        officials_only(who)
        run, records = self._matches.lanes.run, self._matches.records
        if bool(request.ids) == request.HasField("filter"):
            raise malformed("ids", "must be named, or else a filter")
        if request.ids:
            ids = [*request.ids]
            require_few(ids)
            known = await run(rows.named, records, ids)
            places = {id_: (one.holder.match, one.holder.event) for id_, one in known.items()}
            require_known(who, ids, places, "CODE_UNKNOWN")
        else:
            chosen = _filter(request.filter, who)
            if chosen == Filter():
                raise malformed("filter", "must name something")
            ids = [
                one.id
                for one in await run(rows.lines, records, chosen)
                if one.once or not one.revoked
            ]
        codes, tokens = await self._codes.revoke(
            ids, who.subject, with_tokens=not request.keep_tokens
        )
        return pb.RevokeCodesResponse(codes=codes, tokens=tokens)

    async def exchange_code(
        self, request: pb.ExchangeCodeRequest, who: None
    ) -> pb.ExchangeCodeResponse:
        caller = CALLER.get()
        try:
            token, place, code = await self._codes.exchange(
                request.code,
                caller.connection if caller is not None else "",
                request.at_event,
            )
        except Mistyped:
            text = phrase("No code is written like that: one letter or more is wrong.")
            raise Fault(StatusCode.INVALID_ARGUMENT, "CODE_MISTYPED", text) from None
        except WrongCode:
            text = phrase("This code is not valid: it never existed, was revoked, or has expired.")
            raise Fault(StatusCode.UNAUTHENTICATED, "CODE_INVALID", text) from None
        except TooMany as error:
            text = phrase("Too many wrong codes were tried; wait a while, then try again.")
            raise too_much("TOO_MANY_CODES", text, error.after) from None
        except NoPlace as error:
            more: dict[str, Any] = {"round": error.round} if error.round else {}
            raise Fault(
                StatusCode.FAILED_PRECONDITION, error.reason, message_of(error), **more
            ) from None
        found = pb.ExchangeCodeResponse(
            token=token,
            role=place.who.role,
            match_id=place.who.match,
            event_id=code.holder.event,
            name=place.name,
            round=place.round,
            table=place.table,
            delay=place.who.delay,
            seat=place.who.seat if place.who.seat >= 0 else None,
        )
        found.expire_time.FromSeconds(place.who.expires)
        return found


def _filter(asked: pb.CodeFilter, who: Identity) -> Filter:
    """Which codes are asked for, by somebody who may ask for them."""
    require_scope(who, asked)
    return Filter(asked.match_id, asked.event_id, asked.role, asked.player, asked.table)


def _holder(asked: pb.CodeHolder) -> Holder:
    """Whom a code is asked for."""
    seat = asked.seat if asked.HasField("seat") else -1
    try:
        late = asked.delay and str(delay.parse(asked.delay))
    except delay.BadDelay as error:
        raise malformed("holders.delay", message_of(error)) from None
    found = Holder(
        asked.role, asked.match_id, asked.event_id, seat, asked.player, asked.table,
        short(asked.name, "holders.name"), late,
    )  # fmt: skip
    wrong = holders.fault_of(found)
    if wrong:
        raise malformed(f"holders.{wrong}", "does not go with the rest")
    return found


def _issued(code: Code) -> pb.IssuedCode:
    """A code that was issued, as a message."""
    h = code.holder
    holder = pb.CodeHolder(
        role=h.role, match_id=h.match, event_id=h.event, player=h.player, table=h.table,
        name=h.name, delay=h.delay, seat=h.seat if h.seat >= 0 else None,
    )  # fmt: skip
    found = pb.IssuedCode(
        id=code.id,
        holder=holder,
        issued_by=code.issuer,
        exchanges=code.exchanges,
        revoked_by=code.revoker,
        once=code.once,
    )
    found.issue_time.FromMilliseconds(code.issued)
    found.expire_time.FromSeconds(code.expires)
    if code.last:
        found.last_time.FromMilliseconds(code.last)
    if code.revoked:
        found.revoke_time.FromMilliseconds(code.revoked)
    return found
