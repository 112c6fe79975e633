"""Changes of positions: who has the first and applies them has the second, in order, as bytes."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from random import Random

import pytest
from kifu import PUBLIC, Point, fold, read
from kifu.v1 import positions_pb2 as pb

from domain.record.folding.changes import Changes, Compared, apply
from domain.record.position import Card, Position
from domain.record.views import OFFICIAL
from service import changes

GOLDEN = Path(__file__).parents[2] / "golden"
LOGS = sorted({path.name[0]: path for path in GOLDEN.glob("*/*cccc.jsonl")}.values())
LOGS += [GOLDEN / "hollow_flux-1.0/hjjjj.jsonl"]


def sent(found: Changes) -> Changes:
    """As they arrive."""
    return changes.of(pb.PositionChanges.FromString(changes.message(found).SerializeToString()))


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_positions_that_changed(path: Path) -> None:
    """From any entry to any later or earlier one, in every game, for every viewer."""
    log, rng = read(path), Random(path.stem)
    for viewer in (OFFICIAL, PUBLIC, 0, 1):
        mine = Position()
        compared = Compared(mine)
        for seq in [*sorted(rng.sample(range(1, len(log)), 25)), 5, len(log)]:
            pos = fold(log, seq, viewer)
            apply(mine, sent(compared.changes(pos)))
            assert mine.encoded() == pos.encoded()
            assert compared.changes(pos) == Changes()


def orders() -> Iterator[tuple[dict[int, str], dict[int, str]]]:
    yield {1: "a", 2: "b", 3: "c"}, {1: "a", 3: "c"}
    yield {1: "a", 2: "b", 3: "c"}, {2: "b", 3: "c", 1: "a"}
    yield {1: "a", 2: "b", 3: "c"}, {4: "d", 1: "a"}
    yield {1: "a", 2: "b"}, {2: "x", 1: "a"}
    yield {1: "a"}, {}
    yield {}, {2: "b", 1: "a"}
    rng = Random(7)
    for _ in range(200):
        one, other = rng.sample(range(6), rng.randrange(7)), rng.sample(range(6), rng.randrange(7))
        yield dict.fromkeys(one, "a"), {key: rng.choice("ab") for key in other}


def test_any_order_of_any_keys() -> None:
    for before, after in orders():
        one, other = Position(named=dict(before)), Position(named=after)
        found = Compared(one).changes(other)
        apply(one, sent(found))
        assert [*one.named.items()] == [*after.items()], (before, after)


def test_only_what_changed_is_there() -> None:
    card = Card("X", 0, 0, "hand/0", False, "")
    pos = Position(cards={1: card, 2: deepcopy(card)}, zones={"hand/0": [1, 2], "deck/0": [0]})
    compared = Compared(pos)
    pos.cards[2].up, pos.turn = True, 3
    found = compared.changes(pos)
    assert found == Changes({"turn": 3}, {"cards": {2: pos.cards[2]}})
    message = changes.message(found)
    assert message.fields == ["turn"]
    assert [field.name for field, _ in message.to.ListFields()] == ["turn", "cards"]


def test_removed_parts_are_sent_as_they_are_now() -> None:
    """A field that went back to nothing is named, and not in the message."""
    pos = fold(read(LOGS[0]), Point(decision=5))
    compared = Compared(pos)
    assert pos.decision is not None
    pos.decision = None
    message = changes.message(compared.changes(pos))
    assert message.fields == ["decision"]
    assert not message.to.HasField("decision")
    assert sent(Changes({"decision": None})).fields == {"decision": None}


def test_numbers_that_have_no_room_are_clamped() -> None:
    message = changes.message(Changes({"time": 1 << 70, "turn": 1 << 40}))
    assert (message.to.time, message.to.turn) == (2**63 - 1, 2**31 - 1)
