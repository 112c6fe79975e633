"""The users of the hall of an event: its organisers, officials and scorekeepers.

An official of one match has the desk of that match (`service.web.desk`); players and the public
have the event's page (`service.web.events`).
"""

from __future__ import annotations

from starlette.requests import Request

from domain.tournament.state import State
from service.api.tournaments import rights
from service.identity import Identity
from service.web import visitors
from service.web.site import Site
from service.web.visitors import Visitor


async def insider(site: Site, request: Request, event: str) -> Visitor:
    """The user of the hall that asks; raises `Fault` or `BadToken` if he may not."""
    found = await visitors.of(site, request)
    rights.require(found.who, event, rights.ENTERING)
    return found


def enters(who: Identity, event: str) -> bool:
    """Whether the hall of an event is for somebody."""
    whole = who.role in rights.ENTERING and not who.match
    return whole and who.event in ("", event)


def runs(who: Identity) -> bool:
    """Whether an insider does all that is done there; a scorekeeper enters results, and calls."""
    return who.role in rights.OFFICIALS


async def event_of(site: Site, visitor: Visitor, event: str) -> tuple[State, int]:
    """The event as a visitor may see it, and what the service's clock shows."""
    return await site.event(event, visitor.sender), site.tournaments.clock()
