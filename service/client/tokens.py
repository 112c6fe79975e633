"""Calls about tokens: who one is, new ones, those that were issued, and revoking them.

A filter names some of `match_id`, `event_id`, `role`, `seat` and `code_id`
(identity_service.proto, `TokenFilter`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from kifu.v1 import identity_service_pb2 as pb

from service.client.connection import Connection


class Tokens(Connection):
    """Calls of `kifu.v1.IdentityService`."""

    def who_am_i(self) -> pb.WhoAmIResponse:
        """Who the token says one is."""
        found: pb.WhoAmIResponse = self.call(self.identity.WhoAmI, pb.WhoAmIRequest())
        return found

    def list_tokens(self, *, past: bool = False, **which: Any) -> Iterator[pb.IssuedToken]:
        """The tokens that were issued and fit a filter, the newest first.

        `past`: also those that were revoked or have expired.
        """
        request = pb.ListTokensRequest(filter=pb.TokenFilter(**which), with_past=past)
        yield from self.pages(self.identity.ListTokens, request, "tokens")

    def withdraw_tokens(self, ids: Sequence[str] = (), **which: Any) -> int:
        """Make tokens worth nothing, by their ids or by a filter; how many were worth something."""
        asked = pb.TokenFilter(**which) if which else None
        request = pb.WithdrawTokensRequest(ids=ids, filter=asked)
        return int(self.call(self.identity.WithdrawTokens, request).revoked)

    def revoke_tokens(self) -> str:
        """Make every organiser's token worth nothing, this one included; the new one."""
        return str(self.call(self.identity.RevokeTokens, pb.RevokeTokensRequest()).token)
