"""The present match of a table of an event, and the next players there.

All of it comes from the event (`GetTournament`): with the visitor's token for it, or else as its
public (`service.web.visitors`), with that delay.
"""

from __future__ import annotations

from contextlib import suppress

from kifu.v1 import tournament_service_pb2 as pb
from msgspec import Struct
from starlette.requests import Request

from domain.tournament.state import Round, Stage, State, place_of
from domain.words.phrases import phrase
from service import wire
from service.api.calls.errors import Fault, malformed
from service.identity import Identity
from service.store.records import StoreError
from service.store.tables.tournaments import NoSuchTournament
from service.web import visitors
from service.web.answers import NOTHING
from service.web.site import Site
from service.web.visitors import Visitor

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
    """The state of a table: a match (empty: none) of a round, and what comes next there."""

    event: str
    name: str
    round: int
    match: str
    coming: Coming | None


def now_at(state: State, table: int) -> TableNow:
    """The present state of a table."""
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
    if one.stage in (Stage.PAIRED, Stage.ENDED):  # one that is not opened may be paired again
        return None
    names = [state.players[player].name for player in one.tables[table].players]
    return Coming(one.number, table, names, one.stage == Stage.STARTED)


class Tables:
    """Asks events for their tables, for visitors who have a token and for those who have none."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def now(self, request: Request, table: int, event: str) -> tuple[TableNow, bool]:
        """The state of a table for a visitor, and whether everybody sees the same.

        Without an event it is that of his token, or the one that is live; raises `Fault`.
        """
        known = visitors.signed_in(self._site, request)
        if known is None and not self._site.look.open:
            raise visitors.not_signed_in()
        if not event and known is not None:
            event = _event_of(known.who)
        event = event or await self._running(request)
        visitor = await visitors.of_event(self._site, request, event)
        return now_at(await self._state(event, visitor), table), not visitor.signed_in

    async def _state(self, event: str, visitor: Visitor) -> State:
        answer = await self._site.ask(pb.GetTournamentRequest(event_id=event), visitor.sender)
        found: State = wire.tournament_of(answer.event)
        return found

    async def _running(self, request: Request) -> str:
        """The event that is going on, as the visitor knows by now, if it is one; raises `Fault`."""
        found = []
        for _, id_ in (await self._site.tournaments.opened())[:50]:
            # one that can't be read, is not released or is not his to see does not count
            with suppress(StoreError, NoSuchTournament, Fault):
                visitor = await visitors.of_event(self._site, request, id_)
                if not (await self._state(id_, visitor)).ended:
                    found.append(id_)
        if not found:
            raise NOTHING
        if len(found) > 1:
            raise malformed("event", phrase("is missing: several events are going on"))
        return found[0]


def _event_of(who: Identity) -> str:
    """The event of a token; empty: it is of none."""
    place = place_of(who.match)
    return who.event or (place[0] if place is not None else "")
