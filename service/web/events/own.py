"""A player's page of an event, `/e/{event}/me`, on a phone as well: his table, and his list.

What he sees and does at his table is in `at_table`: every form works without scripts. He calls a
judge, appeals against how that was settled or a ruling (`ruled`), and drops. He registers his pool
and hands in his list: what he types or pastes (`domain.text.pasted`) is read and checked as he
types; without scripts when he sends it. A list with faults is taken as well, as one that an
official brings is, and says so.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from itertools import chain
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from domain.engine.rulebook import Refused, Rulebook
from domain.telling.book import Book
from domain.text import pasted
from domain.tournament.acts import lists as acts
from domain.tournament.acts import pools, rows
from domain.tournament.record import Deck
from domain.tournament.state import State
from domain.words.phrases import phrase
from service import wire
from service.api.calls.errors import Fault
from service.api.tournaments import rights
from service.web import answers, visitors
from service.web.answers import with_faults
from service.web.entrance import signing
from service.web.events import at_table, lists, pages, ruled
from service.web.events.lists import Part
from service.web.hall.insiders import event_of
from service.web.site import Site
from service.web.visitors import Visitor

#: The fields of the forms that say a list and a pool.
LIST, POOL = "cards", "pool"
#: The most characters of a list as it is pasted, and bytes of its form.
LONGEST, MOST = 16_000, 64 * 1024


class Read(Struct, frozen=True):
    """A text as a list: its cards by part, and its faults; without parts it can't be read."""

    parts: Mapping[str, Sequence[str]] = {}
    faults: Sequence[str] = ()


def read(text: str, s: State, player: int, book: Book, rules: Rulebook, field: str) -> Read:
    """A text as a player's list for an event, or (by the `field` that he sends) as his pool."""
    if not text.strip():
        return Read()
    try:
        typed = pasted.read(text[:LONGEST], book.cards, book.decks)
    except pasted.BadList as error:
        return Read(faults=error.faults)
    if field == LIST:
        parts = pasted.completed(typed, book.decks)
        return Read(parts, pools.faults(s, player, _deck("", parts), rules))
    try:
        pools.check(s, [*chain.from_iterable(typed.values())], rules)
    except Refused as error:
        return Read(typed, [error.refusal.text])
    return Read(typed)


def _deck(name: str, parts: Mapping[str, Sequence[str]]) -> Deck:
    return Deck(name, {part: tuple(cards) for part, cards in parts.items()})


def routes(site: Site) -> Sequence[BaseRoute]:
    """The routes of this page."""

    async def page(request: Request) -> Response:
        id_ = request.path_params["event"]
        visitor = await visitors.of_event(site, request, id_)
        player = visitor.who.player if visitor.who.event == id_ else 0
        if not player:  # one of a seat, or none
            visitor, _, player = await _player(site, request)
        if not player:
            return RedirectResponse(f"/in?to={request.url.path}", HTTPStatus.SEE_OTHER)
        return await _page(site, visitor, request, id_, player)

    async def hand_in(request: Request) -> Response:
        sent = await signing.form_of(request, MOST)
        visitor, s, player = await _player(site, request)
        if not player:
            raise answers.NOTHING
        field = POOL if POOL in sent else LIST
        typed = {field: sent.get(field, "")}
        found = await _read(site, visitor, s, player, typed[field], field)
        if not found.parts:
            refused = phrase("This can't be read as a list.")
            return await _page(site, visitor, request, s.id, player, typed, refused)
        name = sent.get("name", "").strip() or s.players[player].name
        row = rows.HandInList if field == LIST else rows.RegisterPool
        act = row(player, _deck(name, found.parts), request_id=uuid.uuid4().hex)
        try:
            await site.ask(wire.event_request(s.id, act), visitor.sender)
        except Fault as fault:
            return await _page(site, visitor, request, s.id, player, typed, fault.text)
        return RedirectResponse(request.url.path, HTTPStatus.SEE_OTHER)

    async def check(request: Request) -> Response:
        sent = await signing.form_of(request, MOST)
        visitor, s, player = await _player(site, request)
        if not player:
            raise answers.NOTHING
        field = POOL if POOL in sent else LIST
        found = await _read(site, visitor, s, player, sent.get(field, ""), field)
        return answers.page("events/read.html", visitor.sender.language, found=found)

    async def do(request: Request) -> Response:
        sent = await signing.form_of(request)
        visitor, s, player = await _player(site, request)
        if not player:
            raise answers.NOTHING
        try:
            act = at_table.act_of(request.path_params["act"], sent, s, player)
            named = replace(act, request_id=uuid.uuid4().hex)
            await site.ask(wire.event_request(s.id, named), visitor.sender)
        except Fault as fault:
            return await _page(site, visitor, request, s.id, player, refused=fault.text)
        return RedirectResponse(f"/e/{s.id}/me", HTTPStatus.SEE_OTHER)

    return [
        Route("/e/{event}/me", with_faults(page), methods=["GET"]),
        Route("/e/{event}/me", with_faults(hand_in), methods=["POST"]),
        Route("/e/{event}/me/check", with_faults(check), methods=["POST"]),
        Route("/e/{event}/me/{act}", with_faults(do), methods=["POST"]),
    ]


async def _player(site: Site, request: Request) -> tuple[Visitor, State, int]:
    """The visitor, the event, and the visitor's number there; 0: he is no player of it."""
    id_ = request.path_params["event"]
    visitor = await visitors.of_event(site, request, id_)
    s, _ = await event_of(site, visitor, id_)
    player = rights.viewer(visitor.who, s).player
    if player and s.format.pools.way:  # what he sends is compared with his pool
        s, _, _ = await lists.handed_in(site, visitor, id_, player)
    return visitor, s, player


def _typed(parts: Sequence[Part]) -> str:
    """A list as it may be typed, with the names of its cards."""
    lines = []
    for part in parts:
        lines += [f"[{part.name}]", *(f"{r.count} {r.card} {r.name}".strip() for r in part.rows)]
    return "\n".join(lines)


async def _read(
    site: Site, visitor: Visitor, s: State, player: int, text: str, field: str = LIST
) -> Read:
    book = site.book(s.format.game, visitor.sender.language, s.format.prints)
    rules = site.matches.rulebook(s.format.game)
    return await site.matches.lanes.run(read, text, s, player, book, rules, field)


async def _page(
    site: Site,
    visitor: Visitor,
    request: Request,
    event: str,
    player: int,
    sent: Mapping[str, str] = MappingProxyType({}),
    refused: str = "",
) -> Response:
    """His page; `sent` is what he typed, and `refused` why it was not taken."""
    s, now, handed = await lists.handed_in(site, visitor, event, player)
    text = sent.get(LIST, _typed(handed.parts))
    open_ = bool(s.format.mode) and acts.open_to(s, handed.player)
    pool = sent.get(POOL, "\n".join(f"{one.count} {one.card} {one.name}" for one in handed.pool))
    pooling = bool(s.format.pools.way) and not (s.pools_closed or s.ended or handed.player.accepted)
    return answers.page(
        "events/me.html", visitor.sender.language,
        status=HTTPStatus.BAD_REQUEST if refused else HTTPStatus.OK,
        s=s, handed=handed, text=text, longest=LONGEST, refused=refused,
        found=await _read(site, visitor, s, player, text) if open_ else Read(),
        open=open_, pool=pool, pooling=pooling,
        pool_found=await _read(site, visitor, s, player, pool, POOL) if pooling else Read(),
        pod=pages.pod_of(s, player),
        renewed=bool(signing.kept_code(request)),
        ruled=await site.matches.lanes.run(ruled.of, site.matches.records, s, player),
        table=at_table.of(s, player), clock=pages.own_clock(s, player, now), time=now,
    )  # fmt: skip
