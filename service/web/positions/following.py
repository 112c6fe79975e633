"""Notifies followers of a match that there is a next entry, by server-sent events; never which.

All who see a match equally late share an announcer, which waits for what comes next; a follower
costs a task that waits for his going. Nothing is queued for him: a slow reader gets only the newest
entry, once he has read the one before. So is he who comes back (`Last-Event-ID`, or `?after=`).

An answer that ends without `ended` is to be asked for again: the service stops, the store fails, or
the token is no longer valid.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Iterator
from contextlib import aclosing, contextmanager
from itertools import islice

from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from service.api.calls.errors import too_much
from service.identity import BadToken
from service.live.lanes import CALLER, SERVICE, Lanes
from service.live.streams.channels import Closing
from service.live.streams.streams import Streams
from service.store.delay import Delay
from service.store.derived import listing
from service.store.records import LAST, Records
from service.telemetry.logs import log_event
from service.web.answers import NOTHING
from service.web.positions.sending import refused
from service.web.positions.sights import Sight, Sights
from service.web.site import Site

#: How many may follow at a time, and when to try again where there are too many, in seconds.
FOLLOWERS, LATER = 8192, 10.0
#: Seconds between signs of life; milliseconds after which a browser asks again.
BEAT, RETRY = 15.0, 2000
#: How many are sent something before others have their turn.
SLICE = 256

_ALIVE, _HELLO = b":\n\n", f"retry: {RETRY}\n\n".encode()
_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]
_AFTER = re.compile("0|[1-9][0-9]{0,8}")


def event(kind: str, seq: int) -> bytes:
    """The event for an entry, or for the last one."""
    return b'event: %s\nid: %d\ndata: {"seq":%d}\n\n' % (kind.encode(), seq, seq)


class Follower:
    """A follower, and the last entry sent to him."""

    __slots__ = ("_announcer", "_ended", "_ending", "_send", "_telling", "sent")

    def __init__(self, announcer: Announcer, send: Send, sent: int) -> None:
        self._announcer, self._send, self.sent = announcer, send, sent
        self._telling: asyncio.Task[None] | None = None
        self._ending = self._ended = False

    def tell(self, sign: bytes = b"") -> None:
        """Send what is new, or else a sign of life, unless he is still reading."""
        if self._telling is None and not self._ending:
            self._telling = asyncio.create_task(self._tell(sign))

    async def _tell(self, sign: bytes) -> None:
        announcer = self._announcer
        try:
            if sign and announcer.seq <= self.sent:
                await self._write(sign)
            while announcer.seq > self.sent:
                self.sent = announcer.seq
                await self._write(announcer.message)
            if announcer.over:
                await self.end(announcer.farewell)
        finally:
            self._telling = None

    async def end(self, farewell: bytes = b"") -> None:
        """End the answer, unless it has ended: its match and its token may end at once."""
        self._ending = True
        if not self._ended:
            await self._send({"type": "http.response.body", "body": farewell})
            self._ended = True

    def stop(self) -> None:
        """Send nothing further."""
        if self._telling is not None:
            self._telling.cancel()

    async def _write(self, data: bytes) -> None:
        await self._send({"type": "http.response.body", "body": data, "more_body": True})


class Announcer:
    """Announces the entries of a match to those who see it equally late."""

    def __init__(self, match: str, late: Delay, seq: int) -> None:
        """`seq` is the last entry that they may know of."""
        self.match, self.late = match, late
        self.seq, self.message = seq, event("entry", seq)
        self.over, self.farewell = False, b""
        self.followers: dict[Follower, None] = {}
        self.tasks: list[asyncio.Task[None]] = []

    def announce(self, seq: int) -> None:
        """Tell everybody that there is an entry."""
        self.seq, self.message = seq, event("entry", seq)
        self._tell()

    def end(self, farewell: bytes) -> None:
        """Tell everybody that nothing follows, or that the answer is at an end."""
        self.over, self.farewell = True, farewell
        self._tell()

    def _tell(self) -> None:
        for follower in self.followers:
            follower.tell()

    async def beat(self) -> None:
        """Give everybody signs of life, as long as anybody follows."""
        while True:
            await asyncio.sleep(BEAT)
            everybody = iter([*self.followers])
            while some := [*islice(everybody, SLICE)]:
                for follower in some:
                    follower.tell(_ALIVE)
                await asyncio.sleep(0.01)


class Announcers:
    """The announcers of a service: one for a match and a delay, as long as anybody follows."""

    def __init__(
        self,
        streams: Streams,
        lanes: Lanes,
        records: Records,
        released: Callable[[str, Delay, int], None],
    ) -> None:
        """`released` is called with what is released, for those who see a match so late."""
        self._streams, self._lanes, self._records = streams, lanes, records
        self._released = released
        self._open: dict[tuple[str, Delay], Announcer] = {}
        self._followers = 0

    def __len__(self) -> int:
        """How many follow."""
        return self._followers

    def last(self, sight: Sight) -> int:
        """The last entry that was announced to those who see a match so; 0: nobody follows."""
        found = self._open.get((sight.match, sight.late))
        return found.seq if found is not None else 0

    def admit(self) -> None:
        """Raises `Fault` if there are too many."""
        if self._followers >= FOLLOWERS:
            text = "Too many follow matches; try again later."
            raise too_much("TOO_MANY_STREAMS", text, LATER, most=FOLLOWERS)

    @contextmanager
    def follower(self, sight: Sight, upto: int, send: Send, sent: int) -> Iterator[Follower]:
        """Somebody who follows a match of which he may know the entries up to one."""
        key = sight.match, sight.late
        announcer = self._open.get(key)
        if announcer is None or announcer.over:
            announcer = self._open[key] = Announcer(*key, upto)
            announcer.tasks += (
                asyncio.create_task(self._watch(announcer)),
                asyncio.create_task(announcer.beat()),
            )
        found = Follower(announcer, send, sent)
        announcer.followers[found] = None
        self._followers += 1
        try:
            with self._streams.audience.follower(sight.match):
                yield found
        finally:
            self._followers -= 1
            found.stop()
            del announcer.followers[found]
            if not announcer.followers:
                for task in announcer.tasks:
                    task.cancel()
                if self._open.get(key) is announcer:
                    del self._open[key]

    async def _watch(self, announcer: Announcer) -> None:
        """Announce what comes, until the match ends for those who see it so late."""
        CALLER.set(SERVICE)
        match, late = announcer.match, announcer.late
        try:
            ended = False
            while not ended:  # an end may be taken back while it is sent
                watched = self._streams.watch(match, announcer.seq, late)
                async with aclosing(watched) as batches:
                    async for batch in batches:
                        seq = batch.lines[-1].entry.seq
                        self._released(match, late, seq)
                        announcer.announce(seq)
                ended = await self._lanes.run(self._ended, match)
            announcer.end(event("ended", announcer.seq))
        except Closing:
            announcer.end(b"")
        except Exception as error:
            log_event(logging.WARNING, "following failed", wrong=error, match=match)
            announcer.end(b"")

    def _ended(self, match: str) -> bool:
        return listing.find(self._records, match).ended


class Follow:
    """Answers `/follow`, as an application of its own: an answer without an end."""

    def __init__(self, sights: Sights, announcers: Announcers, site: Site) -> None:
        self._sights, self._announcers, self._site = sights, announcers, site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        request = Request(scope, receive)
        try:
            if request.method not in ("GET", "HEAD"):
                raise NOTHING
            sight, after, upto = await self._asked(request)
        except Exception as error:
            await refused(error, request)(scope, receive, send)
            return
        await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
        if request.method == "HEAD":
            await send({"type": "http.response.body"})
            return
        await self._follow(sight, after, upto, receive, send)

    async def _asked(self, request: Request) -> tuple[Sight, int, int]:
        """The match to follow, after which entry, and the last that he may know; raises `Fault`."""
        self._announcers.admit()
        sight = await self._sights.of(request, unlimited=True)
        given = request.headers.get("last-event-id") or request.query_params.get("after")
        if given is not None and _AFTER.fullmatch(given) is None:
            raise NOTHING
        upto = self._announcers.last(sight)
        if not upto:
            upto = await self._sights.released(sight, LAST)
        return sight, int(given or 0), upto

    async def _follow(
        self, sight: Sight, after: int, upto: int, receive: Receive, send: Send
    ) -> None:
        self._sights.follows(sight)
        try:
            with (
                self._site.guard.streams.opened(sight.sender.token) as stream,
                self._announcers.follower(sight, upto, send, after) as follower,
            ):
                await send(_part(_HELLO))
                follower.tell()
                try:
                    while (await stream.wait(receive()))["type"] != "http.disconnect":
                        pass
                except (BadToken, Closing):
                    follower.stop()
                    await follower.end()
        finally:
            self._sights.left(sight)


def _part(data: bytes) -> dict[str, object]:
    return {"type": "http.response.body", "body": data, "more_body": True}
