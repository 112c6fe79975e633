"""Calls for a judge to the table of a match, as its pages and overlays show them.

They belong to the event (`domain.tournament`), and are for those at the table, who enter matches,
and officials: the public learns of none, also not whether its match could have any.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from domain.tournament.state import place_of
from domain.words.phrases import Phrase, phrase
from service.identity import Role
from service.web import answers, visitors
from service.web.positions.feed import Feed
from service.web.site import Site

#: What is shown of a call that waits, and of one that an official has taken.
WAITS = phrase("A judge is called.")
TAKEN = phrase("A judge is on the way.")


def may_know(site: Site, request: Request, match: str) -> bool:
    """Whether a visitor may know of calls to the table of a match."""
    found = visitors.signed_in(site, request)
    if found is None or place_of(match) is None or not found.who.may_see(match):
        return False
    return found.who.role != Role.PUBLIC


async def called(site: Site, request: Request, match: str) -> Phrase | None:
    """What is shown of the calls to a match's table; None: there are none that he may know of."""
    found, place = visitors.signed_in(site, request), place_of(match)
    if found is None or place is None or not may_know(site, request, match):
        return None
    event, round_, table = place
    state = await site.event(event, found.sender)
    waiting = [
        one
        for one in state.calls.values()
        if not one.answered and (one.round, one.table) == (round_, table)
    ]
    if not waiting:
        return None
    return TAKEN if all(one.taken for one in waiting) else WAITS


async def calls(feed: Feed, request: Request) -> Response:
    """`/m/{match}/called.json`: what is shown of the calls, for the script of a match's page."""
    sight = await feed.sights.of(request)
    await feed.sights.released(sight)
    found = await called(feed.site, request, sight.match)
    text = visitors.language_of(request).say(found) if found else ""
    return answers.data({"called": text})
