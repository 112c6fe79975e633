"""The holder of a seat: a player by his own token, or a scorekeeper who enters its decisions.

A dealt match is played by its seats, a real table is entered by scorekeepers and officials, a fork
played on by officials: as the API has it (`service.api.matches`), which decides in the end.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

from kifu.v1 import match_service_pb2 as pb
from kifu.v1 import values_pb2
from starlette.requests import Request

from domain.record.decisions import Act
from domain.record.position import Position
from domain.record.values import Ref
from domain.telling.board.tiles import Tiles
from domain.telling.book import Book, brought
from domain.words.tables import Language
from service import wire
from service.api.calls.errors import forbidden, malformed
from service.identity import Role
from service.web import visitors
from service.web.answers import NOTHING
from service.web.cards.linking import address, own_address
from service.web.site import Site
from service.web.views import name_of, view_of
from service.web.visitors import Visitor


class Seated(NamedTuple):
    """Somebody at a seat of a match, and the table as the seat sees it now.

    `plays`: he may act for it; else the match is entered by others, and he looks on. `catalogue`
    has the cards that the match did not bring itself.
    """

    visitor: Visitor
    match: str
    seat: int
    pos: Position
    book: Book
    plays: bool
    catalogue: Collection[str]

    @property
    def names(self) -> Tiles:
        """The names of things on the table."""
        return Tiles(self.book, self.pos)

    @property
    def language(self) -> Language:
        """The language that the page is in."""
        return self.visitor.sender.language

    @property
    def own(self) -> bool:
        """Whether it is his own seat."""
        return self.visitor.who.role == Role.SEAT

    def print_of(self, ref: Ref) -> str:
        """The address of what a card says; empty: it is none that he knows."""
        card = self.pos.cards.get(ref) if isinstance(ref, int) else None
        if card is None:
            return ""
        own = {one.id for one in brought(self.pos.heading.prints)}
        if card.id in own:
            return own_address(self.match, card.id)
        return address(self.pos.heading.game, card.id) if card.id in self.catalogue else ""

    @property
    def named(self) -> dict[str, Any]:
        """The seat that requests name: a seat's own needs none."""
        return {} if self.own else {"seat": self.seat}


async def of(site: Site, request: Request) -> Seated:
    """The holder of a seat; raises `Fault` or `BadToken`."""
    match = request.path_params["match"]
    visitor = await visitors.of(site, request)  # who has no token is asked for one
    if not visitor.who.may_see(match):
        raise NOTHING
    if visitor.who.role == Role.PUBLIC:
        raise forbidden("a seat of the match, or a scorekeeper who enters for one")
    seat = _asked_for(request)
    if visitor.who.role == Role.SEAT:
        if seat not in (None, visitor.who.seat):
            raise forbidden("the seat itself")
        seat = visitor.who.seat
    elif seat is None:
        seat = await _to_decide(site, visitor, match)
    view = view_of(name_of(seat))
    answer = await site.ask(pb.GetPositionRequest(match_id=match, view=view), visitor.sender)
    pos = wire.table_of(answer.position)
    book = site.book(pos.heading.game, visitor.sender.language, pos.heading.prints)
    catalogue = site.book(pos.heading.game, visitor.sender.language).cards
    found = Seated(visitor, match, seat, pos, book, _plays(visitor, pos), catalogue)
    if found.plays and not found.own:
        await _name(site, found, _names(request))
    return found


async def _name(site: Site, found: Seated, names: dict[int, str]) -> None:
    """Insert the stated names of cards of a real table, and the seat's offer with them.

    Nothing is recorded; the command that follows states them again. Raises `Fault`.
    """
    pos, decision = found.pos, found.pos.decision
    if not names or decision is None or found.seat not in decision.seats:
        return
    names_ = [values_pb2.Identity(number=number, card=card) for number, card in names.items()]
    act = wire.act(Act("pass"))
    request = pb.ExplainRefusalRequest(match_id=found.match, act=act, names=names_, **found.named)
    answer = await site.ask(request, found.visitor.sender)
    if answer.HasField("offer"):
        decision.offers[found.seat] = wire.offer_of(answer.offer)
        for number, card in names.items():
            if number in pos.cards:
                pos.cards[number].id = card


async def _to_decide(site: Site, visitor: Visitor, match: str) -> int:
    """The seat that is asked at present, for a scorekeeper of all seats."""
    view = pb.View(public=True)
    answer = await site.ask(pb.GetPositionRequest(match_id=match, view=view), visitor.sender)
    asked = answer.position.decision.seats
    return int(asked[0]) if asked else 0


def _asked_for(request: Request) -> int | None:
    """The seat that the address names."""
    text = request.query_params.get("seat")
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) == 1):
        raise malformed("seat", "must be the number of a seat: 0 or 1")
    return int(text)


def _names(request: Request) -> dict[int, str]:
    """Which cards are which, as the address says: `12:ST01-001,14:ST01-002`."""
    found: dict[int, str] = {}
    for one in filter(None, request.query_params.get("names", "").split(",")):
        number, _, card = one.partition(":")
        if not (number.isascii() and number.isdecimal() and len(number) < 9 and card):
            raise malformed("names", "must be numbers of cards and what they are")
        found[int(number)] = card
    return found


def _plays(visitor: Visitor, pos: Position) -> bool:
    """Whether somebody acts for the seat, or only looks on."""
    role, heading = visitor.who.role, pos.heading
    if heading.fork:
        return role in (Role.OFFICIAL, Role.ORGANISER)
    return (role == Role.SEAT) == (heading.mode != "table")
