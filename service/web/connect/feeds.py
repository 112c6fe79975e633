"""Feeds: streams of a match, for programs that know HTTP only.

Server-sent events, or lines of JSON (NDJSON) for clients that accept those. Each has a message of
WatchEvents or of WatchPosition, as JSON; its `seq` is the id of the event, after which an event
source goes on by itself. A failure after the beginning ends a feed as `fault`. Where nothing
happens, something empty is sent now and then, so that nobody in between takes the connection for a
dead one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from typing import Any, NamedTuple

import msgspec
from google.protobuf.message import Message
from kifu.v1 import match_service_pb2 as pb
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from domain.record.views import OFFICIAL
from service.api.calls.errors import Fault, forbidden, malformed
from service.api.calls.guard import Method, Sender
from service.live.background import Underway
from service.web import answers, views, visitors
from service.web.connect import coding
from service.web.site import Site

#: How often something is sent at least, in seconds.
BEAT = 15.0
#: How long to wait for a refusal of the stream before its beginning is sent, in seconds.
BEGINNING = 0.1
#: After how long an event source connects again, in milliseconds.
RETRY_MS = 2000

_EACH = {
    "entry": pb.POSITION_EACH_ENTRY,
    "moment": pb.POSITION_EACH_MOMENT,
    "decision": pb.POSITION_EACH_DECISION,
}


class Format(NamedTuple):
    """How a feed is written: its type, what it begins with, what is sent where nothing happens."""

    kind: str
    begin: bytes
    beat: bytes
    message: Callable[[Message], bytes]
    fault: Callable[[dict[str, Any]], bytes]


def _event(message: Any) -> bytes:
    name = b"event: ended\n" if message.HasField("ended") else b""
    return b"%bid: %d\ndata: %b\n\n" % (name, message.seq, coding.encoded(message))


EVENTS = Format(
    "text/event-stream",
    b"retry: %d\n\n" % RETRY_MS,
    b":\n\n",
    _event,
    lambda shown: b"event: fault\ndata: %b\n\n" % msgspec.json.encode(shown),
)
LINES = Format(
    "application/x-ndjson",
    b"",
    b"\n",
    lambda message: coding.encoded(message) + b"\n",
    lambda shown: msgspec.json.encode({"fault": shown}) + b"\n",
)


class Feeds:
    """The feeds of a site."""

    def __init__(self, site: Site, shared: coding.Shared) -> None:
        self._site, self._shared = site, shared
        self._looking = Underway[pb.GetMatchResponse]()

    async def entries(self, request: Request) -> Response:
        """The entries of a match after one of them, and those to come."""
        return await self._feed(
            request,
            pb.WatchEventsRequest(
                match_id=request.path_params["match"],
                after_seq=_after(request, 0),
                view=_view(request),
                stay=_flag(request, "stay"),
                with_heads=_flag(request, "heads"),
            ),
        )

    async def positions(self, request: Request) -> Response:
        """The table from an entry on, or from now on, and how it changes."""
        each = request.query_params.get("each", "entry")
        if each not in _EACH:
            raise malformed("each", "must be entry, moment or decision")
        return await self._feed(
            request,
            pb.WatchPositionRequest(
                match_id=request.path_params["match"],
                after_seq=_after(request, -1),
                view=_view(request),
                stay=_flag(request, "stay"),
                each=_EACH[each],
                whole=_flag(request, "whole"),
            ),
        )

    async def _feed(self, request: Request, asked: Any) -> Response:
        """The requested feed; raises if there is none for this visitor."""
        visitor = await visitors.of(self._site, request, asked.match_id)
        by = visitor.sender
        found = await self._look(asked.match_id, by)  # refuses first who may not know of the match
        if _viewer(request) == OFFICIAL and visitor.who.viewer != OFFICIAL:
            raise forbidden("an official")  # a view that is not set is one's own
        if not visitor.signed_in:  # so that nobody alone has all the streams of the others
            by = by._replace(connection=f"ipv4:{request.client.host if request.client else ''}")
        if _has_all(request, asked, found.match):
            return Response(status_code=204, headers={"cache-control": answers.NOT_KEPT})
        method = self._site.method(asked)
        lines = LINES.kind in request.headers.get("accept", "")
        return Feed(self._site, self._shared, method, asked, by, LINES if lines else EVENTS)

    async def _look(self, match: str, by: Sender) -> pb.GetMatchResponse:
        """How a match stands; those who begin at once with one token ask once."""
        request = pb.GetMatchRequest(match_id=match)
        key = match, by.authorization or ""
        return await self._looking.of(key, lambda: self._site.ask(request, by))


class Feed(Response):
    """A feed, as an answer that goes on until its stream ends, or its reader has gone."""

    def __init__(
        self,
        site: Site,
        shared: coding.Shared,
        method: Method,
        asked: Message,
        by: Sender,
        form: Format,
    ) -> None:
        super().__init__()
        self._site, self._shared, self._form = site, shared, form
        self._method, self._asked, self._by = method, asked, by

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send what comes, as it comes."""
        sending = Sending(send, self._form)
        pump, gone = asyncio.create_task(self._pump(sending)), asyncio.create_task(_gone(receive))
        try:
            wait = BEGINNING
            while not (await asyncio.wait((pump, gone), timeout=wait, return_when=_FIRST))[0]:
                await (sending.begin() if wait == BEGINNING else sending.send(self._form.beat))
                wait = BEAT
            if gone.done():
                return
            pump.result()
            await sending.end()
        except Fault as fault:
            await self._tell(fault, sending, scope, receive, send)
        finally:
            pump.cancel()
            gone.cancel()
            await asyncio.gather(pump, gone, return_exceptions=True)

    async def _pump(self, sending: Sending) -> None:
        stream = self._site.guard.stream(self._method, self._asked, self._by)
        kind = self._method.descriptor.output_type
        async with aclosing(stream) as messages:  # type: ignore[type-var]
            async for message in messages:
                await sending.send(await self._shared.of(kind, message, self._form.message))

    async def _tell(
        self, fault: Fault, sending: Sending, scope: Scope, receive: Receive, send: Send
    ) -> None:
        if not sending.started:
            await answers.fault(fault, Request(scope))(scope, receive, send)
            return
        shown = answers.ShownFault(fault, self._by.language)
        values = {"code": shown.code, "reason": shown.reason, "message": shown.text}
        await sending.send(self._form.fault(values))
        await sending.end()


class Sending:
    """The state of sending a feed."""

    def __init__(self, send: Send, form: Format) -> None:
        self._send, self._form = send, form
        self.started = False

    async def begin(self) -> None:
        """Send the beginning, once."""
        if not self.started:
            self.started = True
            headers = {
                "content-type": f"{self._form.kind}; charset=utf-8",
                "cache-control": answers.NOT_KEPT,
                "x-accel-buffering": "no",
            }
            raw = [(name.encode(), value.encode()) for name, value in headers.items()]
            await self._send({"type": "http.response.start", "status": 200, "headers": raw})
            await self.send(self._form.begin)

    async def send(self, body: bytes) -> None:
        """Send something more."""
        await self.begin()
        await self._send({"type": "http.response.body", "body": body, "more_body": True})

    async def end(self) -> None:
        """Say that there is no more."""
        await self.begin()
        await self._send({"type": "http.response.body", "body": b""})


def _has_all(request: Request, asked: Any, match: pb.Match) -> bool:
    """Whether an event source comes back for what will not come: 204 stops it."""
    over = match.state != pb.MATCH_STATE_LIVE and not asked.stay
    return over and "last-event-id" in request.headers and asked.after_seq >= match.entries


_FIRST = asyncio.FIRST_COMPLETED


async def _gone(receive: Receive) -> None:
    """Wait until the reader has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _viewer(request: Request) -> int:
    return views.viewer_of(request.query_params.get("as", views.EVERYBODY))


def _view(request: Request) -> pb.View:
    return views.view_of(views.name_of(_viewer(request)))


def _after(request: Request, default: int) -> int:
    """The entry to go on after: the last one that an event source has, else the one asked for."""
    for name, text in (
        ("last-event-id", request.headers.get("last-event-id", "")),
        ("after", request.query_params.get("after", "")),
    ):
        if text:
            if not text.isascii() or not text.removeprefix("-").isdecimal() or len(text) > 9:
                raise malformed(name, "must be the number of an entry")
            return int(text)
    return default


def _flag(request: Request, name: str) -> bool:
    return request.query_params.get(name, "") not in ("", "0", "false")
