"""The servicer of matches: streams. Queries are in `reading`, commands in `matches`.

What comes when, and to whom, is decided in `live.streams`; here it becomes messages.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing

from kifu.v1 import match_service_pb2 as pb

from service.api.answers import messages
from service.api.calls.errors import malformed
from service.api.reading import Reading
from service.identity import Identity
from service.store.delay import Delay
from service.store.derived import listing


class Watching(Reading):
    """Answers the streams of `kifu.v1.MatchService`."""

    async def watch_events(
        self, request: pb.WatchEventsRequest, who: Identity
    ) -> AsyncIterator[bytes]:
        """The messages of a stream, serialised: all viewers of one kind get the same ones."""
        if request.after_seq < 0:
            raise malformed("after_seq", "must not be negative")
        await self._record_look(who, request)
        viewer, _, late = await self._in_thread(self._viewing, who, request)
        streams, sent, ended = self._matches.streams, request.after_seq, b""
        stay, heads = request.stay, request.with_heads
        while not ended:  # an end may be taken back while it is told
            following = streams.watch(request.match_id, sent, late, stay=stay, heads=heads)
            async with aclosing(following) as stream:
                async for batch in stream:
                    found = batch.sent.get((viewer, heads))
                    if found is None:
                        found = batch.sent[viewer, heads] = [*messages(batch.lines, viewer, heads)]
                    for message in found:
                        yield message
                    sent = batch.lines[-1].entry.seq
            ended = await self._in_thread(self._ended, request.match_id, late, sent)
        yield ended

    def _ended(self, match: str, late: Delay, sent: int) -> bytes:
        """The last message of a stream: how its match stands; empty if it is live again."""
        listed = listing.find(self._records, match)
        found = self.summary(listed, self._upto(listed, late))
        live = found.state == pb.MATCH_STATE_LIVE
        return b"" if live else pb.WatchEventsResponse(seq=sent, ended=found).SerializeToString()
