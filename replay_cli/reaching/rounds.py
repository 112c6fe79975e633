"""The event of a match, and whether its round has ended: it is played no further then.

The match of a table whose result was typed stays as it is: it waits, or nobody has recorded its
end. It can still be named, but is never the default.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from domain.telling.at_event import AtEvent
    from domain.tournament.state import State
    from service.client.client import Client


class Rounds:
    """The rounds of events, each event asked for once."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._events: dict[str, State | None] = {}
        self._now = 0

    def ended(self, match: str) -> bool:
        """Whether a match is one of a round that has ended, or of an event that has."""
        from domain.tournament.state import Stage, place_of

        place = place_of(match)
        if place is None:
            return False
        event, number, _ = place
        state = self._event(event)
        if state is None or number > len(state.rounds):
            return False
        return state.ended or state.rounds[number - 1].stage == Stage.ENDED

    def at(self, match: str) -> AtEvent | None:
        """The event of a match as it stands now; None: it has none, or it can't be seen."""
        from domain.telling.at_event import AtEvent
        from domain.tournament.state import place_of

        place = place_of(match)
        state = self._event(place[0]) if place is not None else None
        if state is None:
            return None
        return AtEvent(state, match, self._now, not self._client.who_am_i().match_id)

    def _event(self, event: str) -> State | None:
        if event not in self._events:
            self._events[event] = self._find(event)
        return self._events[event]

    def _find(self, event: str) -> State | None:
        """An event; None if it can't be seen, as where its matches were imported alone."""
        from service.client.connection import CallError

        try:
            state, self._now = self._client.get_tournament_and_time(event)
            return state
        except CallError:
            return None
