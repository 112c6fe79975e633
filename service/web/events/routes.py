"""The addresses of an event as everybody sees it: `/e/{event}`, its screen, its lists, its news."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from service.web import answers, visitors
from service.web.answers import with_faults
from service.web.events import lists, pages
from service.web.hall.insiders import event_of
from service.web.site import Site


def routes(site: Site) -> Sequence[BaseRoute]:
    """The routes of this part."""

    async def event(request: Request) -> Response:
        id_ = request.path_params["event"]
        visitor = await visitors.of_event(site, request, id_)
        state, now = await event_of(site, visitor, id_)
        if request.query_params.get("screen"):
            return pages.screen(state, now, visitor.sender.language, hall=False)
        return await pages.page(site, visitor, state, now)

    async def player(request: Request) -> Response:
        id_, number = request.path_params["event"], request.path_params["player"]
        visitor = await visitors.of_event(site, request, id_)
        s, _, handed = await lists.handed_in(site, visitor, id_, number)
        if not handed.parts:
            raise answers.NOTHING
        return answers.page("events/player.html", visitor.sender.language, s=s, handed=handed)

    async def follow(request: Request) -> Response:
        id_ = request.path_params["event"]
        visitor = await visitors.of_event(site, request, id_)
        await event_of(site, visitor, id_)
        return pages.followed(site, visitor, request)

    return [
        Route("/e/{event}", with_faults(event)),
        Route("/e/{event}/follow", with_faults(follow)),
        Route("/e/{event}/players/{player:number}", with_faults(player)),
    ]
