"""The servicer of tokens (identity_service.proto): who one is, new ones, those issued, revoking."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from grpc import StatusCode
from kifu.v1 import identity_service_pb2 as pb

from domain.words.phrases import message_of
from service.api.calls.errors import Fault, malformed, organisers_only
from service.api.calls.pages import Pages
from service.api.credentials import (
    officials_only,
    page_of,
    require_few,
    require_known,
    require_scope,
)
from service.api.matches import MatchServicer, granted
from service.credentials import tokens as rows
from service.credentials.issuing import Tokens, live
from service.credentials.tokens import Filter, Issued
from service.identity import Identity, of_event
from service.live.matches import Matches
from service.live.tournaments import Tournaments
from service.store import delay
from service.store.derived import listing
from service.telemetry.logs import log_event


class IdentityServicer:
    """Answers `kifu.v1.IdentityService`."""

    def __init__(
        self,
        matches: Matches,
        servicer: MatchServicer,
        tokens: Tokens,
        marks: Pages,
        organiser: Callable[[str], Awaitable[str]],
        tournaments: Tournaments,
    ) -> None:
        """`organiser` revokes, for somebody, the tokens of organisers, and gives the new one."""
        self._matches, self._tokens, self._pages = matches, tokens, marks
        self._servicer, self._organiser = servicer, organiser
        self._tournaments = tournaments

    async def who_am_i(self, request: pb.WhoAmIRequest, who: Identity) -> pb.WhoAmIResponse:
        found = pb.WhoAmIResponse(
            role=who.role,
            match_id=who.match,
            subject=who.subject,
            delay=who.delay,
            token_id=who.id,
            event_id=who.event,
        )
        if who.seat >= 0:
            found.seat = who.seat
        found.expire_time.FromSeconds(who.expires)
        return found

    async def issue_tokens(
        self, request: pb.IssueTokensRequest, who: Identity
    ) -> pb.IssueTokensResponse:
        organisers_only(who)
        late = request.public_delay if request.HasField("public_delay") else None
        try:
            late = late and str(delay.parse(late))
        except delay.BadDelay as error:
            raise malformed("public_delay", message_of(error)) from None
        if request.event_id:
            usual = (await self._tournaments.state(request.event_id)).format.policy.delay
            people = of_event(request.event_id, usual if late is None else late)
            issued = await self._tokens.issue(people, who.subject)
            return pb.IssueTokensResponse(tokens=[granted(*one) for one in issued])
        listed = await self._matches.lanes.run(
            listing.find, self._matches.records, request.match_id
        )
        tokens = await self._servicer.grants(listed, late, by=who.subject)
        return pb.IssueTokensResponse(tokens=tokens)

    async def list_tokens(
        self, request: pb.ListTokensRequest, who: Identity
    ) -> pb.ListTokensResponse:
        chosen = _filter(request.filter, who)
        chosen = chosen if request.with_past else live(chosen)
        sent, token = await page_of(
            self._matches, self._pages, request, rows.lines, chosen, _issued
        )
        return pb.ListTokensResponse(tokens=sent, next_page_token=token)

    async def withdraw_tokens(
        self, request: pb.WithdrawTokensRequest, who: Identity
    ) -> pb.WithdrawTokensResponse:
        officials_only(who)
        if bool(request.ids) == request.HasField("filter"):
            raise malformed("ids", "must be named, or else a filter")
        if request.ids:
            chosen: Filter | list[str] = await self._named([*request.ids], who)
        else:
            chosen = _filter(request.filter, who)
            if chosen == Filter():
                raise malformed("filter", "must name something")
        revoked = await self._tokens.revoke(chosen, who.subject, but=who.id)
        return pb.WithdrawTokensResponse(revoked=revoked)

    async def _named(self, ids: list[str], who: Identity) -> list[str]:
        """Those ids, once it is clear that somebody may revoke all of them."""
        require_few(ids)
        if who.id in ids:
            text = "This is the token of the call itself; have somebody else revoke it."
            raise Fault(StatusCode.FAILED_PRECONDITION, "TOKEN_OWN", text)
        known = await self._matches.lanes.run(rows.named, self._matches.records, ids)
        places = {id_: (one.who.match, one.who.event) for id_, one in known.items()}
        require_known(who, ids, places, "TOKEN_UNKNOWN")
        return ids

    async def revoke_tokens(
        self, request: pb.RevokeTokensRequest, who: Identity
    ) -> pb.RevokeTokensResponse:
        organisers_only(who)
        token = await self._organiser(who.subject)
        log_event(logging.WARNING, "organisers' tokens revoked", by=who.subject)
        return pb.RevokeTokensResponse(token=token)


def _filter(asked: pb.TokenFilter, who: Identity) -> Filter:
    """Which tokens are asked for, by somebody who may ask for them."""
    require_scope(who, asked)
    seat = asked.seat if asked.HasField("seat") else None
    return Filter(asked.match_id, asked.event_id, asked.role, seat, asked.code_id)


def _issued(token: Issued) -> pb.IssuedToken:
    """A token that was issued, as a message."""
    who = token.who
    found = pb.IssuedToken(
        id=who.id,
        role=who.role,
        match_id=who.match,
        event_id=who.event,
        seat=who.seat if who.seat >= 0 else None,
        subject=who.subject,
        delay=who.delay,
        issued_by=token.issuer,
        code_id=token.code,
        revoked_by=token.revoker,
    )
    found.issue_time.FromMilliseconds(token.issued)
    found.expire_time.FromSeconds(who.expires)
    if token.revoked:
        found.revoke_time.FromMilliseconds(token.revoked)
    return found
