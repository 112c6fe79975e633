"""Serves the pictures of cards that an organiser has: `/images/{game}/{card}`."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from service.web import answers
from service.web.board.images import KINDS, pictures
from service.web.site import Site

#: For how long a picture is kept: it may be exchanged for a better one.
KEPT = "public, max-age=86400"


def routes(site: Site) -> Sequence[BaseRoute]:
    """The routes of this part."""

    async def picture(request: Request) -> Response:
        game, card = request.path_params["game"], request.path_params["card"]
        rules = site.rulebooks.get(game)
        found = pictures(site.look.images, game, rules.cards).get(card) if rules else None
        if found is None:
            return answers.fault(answers.NOTHING, request)
        try:
            body = await asyncio.to_thread(found.read_bytes)
        except OSError:  # it went, or may not be read
            return answers.fault(answers.NOTHING, request)
        return answers.answer(body, KINDS[found.suffix], keep=KEPT)

    return [Route("/images/{game}/{card}", picture)]
