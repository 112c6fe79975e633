"""Tickets: a request id with a digest of the request's contents, as kept in the record.

An id that is used again with other contents is refused, so the digest is kept beside it; it tells
nothing to anybody who does not know the id. Records of earlier versions have the id alone.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any, NamedTuple

from grpc import StatusCode

from service.api.calls.errors import Fault

#: What of a request is no part of what it says.
_ASIDE = ("request_id", "with_offers")


class Ticket(NamedTuple):
    """A name, and a digest of what was said by it; both empty: the command has none."""

    name: str = ""
    said: str = ""

    def __str__(self) -> str:
        return f"{self.name}#{self.said}" if self.said else self.name

    def __bool__(self) -> bool:
        return bool(self.name)

    def veiled(self) -> Ticket:
        """Such as can be read by all: it tells neither the name nor what was said."""
        if not self:
            return self
        return Ticket(_digest(self.name), _digest(f"{self.name}\n{self.said}"))

    def repeats(self, kept: str | None) -> bool:
        """Whether this is what is kept of a command; raises `Fault` if that said something else."""
        was = parsed(kept or "")
        if not self or was.name != self.name:
            return False
        if was.said not in ("", self.said):
            text = "This request_id was used before, with other contents: take another one."
            raise Fault(StatusCode.ALREADY_EXISTS, "REQUEST_ID_REUSED", text)
        return True


def of(request: Any, name: str) -> Ticket:
    """The ticket of a request that is named so."""
    if not name:
        return Ticket()
    bare = type(request)()
    bare.CopyFrom(request)
    for field in _ASIDE:
        if field in request.DESCRIPTOR.fields_by_name:
            bare.ClearField(field)
    said = bare.SerializeToString(deterministic=True)
    return Ticket(name, _digest(f"{request.DESCRIPTOR.name}\n{name}\n", said))


def parsed(kept: str) -> Ticket:
    """A ticket as it is kept."""
    name, mark, said = kept.rpartition("#")
    digest = mark and len(said) == 16 and not set(said) - set("0123456789abcdef")
    return Ticket(name, said) if digest else Ticket(kept)


def _digest(text: str, more: bytes = b"") -> str:
    return sha256(text.encode() + more).hexdigest()[:16]
