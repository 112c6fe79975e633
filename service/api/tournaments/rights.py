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
        own_event = who.player and who.event == s.id
        return Viewer(player=who.player) if own_event else views.PUBLIC
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


def handing_in(who: Identity, s: State, player: int) -> bool:
    """Whether a player hands in his own list; refuses who is neither he nor an official."""
    if who.role not in (Role.PUBLIC, Role.SEAT):
        require(who, s.id, OFFICIALS)
        return False
    own(who, s.id)
    if not player or viewer(who, s).player != player:
        raise forbidden("an official of the event, or the player whose list it is")
    return True


def himself(who: Identity, s: State, player: int) -> int:
    """The player that a caller is, who may be named (not 0) as no other; refuses all others."""
    own(who, s.id)
    found = viewer(who, s).player if who.role in (Role.PUBLIC, Role.SEAT) else 0
    if not found or player not in (0, found):
        raise forbidden("the player whom it is about")
    return found


def caller(who: Identity, s: State, table: int, player: int) -> int:
    """The player that a call is by, if one; refuses callers who may not call from that table."""
    own(who, s.id)
    if not (who.match or who.player):
        require(who, s.id, ENTERING)
        return player
    seen, now = viewer(who, s), s.round
    if who.player:
        place = now.of(seen.player) if now is not None and seen.player else None
        here = place is not None and place.number == table
    else:
        here = now is not None and (now.number, table) == (seen.round, seen.table)
        here = here and who.role != Role.PUBLIC
    if not here:
        raise forbidden("who sits at the table, or enters there")
    return seen.player or player
