"""A card that no catalogue has is typed here, figure by figure, and shown as it is understood.

What is typed is read by its game (`domain.text.printing`). The card itself goes into the button
that brings it: a tap like others (`recording`), checked by the service all the same. A photo of it
comes after that, where the organiser keeps any (`service.store.tables.card_photos`).
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from grpc import StatusCode
from msgspec import Struct

from domain import games
from domain.engine.rulebook import Refused
from domain.games.kit.lists.printed import BadPrint, Card
from domain.officials import bringing
from domain.telling.book import brought
from domain.telling.card_text import CardText, card_text
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
    heading = keeper.session.pos.heading
    columns, fault, column = printing.columns(heading.game), "", ""
    compiles = any(one.name == printing.TEXT for one in columns)
    if written.done:
        try:
            card = printing.read(heading.game, written.fields)
            text = _json(card)
            bringing.check(games.rulebook(heading.game), heading.prints, (text,))
        except BadPrint as bad:
            fault, column = str(bad), bad.column
        except Refused as refused:
            fault = refused.refusal.text
        else:
            return _part(
                keeper, "brought", card=_shown(keeper, text), text=text, made=card,
                compiles=compiles, photos=keeper.site.look.card_photos, photo="",
            )  # fmt: skip
    return _part(
        keeper, "bring",
        columns=columns, given=written.fields, fault=fault, column=column, compiles=compiles,
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


def _json(card: Card) -> str:
    table = {key: value for key, value in card.table.items() if key != "unread"}
    return msgspec.json.encode(table).decode()


def _shown(keeper: Keeper, text: str) -> CardText:
    book = keeper.session.book
    (card,) = brought([text])
    return card_text(games.rulebook(book.manifest.game), book, card, keeper.language)


def _part(keeper: Keeper, name: str, **data: object) -> str:
    return rendered(f"table/parts/{name}.html", keeper.language, **data)
