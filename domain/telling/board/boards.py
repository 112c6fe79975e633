"""Makes a board of a position: where the match stands, the sides, what is between them and open."""

from __future__ import annotations

from domain.record.position import Position
from domain.telling.board.model import Board, Counter, Side
from domain.telling.board.state import State
from domain.telling.board.tiles import Tiles
from domain.telling.board.zones import Zones
from domain.telling.book import Book
from domain.telling.names import countdown, letter, player


def board_of(book: Book, pos: Position, near: int = 0) -> Board:
    """The whole board, with seat `near` as the last side."""
    state, tiles, decision = State(book, pos), Tiles(book, pos), pos.decision
    zones = Zones(tiles)
    seats = sorted(range(book.manifest.seats), key=lambda seat: seat == near)
    return Board(
        game=book.manifest.game,
        seq=pos.seq,
        time=pos.time,
        where=tuple(state.where()),
        notes=tuple(state.time()),
        warnings=tuple(state.warnings()),
        over=pos.over,
        sides=tuple(_side(tiles, zones, seat) for seat in seats),
        shared=zones.shared(),
        attack=state.attack(),
        acts=tuple(state.acts()),
        scheduled=tuple(state.scheduled()),
        decision=state.decision(),
        decision_n=decision.n if decision is not None else 0,
        look=book.look,
    )


def _side(tiles: Tiles, zones: Zones, seat: int) -> Side:
    pos, heading = tiles.pos, tiles.pos.heading
    timed = f"seat/{seat}" in pos.clocks
    left = pos.left(f"seat/{seat}", pos.time) if timed else 0
    return Side(
        seat=seat,
        letter=letter(seat),
        player=player(seat),
        name=heading.seats[seat] if seat < len(heading.seats) else "",
        deck=heading.decks.get(seat, ("", None))[0],
        turn=seat == pos.turn_seat,
        asked=pos.decision is not None and seat in pos.decision.seats,
        clock=countdown(left) if timed else "",
        late=timed and left <= 0,
        counters=_held(tiles, seat),
        rows=zones.rows(seat),
    )


def _held(tiles: Tiles, seat: int) -> tuple[Counter, ...]:
    """The counters of a seat, of every kind that some seat has."""
    seats = range(tiles.book.manifest.seats)
    holders = [tiles.pos.holders.get(f"seat/{n}", {}) for n in seats]
    kinds = dict.fromkeys(kind for holder in holders for kind in holder)
    return tuple(tiles.counter(kind, holders[seat].get(kind, 0)) for kind in kinds)
