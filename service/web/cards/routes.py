"""The routes of this part: `/cards/{game}/{card}`, for everybody, as the catalogue is."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from domain.telling.card_text import card_text
from service.web import answers, visitors
from service.web.answers import with_faults
from service.web.site import Site

#: For how long it is kept: a later version may know more of a card.
KEPT = "public, max-age=86400"


def routes(site: Site) -> Sequence[BaseRoute]:
    """The routes of this part."""

    async def card(request: Request) -> Response:
        """A card; `?part=1`: without the page around it."""
        game, number = request.path_params["game"], request.path_params["card"]
        rules, language = site.rulebooks.get(game), visitors.language_of(request)
        book = site.book(game, language) if rules is not None else None
        found = book.cards.get(number) if book is not None else None
        if rules is None or book is None or found is None:
            raise answers.NOTHING
        name = "part" if "part" in request.query_params else "card"
        shown = await site.matches.lanes.run(card_text, rules, book, found, language)
        keep = KEPT if visitors.by_address(request) else answers.NOT_KEPT
        return answers.page(
            f"cards/{name}.html", language, keep=keep, card=shown, title=book.manifest.title
        )

    return [Route("/cards/{game}/{card}", with_faults(card), methods=["GET"])]
