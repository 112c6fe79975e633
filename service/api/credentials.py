"""Whose business tokens and codes are: all are organisers', some the officials' of their place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from google.protobuf.message import Message
from grpc import StatusCode

from domain.words.phrases import phrase
from service.api.calls import pages
from service.api.calls.errors import Fault, forbidden, malformed
from service.api.calls.pages import Pages
from service.api.reading import own
from service.identity import Identity, Role
from service.live.matches import Matches
from service.store.records import Records
from service.store.tables.lists import Key


class Row(Protocol):
    """A row of a list."""

    @property
    def key(self) -> Key: ...


M = TypeVar("M", bound=Message)
T = TypeVar("T", bound=Row)
#: Ids that one request names at most.
IDS = 1000
#: So much of an unknown id is repeated.
_SHOWN = 40


class Scope(Protocol):
    """The place that a filter names."""

    match_id: str
    event_id: str
    role: str


def officials_only(who: Identity) -> None:
    """Raises `Fault` unless somebody is an official or an organiser."""
    if who.role not in (Role.ORGANISER, Role.OFFICIAL):
        raise forbidden("an official")


def require_scope(who: Identity, asked: Scope) -> None:
    """Raises `Fault` unless somebody may ask for what a filter means, and it makes sense."""
    officials_only(who)
    if who.role != Role.ORGANISER and not asked.event_id:
        own(who, asked.match_id)
    elif who.role != Role.ORGANISER and asked.event_id != who.event:
        text = "The token is for another event."
        raise Fault(StatusCode.PERMISSION_DENIED, "EVENT_FOREIGN", text)
    if asked.role and asked.role not in {*Role}:
        raise malformed("filter.role", "is no role")


def concerns(who: Identity, match: str, event: str) -> bool:
    """Whether something of a match or an event is an official's to see; else it is not."""
    if who.role == Role.ORGANISER:
        return True
    return who.may_see(match) if match else bool(event) and event == who.event


async def page_of(
    matches: Matches,
    marks: Pages,
    request: Any,
    lines: Callable[[Records, Any, Key | None, int], Sequence[T]],
    chosen: Any,
    message: Callable[[T], M],
) -> tuple[list[M], str]:
    """A page of what a filter means, the newest first, and the token of the next."""
    asked = request.filter.SerializeToString(deterministic=True)
    scope = (request.DESCRIPTOR.name, asked, request.with_past)
    upto = marks.read(request.page_token, scope, tuple[int, str])
    size = pages.size(request.page_size, 100, 1000)
    found = await matches.lanes.run(lines, matches.records, chosen, upto, size + 1)
    return marks.page(scope, found, size, message, lambda one: one.key)


def require_few(ids: Sequence[str]) -> None:
    """Raises `Fault` if these are more ids than one request may name."""
    if len(ids) > IDS:
        raise malformed("ids", phrase("must be at most {most}", most=IDS))


def require_known(
    who: Identity, ids: Sequence[str], found: Mapping[str, tuple[str, str]], reason: str
) -> None:
    """Raises `Fault` with a reason unless all these are somebody's business.

    `found` has the match and the event of those that there are. He can't distinguish a missing one
    from one that he may not see.
    """
    for id_ in ids:
        if id_ not in found or not concerns(who, *found[id_]):
            text = phrase("There is nothing with the id {id}.", id=id_[:_SHOWN])
            raise Fault(StatusCode.NOT_FOUND, reason, text)
