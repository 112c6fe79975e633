"""A seat's part in chance, given by the client itself (domain/record/proof/CHANCE.md).

    with ann.join(match):
        ...                                    # play; the match begins once the others have joined

The client makes a seed up, binds the seat to it, and opens it to the service once all seats are
bound; it does so in a thread of its own, and nothing if the match does not wait for that. What it
gave is checked against the record at the end by `domain.engine.checks.chance.audit`.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from threading import Event, Thread
from typing import Self

from kifu.v1 import match_service_pb2 as pb

from domain.record import events as ev
from domain.record.entries import Entry
from domain.record.interventions import MatchBegan, SeedCommitted
from domain.record.proof import draws
from service.client.connection import CallError, Connection

#: What the service answers where a seat's part has been given, or is no longer waited for.
_SETTLED = frozenset({"SEED_LATE", "MATCH_BEGUN"})


class Seeds(Connection):
    """Calls for a seat's seed."""

    def commit_seed(self, match: str, commitment: bytes) -> int:
        """Bind one's seat to a seed; the entry that says so, 0 if it was bound to it already."""
        request = pb.CommitSeedRequest(match_id=match, commitment=commitment)
        return int(self.call(self.matches.CommitSeed, request).seq)

    def give_seed(self, match: str, seed: bytes) -> int:
        """Open one's seed to the service, once all are bound; the entry that says so, or 0."""
        request = pb.GiveSeedRequest(match_id=match, seed=seed)
        return int(self.call(self.matches.GiveSeed, request).seq)


class Joined:
    """A seat's part in a match that waits for it; see `Client.join`."""

    def __init__(
        self, client: Seeds, match: str, seat: int, watch: Callable[[], Iterator[Entry]]
    ) -> None:
        self.seed = secrets.token_bytes(draws.SIZE)
        self.error: Exception | None = None
        self._client, self._match, self._seat, self._watch = client, match, seat, watch
        self._bound: dict[int, bytes] = {}  # by what each seat is bound
        self._settled = Event()
        self._thread = Thread(target=self._run, name="seed", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *args: object) -> None:
        pass

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the match to begin; whether it has. Raises what went wrong."""
        settled = self._settled.wait(seconds)
        if self.error is not None:
            raise self.error
        return settled

    def _run(self) -> None:
        try:
            self._give()
        except Exception as error:  # for those who wait
            self.error = error
        finally:
            self._settled.set()

    def _give(self) -> None:
        """Follow the match to its beginning, doing what is to be done by this seat."""
        seats, own = 0, b""
        for entry in self._watch():
            event = entry.event
            if isinstance(event, ev.MatchOpened):
                if event.chance != draws.SHARED or event.id != self._match:
                    return
                seats = len(event.seats)
                own = draws.of_seat(event.commitment, self._seat, self.seed)
                if not self._sent(self._client.commit_seed, own):
                    own = b""
            elif isinstance(event, SeedCommitted):
                self._bound[event.seat] = event.commitment
                if len(self._bound) == seats and own and self._bound.get(self._seat) == own:
                    self._sent(self._client.give_seed, self.seed)
            elif isinstance(event, MatchBegan):
                return

    def _sent(self, send: Callable[[str, bytes], int], data: bytes) -> bool:
        """Whether the service took it: not if the seat is bound otherwise or waited for no more."""
        try:
            send(self._match, data)
        except CallError as error:
            if error.reason not in _SETTLED:
                raise
            return False
        return True
