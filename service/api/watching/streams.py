"""The servicer of matches: streams. Queries are in `reading`, commands in `matches`.

What comes when, and to whom, is decided in `live.streams`; here it becomes messages.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from typing import Any

from kifu.v1 import match_service_pb2 as pb

from service.api.answers import messages
from service.api.calls.errors import malformed
from service.api.reading import Reading
from service.api.summaries import summary
from service.api.watching.following import Following, Kind
from service.identity import Identity
from service.live.streams.channels import Batch
from service.store.delay import Delay
from service.store.derived import listing

#: Makes messages of a batch of entries, which come after a number.
ToMessages = Callable[[Batch, int], AsyncIterator[bytes]]
#: Asks for a stream of positions from now on.
NOW = -1


class Watching(Reading):
    """Answers the streams of `kifu.v1.MatchService`."""

    async def watch_events(
        self, request: pb.WatchEventsRequest, who: Identity
    ) -> AsyncIterator[bytes]:
        """The messages of a stream, serialised: all viewers of one kind get the same ones."""
        if request.after_seq < 0:
            raise malformed("after_seq", "must not be negative")
        await self.record_look(who, request)
        viewer, _, late = await self._in_thread(self.viewing, who, request)
        heads = request.with_heads

        async def of_entries(batch: Batch, after: int) -> AsyncIterator[bytes]:
            found = batch.sent.get((viewer, heads))
            if found is None:
                found = batch.sent[viewer, heads] = [*messages(batch.lines, viewer, heads)]
            for message in found:
                yield message

        async for message in self._follow(
            request, request.after_seq, late, of_entries, heads=heads
        ):
            yield message

    async def watch_position(
        self, request: pb.WatchPositionRequest, who: Identity
    ) -> AsyncIterator[bytes]:
        """The messages of a stream of positions, which those who see the same share as well."""
        if request.after_seq < NOW:
            raise malformed("after_seq", "must be an entry, 0 or -1")
        if request.each not in pb.PositionEach.values():
            raise malformed("each", "is unknown")
        await self.record_look(who, request)
        viewer, upto, late = await self._in_thread(self.viewing, who, request)
        kind = Kind(viewer, late, request.each or pb.POSITION_EACH_ENTRY, request.whole)
        match, after = request.match_id, request.after_seq
        following = Following(match, kind, self._history, self.tallies, self._in_thread)
        if after == NOW:
            after = min(upto, await self._in_thread(self._records.last, match))
            yield await self._in_thread(following.first, after)
        following.begin(after)
        async for message in self._follow(request, after, late, following.messages):
            yield message

    async def _follow(
        self, request: Any, after: int, late: Delay, messages_of: ToMessages, *, heads: bool = False
    ) -> AsyncIterator[bytes]:
        """The messages after an entry, until the match ends; then its end."""
        match, sent, ended = request.match_id, after, b""
        streams, stay = self._matches.streams, request.stay
        with streams.audience.follower(match):
            while not ended:  # an end may be taken back while it is sent
                watched = streams.watch(match, sent, late, stay=stay, heads=heads)
                async with aclosing(watched) as stream:
                    async for batch in stream:
                        async for message in messages_of(batch, sent):
                            yield message
                        sent = batch.lines[-1].entry.seq
                response = _RESPONSES[type(request)]
                ended = await self._in_thread(self._ended, match, late, sent, response)
            yield ended

    def _ended(self, match: str, late: Delay, sent: int, response: Any) -> bytes:
        """The last message of a stream: how its match stands; empty if it is live again."""
        listed = listing.find(self._records, match)
        found = summary(self._history, listed, self._upto(listed, late))
        live = found.state == pb.MATCH_STATE_LIVE
        return b"" if live else response(seq=sent, ended=found).SerializeToString()


_RESPONSES: dict[type, Any] = {
    pb.WatchEventsRequest: pb.WatchEventsResponse,
    pb.WatchPositionRequest: pb.WatchPositionResponse,
}
