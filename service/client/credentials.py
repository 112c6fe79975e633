"""Calls about who gets in: tokens and short codes, issued, listed, revoked, exchanged.

A filter names fields of `TokenFilter` (identity_service.proto: `match_id`, `event_id`, `role`,
`seat`, `code_id`) or `CodeFilter` (code_service.proto).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from kifu.v1 import code_service_pb2 as codes
from kifu.v1 import identity_service_pb2 as identity

from service.client.connection import Connection


class IssuedCodes(list[tuple[str, codes.IssuedCode]]):
    """New codes, and what is kept of each; `web`: where browsers are signed in by them."""

    web = ""


class Credentials(Connection):
    """Calls of `kifu.v1.IdentityService` and `kifu.v1.CodeService`."""

    def who_am_i(self) -> identity.WhoAmIResponse:
        """The identity in the token."""
        found: identity.WhoAmIResponse = self.call(self.identity.WhoAmI, identity.WhoAmIRequest())
        return found

    def list_tokens(self, *, past: bool = False, **which: Any) -> Iterator[identity.IssuedToken]:
        """The tokens that were issued and fit a filter, the newest first.

        `past`: also those that were revoked or have expired.
        """
        request = identity.ListTokensRequest(filter=identity.TokenFilter(**which), with_past=past)
        yield from self.pages(self.identity.ListTokens, request, "tokens")

    def withdraw_tokens(self, ids: Sequence[str] = (), **which: Any) -> int:
        """Revoke tokens, by their ids or by a filter; returns how many were valid."""
        asked = identity.TokenFilter(**which) if which else None
        request = identity.WithdrawTokensRequest(ids=ids, filter=asked)
        return int(self.call(self.identity.WithdrawTokens, request).revoked)

    def revoke_tokens(self) -> str:
        """Revoke every organiser's token, this one included; returns the new one."""
        return str(self.call(self.identity.RevokeTokens, identity.RevokeTokensRequest()).token)

    def issue_codes(
        self,
        holders: Sequence[codes.CodeHolder],
        days: float = 0,
        *,
        replace: bool = False,
        once: bool = False,
    ) -> IssuedCodes:
        """A code for each of these, good for so many days (0: as long as tokens are).

        `replace`: codes that the same were issued before are revoked; `once`: each is used up by
        its first exchange.
        """
        request = codes.IssueCodesRequest(holders=holders, days=days, replace=replace, once=once)
        found = self.call(self.codes.IssueCodes, request)
        issued = IssuedCodes(zip(found.codes, found.issued, strict=True))
        issued.web = found.web
        return issued

    def exchange_code(self, code: str) -> codes.ExchangeCodeResponse:
        """The token for a code, and what it is for; needs no token."""
        found: codes.ExchangeCodeResponse
        found = self.call(self.codes.ExchangeCode, codes.ExchangeCodeRequest(code=code))
        return found

    def list_codes(self, *, past: bool = False, **which: Any) -> Iterator[codes.IssuedCode]:
        """The codes that were issued and fit a filter, the newest first, without themselves.

        `past`: also those that were revoked or have expired.
        """
        request = codes.ListCodesRequest(filter=codes.CodeFilter(**which), with_past=past)
        yield from self.pages(self.codes.ListCodes, request, "codes")

    def revoke_codes(
        self, ids: Sequence[str] = (), *, keep_tokens: bool = False, **which: Any
    ) -> tuple[int, int]:
        """Revoke codes, by their ids or by a filter; returns how many, and how many tokens."""
        asked = codes.CodeFilter(**which) if which else None
        request = codes.RevokeCodesRequest(ids=ids, filter=asked, keep_tokens=keep_tokens)
        found = self.call(self.codes.RevokeCodes, request)
        return found.codes, found.tokens
