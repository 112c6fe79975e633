"""Boards as HTML: all that a viewer may see, once, and nothing else."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import httpx
import pytest
from msgspec import structs
from PIL import Image, ImageDraw
from starlette.applications import Starlette

from domain.games import names, rulebook
from domain.record import views
from domain.record.entries import Entry
from domain.record.folding.fold import fold
from domain.record.position import Clock, Pending, Position, Scheduled
from domain.record.views import OFFICIAL, PUBLIC
from domain.telling.board import board_of
from domain.telling.book import Book
from domain.words.tables import Language, language
from service.web.board import card, drawn, images
from service.web.board.picture import picture
from service.web.board.routes import routes
from service.web.site import Look
from tests.playouts import play, setup_of
from tests.properties.secrecy import twins

if TYPE_CHECKING:
    from service.web.site import Site

GAMES = (*names(), "lamps")
VIEWERS = (PUBLIC, OFFICIAL, 0, 1)
ENGLISH = Language()
#: What somebody might write who wants more than to be read.
PAYLOADS = (
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' autofocus onfocus='alert(1)",
    "</p></article><style>*{}</style>", "{{ 7 * 7 }}{% raw %}", "<!-- ", "]]>&lt;b&gt;",
    "javascript:alert(1)",
)  # fmt: skip
#: How much of a match is looked at.
LONGEST = 1500
#: Elements that have no end.
VOID = {"img", "br", "hr"}


@cache
def log(game: str, seed: int = 5) -> list[Entry]:
    return play(setup_of(seed, game=game))[:LONGEST]


@cache
def book_of(game: str) -> Book:
    return Book.of(rulebook(game))


def some(game: str, viewer: int, n: int = 8) -> Iterator[Position]:
    """Positions from all over a match."""
    entries, pos = log(game), Position()
    for at, entry in enumerate(entries, 1):
        fold(pos, views.redact(entry, viewer))
        if at % (len(entries) // n) == 0:
            yield pos


def fragment(pos: Position, near: int = 0) -> str:
    return drawn(book_of(pos.heading.game), pos, ENGLISH, near=near)


class Read(HTMLParser):
    """A fragment as it is read: what it names, its text, its elements."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open = list[str]()
        self.cards, self.places, self.acts = Counter[int](), Counter[str](), list[int]()
        self.text, self.pictures = "", list[str]()
        self.shape = list[tuple[str, ...]]()
        self.feed(str(text))
        self.close()
        assert not self.open, f"not closed: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        found = dict(attrs)
        self.shape.append((tag, *found))
        if tag == "img":
            self.pictures.append(found["src"] or "")
        assert len(found) == len(attrs)
        assert not any(name.startswith("on") or name == "style" for name in found)
        if found.get("data-card"):
            self.cards[int(found["data-card"] or 0)] += 1
        if found.get("data-place"):
            self.places[found["data-place"] or ""] += 1
        if found.get("data-act"):
            self.acts.append(int(found["data-act"] or 0))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def lying(pos: Position) -> Counter[int]:
    """The cards that a board shows: those in zones that are drawn, and what lies with them."""
    manifest = rulebook(pos.heading.game).manifest
    hosts = [
        n for place, some in pos.zones.items() if manifest.zone(place).row >= 0 for n in some if n
    ]
    found = Counter(hosts)
    for n in hosts:
        found.update(pos.cards[n].attached if n in pos.cards else ())
    return found


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("game", GAMES)
def test_every_card_is_there_once(game: str, viewer: int) -> None:
    for pos in some(game, viewer):
        read = Read(fragment(pos, near=max(viewer, 0)))
        assert read.cards == lying(pos)
        assert set(read.places.values()) == {1}
        assert sorted(read.acts) == sorted(pos.pending)
        for number in lying(pos):
            name = book_of(game).name(pos.cards[number].id)
            assert not name or name in read.text


@pytest.mark.parametrize("game", GAMES)
def test_it_has_only_names_that_the_viewer_saw(game: str) -> None:
    name = book_of(game).name
    for viewer in (PUBLIC, 0):
        for pos, whole in zip(some(game, viewer, 4), some(game, OFFICIAL, 4), strict=True):
            ids = {card.id for card in (*whole.cards.values(), *whole.departed.values())} - {""}
            found = {card.id for card in (*pos.cards.values(), *pos.departed.values())}
            text = Read(fragment(pos)).text
            alike = " ".join(name(one) for one in found)
            assert not [one for one in ids - found if name(one) in text and name(one) not in alike]


@pytest.mark.parametrize("game", GAMES)
def test_the_same_position_gives_the_same_bytes(game: str) -> None:
    entries = log(game)[:400]
    one, other = (views.position(entries, PUBLIC) for _ in range(2))
    assert fragment(one) == fragment(other)


@pytest.mark.parametrize(("game", "viewer"), [("gundam", 0), ("hollow_flux", PUBLIC)])
def test_positions_that_a_viewer_cannot_tell_apart_look_alike(game: str, viewer: int) -> None:
    setup = setup_of(5, game=game)
    entries = play(setup)
    twin = twins.permuted(setup, entries, viewer, Random(3))
    assert twin.same > 50
    differ = False
    for at in range(twin.same // 4, twin.same + 1, twin.same // 4):
        one, other = (views.position(some[:at], viewer) for some in (entries, twin.log))
        assert fragment(one) == fragment(other)
        book = book_of(game)
        assert picture(board_of(book, one), ENGLISH) == picture(board_of(book, other), ENGLISH)
        whole, changed = (views.position(some[:at], OFFICIAL) for some in (entries, twin.log))
        differ = differ or fragment(whole) != fragment(changed)
    assert differ


def test_a_picture_for_links_has_the_size_that_pages_of_others_show() -> None:
    board = board_of(book_of("yugioh"), views.position(log("yugioh")[:600], PUBLIC))
    with Image.open(BytesIO(picture(board, ENGLISH))) as image:
        assert (image.format, image.size) == ("PNG", (1200, 630))
        assert len(image.getcolors(1 << 20) or ()) > 20


#: What a card on the table of that match is called.
TRAP = [("ja", "落とし穴"), ("zh-Hans", "落穴"), ("zh-Hant", "陷坑")]


@pytest.mark.parametrize(("tag", "called"), TRAP)
def test_a_picture_for_links_calls_cards_as_they_are_called_in_its_language(
    tag: str, called: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = list[str]()
    monkeypatch.setattr(
        ImageDraw.ImageDraw, "text", lambda self, at, text, *more: texts.append(text)
    )
    book = Book.of(rulebook("yugioh"), language(tag))
    picture(board_of(book, views.position(log("yugioh")[:600], PUBLIC)), language(tag))
    assert called in texts
    assert "Trap Hole" not in texts


@pytest.mark.parametrize("payload", PAYLOADS)
def test_what_people_write_stays_text(payload: str) -> None:
    book = book_of("gundam")
    shapes = []
    for text in ("plain", payload):
        pos = views.position(log("gundam")[:700], OFFICIAL)
        cards = {
            key: structs.replace(card, name=text, type=text) for key, card in book.cards.items()
        }
        pos.heading.seats = (text, text)
        pos.heading.decks = {0: (text, None), 1: (text, None)}
        pos.heading.labels = {"event": text, "round": text, "table": text}
        pos.heading.waits, pos.heading.fork = "official", text
        number = pos.zone("battle", 0)[0]
        pos.cards[number].stats |= {"name": text, text: 1}
        pos.cards[number].counters = {text: 3}
        pos.holders |= {"seat/0": {text: 2}, "battle/0": {text: 2}}
        pos.pending[7] = Pending(7, text, f"{text}/{text}", number, 0, 1, 1, targets=(text,))
        pos.scheduled[1] = Scheduled(text, text, number, 0, text, 1, -1, (), 0, 1)
        pos.clocks["seat/0"] = Clock(1000, False, 0)
        pos.step = text
        where = dict.fromkeys(cards, text).__getitem__
        read = Read(drawn(structs.replace(book, cards=cards), pos, ENGLISH, images=where))
        shapes.append(read.shape)
        assert read.text.count(text) > 20
    assert shapes[0] == shapes[1]


def test_a_figure_that_is_not_the_printed_one_is_marked() -> None:
    pos = views.position(log("gundam")[:700], OFFICIAL)
    book = book_of("gundam")
    for seat in (0, 1):
        pos.zones[f"battle/{seat}"] = pos.zone("battle", seat)[:1]
    number = next(n for seat in (0, 1) for n in pos.zone("battle", seat))
    printed = book.fact(pos.cards[number].id, "ap")
    for now, way in ((printed, ""), (printed + 2, "up"), (printed - 1, "down")):
        pos.cards[number].stats = {**pos.cards[number].stats, "ap": now}
        tile = card(book, pos, number, ENGLISH)
        figure = tile[tile.index(">AP<") :].partition("HP")[0]
        assert f"<b>{now}</b>" in figure
        assert ("printed" in figure) == bool(way)
        marked = f" {way}" if way else ""
        assert f'figure of-ap{marked}"><span class="key">AP' in tile


def test_a_player_without_counters_shows_zero() -> None:
    pos = views.position(log("yugioh"), PUBLIC)
    assert pos.holders["seat/0"]["life"] > 0
    del pos.holders["seat/1"]
    found = fragment(pos)
    assert found.count("Life Points <b>") == 2
    assert found.count("Life Points <b>0</b>") == 1


def test_pictures_are_shown_of_known_cards_only(tmp_path: Path) -> None:
    rules = rulebook("hollow_flux")
    (tmp_path / "hollow_flux").mkdir()
    for one in rules.cards:
        (tmp_path / "hollow_flux" / f"{one}.png").write_bytes(b"PNG")
    where = images.images(tmp_path, "hollow_flux", rules.cards)
    entries = log("hollow_flux")[:400]
    for viewer in VIEWERS:
        pos = views.position(entries, viewer)
        read = Read(drawn(Book.of(rules), pos, ENGLISH, images=where))
        known = [pos.cards[n].id for n in lying(pos) if n in pos.cards and pos.cards[n].id]
        assert sorted(read.pictures) == sorted(f"/images/hollow_flux/{one}" for one in known)
    assert images.images(tmp_path, "gundam", rules.cards)("HX-01") == ""


def test_links_lead_to_pictures_alone_and_what_cant_be_read_is_not_there(tmp_path: Path) -> None:
    folder, cards = tmp_path / "toy", ("A", "B", "C", "D", "E")
    (tmp_path / "key").write_bytes(b"a secret")
    (tmp_path / "kept.jpg").write_bytes(b"JPG")
    folder.mkdir()
    (folder / "A.png").symlink_to("../kept.jpg")
    (folder / "B.png").symlink_to("../key")
    (folder / "C.png").symlink_to("C.png")
    (folder / "D.png").symlink_to("nowhere.png")
    (folder / "E.png").mkdir()
    (folder / os.fsdecode(b"\xff\n<.png")).write_bytes(b"PNG")
    assert [*images.pictures(tmp_path, "toy", cards)] == ["A"]
    assert images.pictures(tmp_path, "key", cards) == {}  # it is a file


def test_nothing_is_served_but_pictures_of_the_catalogue(tmp_path: Path) -> None:
    folder = tmp_path / "pictures" / "hollow_flux"
    folder.mkdir(parents=True)
    for name in ("HX-01.png", "HX-01.webp", "HX-02.svg", "HX-03.txt", "other.png"):
        (folder / name).write_bytes(name.encode())
    (tmp_path / "pictures" / "HX-04.png").write_bytes(b"no")
    site = SimpleNamespace(
        rulebooks={"hollow_flux": rulebook("hollow_flux")},
        look=Look(images=tmp_path / "pictures"),
    )
    app = Starlette(routes=routes(cast("Site", site)))

    async def get(path: str) -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://board") as client:
            return await client.get(f"/images/{path}")

    found = asyncio.run(get("hollow_flux/HX-01"))
    assert (found.status_code, found.content) == (200, b"HX-01.webp")
    assert found.headers["content-type"] == "image/webp"
    assert found.headers["cache-control"] == "public, max-age=86400"
    for path in (
        "hollow_flux/HX-02", "hollow_flux/HX-03", "hollow_flux/other", "hollow_flux/HX-04",
        "hollow_flux/HX-01.png", "hollow_flux/..%2FHX-04", "hollow_flux/%2e%2e%2fHX-04", "x/HX-01",
        "..%2f/HX-04", "hollow_flux/HX-01%00", "hollow_flux/",
    ):  # fmt: skip
        assert asyncio.run(get(path)).status_code == 404, path
