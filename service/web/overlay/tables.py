"""Which match a table of an event has at the moment, and who plays there next.

All of it is what an event tells its sender (`GetTournament`): the public of an event, or whoever
has a token of it, as late as that.
"""

from __future__ import annotations

from kifu.v1 import tournament_service_pb2 as pb
from msgspec import Struct
from starlette.requests import Request

from domain.tournament.state import Round, Stage, State, place_of
from domain.words.phrases import phrase
from service import wire
from service.api.calls.errors import Fault, malformed
from service.api.calls.guard import Sender
from service.identity import BadToken, Identity
from service.store.records import StoreError
from service.web import visitors
from service.web.answers import NOTHING
from service.web.site import Site
from service.web.visitors import Spectators

#: Stages of a round in which it is played, or has been.
_PLAYED = (Stage.STARTED, Stage.ENDED)


class Coming(Struct, frozen=True):
    """A pairing of a round that waits to start, or that has no match of its own to be shown.

    `names` has one name where it is a bye. `started`: it is being played, and nobody records it.
    """

    round: int
    table: int
    names: list[str]
    started: bool = False


class TableNow(Struct, frozen=True):
    """What a table shows: a match (empty: none) of a round, and what comes next there."""

    event: str
    name: str
    round: int
    match: str
    coming: Coming | None


def now_at(state: State, table: int) -> TableNow:
    """What there is to be seen at a table by now."""
    match, shown, coming = "", 0, None
    for one in state.rounds:
        seating = one.tables.get(table)
        if seating is None:
            continue
        recorded = state.match(one.number, table) in dict(state.matches(one))
        if one.stage in _PLAYED and recorded:
            match, shown, coming = state.match(one.number, table), one.number, None
        elif one is state.round and not state.ended:
            coming = _coming(state, one, table)
    return TableNow(state.id, state.name, shown, match, coming)


def _coming(state: State, one: Round, table: int) -> Coming | None:
    if one.stage in (Stage.PAIRED, Stage.ENDED):  # one that is not opened may be paired anew
        return None
    names = [state.players[player].name for player in one.tables[table].players]
    return Coming(one.number, table, names, one.stage == Stage.STARTED)


class Tables:
    """Asks events for their tables, for visitors who have a token and for those who have none."""

    def __init__(self, site: Site, spectators: Spectators) -> None:
        self._site, self._spectators = site, spectators

    async def now(self, request: Request, table: int, event: str) -> tuple[TableNow, bool]:
        """What a table shows to a visitor, and whether that is what everybody sees.

        Without an event it is that of his token, or the one that is going on; raises `Fault`.
        """
        authorized = visitors.authorization(request)
        if authorized is None and not self._site.look.open:
            raise BadToken("TOKEN_MISSING", "Sign in with your code first.")
        if authorized is not None:
            sender = visitors.sender(request, authorized)
            event = event or self._event_of(self._site.keys.check(sender.token))
        event = event or await self._running(request if authorized is None else None)
        if authorized is None:
            sender = await self._public(request, event)
        return now_at(await self._state(event, sender), table), authorized is None

    async def _public(self, request: Request, event: str) -> Sender:
        """The public of an event."""
        token, _ = await self._spectators.event_token(event)
        return visitors.sender(request, f"Bearer {token}")

    async def _state(self, event: str, sender: Sender) -> State:
        answer = await self._site.ask(pb.GetTournamentRequest(event_id=event), sender)
        found: State = wire.tournament_of(answer.event)
        return found

    def _event_of(self, who: Identity) -> str:
        """The event of a token; empty: it is of none."""
        place = place_of(who.match)
        return who.event or (place[0] if place is not None else "")

    async def _running(self, public: Request | None) -> str:
        """The event that is going on, if it is one; raises `Fault`.

        `public`: as the public knows by now, which asks by this request.
        """
        found = []
        for _, id_ in (await self._site.tournaments.opened())[:50]:
            try:
                if public is None:
                    state = await self._site.tournaments.state(id_)
                else:
                    state = await self._state(id_, await self._public(public, id_))
                if not state.ended:
                    found.append(id_)
            except (StoreError, Fault):  # which can't be read, or is not released
                continue
        if not found:
            raise NOTHING
        if len(found) > 1:
            raise malformed("event", phrase("is missing: several events are going on"))
        return found[0]
