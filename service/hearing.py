"""Connects news to the parts of the service that send them or act on them.

What news are and which way they go is in `service.news`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from domain.words.phrases import phrase
from service.api.calls.commands import OpenStreams
from service.credentials.sharing import Revocations
from service.live.matches import Matches
from service.live.tournaments import Tournaments
from service.news import choosing
from service.news.news import CREDENTIALS, EVENT, MATCH, OK, News, Piece
from service.settings import CantServe, Settings
from service.store.records import Records
from service.telemetry import tracing
from service.telemetry.shared import NewsMetrics


def opened(settings: Settings, records: Records, metrics: NewsMetrics) -> News:
    """The news of a server with these settings; raises `CantServe`."""
    alone = records.writable and not records.shared
    try:
        found = choosing.news(settings.news, str(settings.where), alone=alone, metrics=metrics)
    except ValueError as error:
        raise CantServe(phrase("news: {error}", error=error)) from error
    metrics.connected(lambda: found.state == OK)
    return found


class Hearing:
    """Hears what other servers have added, and has it looked for. To be used within one loop."""

    def __init__(
        self,
        news: News,
        matches: Matches,
        tournaments: Tournaments,
        revocations: Revocations,
        streams: OpenStreams,
    ) -> None:
        """`streams` are those that tokens opened."""
        self._news, self._matches, self._tournaments = news, matches, tournaments
        self._revocations, self._streams = revocations, streams
        self._hearers: Mapping[str, Callable[[Piece], None]] = {
            MATCH: self._heard_of_match,
            EVENT: lambda piece: tournaments.caught_up(piece.id, piece.seq),
            CREDENTIALS: lambda piece: revocations.look(),
        }
        news.listen(self._heard, self._missed)

    def saved(self, match: str, seq: int) -> None:
        """Tell of entries of a match up to a number, which are durable."""
        self._news.tell(Piece(MATCH, match, seq, tracing.header(tracing.place())))

    def revoked(self) -> None:
        """Tell that tokens were revoked, and end the streams that they have opened here."""
        self._streams.recheck()
        self._news.tell(Piece(CREDENTIALS, ""))

    async def close(self) -> None:
        """Send what is still to be sent, and stop listening."""
        await self._news.close()

    def _heard(self, piece: Piece) -> None:
        self._hearers[piece.kind](piece)

    def _heard_of_match(self, piece: Piece) -> None:
        place = tracing.incoming(piece.trace)
        self._matches.streams.caught_up(piece.id, piece.seq, place)

    def _missed(self) -> None:
        self._matches.streams.missed()
        self._tournaments.missed()
        self._revocations.look()
