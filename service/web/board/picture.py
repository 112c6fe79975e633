"""Draws a board as a PNG for previews of links: the mat, cards by their frames, names, the score.

It is drawn of the same layout as the page's (`zones`), with the colours of its tokens, of nothing
but what the viewer sees. Pillow is needed (`kifu[pictures]`); without it there are no pictures.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from io import BytesIO
from math import ceil
from typing import TYPE_CHECKING, Any

from domain.record.schema.looks import COLUMNS
from domain.telling.board.model import Board, Side, Tile
from domain.words.tables import Language
from service.web.assets import assets
from service.web.board.zones import Laid, laid_shared, laid_side

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont, ImageFont

#: The size that pages of others show of a link.
WIDTH, HEIGHT = 1200, 630
KIND = "image/png"
_BAND, _GAP, _EDGE = 34, 5, 10
_RATIO = 1.4
#: In a zone that is no higher, cards are not drawn.
_LOW = 30
#: Fonts that have most scripts, the best first; without any, Pillow's own.
_FONTS = ("NotoSansCJK-Bold.ttc", "NotoSansCJK-Regular.ttc", "DejaVuSans-Bold.ttf", "arialbd.ttf")
#: Which font of a collection (`.ttc`) has the signs of a language; the first has those of Japanese.
_OF_COLLECTION = {"zh-Hans": 2, "zh-Hant": 3}
#: What a name is broken between: words, and single letters of Chinese and Japanese, each with the
#: signs that never begin a line.
_PARTS = re.compile(
    r" *(?:[^ \u2e80-\u9fff\uff00-\uffef]+|[\u2e80-\u9fff\uff00-\uffef])"
    r"[、。，．：！？）」』】〉》・ー々ァィゥェォッャュョぁぃぅぇぉっゃゅょ]*"
)
_Box = tuple[float, float, float, float]


def available() -> bool:
    """Whether pictures can be drawn here."""
    try:
        import PIL.ImageDraw  # noqa: F401
    except ImportError:
        return False
    return True


def picture(board: Board, language: Language) -> bytes:
    """A board as a PNG, in this language."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (WIDTH, HEIGHT), _colours()["paper"])
    _Drawing(ImageDraw.Draw(image), board, language).draw()
    out = BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


class _Drawing:
    """One picture."""

    def __init__(self, ink: ImageDraw, board: Board, language: Language) -> None:
        self._ink, self._board, self._colours = ink, board, _colours()
        self._say, self._script = language.say, _OF_COLLECTION.get(language.tag, 0)

    def draw(self) -> None:
        board, mat = self._board, self._board.look.side
        *far, near = board.sides
        sides = [(laid_side(one, mat, -1), one) for one in far] + [(laid_side(near, mat, 1), near)]
        shared, between = laid_shared(
            board.shared, board.look.shared, [one.seat for one in board.sides]
        )
        bands = 2 * _EDGE + len(sides) * (_BAND + 2 * _GAP) + 2 * _GAP
        unit = (HEIGHT - bands) / (sum(one.units for one, _ in sides) + between)
        y = float(_EDGE)
        for laid, side in sides:
            if side is near and shared:
                self._mat(shared, between, y, unit)
                y += between * unit + _GAP
            high = laid.units * unit
            band, zones = (y + high + _GAP, y) if side is near else (y, y + _BAND + _GAP)
            self._band(side, band)
            self._mat(laid.zones, laid.units, zones, unit)
            y += high + _BAND + 2 * _GAP

    def _band(self, side: Side, y: float) -> None:
        """A player's name, and what he has."""
        colour = self._colours[f"seat-{side.seat % 4}"]
        self._ink.rounded_rectangle((_EDGE, y, WIDTH - _EDGE, y + _BAND), 6, self._colours["card"])
        self._ink.rectangle((_EDGE, y, _EDGE + 10, y + _BAND), colour)
        held = "  ".join(f"{self._say(one.label)} {one.n}" for one in side.counters)
        self._text((_EDGE + 22, y + 4), f"{side.letter}  {side.name}", 22, WIDTH * 0.6)
        font = self._font(22)
        self._text((WIDTH - _EDGE - 14 - font.getlength(held), y + 4), held, 22, WIDTH * 0.4)

    def _mat(self, zones: tuple[Laid, ...], units: int, y: float, unit: float) -> None:
        column = (WIDTH - 2 * _EDGE) / COLUMNS
        box = (_EDGE, y, WIDTH - _EDGE, y + units * unit)
        self._ink.rounded_rectangle(box, 8, self._colours["felt-edge"])
        for laid in zones:
            cell = laid.cell
            left, top = _EDGE + (cell.x - 1) * column, y + (cell.y - 1) * unit
            self._zone(laid, (left + 2, top + 2, left + cell.wide * column - 2,
                              top + cell.high * unit - 2))  # fmt: skip

    def _zone(self, laid: Laid, box: _Box) -> None:
        self._ink.rounded_rectangle(box, 5, self._colours["felt"])
        tiles = [spot.tile for group in laid.groups for spot in group.spots if spot.tile]
        backs = 1 if laid.look == "stack" else 8
        cards: list[Tile | None] = [*tiles, *[None] * min(laid.zone.unknown, backs)]
        if laid.look == "counters" or (laid.look == "stack" and laid.zone.n) or not cards:
            count = laid.zone.n or sum(one.n for one in laid.zone.counters)
            if count:
                self._text((box[0] + 5, box[1] + 1), str(count), 15, box[2] - box[0])
        if box[3] - box[1] < _LOW:
            return
        for card, place in zip(cards, _places(cards, box), strict=False):
            self._card(card, place)

    def _card(self, tile: Tile | None, box: _Box) -> None:
        """A card; a back for one that is not known."""
        high, wide = box[3] - box[1], box[2] - box[0]
        ink, colours = self._ink, self._colours
        if tile is None or not tile.id or tile.down:
            back = colours[f"frame-{self._board.look.back[0]}"]
            ink.rounded_rectangle(box, 4, back, colours["ink"])
            inner = (box[0] + wide * 0.2, box[1] + high * 0.2, box[2] - wide * 0.2,
                     box[3] - high * 0.2)  # fmt: skip
            ink.rounded_rectangle(inner, 4, None, colours["card"])
            return
        frame = tile.face.frame
        ink.rounded_rectangle(box, 5, colours[f"plate-{frame}"], colours[f"frame-{frame}"], 4)
        plate = min(high * 0.45, 34)
        ink.rectangle((box[0] + 4, box[1] + 4, box[2] - 4, box[1] + plate), colours["card"])
        if wide > 38:
            size = 11 if wide < 70 else 13
            for line, text in enumerate(_wrapped(self._say(tile.name), wide - 8, self._font(size))):
                self._text((box[0] + 5, box[1] + 2 + line * (size + 2)), text, size, wide - 8)
            figures = "  ".join(one.value for one in tile.figures)
            size = 22 if wide > 90 else 14
            self._text((box[0] + 7, box[3] - size * 1.6), figures, size, wide - 10)

    def _text(self, at: tuple[float, float], text: str, size: int, most: float) -> None:
        font = self._font(size)
        while text and font.getlength(text) > most:
            text = text[:-2] + "…" if len(text) > 2 else ""
        self._ink.text(at, text, self._colours["ink"], font)

    def _font(self, size: int) -> FreeTypeFont | ImageFont:
        return _font(size, self._script)


def _places(cards: list[Tile | None], box: _Box) -> Iterator[_Box]:
    """Where cards lie in a zone, in lines as large as there is room for."""
    if not cards:
        return
    left, top, right, bottom = box
    wide, high, n = right - left - 6, bottom - top - 6, len(cards)
    sizes = ((min(high / rows / _RATIO, wide / ceil(n / rows) / 1.15), rows) for rows in (1, 2, 3))
    size, rows = max(sizes)
    columns = ceil(n / rows)
    for at, card in enumerate(cards):
        row, column = divmod(at, columns)
        along = min(columns, n - row * columns)
        x = (left + right) / 2 + (column - (along - 1) / 2) * size * 1.15
        y = (top + bottom) / 2 + (row - (rows - 1) / 2) * size * _RATIO
        w, h = size * 0.95, size * _RATIO * 0.95
        if card is not None and card.turn:
            w, h = size * 1.1, size * 0.8
        yield (x - w / 2, y - h / 2, x + w / 2, y + h / 2)


def _wrapped(name: str, wide: float, font: FreeTypeFont | ImageFont) -> list[str]:
    """A name in up to two lines."""
    parts, first = _PARTS.findall(name), ""
    while parts and font.getlength(first + parts[0]) <= wide:
        first += parts.pop(0)
    return [one for one in (first.strip(), "".join(parts).strip()) if one]


@cache
def _font(size: int, script: int) -> FreeTypeFont | ImageFont:
    from PIL import ImageFont

    for name in _FONTS:
        try:
            return ImageFont.truetype(name, size, script if name.endswith(".ttc") else 0)
        except OSError:
            continue
    return ImageFont.load_default(size)


@cache
def _colours() -> Mapping[str, Any]:
    """The colours of the design, by name."""
    text = assets()["layout/design.css"].body.decode()
    return dict(re.findall(r"--([\w-]+): (#\w{6});", text))
