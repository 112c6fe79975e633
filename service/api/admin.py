"""Servicers of tokens and metrics (identity_service.proto, admin_service.proto)."""

from __future__ import annotations

import logging
from collections.abc import Callable

from kifu.v1 import admin_service_pb2, identity_service_pb2
from kifu.v1.values_pb2 import Label

from domain.words.phrases import message_of
from service.api.calls.errors import malformed, organisers_only
from service.api.matches import MatchServicer
from service.identity import Identity
from service.live.matches import Matches
from service.logs import log_event
from service.metrics import Metrics
from service.store import delay
from service.store.derived import listing


class IdentityServicer:
    """Answers `kifu.v1.IdentityService`."""

    def __init__(
        self, matches: Matches, servicer: MatchServicer, organiser: Callable[[], str]
    ) -> None:
        """`organiser` revokes the tokens of organisers, and gives the new one."""
        self._matches = matches
        self._servicer, self._organiser = servicer, organiser

    async def who_am_i(
        self, request: identity_service_pb2.WhoAmIRequest, who: Identity
    ) -> identity_service_pb2.WhoAmIResponse:
        found = identity_service_pb2.WhoAmIResponse(
            role=who.role, match_id=who.match, subject=who.subject, delay=who.delay
        )
        if who.seat >= 0:
            found.seat = who.seat
        found.expire_time.FromSeconds(who.expires)
        return found

    async def issue_tokens(
        self, request: identity_service_pb2.IssueTokensRequest, who: Identity
    ) -> identity_service_pb2.IssueTokensResponse:
        organisers_only(who)
        listed = await self._matches.lanes.run(
            listing.find, self._matches.records, request.match_id
        )
        late = request.public_delay if request.HasField("public_delay") else None
        try:
            late = late and str(delay.parse(late))
        except delay.BadDelay as error:
            raise malformed("public_delay", message_of(error)) from None
        return identity_service_pb2.IssueTokensResponse(tokens=self._servicer.grants(listed, late))

    async def revoke_tokens(
        self, request: identity_service_pb2.RevokeTokensRequest, who: Identity
    ) -> identity_service_pb2.RevokeTokensResponse:
        organisers_only(who)
        token = self._organiser()
        log_event(logging.WARNING, "organisers' tokens revoked", by=who.subject)
        return identity_service_pb2.RevokeTokensResponse(token=token)


class AdminServicer:
    """Answers `kifu.v1.AdminService`."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    async def get_metrics(
        self, request: admin_service_pb2.GetMetricsRequest, who: Identity
    ) -> admin_service_pb2.GetMetricsResponse:
        organisers_only(who)
        found = admin_service_pb2.GetMetricsResponse()
        for name, labels, value in self._metrics.all():
            pairs = [Label(name=key, value=text) for key, text in labels.items()]
            found.metrics.add(name=name, labels=pairs, value=value)
        return found
