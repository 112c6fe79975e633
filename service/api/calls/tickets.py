"""Tickets: a request id with a digest of the request's contents, as kept in the record.

An id that is used again with other contents is refused, so the digest is kept beside it; it tells
nothing to anybody who does not know the id.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any, NamedTuple

from grpc import StatusCode

from service.api.calls.errors import Fault

#: Fields of a request that its digest leaves out.
_IGNORED = ("request_id", "with_offers")


class Ticket(NamedTuple):
    """The id of a request and a digest of its contents; both empty: the command has none."""

    name: str = ""
    digest: str = ""

    def __str__(self) -> str:
        return f"{self.name}#{self.digest}" if self.digest else self.name

    def __bool__(self) -> bool:
        return bool(self.name)

    def hashed(self) -> Ticket:
        """The ticket with both parts hashed, for entries that everybody can read."""
        if not self:
            return self
        return Ticket(_digest(self.name), _digest(f"{self.name}\n{self.digest}"))

    def repeats(self, kept: str | None) -> bool:
        """Whether a recorded ticket is this one; `Fault` if only the id is the same."""
        was = parsed(kept or "")
        if not self or was.name != self.name:
            return False
        if was.digest not in ("", self.digest):
            text = "This request_id was used before, with other contents: take another one."
            raise Fault(StatusCode.ALREADY_EXISTS, "REQUEST_ID_REUSED", text)
        return True


def of(request: Any, name: str) -> Ticket:
    """The ticket of a request that is named so."""
    if not name:
        return Ticket()
    bare = type(request)()
    bare.CopyFrom(request)
    for field in _IGNORED:
        if field in request.DESCRIPTOR.fields_by_name:
            bare.ClearField(field)
    contents = bare.SerializeToString(deterministic=True)
    return Ticket(name, _digest(f"{request.DESCRIPTOR.name}\n{name}\n", contents))


def parsed(kept: str) -> Ticket:
    """A ticket as it is kept."""
    name, mark, digest = kept.rpartition("#")
    good = mark and len(digest) == 16 and not set(digest) - set("0123456789abcdef")
    return Ticket(name, digest) if good else Ticket(kept)


def _digest(text: str, more: bytes = b"") -> str:
    return sha256(text.encode() + more).hexdigest()[:16]
