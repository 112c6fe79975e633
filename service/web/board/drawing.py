"""Draws a position as an HTML fragment, from the manifest alone.

The same position, seen by the same viewer, gives the same bytes: nothing else goes in but the names
of the game, the language, which side is near, and where pictures of cards are.
"""

from __future__ import annotations

from markupsafe import Markup

from domain.record.position import Position
from domain.telling.book import Book
from domain.telling.names import clock, countdown, letter, player
from domain.telling.table import Table
from domain.words.tables import Language
from service.web import answers
from service.web.board.model import Act, Board, Side
from service.web.board.tiles import Images, Tiles
from service.web.board.zones import Zones


def drawn(
    book: Book,
    pos: Position,
    language: Language,
    *,
    near: int = 0,
    images: Images | None = None,
) -> Markup:
    """The whole board, with seat `near` at the bottom. `images` says where pictures are."""
    board = laid_out(book, pos, near=near, images=images)
    return Markup(answers.rendered("board/board.html", language, board=board))


def card(
    book: Book, pos: Position, number: int, language: Language, *, images: Images | None = None
) -> Markup:
    """The tile of one card that lies on the table, as a list of its own; for showing it large."""
    tile = Tiles(Table(book, pos), images).tile(number, shared=True)
    return Markup(answers.rendered("board/card.html", language, tile=tile))


def laid_out(book: Book, pos: Position, *, near: int = 0, images: Images | None = None) -> Board:
    """The board as data."""
    table = Table(book, pos)
    zones = Zones(Tiles(table, images), near)
    *far, own = table.sides(near)
    decision = pos.decision
    return Board(
        game=book.manifest.game,
        seq=pos.seq,
        time=clock(pos.time),
        where=tuple(table.where()),
        notes=tuple(table.time()),
        warnings=tuple(table.warnings()),
        over=pos.over,
        far=tuple(_side(zones, seat, -1) for seat in far),
        near=_side(zones, own, 1),
        shared=zones.shared(),
        aside=zones.shared(aside=True),
        attack=table.attack() or "",
        acts=tuple(_acts(table)),
        scheduled=tuple(table.scheduled()),
        decision=table.decision() or "",
        decision_n=decision.n if decision is not None else 0,
    )


def _acts(table: Table) -> list[Act]:
    """What waits, the latest on top."""
    acts = [Act(act.id, link, act.seat, text, act.resolving) for link, act, text in table.acts()]
    return acts[::-1]


def _side(zones: Zones, seat: int, way: int) -> Side:
    table, pos = zones.table, zones.pos
    name, deck = table.seat_name(seat)
    left = table.seat_left(seat)
    held = [zones.tiles.counter(kind, n) for kind, _, n in table.seat_counters(seat)]
    return Side(
        seat=seat,
        letter=letter(seat),
        player=player(seat),
        name=name,
        deck=deck,
        turn=seat == pos.turn_seat,
        asked=pos.decision is not None and seat in pos.decision.seats,
        clock="" if left is None else countdown(left),
        late=left is not None and left <= 0,
        counters=tuple(held),
        lines=zones.lines(seat, way),
        rail=zones.rail(seat, way),
    )
