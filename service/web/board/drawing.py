"""Draws a position as an HTML fragment.

The same position, seen by the same viewer, gives the same bytes: nothing else goes in but the names
of the game, the language, which side is near, and where pictures of cards are.
"""

from __future__ import annotations

from markupsafe import Markup

from domain.record.position import Position
from domain.telling.board import board_of
from domain.telling.board.model import Board
from domain.telling.board.tiles import Tiles
from domain.telling.book import Book
from domain.telling.names import clock
from domain.words.tables import Language
from service.web import answers
from service.web.board.images import Images, no_images
from service.web.board.zones import laid_shared, laid_side


def drawn(
    book: Book,
    pos: Position,
    language: Language,
    *,
    near: int = 0,
    images: Images = no_images,
) -> Markup:
    """The whole board, with seat `near` at the bottom. `images` says where pictures are."""
    return written(board_of(book, pos, near), language, images)


def written(board: Board, language: Language, images: Images = no_images) -> Markup:
    """A board as HTML."""
    *far, near = board.sides
    shared, units = laid_shared(
        board.shared, board.look.shared, [side.seat for side in board.sides]
    )
    return Markup(
        answers.rendered(
            "board/board.html",
            language,
            board=board,
            clock=clock,
            far=[laid_side(side, board.look.side, -1) for side in far],
            near=laid_side(near, board.look.side, 1),
            shared=shared,
            units=units,
            images=images,
        )
    )


def card(
    book: Book, pos: Position, number: int, language: Language, *, images: Images = no_images
) -> Markup:
    """The tile of one card that lies on the table, as a list of its own; for showing it large."""
    tile = Tiles(book, pos).tile(number, shared=True)
    return Markup(answers.rendered("board/card.html", language, tile=tile, images=images))
