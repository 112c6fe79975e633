"""The routes of this part: the page, and the fragments that it fetches."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from domain.tournament.state import place_of
from service.web import answers
from service.web.answers import with_faults
from service.web.bodies import body_of
from service.web.seats import asked, building, naming, refusals, seated
from service.web.seats.seated import Seated
from service.web.site import Site
from service.web.views import name_of

#: No question of a page is longer: picks of a deck's cards, or a declared text.
BODY = 32 * 1024


def routes(site: Site) -> Sequence[BaseRoute]:
    """The routes of this part."""
    here = Seats(site)
    return (
        Route("/seat/{match}", with_faults(here.page), methods=["GET"]),
        Route("/seat/{match}/choices", with_faults(here.choices), methods=["GET"]),
        Route("/seat/{match}/fit", with_faults(here.fit), methods=["POST"]),
        Route("/seat/{match}/why", with_faults(here.why), methods=["POST"]),
        Route("/seat/{match}/named", with_faults(here.named), methods=["POST"]),
    )


class Seats:
    """The answers at these addresses, for the holder of the seat (`seated`)."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def _seated(self, request: Request) -> Seated:
        return await seated.of(self._site, request)

    async def page(self, request: Request) -> Response:
        """The page of a seat."""
        found = await self._seated(request)
        return answers.page(
            "seats/seat.html",
            found.language,
            found=found,
            view=name_of(found.seat),
            place=place_of(found.match),
            cards=asked.listed(found),
        )

    async def choices(self, request: Request) -> Response:
        """The present question: fragments, and data for the scripts."""
        found = await self._seated(request)
        return answers.data(await asked.now(self._site, found))

    async def fit(self, request: Request) -> Response:
        """The next possible picks for an act that is being built."""
        asking = building.read(await body_of(request, BODY))
        found = await self._seated(request)
        return answers.data(await building.answer(self._site, found, asking))

    async def why(self, request: Request) -> Response:
        """Why something can't be done."""
        asking = refusals.read(await body_of(request, BODY))
        found = await self._seated(request)
        return answers.data(await refusals.answer(self._site, found, asking))

    async def named(self, request: Request) -> Response:
        """Which card is meant by what was typed for one."""
        asking = naming.read(await body_of(request, BODY))
        found = await self._seated(request)
        return answers.data(naming.answer(self._site, found, asking))
