"""Cards that are destroyed for the state they are in, and survive where something else is done."""

from __future__ import annotations

import pytest

from domain.games.kit.effects.processes import SPARED, Dying
from domain.record.position import Position
from tests.unit.kit.flows import table


def excess(p: Position, card: int) -> int:
    return p.counters(card, "points") - 2


DYING = Dying(
    why=lambda p, card: "points" if excess(p, card) >= 0 else "",
    excess=excess,
    stays="toy:4",
    over="toy:7",
)


@pytest.mark.parametrize(
    ("had", "then", "doomed", "marked"),
    [
        (1, [], False, False),  # it had not to be spared
        (2, [], False, True),
        (3, [], False, True),
        (2, [1], True, True),  # it is worse off than it was
        (3, [-1], False, True),
        (3, [-1, 1], False, True),
        (3, [-2], False, False),  # it is as well off as others
        (3, [-2, 1], True, False),  # and dies anew
    ],
)
def test_one_that_was_spared(had: int, then: list[int], doomed: bool, marked: bool) -> None:
    t = table()
    (card,) = t.make(["T01"], "field/0", "setup", "toy:1")
    t.counters("points", had, "toy:4", dst=card)
    assert bool(DYING.doomed(t, [card])) == (had > 1)
    DYING.spare(t, card)
    found: dict[int, str] = DYING.doomed(t, [card])
    for n in then:
        away = {"src": card} if n < 0 else {"dst": card}
        t.counters("points", abs(n), "toy:4", **away)
        found = DYING.doomed(t, [card])
    assert found == ({card: "points"} if doomed else {})
    assert (t.pos.mark(card, SPARED) is not None) == marked
