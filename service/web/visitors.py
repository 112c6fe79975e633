"""The visitor: the holder of the request's token, or a spectator without one.

A program sends `authorization: Bearer …`; a browser that signed in (`entrance`) sends a cookie that
holds the same token and that no script can read. The cookie alone is no proof that the visitor
meant it: what changes something must come from a page of ours (`is_own`), and no other site's page
reads anything by it (`is_foreign`). Where the site is open (`Look.open`), everybody else is the
public of the match, as late as its policy says.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response

from domain.tournament.state import place_of
from domain.words.tables import Language, language
from service.api.calls.guard import Sender
from service.identity import BadToken, Identity, Role
from service.store.tables.tournaments import NoSuchTournament
from service.web.site import Site

#: The cookie that holds the token of a visitor who signed in; over TLS its name begins with `HOST`,
#: so that browsers take it from this very host alone, never from a neighbour or without TLS.
COOKIE, HOST = "kifu", "__Host-"
#: That with the code which gives another token in the next round.
CODE = "kifu-code"
#: That with the session of an organiser while his browser has a seat (`play`).
BEFORE = "kifu-before"
#: That with the language that was chosen for pages.
SPOKEN = "kifu-lang"
#: Addresses at which everybody gets the same: what of a match may be kept, and overlays.
_SAME_FOR_ALL = re.compile(r"/m/[^/]+/|/overlay/(?!remote$)")


class Visitor(NamedTuple):
    """The visitor, and the call that is made for him; `signed_in`: he has a token of his own."""

    who: Identity
    sender: Sender
    signed_in: bool


def cookie_name(request: Request, name: str = COOKIE) -> str:
    """The name of a cookie for the way that a request came."""
    return HOST + name if request.url.scheme == "https" else name


def authorization(request: Request) -> str | None:
    """The token that a request brings, as a header has it; None: none.

    A cookie counts for what only reads, unless the page of another site asks, and for what a page
    of ours sends.
    """
    header = request.headers.get("authorization")
    if header is not None:
        return header
    cookie = request.cookies.get(cookie_name(request))
    reads = request.method in ("GET", "HEAD")
    if cookie and (not is_foreign(request) if reads else is_own(request)):
        return f"Bearer {cookie}"
    return None


def keep(response: Response, request: Request, name: str, value: str, lasts: int) -> None:
    """Have a browser keep something in a cookie for so many seconds; 0: forget it."""
    response.set_cookie(
        cookie_name(request, name),
        value,
        max_age=lasts,
        path="/",
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="lax",
    )


def forget(response: Response, request: Request) -> None:
    """Have a browser forget who it was."""
    for name in (COOKIE, CODE, BEFORE):
        keep(response, request, name, "", 0)


def is_own(request: Request) -> bool:
    """Whether a request was sent by a page of this site, as far as browsers report it.

    They all send `Origin` with what changes something, and the newer ones `Sec-Fetch-Site`.
    """
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    try:
        origin = urlsplit(request.headers.get("origin", ""))
    except ValueError:
        return False
    own = bool(origin.netloc) and origin.netloc == request.headers.get("host", "")
    return own and (origin.scheme == "https" or request.url.scheme == "http")


def is_foreign(request: Request) -> bool:
    """Whether the page of another site asks for something, which is no link that is followed."""
    headers = request.headers
    if headers.get("sec-fetch-site", "none") in ("same-origin", "none"):
        return False
    followed = headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest")
    return followed != ("navigate", "document")


def connection(request: Request) -> str:
    """Where a request came from, as gRPC writes it."""
    client = request.client
    if client is None:
        return "unknown"
    if ":" in client.host:
        return f"ipv6:[{client.host}]:{client.port}"
    return f"ipv4:{client.host}:{client.port}"


def language_of(request: Request) -> Language:
    """The language of an answer: that of its address (`?lang=`), else what its reader chose.

    That is the one of his cookie, or what his browser asks for. At an address that is the same for
    all it is English.
    """
    asked = request.query_params.get("lang", "")
    if asked or by_address(request):
        return language(asked)
    chosen = request.cookies.get(cookie_name(request, SPOKEN), "")
    return language(", ".join(filter(None, (chosen, request.headers.get("accept-language")))))


def by_address(request: Request) -> bool:
    """Whether the language of an answer depends on its address alone."""
    asked = request.query_params.get("lang", "")
    return bool(asked or _SAME_FOR_ALL.match(request.url.path))


def sender(request: Request, authorized: str | None) -> Sender:
    """The sender of a request, with this authorization, in the language of its answer."""
    return Sender(authorized, connection(request), language_of(request))


def signed_in(site: Site, request: Request) -> Visitor | None:
    """The holder of the token that a request brings; None: it brings none. Raises `BadToken`."""
    authorized = authorization(request)
    if authorized is None:
        return None
    found = sender(request, authorized)
    return Visitor(site.keys.check(found.token), found, True)


def not_signed_in() -> BadToken:
    """What is raised where a token is needed and none was brought."""
    return BadToken("TOKEN_MISSING", "Sign in with your code first.")


async def of(site: Site, request: Request, match: str = "") -> Visitor:
    """The visitor that asks for something of a match; raises `BadToken` if that needs a token."""
    found = signed_in(site, request)
    if found is not None:
        return found
    if not (site.look.open and match):
        raise not_signed_in()
    return _spectator(request, await site.spectators.token(match))


async def of_event(site: Site, request: Request, event: str) -> Visitor:
    """The visitor of an event's page: the holder of a token of it, or of one of its matches.

    One with a token of another event, or none, is the public where the site is open, with the delay
    of the event's policy. Raises `BadToken` if a token is needed, `NoSuchTournament`.
    """
    found = signed_in(site, request)
    if found is not None and _concerns(found.who, event):
        return found
    if not site.look.open:
        raise not_signed_in() if found is None else NoSuchTournament(event)
    return _spectator(request, await site.spectators.event_token(event))


def _concerns(who: Identity, event: str) -> bool:
    """Whether a token is of an event, or of a match of it."""
    place = place_of(who.match)
    return who.role == Role.ORGANISER or who.event == event or bool(place and place[0] == event)


def _spectator(request: Request, issued: tuple[str, Identity]) -> Visitor:
    token, who = issued
    return Visitor(who, sender(request, f"Bearer {token}"), False)
