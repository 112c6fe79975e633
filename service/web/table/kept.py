"""Matches as their scorekeepers see them, kept between requests and brought up to date by each.

They are caches: another server, or this one after a restart, makes them anew from the record. All
that is asked of the service goes by its RPCs (`Site.ask`), with the rights of who asks.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar

from grpc import StatusCode
from kifu.v1 import match_service_pb2 as pb
from kifu.v1 import values_pb2
from starlette.requests import Request

from domain.record import events as ev
from domain.record.entries import Entry
from domain.scorekeeping.command import Command, Rejected, Trial
from domain.scorekeeping.line.input_line import InputLine
from domain.scorekeeping.session import Session
from domain.scorekeeping.suggestions.fuzzy import words
from domain.scorekeeping.understanding.understood import Understood
from domain.words.phrases import phrase
from domain.words.tables import Language
from service import wire
from service.api.calls import tickets
from service.api.calls.errors import Fault, forbidden, malformed
from service.api.calls.tickets import Ticket
from service.identity import Role
from service.web import visitors
from service.web.answers import NOTHING
from service.web.site import Site
from service.web.visitors import Visitor

T = TypeVar("T")

#: How many matches are kept, with how many lines of each at least; how many entries are fetched at
#: once. No line has more words, since each is compared with all that may be meant.
MOST, LINES, PAGE, WORDS = 400, 200, 1000, 60
#: Who keeps the score of a real table, and who records what is against the rules.
KEEPERS = (Role.SCOREKEEPER, Role.OFFICIAL, Role.ORGANISER)
OFFICIALS = (Role.OFFICIAL, Role.ORGANISER)


class Kept:
    """A match up to its last entry known here.

    `shown` are the commands of what was drawn after that entry, by their texts. One request at a
    time uses it (`lock`).
    """

    def __init__(self, session: Session) -> None:
        self.session, self.line = session, InputLine(session)
        self.lock = asyncio.Lock()
        self.shown: dict[str, Command] = {}
        self._requests: set[str] = set()  # the ids of those that were recorded, some hashed

    def feed(self, entries: Iterable[Entry]) -> None:
        """Take in entries."""
        for entry in entries:
            match entry.event:
                case ev.DecisionMade(ticket=ticket) | ev.Interjected(ticket=ticket):
                    self._requests.add(tickets.parsed(ticket.value or "").name)
                case ev.FrameOpened(facts=facts) if facts.get("ticket"):
                    self._requests.add(tickets.parsed(str(facts["ticket"])).name)
            self.shown.clear()
            self.session.feed([entry])
        if len(self.session.lines) > 2 * LINES:
            del self.session.lines[:-LINES]

    def recorded(self, request: str) -> bool:
        """Whether a request of that id was recorded."""
        return not self._requests.isdisjoint((request, Ticket(request).hashed().name))


class Tables:
    """The matches that are kept, those that were not used for longest given up first."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self._kept: OrderedDict[tuple[str, str], Kept] = OrderedDict()

    async def of(self, request: Request) -> Keeper:
        """The scorekeeper who asks, and his match as far as it is known; raises `Fault`."""
        match = request.path_params["match"]
        visitor = await visitors.of(self.site, request)
        if not visitor.who.may_see(match):
            raise NOTHING
        if visitor.who.role not in KEEPERS:
            raise forbidden("a scorekeeper or an official of the match")
        key = match, visitor.sender.language.tag
        if key not in self._kept:
            kept = await self._begun(match, visitor)
            self._kept.setdefault(key, kept)
        self._kept.move_to_end(key)
        while len(self._kept) > MOST:
            self._kept.popitem(last=False)
        return Keeper(self.site, visitor, match, self._kept[key], lambda: self._forget(key))

    def _forget(self, key: tuple[str, str]) -> None:
        self._kept.pop(key, None)

    async def _begun(self, match: str, visitor: Visitor) -> Kept:
        """A match of which nothing is known yet; raises `Fault` if it is not entered by people."""
        public = pb.GetPositionRequest(match_id=match, view=pb.View(public=True))
        heading = wire.table_of((await self.site.ask(public, visitor.sender)).position).heading
        if heading.mode != "table" or heading.fork:
            text = phrase("This match is dealt by the service, so that its players enter it.")
            raise Fault(StatusCode.FAILED_PRECONDITION, "MATCH_DEALT", text)
        book = self.site.book(heading.game, visitor.sender.language, heading.prints)
        return Kept(Session(match, book))


class Keeper(NamedTuple):
    """A scorekeeper, and his match; `forget` has it made anew the next time."""

    site: Site
    visitor: Visitor
    match: str
    kept: Kept
    forget: Callable[[], None]

    @property
    def session(self) -> Session:
        """The match as it is known here."""
        return self.kept.session

    @property
    def language(self) -> Language:
        """The language of the page."""
        return self.visitor.sender.language

    @property
    def rules(self) -> bool:
        """Whether he may record what is against the rules, as an official."""
        return self.visitor.who.role in OFFICIALS

    async def ask(self, request: Any) -> Any:
        """The service's answer; raises `Fault`."""
        return await self.site.ask(request, self.visitor.sender)

    async def run(self, work: Callable[[], T]) -> T:
        """Do something that takes its time."""
        return await self.site.matches.lanes.run(work)

    async def catch_up(self) -> None:
        """Bring the match up to date, and find out where passes lead."""
        request = pb.ListEventsRequest(match_id=self.match, page_size=PAGE)
        request.start.seq = self.session.seq + 1
        fresh = not self.session.seq
        while True:
            try:
                found = await self.ask(request)
            except Fault as fault:
                if fault.reason != "POINT_UNKNOWN" or fresh:  # there is nothing new
                    raise
                break
            entries = [wire.entry_of(entry) for entry in found.entries]
            try:
                await self.run(lambda entries=entries: self.kept.feed(entries))  # type: ignore[misc]
            except Exception:
                self.forget()  # it may be left between two entries
                raise
            if not found.next_page_token:
                break
            request.page_token = found.next_page_token
        await self._foresee()

    async def _foresee(self) -> None:
        session = self.session
        if session.decision is None or session.foreseeing:
            return
        try:
            found = await self.ask(pb.ForeseePassesRequest(match_id=self.match, ends=True))
        except Fault:
            return  # then passes are not inferred
        entries = [wire.entry_of(entry) for entry in found.entries]
        await self.run(lambda: session.foreseen((found.decision, entries, found.cut)))

    async def understood(self, typed: str) -> Understood:
        """What a line means, after the service was asked whether it would record that.

        Raises `Fault` for one that is too long.
        """
        if len(words(typed)) > WORDS:
            raise malformed("line", phrase("has more than {most} words", most=WORDS))
        line = self.kept.line
        line.type(typed)
        while (found := await self.run(line.understood)).untried is not None:
            await self.tried(found.untried)
        return found

    async def tried(self, command: Command) -> Trial | None:
        """The service's answer about a command in advance, which is kept; None: it gives none."""
        found = await self._tried(command)
        self.session.take_trial(self.session.seq, command, found)
        return found

    async def _tried(self, command: Command) -> Trial | None:
        request = pb.ExplainRefusalRequest(
            match_id=self.match, act=wire.act(command.act), seat=command.seat,
            names=names(command), passes=command.passes, ends=bool(command.ends),
        )  # fmt: skip
        try:
            found = await self.ask(request)
        except Fault:
            return None
        offer = wire.offer_of(found.offer) if found.HasField("offer") else None
        if found.allowed:
            return Trial(None, offer)
        return Trial(Rejected(found.reason, found.text, tuple(found.rules)), offer)


def names(command: Command) -> list[values_pb2.Identity]:
    """The cards that a command names."""
    return [values_pb2.Identity(number=n, card=card) for n, card in command.names.items()]
