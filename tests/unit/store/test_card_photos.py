"""Photos of cards: what is kept of a file from a stranger, and where it goes with its match."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from service.keeping import archives, copying, retention
from service.keeping.check.findings import Fault
from service.keeping.check.store import Tally, check
from service.store.jpeg import NoPicture, bare
from service.store.records import Records, Work
from service.store.tables import card_photos
from tests.support.photos import PLACE, drawn, photo
from tests.support.stores import LIVE, OVER, filled


@pytest.mark.parametrize("progressive", [False, True])
def test_what_draws_the_picture_is_kept_and_nothing_else(progressive: bool) -> None:
    file = photo(progressive=progressive)
    assert PLACE in file
    kept, width, height = bare(file + b"<script>" + PLACE)
    assert (width, height) == (60, 84)
    assert drawn(kept) == drawn(file)
    assert PLACE not in kept
    assert b"<script>" not in kept
    assert bare(kept) == (kept, width, height), "it is left as it is from then on"


def saved(kind: str) -> bytes:
    file = BytesIO()
    Image.new("CMYK" if kind == "JPEG" else "RGB", (8, 8)).save(file, kind)
    return file.getvalue()


@pytest.mark.parametrize("file", [
    b"", b"\xff", b"\xff\xd8", b"\xff\xd8\xff\xd9", b"\xff\xd8\xff\xda\x00\x02", b"<svg/>",
    b"\xff\xd8" + b"\xff\xe0\x00\x02" * 40, b"\xff\xd8\xff\xc0\x00\x02\xff\xd9",
    saved("PNG"), saved("GIF"), saved("WEBP"), saved("JPEG"),
    photo().replace(b"\xff\xc0", b"\xff\xc9"),
])  # fmt: skip
def test_what_is_no_photo_is_refused(file: bytes) -> None:
    with pytest.raises(NoPicture):
        card_photos.checked(file)


def test_a_damaged_file_is_refused_or_kept_bare_and_never_fails_otherwise() -> None:
    chance, file = random.Random(1), photo()
    for _ in range(2_000):
        damaged = bytearray(file[: chance.randrange(len(file))] if chance.random() < 0.3 else file)
        for _ in range(chance.randrange(4)):
            damaged.insert(chance.randrange(len(damaged) + 1), chance.choice((0xFF, 0xD9, 7)))
        try:
            kept, *_ = bare(bytes(damaged))
        except NoPicture:
            continue
        assert bare(kept)[0] == kept


def test_a_photo_has_a_largest_size() -> None:
    with pytest.raises(NoPicture, match="pixels"):
        card_photos.checked(photo(card_photos.SIDE + 1, 8))
    with pytest.raises(NoPicture, match="bytes"):
        card_photos.checked(photo() + bytes(card_photos.BYTES))
    assert card_photos.checked(photo(card_photos.SIDE, 8))


def photos(path: Path, match: str) -> dict[str, bytes | None]:
    records = Records(path, reading=True)
    try:
        return {card: card_photos.find(records, match, card)
                for card in card_photos.cards(records, match)}  # fmt: skip
    finally:
        records.close()


def faults(path: Path) -> list[Fault]:
    records = Records(path, reading=True)
    try:
        return list(check(records, Tally()))
    finally:
        records.close()


def test_a_photo_goes_where_its_match_goes(tmp_path: Path) -> None:
    path, kept = filled(tmp_path / "matches.kifu"), card_photos.checked(photo())
    other, archive = tmp_path / "other.kifu", tmp_path / "archive.kifu"
    records, target = Records(path), Records(other)
    records.write(Work("", (), [card_photos.saved(OVER, "PR-01", kept)]))
    copying.copy(records, target)
    records.write(Work("", (), [card_photos.removed(LIVE, "PR-01")]))
    copying.copy(records, target)
    target.close()
    assert photos(other, LIVE) == {}
    assert photos(other, OVER) == {"PR-01": kept}
    archives.archive(records, archive, [OVER])
    retention.take_out(records, archive)
    assert not card_photos.cards(records, OVER)
    retention.bring_back(records, archive)
    assert card_photos.find(records, OVER, "PR-01") == kept
    public = tmp_path / "public.kifu"
    archives.archive(records, public, [OVER], viewer=-1)
    assert photos(public, OVER) == {}
    records.close()


def test_a_store_of_the_layout_before_is_read_as_it_is_and_grows_when_it_is_written(
    tmp_path: Path,
) -> None:
    path = filled(tmp_path / "matches.kifu")
    with closing(sqlite3.connect(path)) as file:
        file.executescript("DROP TABLE card_photos; PRAGMA user_version=1")
    before = path.read_bytes()
    assert photos(path, LIVE) == {}
    assert faults(path) == []
    assert path.read_bytes() == before
    records = Records(path)
    records.write(Work("", (), [card_photos.saved(LIVE, "PR-01", card_photos.checked(photo()))]))
    records.close()
    assert [*photos(path, LIVE)] == ["PR-01"]
