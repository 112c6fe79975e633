"""The routes of this part.

The page itself contains nothing of a match: its script asks for scenes, which never change, and
gets new entries by the match's stream. So a page can be opened before there is anything to see. A
page that has a code asks with `?signed`: once its session is over it is refused, and never answered
as the public, who may be ahead of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from service.web import answers, visitors
from service.web.answers import NOTHING, Endpoint, with_faults
from service.web.overlay import asking, styling
from service.web.overlay.remote import Remote
from service.web.overlay.seen import Seen
from service.web.overlay.settings import settings
from service.web.overlay.tables import Tables
from service.web.positions.feed import Feed
from service.web.site import Site

#: What a page of this part may load, and that pages of this site may frame it (the preview).
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " font-src 'self' data:; connect-src 'self'; frame-src 'self'; base-uri 'none';"
    " form-action 'self'; frame-ancestors 'self'"
)


def routes(feed: Feed) -> Sequence[BaseRoute]:
    """The routes of this part."""
    site, seen = feed.site, Seen(feed)
    tables, remote = Tables(site), Remote(feed, POLICY)
    found: dict[str, Endpoint] = {
        "/overlay": partial(settings, site, POLICY),
        "/overlay/remote": remote.page,
        "/overlay/table/{table:number}": _page,
        "/overlay/table/{table:number}/now.json": partial(_table, tables),
        "/overlay/{match}": _page,
        "/themes/{name}.css": partial(_theme, site),
    }
    for view in ("", "/as/{view}"):
        found |= {
            f"/overlay/{{match}}{view}/now.json": seen.now,
            f"/overlay/{{match}}{view}/remote.json": remote.shown,
            f"/overlay/{{match}}{view}/at/{{seq:number}}": seen.scene,
            f"/overlay/{{match}}{view}/announced/{{after:number}}-{{upto:number}}": seen.announced,
        }
    return [
        Route("/overlay/{match}/remote.json", with_faults(remote.step), methods=["POST"]),
        *(
            Route(path, with_faults(partial(_signed, endpoint)), methods=["GET"])
            for path, endpoint in found.items()
        ),
    ]


async def _signed(endpoint: Endpoint, request: Request) -> Response:
    """Answer, but nobody who has no session where one is asked for; raises `BadToken`."""
    if "signed" in request.query_params and visitors.authorization(request) is None:
        raise visitors.not_signed_in()
    return await endpoint(request)


async def _page(request: Request) -> Response:
    """The overlay of a match, or of a table."""
    asked = request.query_params
    wish, language = asking.read(asked), visitors.language_of(request)
    found = answers.page(
        "overlay/pages/overlay.html",
        language,
        wish=wish,
        match=request.path_params.get("match", ""),
        table=request.path_params.get("table", 0),
        event=asked.get("event", ""),
        view=asked.get("as", ""),
        asked_lang=asked.get("lang", ""),
    )
    found.headers["content-security-policy"] = POLICY
    return found


async def _table(tables: Tables, request: Request) -> Response:
    """Which match a table has, and who plays there next."""
    event = request.query_params.get("event", "")
    found, public = await tables.now(request, request.path_params["table"], event)
    language = visitors.language_of(request)
    html = answers.rendered("overlay/pages/next.html", language, now=found)
    keep = "public, max-age=1" if public and event else answers.NOT_KEPT
    value = {"event": found.event, "round": found.round, "match": found.match, "html": html}
    return answers.data(value, keep=keep)


async def _theme(site: Site, request: Request) -> Response:
    found = styling.theme(request.path_params["name"], site.look.themes)
    if found is None:
        return answers.fault(NOTHING, request)
    return answers.answer(found, "text/css; charset=utf-8")
