"""The rights of each token at a tournament: acts and views."""

from __future__ import annotations

from grpc import StatusCode

from domain.tournament import views
from domain.tournament.state import State, place_of
from domain.tournament.views import Viewer
from service.api.calls.errors import Fault, forbidden, malformed
from service.identity import Identity, Role

#: Roles that may do something: organisers and officials; those who enter as well; those at a table.
OFFICIALS = (Role.ORGANISER, Role.OFFICIAL)
ENTERING = (*OFFICIALS, Role.SCOREKEEPER)


def own(who: Identity, event: str) -> None:
    """Refuse a caller without rights in an event, or in a match of it."""
    if not event:
        raise malformed("event_id", "is missing")
    if who.role == Role.ORGANISER or event == who.event:
        return
    place = place_of(who.match)
    if place is None or place[0] != event:
        raise Fault(
            StatusCode.PERMISSION_DENIED, "EVENT_FOREIGN", "The token is for another event."
        )


def require(who: Identity, event: str, roles: tuple[str, ...]) -> None:
    """Refuse a caller that has none of these roles for the whole event."""
    own(who, event)
    if who.role not in roles or who.match:
        officials = roles == OFFICIALS
        raise forbidden("an official of the event" if officials else "who enters at the event")


def viewer(who: Identity, s: State) -> Viewer:
    """Through whose eyes somebody sees a tournament."""
    if who.role == Role.PUBLIC:
        return views.PUBLIC
    if not who.match:
        return Viewer(official=who.role in OFFICIALS, keeper=who.role == Role.SCOREKEEPER)
    place = place_of(who.match)
    if place is None or place[0] != s.id or not 1 <= place[1] <= len(s.rounds):
        return views.PUBLIC
    table = s.rounds[place[1] - 1].tables.get(place[2])
    player = 0
    if table is not None and 0 <= who.seat < len(table.players):
        player = table.players[who.seat]
    return Viewer(round=place[1], table=place[2], player=player)


def caller(who: Identity, s: State, table: int, player: int) -> int:
    """The player that a call is by, if one; refuses callers who may not call from that table."""
    if not who.match:
        require(who, s.id, ENTERING)
        return player
    own(who, s.id)
    seen = viewer(who, s)
    here = s.round is not None and (s.round.number, table) == (seen.round, seen.table)
    if who.role == Role.PUBLIC or not here:
        raise forbidden("who sits at the table, or enters there")
    return seen.player or player
