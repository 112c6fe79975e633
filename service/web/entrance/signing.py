"""Signing in: codes, keys and tokens, the cookie, and the page to go to.

A short code is exchanged as by any other client, with the same limits and refusals (`Codes`). A
one-use key (`service.credentials.entrance`) and a token are taken as well. The browser keeps the
token in a cookie that no script reads; of a player or a table of an event also the code, by which
the next round is had, and no longer than the session.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from grpc import StatusCode
from kifu.v1 import code_service_pb2 as pb
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from domain.words.phrases import phrase
from service.api.calls.errors import Fault, malformed
from service.credentials import entrance, spelling
from service.identity import Identity, Role
from service.web.bodies import body_of
from service.web.site import Site
from service.web.visitors import CODE, COOKIE, cookie_name, is_own, keep, sender

#: Addresses of this site to which somebody may be led on.
_OWN = re.compile(r"/(?:[\w.-]+/)*[\w.-]*(?:\?[\w.=&-]*)?", re.ASCII)


#: A player's page of an event.
_OWN_PAGE = re.compile(r"/e/[\w.-]+/me", re.ASCII)
#: The most bytes of a form, a token and an address; and the most fields.
MOST, FIELDS = 8192, 8
_KIND = "application/x-www-form-urlencoded"


class Session(Struct, frozen=True):
    """A session: its token, its code if that will give more, and where it leads."""

    token: str
    who: Identity
    code: str
    home: str


async def enter(site: Site, brought: str, request: Request, to: str, kept: bool) -> Session:
    """The session for what somebody brings, to go to an address; raises `Fault` or `BadToken`.

    A player who goes to his page of the event gets in there, and so does one who has no match yet,
    unless he asks for one by a code that was `kept`.
    """
    text = spelling.in_link(brought) or brought
    if text.count(".") == 2:
        who = site.keys.check(text)
        return Session(text, who, "", home(who))
    if len(text) == entrance.SIZE:
        found = await site.entrance.enter(text)
        if found is None:
            used = phrase("This link was used already, or is too old.")
            raise Fault(StatusCode.UNAUTHENTICATED, "CODE_INVALID", used)
        return Session(*found, "", home(found[1]))
    answer = await _exchanged(site, text, request, bool(_OWN_PAGE.fullmatch(to)), kept)
    who = site.keys.check(answer.token)
    to_repeat = bool(answer.event_id and (answer.match_id or who.player))
    return Session(answer.token, who, text if to_repeat else "", home(who))


async def _exchanged(site: Site, code: str, request: Request, at_event: bool, kept: bool) -> Any:
    """The answer for a code."""
    asked = pb.ExchangeCodeRequest(code=code, at_event=at_event)
    try:
        return await site.ask(asked, sender(request, None))
    except Fault as error:
        if error.reason != "NO_MATCH_YET" or at_event or kept:
            raise
        try:
            asked = pb.ExchangeCodeRequest(code=code, at_event=True)
            return await site.ask(asked, sender(request, None))
        except Fault:  # it is no player's
            raise error from None


async def form_of(request: Request, most: int = MOST) -> Mapping[str, str]:
    """The fields of a form, which are few, and of so many bytes at most; raises `Fault`.

    One that another site's page has its visitor send is refused, whatever cookies he has: also
    where he would only be signed in as somebody else.
    """
    if not is_own(request):
        text = phrase("This was not sent by a page of this site.")
        raise Fault(StatusCode.PERMISSION_DENIED, "ORIGIN_FOREIGN", text)
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _KIND:
        raise malformed("content-type", phrase("must be {kind}", kind=_KIND))
    body = await body_of(request, most)
    try:
        fields = parse_qsl(body.decode("ascii"), keep_blank_values=True, max_num_fields=FIELDS)
    except ValueError:
        raise malformed("form", phrase("can't be read")) from None
    return dict(fields)


def home(who: Identity) -> str:
    """Where somebody belongs."""
    match who.role:
        case Role.SEAT:
            return f"/seat/{who.match}"
        case Role.SCOREKEEPER if who.match:
            return f"/table/{who.match}"
        case Role.OFFICIAL if who.match:
            return f"/desk/{who.match}"
        case Role.OFFICIAL | Role.SCOREKEEPER:
            return f"/hall/{who.event}"
        case Role.PUBLIC if who.player:
            return f"/e/{who.event}/me"
        case Role.PUBLIC if who.match:
            return f"/m/{who.match}"
        case Role.ORGANISER:
            return "/hall"
    return "/"


def own_address(text: str) -> str:
    """An address to go to, if it is one of this site; else empty."""
    return text if _OWN.fullmatch(text) else ""


def page_before(request: Request) -> str:
    """The page of this site that a form was sent from, in no language of its own."""
    try:
        came = urlsplit(request.headers.get("referer", ""))
    except ValueError:
        return "/"
    asked = [one for one in parse_qsl(came.query) if one[0] != "lang"]
    whole = f"{came.path}?{urlencode(asked)}" if asked else came.path
    return whole if _OWN.fullmatch(came.path) else "/"


def kept_code(request: Request) -> str:
    """The code that a browser has kept; empty: none."""
    return request.cookies.get(cookie_name(request, CODE), "")


def set_cookies(response: Response, request: Request, session: Session) -> None:
    """Have a browser keep a session, until its token expires."""
    lasts = max(0, session.who.expires - int(time.time()))
    keep(response, request, COOKIE, session.token, lasts)
    keep(response, request, CODE, session.code, lasts if session.code else 0)
