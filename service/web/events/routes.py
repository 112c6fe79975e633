"""The addresses of an event as everybody sees it: `/e/{event}`, its screen, its lists, its news.

A player's own page there is in `own`.
"""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from domain.tournament.acts import checks
from service.api.tournaments import rights
from service.web import answers, visitors
from service.web.answers import with_faults
from service.web.events import lists, own, pages, shared
from service.web.hall.insiders import event_of
from service.web.site import Site


def routes(site: Site) -> Sequence[BaseRoute]:
    """The routes of this part."""
    made_pages = shared.Shared()

    async def event(request: Request) -> Response:
        id_ = request.path_params["event"]
        visitor = await visitors.of_event(site, request, id_)
        if request.query_params.get("screen"):
            state, now = await event_of(site, visitor, id_)
            return pages.screen(state, now, visitor.sender.language, hall=False)

        async def made() -> str:
            return await pages.page(site, visitor, id_)

        who, language = visitor.who, visitor.sender.language
        last = (await site.tournaments.state(id_)).seq
        text = await made_pages.get((id_, last, language.tag, who.delay), made)
        wanted, own = request.query_params.get("name", "")[: checks.NAME].strip(), ""
        if visitor.signed_in:
            s = await site.event(id_, visitor.sender)
            own = pages.own_list(s, rights.viewer(who, s).player, language)
        text = shared.filled(text, site.tournaments.clock(), wanted, own)
        return answers.answer(text.encode(), "text/html; charset=utf-8")

    async def player(request: Request) -> Response:
        id_, number = request.path_params["event"], request.path_params["player"]
        visitor = await visitors.of_event(site, request, id_)
        s, _, handed = await lists.handed_in(site, visitor, id_, number)
        if not handed.parts:
            raise answers.NOTHING
        return answers.page("events/player.html", visitor.sender.language, s=s, handed=handed)

    async def results(request: Request) -> Response:
        id_, number = request.path_params["event"], request.path_params["player"]
        visitor = await visitors.of_event(site, request, id_)
        s, _ = await event_of(site, visitor, id_)
        if number not in s.players:
            raise answers.NOTHING
        return answers.page(
            "events/played.html", visitor.sender.language, s=s, player=s.players[number],
            lines=pages.results_of(s, number),
        )  # fmt: skip

    async def follow(request: Request) -> Response:
        id_ = request.path_params["event"]
        visitor = await visitors.of_event(site, request, id_)
        await event_of(site, visitor, id_)
        return pages.followed(site, visitor, request)

    return [
        Route("/e/{event}", with_faults(event)),
        *own.routes(site),
        Route("/e/{event}/follow", with_faults(follow)),
        Route("/e/{event}/players/{player:number}", with_faults(player)),
        Route("/e/{event}/results/{player:number}", with_faults(results)),
    ]
