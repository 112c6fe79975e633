"""A card that no catalogue has is typed here, figure by figure, and shown as it is understood.

What is typed is understood by `domain.scorekeeping.bringing`, as in the terminal. The card itself
goes into the button that brings it: a tap like others (`recording`), checked by the service all the
same. A photo of it comes after that, where the organiser keeps any (`service.store.tables`).
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from grpc import StatusCode
from msgspec import Struct

from domain.scorekeeping import bringing
from domain.scorekeeping.bringing import Wrong
from domain.telling.book import brought
from domain.text import printing
from domain.words.phrases import phrase
from service.api.calls.errors import Fault, malformed
from service.store.jpeg import NoPicture
from service.store.records import Work
from service.store.tables import card_photos
from service.web.answers import NOTHING, rendered
from service.web.table.kept import Keeper


class Written(Struct, frozen=True, forbid_unknown_fields=True):
    """What is typed of a card, by column; `done`: all of it is."""

    fields: Mapping[str, str] = {}
    done: bool = False


def read(body: bytes) -> Written:
    """A card as it was sent; raises `Fault`."""
    try:
        return msgspec.json.decode(body, type=Written)
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise malformed("body", str(error)) from None


def drawn(keeper: Keeper, written: Written) -> str:
    """The form; where it is filled in, the card as it would be brought, or what is wrong."""
    session = keeper.session
    game, wrong = session.pos.heading.game, Wrong("")
    compiles = bringing.compiles(game)
    if written.done:
        try:
            made = bringing.understood(session.pos, session.book, keeper.language, written.fields)
        except Wrong as error:
            wrong = error
        else:
            return _part(
                keeper, "brought", card=made.shown, text=made.text, made=made.card,
                compiles=compiles, photos=keeper.site.look.card_photos,
            )  # fmt: skip
    return _part(
        keeper, "bring",
        columns=printing.columns(game), given=written.fields, fault=wrong.text,
        column=wrong.column, compiles=compiles,
    )  # fmt: skip


async def keep_photo(keeper: Keeper, card: str, file: bytes) -> None:
    """Keep a photo of a card that the match brought; empty: none any more. Raises `Fault`."""
    if not keeper.site.look.card_photos or not _brought(keeper, card):
        raise NOTHING
    records, match = keeper.site.matches.records, keeper.match
    if file:
        try:
            statement = card_photos.saved(match, card, card_photos.checked(file))
        except NoPicture as error:
            raise malformed("photo", error.args[0]) from None
        others = await keeper.run(lambda: card_photos.cards(records, match)) - {card}
        if len(others) >= card_photos.MOST:
            text = phrase("the match has {most} photos of cards already", most=card_photos.MOST)
            raise Fault(StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_PHOTOS", text)
    else:
        statement = card_photos.removed(match, card)
    await keeper.run(lambda: records.write(Work("", (), [statement])))


def photo_of(keeper: Keeper, card: str) -> tuple[str, bool]:
    """A card of which a photo may be kept, and whether there is one; else empty."""
    if not keeper.site.look.card_photos or not _brought(keeper, card):
        return "", False
    return card, card in card_photos.cards(keeper.site.matches.records, keeper.match)


def _brought(keeper: Keeper, card: str) -> bool:
    return any(one.id == card for one in brought(keeper.session.pos.heading.prints))


def _part(keeper: Keeper, name: str, **data: object) -> str:
    return rendered(f"table/parts/{name}.html", keeper.language, **data)
