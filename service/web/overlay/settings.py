"""The page on which the address of an overlay is put together, with a preview.

It is for visitors with a token, and on an open site for everybody. What it offers to choose from is
what its visitor may see anyway: matches and events as the service lists them for him.
"""

from __future__ import annotations

from typing import Any

from kifu.v1 import match_service_pb2 as pb
from kifu.v1 import tournament_service_pb2 as events_pb
from starlette.requests import Request
from starlette.responses import Response

from domain.words.phrases import Phrase, phrase
from service.api.calls.errors import Fault
from service.web import answers, visitors
from service.web.overlay import asking, styling
from service.web.site import Site

#: Matches and events that are offered at most.
MOST = 50


async def settings(site: Site, policy: str, request: Request) -> Response:
    """The page."""
    language = visitors.language_of(request)
    authorized = visitors.authorization(request)
    if authorized is None and not site.look.open:
        raise visitors.not_signed_in()
    found = answers.page(
        "overlay/pages/settings.html",
        language,
        matches=await matches_of(site, request, authorized),
        events=await _asked(site, request, authorized, _EVENTS, "events"),
        match=request.query_params.get("match", ""),
        themes=styling.names(site.look.themes),
        theme=asking.THEME,
        elements=[(name, ELEMENTS[name], name in asking.USUAL) for name in asking.ELEMENTS],
        slots=[(name, SLOTS.get(name) or ELEMENTS[name]) for name in asking.SLOTS],
        places=[(name, PLACES[name]) for name in asking.PLACES],
    )
    found.headers["content-security-policy"] = policy
    return found


_MATCHES = pb.ListMatchesRequest(page_size=MOST)
_EVENTS = events_pb.ListTournamentsRequest(page_size=MOST)


async def matches_of(site: Site, request: Request, authorized: str | None) -> list[Any]:
    """The matches that a visitor may choose from."""
    return await _asked(site, request, authorized, _MATCHES, "matches")


async def _asked(
    site: Site, request: Request, authorized: str | None, message: Any, field: str
) -> list[Any]:
    """The choices for visitors with a token; none if they may list none."""
    if authorized is None:
        return []
    try:
        answer = await site.ask(message, visitors.sender(request, authorized))
    except Fault:
        return []
    return [*getattr(answer, field)]


#: What people call the elements, and the places.
ELEMENTS: dict[str, Phrase] = {
    "players": phrase("Players and their figures"),
    "score": phrase("Score"),
    "turn": phrase("Game, turn and step"),
    "clock": phrase("Clocks"),
    "last": phrase("The last act, with its card"),
    "chain": phrase("The chain, or what waits"),
    "announce": phrase("Announcements"),
    "next": phrase("The next round's pairing"),
    "banner": phrase("Banners: replay, judge called, time called"),
    "board": phrase("The board, small"),
}
SLOTS: dict[str, Phrase] = {
    "player-0": phrase("The first player"),
    "player-1": phrase("The second player"),
}
PLACES: dict[str, Phrase] = {
    "top-left": phrase("top left"),
    "top": phrase("top"),
    "top-right": phrase("top right"),
    "left": phrase("left"),
    "center": phrase("center"),
    "right": phrase("right"),
    "bottom-left": phrase("bottom left"),
    "bottom": phrase("bottom"),
    "bottom-right": phrase("bottom right"),
}
