"""How many of something a seat may have: the room there is, how it is made, who is told of more."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.engine.table import Table
from domain.games.kit.zones.room import Limit, make_room, place_tokens, surplus
from domain.record.decisions import Act
from domain.record.events import NotDone
from tests.unit.kit.flows import drive, table

FIELD = Limit("cards in play", 3, "toy:4", lambda p, seat: p.zone("field", seat))
OLDEST = replace(FIELD, gone=lambda n: ("toy:7", f"toy:{n}"))
PICKED = replace(OLDEST, asks="excess", picks="trash")


def with_cards(n: int) -> Table:
    """So many cards on the field of B, numbered from 1."""
    t = table()
    t.make(["T01"] * n, "field/1", "setup", "toy:1")
    t.out.clear()
    return t


def trash(t: Table, cards: list[int], *cites: str) -> None:
    t.move(cards, "trash/1", "play", *cites)


@pytest.mark.parametrize(
    ("there", "coming", "room", "over"), [(0, 0, 3, 0), (2, 1, 1, 0), (2, 3, 1, 2), (4, 0, 0, 1)]
)
def test_a_limit(there: int, coming: int, room: int, over: int) -> None:
    t = with_cards(there)
    assert FIELD.room(t.pos, 1) == room
    assert FIELD.over(t.pos, 1, coming) == over
    assert FIELD.room(t.pos, 0) == 3
    found = [f"seat 1 has {there} cards in play"] if there > 3 else []
    assert list(surplus(t.pos, 1, (FIELD,))) == found


@pytest.mark.parametrize(
    ("limit", "coming", "answers", "left", "cites"),
    [
        (FIELD, 2, [], [1, 2, 3], []),  # there is none
        (OLDEST, 0, [], [1, 2, 3], []),
        (OLDEST, 2, [], [3], ["toy:7", "toy:2"]),
        (OLDEST, 9, [], [], ["toy:7", "toy:3"]),  # no more go than there are
        (PICKED, 1, [Act("trash", 0, ((2,),))], [1, 3], ["toy:7", "toy:1"]),
    ],
)
def test_room_is_made(
    limit: Limit, coming: int, answers: list[Act], left: list[int], cites: list[str]
) -> None:
    t = with_cards(3)
    drive(make_room(t, 1, limit, coming, trash), *answers)
    assert t.pos.zone("field", 1) == left
    moved = [entry.cites for entry in t.out if type(entry.event).__name__ == "CardsMoved"]
    assert moved == ([tuple(cites)] if cites else [])


@pytest.mark.parametrize(
    ("limits", "n", "placed", "cites"),
    [
        ((FIELD,), 1, 1, None),
        ((FIELD,), 3, 1, ("toy:4", "toy:5")),
        ((replace(FIELD, most=2, rule="toy:8"), FIELD), 1, 0, ("toy:8", "toy:5")),
        ((OLDEST,), 3, 3, None),
        ((OLDEST,), 4, 3, ("toy:4", "toy:5")),  # even an empty field takes no more
    ],
)
def test_tokens_come_as_there_is_room(
    limits: tuple[Limit, ...], n: int, placed: int, cites: tuple[str, ...] | None
) -> None:
    t = with_cards(2)
    done = drive(
        place_tokens(t, "T09", n, "field/1", "toy:3", limits=limits, go=trash, few=("toy:5",))
    )
    tokens = [card for card in t.pos.cards.values() if card.token]
    assert done == len(tokens) == placed
    assert len(t.pos.zone("field", 1)) <= 3
    short = [entry for entry in t.out if isinstance(entry.event, NotDone)]
    assert [entry.cites for entry in short] == ([cites] if cites else [])
