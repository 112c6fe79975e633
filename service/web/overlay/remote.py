"""The remote of an overlay: its page, and which entry of a match each channel shows.

A channel is a name that a remote has made up, and that the addresses of its overlays have
(`?remote=NAME`): so a remote steps its own overlays and no others. It may be used by whoever is
signed in and may see the match. A channel shows nothing that somebody may not see: an overlay is
told of an entry once it may show it.

Channels are in memory: remotes repeat what they show, so that a service that was started anew
learns it, and what is not repeated any more is forgotten; then overlays are live.
"""

from __future__ import annotations

import re
import time
from collections import OrderedDict
from collections.abc import Callable

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from domain.words.phrases import phrase
from service.api.calls.errors import malformed
from service.web import answers, visitors
from service.web.bodies import body_of
from service.web.overlay import styling
from service.web.overlay.settings import matches_of
from service.web.positions.feed import Feed
from service.web.positions.sights import Sight

#: The names of channels, how many there are at most, and for how many seconds one is kept.
CHANNEL = re.compile("[A-Za-z0-9]{12,40}")
MOST, LASTS = 500, 90.0
_BODY = 1024


class Step(msgspec.Struct):
    """What a remote sends: the entry that its channel shows; 0: the newest."""

    remote: str
    at: int


class Channels:
    """The entries that channels show, the latest to be changed last."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._at: OrderedDict[tuple[str, str], tuple[int, float]] = OrderedDict()

    def show(self, match: str, channel: str, at: int) -> None:
        """Have a channel show an entry; 0: the newest."""
        self._at.pop((match, channel), None)
        if at:
            self._at[match, channel] = at, self._clock()
        while len(self._at) > MOST:
            self._at.popitem(last=False)

    def at(self, match: str, channel: str) -> int:
        """The entry that a channel shows; 0: the newest."""
        at, since = self._at.get((match, channel), (0, 0.0))
        return at if since + LASTS > self._clock() else 0


class Remote:
    """Answers to remotes, and to the overlays that they step."""

    def __init__(self, feed: Feed, policy: str) -> None:
        self._feed, self._policy, self._channels = feed, policy, Channels()

    async def page(self, request: Request) -> Response:
        """The page of a remote, for whoever is signed in: `?match=`."""
        site, language = self._feed.site, visitors.language_of(request)
        authorized = visitors.authorization(request)
        if visitors.signed_in(site, request) is None or authorized is None:
            raise visitors.not_signed_in()
        match, heading = request.query_params.get("match", ""), None
        if match:
            sight = await self._feed.sights.see(request, match, "public")
            heading = self._feed.heading(sight.match)
        found = answers.page(
            "overlay/pages/remote.html",
            language,
            matches=await matches_of(site, request, authorized),
            match=match,
            heading=heading,
            themes=styling.names(site.look.themes),
        )
        found.headers["content-security-policy"] = self._policy
        return found

    async def step(self, request: Request) -> Response:
        """A channel shows an entry from now on."""
        if visitors.signed_in(self._feed.site, request) is None:
            raise visitors.not_signed_in()
        sight = await self._feed.sights.see(request, request.path_params["match"], "public")
        try:
            asked = msgspec.json.decode(await body_of(request, _BODY), type=Step)
        except msgspec.DecodeError as error:
            raise malformed("body", phrase("has to be a channel and an entry")) from error
        if CHANNEL.fullmatch(asked.remote) is None:
            raise malformed("remote", phrase("is no name of a channel"))
        if asked.at:
            await self._feed.sights.require(sight, asked.at)
        self._channels.show(sight.match, asked.remote, asked.at)
        return answers.data({"at": asked.at})

    async def shown(self, request: Request) -> Response:
        """The entry that an overlay of a channel (`?remote=`) is to show; 0: the newest."""
        sight = await self._feed.sights.of(request)
        return answers.data({"at": await self._at(request, sight)})

    async def _at(self, request: Request, sight: Sight) -> int:
        at = self._channels.at(sight.match, request.query_params.get("remote", ""))
        released = await self._feed.sights.released(sight, max(at, 1))
        return at if at <= released else 0
