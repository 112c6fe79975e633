"""Calls about short codes: issuing, exchanging, listing and revoking them (code_service.proto)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from kifu.v1 import code_service_pb2 as pb

from service.client.connection import Connection


class IssuedCodes(list[tuple[str, pb.IssuedCode]]):
    """New codes, and what is kept of each; `web`: where browsers are signed in by them."""

    web = ""


class Codes(Connection):
    """Calls of `kifu.v1.CodeService`. A filter names fields of `CodeFilter`."""

    def issue_codes(
        self,
        holders: Sequence[pb.CodeHolder],
        days: float = 0,
        *,
        replace: bool = False,
        once: bool = False,
    ) -> IssuedCodes:
        """A code for each of these, good for so many days (0: as long as tokens are).

        `replace`: codes that the same were issued before are revoked; `once`: each is used up by
        its first exchange.
        """
        request = pb.IssueCodesRequest(holders=holders, days=days, replace=replace, once=once)
        found = self.call(self.codes.IssueCodes, request)
        issued = IssuedCodes(zip(found.codes, found.issued, strict=True))
        issued.web = found.web
        return issued

    def exchange_code(self, code: str) -> pb.ExchangeCodeResponse:
        """The token for a code, and what it is for; needs no token."""
        found: pb.ExchangeCodeResponse
        found = self.call(self.codes.ExchangeCode, pb.ExchangeCodeRequest(code=code))
        return found

    def list_codes(self, *, past: bool = False, **which: Any) -> Iterator[pb.IssuedCode]:
        """The codes that were issued and fit a filter, the newest first, without themselves.

        `past`: also those that were revoked or have expired.
        """
        request = pb.ListCodesRequest(filter=pb.CodeFilter(**which), with_past=past)
        yield from self.pages(self.codes.ListCodes, request, "codes")

    def revoke_codes(
        self, ids: Sequence[str] = (), *, keep_tokens: bool = False, **which: Any
    ) -> tuple[int, int]:
        """Make codes worth nothing, by their ids or by a filter; how many, and how many tokens."""
        asked = pb.CodeFilter(**which) if which else None
        request = pb.RevokeCodesRequest(ids=ids, filter=asked, keep_tokens=keep_tokens)
        found = self.call(self.codes.RevokeCodes, request)
        return found.codes, found.tokens
