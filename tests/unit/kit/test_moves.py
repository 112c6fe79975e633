"""Cards that leave the field with others beneath them, in the ways that games have for it."""

from __future__ import annotations

import pytest

from domain.engine.table import Table
from domain.games.kit.zones.moves import Riders, leave
from tests.unit.kit.flows import table

ALONG = Riders(("toy:7",))
APART = Riders(("toy:7",), to="trash", why="host")


def laid(host_of: dict[int, int]) -> Table:
    """Four cards on the field of A, the second and the fourth B's, some beneath another."""
    t = table()
    for number in (1, 2, 3, 4):
        t.make([f"T{number:02}"], "field/0", "setup", "toy:1", owner=(number + 1) % 2)
    for rider, host in host_of.items():
        t.move([rider], "field/0", "play", "toy:1", host=host, role="set")
    t.out.clear()
    return t


def lying(t: Table) -> dict[str, list[str]]:
    return {
        place: [t.pos.cards[number].id for number in numbers]
        for place, numbers in t.pos.zones.items()
        if numbers
    }


#: What leaves, what lies under what, where everything is then.
LEFT = {
    "to their owners": ([1, 2], {}, ALONG, {"hand/0": ["T01"], "hand/1": ["T02"]}),
    "along with its host": ([1], {2: 1}, ALONG, {"hand/0": ["T01"], "hand/1": ["T02"]}),
    "its owner's trash": ([1], {2: 1}, APART, {"hand/0": ["T01"], "trash/1": ["T02"]}),
    "by itself": ([1, 2], {2: 1}, APART, {"hand/0": ["T01"], "hand/1": ["T02"]}),
}


@pytest.mark.parametrize(("going", "hosts", "riders", "then"), LEFT.values(), ids=LEFT)
def test_cards_that_leave(
    going: list[int], hosts: dict[int, int], riders: Riders, then: dict[str, list[str]]
) -> None:
    t = laid(hosts)
    now = leave(t, going, "hand/{}".format, "play", "toy:4", riders=riders)
    gone = {place: cards for place, cards in lying(t).items() if place != "field/0"}
    assert gone == then
    assert {t.pos.cards[number].place for number in now} == {p for p in then if "hand" in p}
    assert len({entry.moment for entry in t.out}) == 1
    assert any("toy:7" in e.cites for e in t.out) == (bool(hosts) and len(going) == 1)
