"""The routes of this part, and how its addresses are read.

A number has one way to be written; ranges have a largest size, and none reaches beyond what there
is: so an address means one thing, and never says another later. What is wrong, foreign, not
released or missing gets the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from service.web import answers
from service.web.positions.feed import Feed
from service.web.positions.following import Follow
from service.web.positions.sending import CHECKED, for_ever, refused, send
from service.web.positions.shared import Body
from service.web.positions.sights import Sight

#: Entries that a range has at most.
MOST = 1024
_NUMBER = "(0|[1-9][0-9]{0,8})"
_PICTURE = re.compile(rf"{_NUMBER}\.png")
_ONE, _RANGE = re.compile(rf"{_NUMBER}(\.json)?"), re.compile(rf"{_NUMBER}-{_NUMBER}(\.json)?")
#: Answers for somebody, of what is named in the address.
Answering = Callable[[Request, Sight, str], Awaitable[Response]]


def routes(feed: Feed) -> Sequence[BaseRoute]:
    """The routes of this part."""
    pages = Pages(feed)
    kinds: dict[str, Answering] = {
        "at/{address}": pages.at,
        "lines/{address}": pages.lines,
        "marks/{address}": pages.marks,
        "entry/{address}": pages.entry,
        "decision/{address}": pages.decision,
        "card/{address}": pages.card,
        "photo/{address}": pages.photo,
        "now.json": pages.now,
    }
    found: list[BaseRoute] = []
    for prefix in ("/m/{match}", "/m/{match}/as/{view}"):
        found += [Route(f"{prefix}/{path}", _answering(feed, one)) for path, one in kinds.items()]
        found.append(Route(f"{prefix}/follow", Follow(feed.sights, feed.announcers, feed.site)))
    return found


def _answering(feed: Feed, answering: Answering) -> answers.Endpoint:
    async def answer(request: Request) -> Response:
        try:
            sight = await feed.sights.of(request)
            return await answering(request, sight, request.path_params.get("address", ""))
        except Exception as error:
            return refused(error, request)

    return answer


class Pages:
    """Answers the addresses of a feed."""

    def __init__(self, feed: Feed) -> None:
        self._feed = feed

    async def at(self, request: Request, sight: Sight, address: str) -> Response:
        """`/at/{seq}`, also as data, or as a picture."""
        if _PICTURE.fullmatch(address):
            seq, _ = _one(address.removesuffix(".png"))
            return _for_ever(request, sight, await self._feed.picture(sight, seq))
        seq, data = _one(address)
        return _for_ever(request, sight, await self._feed.at(sight, seq, data))

    async def lines(self, request: Request, sight: Sight, address: str) -> Response:
        """`/lines/{after}-{upto}`."""
        after, upto, data = _range(address)
        return _for_ever(request, sight, await self._feed.lines(sight, after, upto, data))

    async def marks(self, request: Request, sight: Sight, address: str) -> Response:
        """`/marks/{after}-{upto}.json`."""
        after, upto, data = _range(address)
        if not data:
            raise answers.NOTHING
        return _for_ever(request, sight, await self._feed.marks(sight, after, upto))

    async def entry(self, request: Request, sight: Sight, address: str) -> Response:
        """`/entry/{seq}`."""
        seq, data = _one(address)
        body, settled = await self._feed.entry(sight, seq, data)
        return (_for_ever if settled else _checked)(request, sight, body)

    async def decision(self, request: Request, sight: Sight, address: str) -> Response:
        """`/decision/{n}`. A settled one may be undone later: so it is always revalidated."""
        n, data = _one(address)
        if not n:
            raise answers.NOTHING
        return _checked(request, sight, await self._feed.decision(sight, n, data))

    async def card(self, request: Request, sight: Sight, address: str) -> Response:
        """`/card/{id}`, one that the match brought; `?part=1`: without the page around it."""
        part = "part" in request.query_params
        return _checked(request, sight, await self._feed.card(sight, address, part=part))

    async def photo(self, request: Request, sight: Sight, address: str) -> Response:
        """`/photo/{id}`, of a card that the match brought. It may be exchanged, or removed."""
        return _checked(request, sight, await self._feed.photo(sight, address))

    async def now(self, request: Request, sight: Sight, address: str) -> Response:
        """`/now.json`."""
        body = await self._feed.now(sight)
        return answers.answer(body.codings[""], body.kind)


def _for_ever(request: Request, sight: Sight, body: Body) -> Response:
    return send(request, body, for_ever(sight.shared), shared=sight.shared)


def _checked(request: Request, sight: Sight, body: Body) -> Response:
    keep = f"{'public' if sight.shared else 'private'}, {CHECKED}"
    return send(request, body, keep, shared=sight.shared)


def _one(address: str) -> tuple[int, bool]:
    """A number, and whether data is asked for; raises `Fault`."""
    found = _ONE.fullmatch(address)
    if found is None:
        raise answers.NOTHING
    return int(found[1]), bool(found[2])


def _range(address: str) -> tuple[int, int, bool]:
    """After which entry, up to which, and whether data is asked for; raises `Fault`."""
    found = _RANGE.fullmatch(address)
    if found is None:
        raise answers.NOTHING
    after, upto = int(found[1]), int(found[2])
    if not 0 < upto - after <= MOST:
        raise answers.NOTHING
    return after, upto, bool(found[3])
