"""Photos of the cards that matches brought, where the organiser keeps them (`--card-photos`).

They are no part of a record, and nothing rests on them: a match without its photos is whole. They
go where it goes: into copies and an official's archive, and out of the store with it.
"""

from __future__ import annotations

from domain.words.phrases import phrase
from service.store.jpeg import NoPicture, bare
from service.store.records import Records, Statement
from service.store.statements import upsert

#: Bytes of a photo at most, pixels of a side, photos of a match. Phones make them smaller.
BYTES, SIDE, MOST = 256 * 1024, 1600, 64
_SAVE = upsert("card_photos", "id, card", "id, card, photo")


def checked(file: bytes) -> bytes:
    """A photo as it is kept: only what is drawn. Raises `NoPicture`, whose text is for people."""
    if len(file) > BYTES:
        raise NoPicture(phrase("the photo has more than {most} bytes", most=BYTES))
    try:
        photo, width, height = bare(file)
    except NoPicture as error:
        raise NoPicture(phrase("this is no photo that can be kept (a JPEG)")) from error
    if max(width, height) > SIDE:
        raise NoPicture(phrase("the photo has sides of more than {most} pixels", most=SIDE))
    return photo


def saved(match: str, card: str, photo: bytes) -> Statement:
    """Keep a photo of a card, instead of the one that there was."""
    return _SAVE, (match, card, photo)


def removed(match: str, card: str) -> Statement:
    """Keep it no longer."""
    return "DELETE FROM card_photos WHERE id=? AND card=?", (match, card)


def find(records: Records, match: str, card: str) -> bytes | None:
    """The photo of a card of a match; None: there is none."""
    row = records.row("SELECT photo FROM card_photos WHERE id=? AND card=?", match, card)
    return bytes(row["photo"]) if row is not None else None


def cards(records: Records, match: str) -> frozenset[str]:
    """The cards of a match of which there is a photo."""
    with records.rows("SELECT card FROM card_photos WHERE id=?", match) as found:
        return frozenset(row["card"] for row in found)
