"""The servicer of matches: streams. Queries are in `reading`, commands in `matches`.

What comes when, and to whom, is decided in `live.streams`; here it becomes messages.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from typing import Any, NamedTuple

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
ToMessages = Callable[[Batch, int], Awaitable[Sequence[bytes]]]
#: Asks for a stream of positions from now on.
NOW = -1


class Followed(NamedTuple):
    """What a stream sends: of the entries after a number, to who sees them so `late`.

    `heads`: each entry needs its head. `first`: a message that comes before all others.
    """

    after: int
    late: Delay
    messages_of: ToMessages
    heads: bool = False
    first: bytes = b""


class Watching(Reading):
    """Answers the streams of `kifu.v1.MatchService`.

    Each message passes through every generator on its way, for each follower: so there is one here.
    """

    def watch_events(
        self, request: pb.WatchEventsRequest, who: Identity
    ) -> AsyncGenerator[bytes, None]:
        """The messages of a stream, serialised: all viewers of one kind get the same ones."""
        return self._follow(request, lambda: self._entries(request, who))

    def watch_position(
        self, request: pb.WatchPositionRequest, who: Identity
    ) -> AsyncGenerator[bytes, None]:
        """The messages of a stream of positions, which those who see the same share as well."""
        return self._follow(request, lambda: self._positions(request, who))

    async def _entries(self, request: pb.WatchEventsRequest, who: Identity) -> Followed:
        if request.after_seq < 0:
            raise malformed("after_seq", "must not be negative")
        await self.record_look(who, request)
        viewer, _, late = await self._in_thread(self.viewing, who, request)
        heads = request.with_heads

        async def of_entries(batch: Batch, after: int) -> Sequence[bytes]:
            found: list[bytes] | None = batch.sent.get((viewer, heads))
            if found is None:
                found = batch.sent[viewer, heads] = [*messages(batch.lines, viewer, heads)]
            return found

        return Followed(request.after_seq, late, of_entries, heads)

    async def _positions(self, request: pb.WatchPositionRequest, who: Identity) -> Followed:
        if request.after_seq < NOW:
            raise malformed("after_seq", "must be an entry, 0 or -1")
        if request.each not in pb.PositionEach.values():
            raise malformed("each", "is unknown")
        await self.record_look(who, request)
        viewer, upto, late = await self._in_thread(self.viewing, who, request)
        kind = Kind(viewer, late, request.each or pb.POSITION_EACH_ENTRY, request.whole)
        match, after, first = request.match_id, request.after_seq, b""
        following = Following(match, kind, self._history, self.tallies, self._in_thread)
        if after == NOW:
            after = min(upto, await self._in_thread(self._records.last, match))
            first = await self._in_thread(following.first, after)
        following.begin(after)
        return Followed(after, late, following.messages, first=first)

    async def _follow(
        self, request: Any, prepare: Callable[[], Awaitable[Followed]]
    ) -> AsyncGenerator[bytes, None]:
        """The messages after an entry, until the match ends; then its end."""
        sent, late, messages_of, heads, first = await prepare()
        if first:
            yield first
        match, ended = request.match_id, b""
        streams, stay = self._matches.streams, request.stay
        with streams.audience.follower(match):
            while not ended:  # an end may be taken back while it is sent
                watched = streams.watch(match, sent, late, stay=stay, heads=heads)
                async with aclosing(watched) as stream:
                    async for batch in stream:
                        for message in await messages_of(batch, sent):
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
