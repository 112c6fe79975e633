"""A tournament in the service of a test's own event loop: players with lists, and rounds.

`Hall` asks its servicer like its organiser, or like anybody else.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from kifu.v1 import desk_service_pb2, match_service_pb2
from kifu.v1 import tournament_service_pb2 as pb
from kifu.v1.match_service_pb2 import DeckChoice

from domain.engine.rulebook import Refused
from domain.tournament.record import Format, Outcome, Table
from domain.tournament.state import State, match_id
from service import wire
from service.api.calls.errors import Fault
from service.api.calls.guard import method_name
from service.identity import Identity, Role
from service.store.records import Records
from service.store.tables.tournaments import Tournaments as Store
from tests.support.in_process import HEAD, Servicers, open_servicers

DECKS = {"toy": ("ones", "tens"), "gundam": ("ST01", "ST02")}
FORMAT = Format("toy", mode="dealer", seconds=3000)
WON = Outcome(1, 0, 0, 1)
TABLES = (1, 2), (3, 4)


class Hall:
    """A tournament, and what is asked of it."""

    def __init__(self, servicers: Servicers, id_: str) -> None:
        self.servicers, self.id = servicers, id_

    async def ask(self, method: str, who: Identity = HEAD, **fields: Any) -> Any:
        """Call a method of the servicer."""
        request = getattr(pb, f"{method}Request")(event_id=self.id, **fields)
        return await getattr(self.servicers.event, method_name(method))(request, who)

    async def state(self) -> State:
        """The tournament once nothing is left to be followed."""
        await self.servicers.following.settled()
        return await self.servicers.tournaments.state(self.id)

    async def pair(self, *tables: tuple[int, int]) -> None:
        """Pair the next round at tables 1, 2, …"""
        found = [wire.pairing(Table(n, *pair)) for n, pair in enumerate(tables, 1)]
        await self.ask("PairRound", tables=found)

    async def report(self, table: int, outcome: Outcome, **more: Any) -> None:
        """Report a result."""
        await self.ask("ReportResult", table=table, outcome=wire.outcome(outcome), **more)

    async def begin(self, table: int, roll: int = 0, who: Identity = HEAD) -> None:
        """Have the match of a table begin: somebody sits down and rolls."""
        rolls = [match_service_pb2.Roll(outcome=[roll])]
        match = match_id(self.id, 1, table)
        request = desk_service_pb2.BeginMatchRequest(match_id=match, rolls=rolls)
        await self.servicers.desk.begin_match(request, who)

    async def concede(self, table: int, seat: int, number: int = 1) -> None:
        """Have a seat of a dealt match concede."""
        match = match_id(self.id, number, table)
        request = match_service_pb2.InterjectRequest(
            match_id=match, act=match_service_pb2.InterjectRequest().act
        )
        request.act.kind = "concede"
        await self.servicers.match.interject(request, Identity(Role.SEAT, "s", match, seat))

    def waiting(self, number: int = 1) -> list[bool]:
        """Of each match of a round that there is: whether it waits."""
        from service.store.derived import listing
        from service.store.derived.searching import Wanted, search

        found = search(self.servicers.records, Wanted(event=self.id)).matches
        found = [one for one in found if f".r{number}." in one.id]
        return [one.state == listing.WAITING for one in sorted(found, key=lambda one: one.id)]


def person(role: Role, hall: Hall, table: int = 0, seat: int = -1) -> Identity:
    """Somebody of the tournament, or of a table of its first round."""
    if table:
        return Identity(role, f"{role} {table}", match_id(hall.id, 1, table), seat)
    return Identity(role, f"{role} of {hall.id}", event=hall.id)


@asynccontextmanager
async def hall(path: Path, format_: Format = FORMAT, people: int = 4) -> AsyncIterator[Hall]:
    """A tournament with so many players, whose lists are accepted."""
    async with open_servicers(path) as servicers:
        request = pb.OpenTournamentRequest(name="Cup", format=wire.format_(format_))
        opened = await servicers.event.open_tournament(request, HEAD)
        found = Hall(servicers, opened.event_id)
        entered = [pb.NewPlayer(name=f"Player {n}") for n in range(1, people + 1)]
        await found.ask("EnterPlayers", players=entered)
        for n in range(1, people + 1):
            deck = DeckChoice(name=DECKS[format_.game][n % 2])
            await found.ask("HandInList", player=n, deck=deck)
        await found.ask("AcceptLists")
        yield found


@asynccontextmanager
async def reopened(path: Path) -> AsyncIterator[Hall]:
    """The only tournament of a file, after the service was started again."""
    async with open_servicers(path) as servicers:
        (_, id_), *_ = Store(servicers.records).opened()
        await servicers.following.take_up()
        yield Hall(servicers, id_)


def states(reports: Sequence[Any]) -> list[str]:
    """The states of the matches of a round."""
    return [one.state for one in reports]


def entries(records: Records, match: str) -> int:
    """How many entries a match has."""
    return records.last(match)


def fault(error: BaseException) -> str:
    """Why an error came about."""
    return error.refusal.fault if isinstance(error, Refused) else getattr(error, "reason", "")


async def refused(asked: Awaitable[object]) -> str:
    """Why something is refused."""
    with pytest.raises((Refused, Fault)) as caught:
        await asked
    return fault(caught.value)


async def started(found: Hall) -> None:
    """Pair the first round, open and start it."""
    await found.pair(*TABLES)
    await found.ask("OpenRound")
    await found.ask("StartRound")
