"""Whether the round of a match has ended: it is played no further, even if its record is open.

The match of a table whose result was typed stays as it is: it waits, or nobody has recorded its
end. It can still be named, but is never the default.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from domain.tournament.state import State
    from service.client.client import Client


class Rounds:
    """The rounds of events, each event asked for once."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._events: dict[str, State | None] = {}

    def ended(self, match: str) -> bool:
        """Whether a match is one of a round that has ended, or of an event that has."""
        from domain.tournament.state import Stage, place_of

        place = place_of(match)
        if place is None:
            return False
        event, number, _ = place
        if event not in self._events:
            self._events[event] = self._find(event)
        state = self._events[event]
        if state is None or number > len(state.rounds):
            return False
        return state.ended or state.rounds[number - 1].stage == Stage.ENDED

    def _find(self, event: str) -> State | None:
        """An event; None if it can't be seen, as where its matches were imported alone."""
        from service.client.connection import CallError

        try:
            return self._client.get_tournament(event)
        except CallError:
            return None
