"""The routes of this part: the page, the state of the match, a line, and a tap.

/table/{match}        the page
/table/{match}/now    the parts of the page (`?near=`: the seat at the bottom)
/table/{match}/line   POST: what a line, a card or a place means; changes nothing
/table/{match}/tap    POST: what was tapped is recorded; the answer has the parts of the page
/table/{match}/card   POST: a card that no catalogue has, as it was typed; changes nothing
/table/{match}/photo/{card}   POST: a photo of a card that was brought (JPEG); empty: none any more
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from domain.record.decisions import Act
from domain.record.position import NOBODY
from domain.record.values import Ref
from domain.scorekeeping import taps
from domain.scorekeeping.command import Command
from domain.scorekeeping.line.questions import naming
from domain.tournament.state import place_of
from service.api.calls.errors import malformed
from service.store.tables import card_photos
from service.web import answers
from service.web.answers import with_faults
from service.web.bodies import body_of
from service.web.site import Site
from service.web.table import bringing, drawing, recording
from service.web.table.kept import Keeper, Tables

#: No request of the page is longer: a line, or a declared text.
BODY = 16 * 1024


class Asked(Struct, frozen=True, forbid_unknown_fields=True):
    """What the page asks about: a typed line, a place, a card, or a card that is `named` so.

    With `naming` the line answers which card that is. `picking` asks for the picks of an act that
    is on offer, by seat and place in the offer, after those that were `picked`.
    """

    typed: str = ""
    place: str = ""
    card: int = 0
    named: str = ""
    naming: int = 0
    picking: tuple[int, int] | None = None
    picked: tuple[tuple[Ref, str], ...] = ()


def routes(site: Site) -> Sequence[BaseRoute]:
    """The routes of this part."""
    here = Pages(site)
    return (
        Route("/table/{match}", with_faults(here.page), methods=["GET"]),
        Route("/table/{match}/now", with_faults(here.now), methods=["GET"]),
        Route("/table/{match}/line", with_faults(here.line), methods=["POST"]),
        Route("/table/{match}/card", with_faults(here.card), methods=["POST"]),
        Route("/table/{match}/photo/{card}", with_faults(here.photo), methods=["POST"]),
        Route("/table/{match}/tap", with_faults(here.tap), methods=["POST"]),
    )


class Pages:
    """The answers at these addresses."""

    def __init__(self, site: Site) -> None:
        self._tables = Tables(site)

    async def page(self, request: Request) -> Response:
        """The page of a table."""
        keeper = await self._tables.of(request)
        async with keeper.kept.lock:
            await keeper.catch_up()
            pos, near = keeper.session.pos, _near(request)
            state = await keeper.run(lambda: drawing.state(keeper, near))
            return answers.page(
                "table/table.html",
                keeper.language,
                match=keeper.match, heading=pos.heading, place=place_of(keeper.match),
                state=state, near=near, rules=keeper.rules,
                scheme=[(one.name, one.called) for one in pos.heading.policy.scheme],
            )  # fmt: skip

    async def now(self, request: Request) -> Response:
        """The parts of the page, as the match stands."""
        keeper = await self._tables.of(request)
        async with keeper.kept.lock:
            await keeper.catch_up()
            return await _state(keeper, request)

    async def line(self, request: Request) -> Response:
        """What something means."""
        asked = _read(await body_of(request, BODY))
        keeper = await self._tables.of(request)
        async with keeper.kept.lock:
            await keeper.catch_up()
            html = await self._meant(keeper, asked)
        return answers.data({"seq": keeper.session.seq, "html": html})

    async def _meant(self, keeper: Keeper, asked: Asked) -> str:
        pos = keeper.session.pos
        if asked.naming in pos.cards:
            cards = ((asked.naming, pos.card(asked.naming).place),)
            question = naming(keeper.session, Command(NOBODY, Act("")), cards)
            return await keeper.run(lambda: drawing.asked(keeper, question, asked.typed))
        if (of := asked.picking) is not None:
            return await keeper.run(lambda: drawing.of_picks(keeper, of, asked.picked))
        if asked.place in pos.zones:
            return await keeper.run(lambda: drawing.of_place(keeper, asked.place))
        if asked.card in pos.cards and asked.named:
            return await self._named(keeper, asked.card, asked.named)
        if asked.card in pos.cards:
            return await keeper.run(lambda: drawing.of_card(keeper, asked.card))
        if not asked.typed.strip():
            return await keeper.run(lambda: drawing.dock(keeper))
        found = await keeper.understood(asked.typed)
        return await keeper.run(lambda: drawing.understood(keeper, found))

    async def _named(self, keeper: Keeper, number: int, card: str) -> str:
        found = [
            (one, trial.offer)
            for one in taps.asked_about(keeper.kept.line, number, card)
            if (trial := await keeper.tried(one)) is not None and trial.offer is not None
        ]
        return await keeper.run(lambda: drawing.of_named(keeper, number, card, found))

    async def card(self, request: Request) -> Response:
        """The form of a card that no catalogue has; once it is filled in, what is understood."""
        typed = bringing.read(await body_of(request, BODY))
        keeper = await self._tables.of(request)
        async with keeper.kept.lock:
            await keeper.catch_up()
            html = await keeper.run(lambda: bringing.drawn(keeper, typed))
        return answers.data({"html": html})

    async def photo(self, request: Request) -> Response:
        """Have a photo of a card kept, which was brought."""
        keeper = await self._tables.of(request)
        file = await body_of(request, card_photos.BYTES)
        async with keeper.kept.lock:
            await keeper.catch_up()
            await bringing.keep_photo(keeper, request.path_params["card"], file)
        return answers.data({})

    async def tap(self, request: Request) -> Response:
        """Have something recorded."""
        tapped = recording.read(await body_of(request, BODY))
        keeper = await self._tables.of(request)
        async with keeper.kept.lock:
            await keeper.catch_up()
            found = await recording.carried_out(keeper, tapped)
            more = await keeper.run(lambda: drawing.result(keeper, found))
            if not more and tapped.act in recording.DONE:
                more = {"told": keeper.language.say(recording.DONE[tapped.act])}
            await keeper.catch_up()
            return await _state(keeper, request, **more)


async def _state(keeper: Keeper, request: Request, **more: Any) -> Response:
    near = _near(request)
    state = await keeper.run(lambda: drawing.state(keeper, near))
    return answers.data({**state, **more})


def _near(request: Request) -> int:
    """The seat at the bottom of the board."""
    return 1 if request.query_params.get("near") == "1" else 0


def _read(body: bytes) -> Asked:
    """What is asked; raises `Fault`."""
    try:
        return msgspec.json.decode(body, type=Asked)
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise malformed("body", str(error)) from None
