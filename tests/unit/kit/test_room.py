"""How many of something a seat may have: what room there is, and who is told of a surplus."""

from __future__ import annotations

import pytest

from domain.games.kit.room import Limit, surplus
from tests.unit.kit.flows import table

FIELD = Limit("cards in play", 3, "toy:4", lambda p, seat: p.zone("field", seat))


@pytest.mark.parametrize(
    ("there", "coming", "room", "over"), [(0, 0, 3, 0), (2, 1, 1, 0), (2, 3, 1, 2), (4, 0, 0, 1)]
)
def test_a_limit(there: int, coming: int, room: int, over: int) -> None:
    t = table()
    t.make(["T01"] * there, "field/1", "setup", "toy:1")
    assert FIELD.room(t.pos, 1) == room
    assert FIELD.over(t.pos, 1, coming) == over
    assert FIELD.room(t.pos, 0) == 3
    told = [f"seat 1 has {there} cards in play"] if there > 3 else []
    assert list(surplus(t.pos, 1, (FIELD,))) == told
