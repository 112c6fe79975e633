"""The servicer of seats' seeds for chance (match_service.proto).

It takes the seat from the token; what may be given when is for `domain.engine.opening.seeding`.
"""

from __future__ import annotations

from collections.abc import Sequence

from kifu.v1 import match_service_pb2 as pb

from domain.engine.match import Match
from domain.engine.opening import seeding
from domain.record.entries import Entry
from service.api.calls.errors import forbidden
from service.api.reading import own
from service.api.watching.streams import Watching
from service.identity import Identity, Role


class Seeds(Watching):
    """Answers `CommitSeed` and `GiveSeed`."""

    async def commit_seed(
        self, request: pb.CommitSeedRequest, who: Identity
    ) -> pb.CommitSeedResponse:
        seat = _seat(who, request.match_id)

        def command(m: Match, now: int) -> None:
            seeding.commit(m, seat, request.commitment, now)

        entries = await self._matches.command(request.match_id, command)
        return pb.CommitSeedResponse(seq=_first(entries))

    async def give_seed(self, request: pb.GiveSeedRequest, who: Identity) -> pb.GiveSeedResponse:
        seat = _seat(who, request.match_id)

        def command(m: Match, now: int) -> None:
            seeding.give(m, seat, request.seed, now)

        entries = await self._matches.command(request.match_id, command, in_thread=True)
        return pb.GiveSeedResponse(seq=_first(entries))


def _seat(who: Identity, match: str) -> int:
    own(who, match)
    if who.role != Role.SEAT:
        raise forbidden("a seat of the match")
    return who.seat


def _first(entries: Sequence[Entry]) -> int:
    return entries[0].seq if entries else 0
