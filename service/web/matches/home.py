"""The home page: joining by a code, finding matches and events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from domain.words.phrases import Phrase, phrase
from service.identity import BadToken, Identity, Role
from service.web import answers, visitors
from service.web.matches.listing import STATES, Lists, Page, Wanted
from service.web.matches.rows import row
from service.web.site import Site
from service.web.visitors import Visitor

#: Letters of a search that are looked for.
LETTERS = 80
#: What states are called in the form.
LABELS = {"live": phrase("live"), "waiting": phrase("waiting"), "ended": phrase("ended")}


class Link(NamedTuple):
    """Where something is that is a visitor's own."""

    address: str
    text: Phrase


class Home:
    """The home page of a site."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._lists = Lists(site)

    async def page(self, request: Request) -> Response:
        """The page, or the list of matches alone (`part=list`), for a page that is open."""
        visitor, ended = self._visitor(request)
        wanted, language = _wanted(request.query_params), visitors.language_of(request)
        shown = visitor.signed_in or self._site.look.open
        found = await self._lists.matches(visitor, wanted) if shown else Page([], "")
        events = await self._lists.events(visitor) if shown else []
        titles = {
            name: self._site.book(name, language).manifest.called for name in self._site.rulebooks
        }
        part = request.query_params.get("part") == "list"
        return answers.page(
            "matches/list.html" if part else "matches/home.html",
            language,
            who=visitor.who if visitor.signed_in else None,
            ended=ended,
            shown=shown,
            own=_own(visitor.who) if visitor.signed_in else [],
            event_role=visitor.signed_in and visitor.who.role in _HALL,
            wanted=wanted,
            searching=bool(wanted.text or wanted.game or wanted.state or wanted.event),
            games=titles,
            states=LABELS,
            events=events,
            rows=[row(one, titles.get(one.game, one.game)) for one in found.matches],
            live=any(one.state != STATES["ended"] for one in found.matches),
            more=_address(request, page=found.more) if found.more else "",
            first=_address(request, page="") if wanted.page else "",
        )

    def _visitor(self, request: Request) -> tuple[Visitor, bool]:
        """The visitor, and whether his session is over: then he is anybody."""
        try:
            found, over = visitors.signed_in(self._site, request), False
        except BadToken:
            found, over = None, True
        anybody = Visitor(Identity(Role.PUBLIC, "anybody"), visitors.sender(request, None), False)
        return found or anybody, over


#: Those who have a hall or a desk.
_HALL = (Role.ORGANISER, Role.OFFICIAL, Role.SCOREKEEPER)


def _own(who: Identity) -> list[Link]:
    """The pages that are a visitor's own."""
    if who.event:
        if who.role in _HALL:
            return [Link(f"/hall/{who.event}", phrase("The hall"))]
        return [Link(f"/e/{who.event}", phrase("The event"))]
    if not who.match:
        return [Link("/hall", phrase("The halls of all events"))]
    found = [Link(f"/m/{who.match}", phrase("The match"))]
    if who.role == Role.SEAT:
        found.insert(0, Link(f"/seat/{who.match}", phrase("Your seat")))
    elif who.role == Role.SCOREKEEPER:
        found.insert(0, Link(f"/table/{who.match}", phrase("Enter the match")))
    elif who.role == Role.OFFICIAL:
        found.insert(0, Link(f"/desk/{who.match}", phrase("The desk of the match")))
    return found


def _wanted(asked: Mapping[str, str]) -> Wanted:
    """Which matches an address asks for; what it can't mean asks for all. Raises `Fault`."""
    state = asked.get("state", "")
    return Wanted(
        game=asked.get("game", "")[:LETTERS],
        state=state if state in STATES else "",
        event=asked.get("event", "")[:LETTERS],
        text=asked.get("q", "")[:LETTERS].strip(),
        page=asked.get("page", "")[:400],
    )


def _address(request: Request, **changed: str) -> str:
    """The address of the same list, at another page."""
    asked: dict[str, Any] = {**request.query_params, **changed}
    asked.pop("part", None)
    kept = {name: value for name, value in asked.items() if value}
    return f"/?{urlencode(kept)}" if kept else "/"
