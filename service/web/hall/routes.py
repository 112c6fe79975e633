"""The pages of the hall, what their scripts ask for, and the commands that these prepare.

/hall                       the events of whoever signed in
/hall/{event}               the tables of a round (`?round=`); `?screen=1`: for a projector
/hall/{event}/{part}        players, check-in, standings, officials, penalties, log; `?only=1`: bare
/hall/{event}/players/{n}   a player's list
/hall/{event}/now           what has changed: tables, head, calls (`?since=`, `?seq=`)
/hall/{event}/follow        server-sent events: that the event's record goes on
/hall/{event}/prepare       POST: a form, for the command that it means; changes nothing
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from kifu.v1 import tournament_service_pb2 as pb
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from domain.telling.tournament import STAGES
from service import wire
from service.api.calls.errors import malformed
from service.identity import Role
from service.web import answers, visitors
from service.web.answers import with_faults
from service.web.events import pages as public
from service.web.hall import acts, insiders, prepared, seen
from service.web.hall.asked import Asked
from service.web.hall.boards import Board, Boards
from service.web.hall.seen import Seen
from service.web.positions.feed import Feed
from service.web.site import Site

#: What a page shows beside the tables, by its name in the address.
PARTS: Mapping[str, Callable[[Site, Seen], Awaitable[dict[str, Any]]]] = {
    "players": seen.players,
    "check-in": seen.check_in,
    "standings": seen.standings,
    "officials": seen.officials,
    "penalties": seen.penalties,
    "log": seen.record,
}
#: The parts that a scorekeeper has.
KEEPERS = ("players", "check-in", "standings")


def routes(feed: Feed) -> Sequence[BaseRoute]:
    """The routes of this part."""
    hall = Hall(feed)
    return [
        Route("/hall", with_faults(hall.events)),
        Route("/hall/{event}", with_faults(hall.tables)),
        Route("/hall/{event}/now", with_faults(hall.now)),
        Route("/hall/{event}/follow", with_faults(hall.follow)),
        Route("/hall/{event}/prepare", with_faults(hall.prepare), methods=["POST"]),
        Route("/hall/{event}/players/{player:number}", with_faults(hall.player)),
        Route("/hall/{event}/{part}", with_faults(hall.part)),
    ]


class Hall:
    """Answers requests for the hall."""

    def __init__(self, feed: Feed) -> None:
        self._site, self._feed, self._boards = feed.site, feed, Boards()

    async def events(self, request: Request) -> Response:
        """The events of the signed-in visitor."""
        visitor = await visitors.of(self._site, request)
        asked = pb.ListTournamentsRequest(
            page_size=50, page_token=request.query_params.get("page", "")
        )
        found = await self._site.ask(asked, visitor.sender)
        return answers.page(
            "hall/list.html", visitor.sender.language,
            events=[(one, insiders.enters(visitor.who, one.event_id)) for one in found.events],
            stages={stage.value: label for stage, label in STAGES.items()},
            titles={name: rules.manifest.called for name, rules in self._site.rulebooks.items()},
            next=found.next_page_token, organises=visitor.who.role == Role.ORGANISER,
        )  # fmt: skip

    async def tables(self, request: Request) -> Response:
        """The tables of a round."""
        now = await self._seen(request)
        if request.query_params.get("screen"):
            return public.screen(now.s, now.time, now.visitor.sender.language, hall=True)
        board = await self._board(now)
        rows = [row for _, row in board.rows.values()]
        return answers.page(
            "hall/parts/tables.html", now.visitor.sender.language, **seen.data(self._site, now),
            rows=rows, version=board.version, part="tables",
        )  # fmt: skip

    async def part(self, request: Request) -> Response:
        """Another part: as a page, or without its frame."""
        name, now = request.path_params["part"], await self._seen(request)
        if name not in PARTS or not (now.runs or name in KEEPERS):
            raise answers.NOTHING
        given = await PARTS[name](self._site, now)
        return self._part(request, now, name, name, results=seen.results(now.s), **given)

    async def player(self, request: Request) -> Response:
        """A player's list; that an official reads it is written down."""
        number, now = request.path_params["player"], await self._seen(request)
        given = await seen.player(self._site, now, number)
        return self._part(request, now, "player", f"players/{number}", **given)

    def _part(self, request: Request, now: Seen, name: str, at: str, **given: Any) -> Response:
        """A part of the page by its template and its address, in its frame or without it."""
        whole = not request.query_params.get("only")
        return answers.page(
            "hall/parts/part.html" if whole else f"hall/parts/{name}.html",
            now.visitor.sender.language,
            **seen.data(self._site, now), part=at, shown=name, **given,
        )  # fmt: skip

    async def now(self, request: Request) -> Response:
        """The changes since a version of the board, and an entry of the event."""
        now = await self._seen(request)
        board, language = await self._board(now), now.visitor.sender.language
        whole, rows = board.since(request.query_params.get("since", ""))
        shared = seen.data(self._site, now)
        parts = {}
        known = request.query_params.get("seq"), request.query_params.get("jumped", "0")
        if known != (str(now.s.seq), str(now.jumped)):
            parts = {
                name: answers.rendered(f"hall/parts/{name}.html", language, **shared)
                for name in ("head", "calls")
            }
        return answers.data({
            "seq": now.s.seq,
            "now": now.time,
            "jumped": now.jumped,
            "round": now.now.number if now.now is not None else 0,
            "stage": now.now.stage if now.now is not None else "",
            "version": board.version,
            "whole": whole,
            "rows": [
                [row.number, answers.rendered("hall/parts/row.html", language, row=row, **shared)]
                for row in rows
            ],
            **parts,
        })  # fmt: skip

    async def follow(self, request: Request) -> Response:
        """Tells of every entry of the event, from one on."""
        visitor = await insiders.insider(self._site, request, request.path_params["event"])
        return public.followed(self._site, visitor, request)

    async def prepare(self, request: Request) -> Response:
        """The command that a form means."""
        now = await self._seen(request)
        form = await prepared.form_of(request)
        made = Asked(self._site, now.visitor, now.s, form)
        found = await acts.prepared(form.text("act"), made)
        return prepared.answer(found, now.visitor.sender.language)

    async def _seen(self, request: Request) -> Seen:
        event = request.path_params["event"]
        visitor = await insiders.insider(self._site, request, event)
        found = await self._site.ask(pb.GetTournamentRequest(event_id=event), visitor.sender)
        state = wire.tournament_of(found.event)
        wanted, rounds = request.query_params.get("round", ""), state.rounds
        if wanted and not (wanted.isascii() and wanted.isdecimal() and len(wanted) < 10):
            raise malformed("round", "is no number")
        number = int(wanted or 0) or len(rounds)
        if number > len(rounds):
            raise answers.NOTHING
        now = rounds[number - 1] if rounds else None
        return Seen(state, now, found.now, visitor, found.clock_jumped)

    async def _board(self, now: Seen) -> Board:
        number = now.now.number if now.now is not None else 0
        key = now.s.id, number, now.visitor.sender.language.tag
        return await self._boards.get(
            key, now.s.seq, lambda known: seen.rows_of(self._feed, now, known)
        )
