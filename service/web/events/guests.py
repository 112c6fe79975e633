"""The visitor of an event's page: the holder of a token of it, or the public.

A visitor with a token of another event, or none, is the public where the site is open, with the
delay of the event's policy.
"""

from __future__ import annotations

from starlette.requests import Request

from domain.tournament.state import place_of
from service.identity import Identity, Role
from service.store.tables.tournaments import NoSuchTournament
from service.web import visitors
from service.web.site import Site
from service.web.visitors import Visitor


async def guest(site: Site, request: Request, event: str) -> Visitor:
    """The visitor; raises `BadToken` if a token is needed, `NoSuchTournament`."""
    authorized = visitors.authorization(request)
    if authorized is not None:
        sender = visitors.sender(request, authorized)
        who = site.keys.check(sender.token)
        if _of(who, event):
            return Visitor(who, sender, True)
        if not site.look.open:
            raise NoSuchTournament(event)
    if not site.look.open:
        return await visitors.of(site, request)
    token, who = await site.spectators.event_token(event)
    return Visitor(who, visitors.sender(request, f"Bearer {token}"), False)


def _of(who: Identity, event: str) -> bool:
    """Whether a token is of an event, or of a match of it."""
    place = place_of(who.match)
    return who.role == Role.ORGANISER or who.event == event or bool(place and place[0] == event)
